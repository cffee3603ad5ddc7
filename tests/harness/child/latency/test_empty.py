"""An empty plugin has the interface, and the numbers of inputs and outputs, of the one that it is compared with."""

import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.running.driver import fresh_driver
from harness.child.latency.empty import empty_driver
from harness.child.latency.ready_plugin import standing
from harness.contract.interface import Interface
from tests.support.latency_subjects import subject_of
from tests.support.workbench import BASES_V3, Creator, CreatorV3, Doubler, PluginV3

ENTRY = {"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)}
SHAPES = ((2, 3), (2, 3), (2, 3))


class Three(Doubler):
    """Has two outputs, and as many inputs as the case."""

    def __init__(self):
        super().__init__()
        self.num_outputs = 2


class ThreeV3(PluginV3, *BASES_V3):
    def __init__(self):
        super().__init__()
        self.num_outputs = 2

    def get_output_data_types(self, types):
        return [types[0]] * 2

    def get_output_shapes(self, inputs, _shape_inputs, _builder):
        return [trt.DimsExprs(inputs[0])] * 2

    def enqueue(self, *_):
        pass


CREATORS = {Interface.V2_DYNAMIC: Creator(lambda _: Three()), Interface.V3: CreatorV3(ThreeV3)}


@pytest.mark.parametrize("interface", CREATORS)
def test_it_is_called_with_as_many_of_each(interface, monkeypatch):
    case = Case("P", inputs=(ENTRY,) * 3)
    with subject_of(CREATORS[interface], case, interface=interface) as subject:
        driver = fresh_driver(subject).configure(SHAPES)
        empty = empty_driver(driver).configure(SHAPES)
        seen = []
        running = empty.caller.what_runs(empty.gate, empty.plugin)
        monkeypatch.setattr(type(running), "enqueue", lambda _, *given: seen.append([*map(len, given[:4])]))
        with standing(driver, SHAPES) as stand:
            stand.of(empty).call_and_wait()
    assert seen == [[3, 2, 3, 2]]
