"""The cases of a program's plugins have the shapes that these take, as far as the program shows them."""

import contextlib
import sys
from types import ModuleType

import pytest

import reference_runtime
from harness.cases.case import Case
from harness.child.discovery.plugins import Discovery, FoundPlugin
from harness.child.recording.limits import limited, limited_cases
from reference_runtime.devices import cuda_api
from reference_runtime.devices.current import current_device
from reference_runtime.devices.host import HostDevice
from tests.support.workbench import Creator, Doubler

pytest_plugins = ["pytester"]

CASE = Case(
    plugin="P",
    inputs=[
        {"dims": ("N", 4), "min": (1, 4), "opt": (4, 4), "max": (8, 4)},
        {"dims": ("M", 4), "min": (1, 4), "opt": (2, 4), "max": (8, 4)},
    ],
)


def test_a_case_is_limited_to_the_shapes_that_are_used():
    used = [((3, 4), (1, 4)), ((6, 4), (1, 4))]
    case = limited(CASE, used)
    assert [entry.dims for entry in case.inputs] == [("N", 4), (1, 4)]
    assert [entry.profile for entry in case.inputs] == [((3, 4), (6, 4), (6, 4)), ((1, 4),) * 3]
    assert [case.allows(shapes) for shapes in (*used, ((4, 4), (1, 4)))] == [True, True, False]


def test_without_a_use_it_is_limited_to_the_best_shapes():
    assert [entry.profile[0] for entry in limited(CASE, []).inputs] == [(4, 4), (2, 4)]


class Even(Doubler):
    """Refuses tensors with an odd number of rows."""

    device = None

    def enqueue(self, input_desc, *others):
        assert current_device() is Even.device  # on another device its libraries would read wrong addresses
        if input_desc[0].dims[0] % 2:
            raise ValueError("an even number of rows, please")
        super().enqueue(input_desc, *others)


@pytest.mark.parametrize("uses_cuda", [False, True])
def test_a_plugin_that_refuses_shapes_is_found_also_where_a_fork_is_impossible(monkeypatch, uses_cuda):
    monkeypatch.setattr(cuda_api, "is_in_use", lambda: uses_cuda)
    monkeypatch.setitem(sys.modules, "tensorrt", reference_runtime)
    case = Case(plugin="P", inputs=[{"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (5, 3)}])
    discovery = Discovery(
        ModuleType("program"), (FoundPlugin(Creator(lambda _: Even()), registered=True, cases=(case,)),), ()
    )
    used = {"/P/1": [((2, 3),), ((4, 3),)]}
    with contextlib.closing(HostDevice()) as device:
        monkeypatch.setattr(Even, "device", device)
        (found,) = limited_cases(discovery, used, "10", device)
    assert found.inputs[0].profile == ((2, 3), (4, 3), (4, 3))


@pytest.mark.nightly
def test_a_plugin_does_not_fail_for_shapes_that_the_program_never_used(certify_as_a_user):
    program = "plugin_examples.faulty.contexts.failed_execution_read:main"
    result, report = certify_as_a_user(f"--plugin-app={program}", "--plugin-select=CFG-008,CTX-014,ENQ-009")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    verdicts = {rule["id"]: rule["verdict"] for entry in report["plugins"] for rule in entry["rules"]}
    assert verdicts == {"CTX-014": "FAIL", "CFG-008": "PASS", "ENQ-009": "N/A"}  # one shape was used
