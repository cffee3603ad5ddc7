import contextlib
import dataclasses

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.running.driver import Driver
from harness.checks.shapes.batches import batch_of, greatest_batch, is_implicit
from harness.checks.shapes.sharing import broadcasts_output, item_shape, own_methods, reads_one_item, sharings
from harness.contract.interface import Interface
from reference_runtime.devices import host
from tests.support.workbench import subject_of

BATCH = {"dims": ("N", 2), "min": (1, 2), "opt": (3, 2), "max": (4, 2)}
ITEM = {"dims": (1, 2)}


class Adder(trt.IPluginV2Ext):
    """Adds two inputs; told what is one item when it is configured."""

    reads = True

    def __init__(self):
        super().__init__()
        self.num_outputs, self.plugin_type, self.plugin_version, self.plugin_namespace = 1, "P", "1", ""
        self.asked, self.shared = [], ()

    def get_output_shape(self, _index, shapes):
        return shapes[0]

    def get_output_data_type(self, _index, types):
        return types[0]

    def supports_format(self, dtype, layout):
        return dtype == trt.float32 and layout == trt.TensorFormat.LINEAR

    def can_broadcast_input_across_batch(self, _index):
        return self.reads

    def get_workspace_size(self, most):
        self.asked.append(most)
        return 0

    def configure_plugin(self, *arguments):
        self.shared = arguments[4]

    def execute_async(self, batch, inputs, outputs, _workspace, _stream):
        counts = [1 if shared else batch for shared in self.shared]
        a, b = (
            np.frombuffer(host.view(at, 8 * n), np.float32).reshape(n, 2) for at, n in zip(inputs, counts, strict=True)
        )
        np.frombuffer(host.view(outputs[0], 8 * batch), np.float32).reshape(batch, 2)[:] = a + b
        return 0

    def clone(self):
        return type(self)()


class Copied(Adder):
    reads = False


class AdderCreator(trt.IPluginCreator):
    plugin_class = Adder

    def __init__(self):
        super().__init__()
        self.name, self.plugin_version, self.plugin_namespace = "P", "1", ""
        self.field_names = trt.PluginFieldCollection([])

    def create_plugin(self, _name, _fields):
        return self.plugin_class()


@pytest.fixture
def adding():
    with contextlib.ExitStack() as stack:

        def make(*inputs, plugin=Adder, spec="8.6"):
            case = Case(plugin="P", inputs=inputs, spec=spec)
            creator = type("Creator", (AdderCreator,), {"plugin_class": plugin})()
            subject = dataclasses.replace(subject_of(creator, case), interface=Interface.V2_EXT)
            stack.enter_context(host.use(subject.device))
            return subject

        yield make


def test_only_level_8_6_has_networks_with_an_implicit_batch(adding):
    assert is_implicit(adding(BATCH, BATCH))
    assert not is_implicit(adding(BATCH, BATCH, spec="10"))


def test_the_batch_is_that_of_the_inputs_that_have_one(adding):
    subject = adding(ITEM, BATCH)
    assert batch_of(subject, [(1, 2), (3, 2)]) == 3
    assert greatest_batch(subject) == 4
    assert greatest_batch(adding(ITEM, ITEM)) == 1


@pytest.mark.parametrize(("plugin", "seen"), [(Adder, (1, 2)), (Copied, (3, 2))])
def test_a_driver_shows_one_item_or_its_copies(adding, plugin, seen):
    subject = adding(BATCH, ITEM, plugin=plugin)
    driver = Driver(subject, subject.create()).prepare()
    inputs, _ = driver.tensors.descriptions([(3, 2), (1, 2)])
    assert [desc.dims for desc in inputs] == [(3, 2), seen]
    run = driver.run([(3, 2), (1, 2)], [np.ones((3, 2), np.float32), np.array([[10, 20]], np.float32)])
    assert run.outputs[0].tolist() == [[11, 21]] * 3


@pytest.mark.parametrize(("plugin", "items"), [(Adder, 1), (Copied, 3)])
def test_a_call_that_stands_is_given_one_item_or_its_copies_again(adding, plugin, items):
    subject, shapes = adding(BATCH, ITEM, plugin=plugin), [(3, 2), (1, 2)]
    driver = Driver(subject, subject.create()).prepare().configure(shapes)
    standing = driver.stand(shapes)
    arrays = driver.tensors.received(shapes, "others")
    assert [array.shape for array in arrays] == [(3, 2), (items, 2)]
    standing.give(arrays)
    standing.call()
    assert (standing.results()[0] == arrays[0] + arrays[1]).all()


def test_a_workspace_is_asked_for_the_greatest_batch(adding):
    subject = adding(BATCH, BATCH)
    driver = Driver(subject, subject.create()).prepare()
    driver.workspace_size([(2, 2), (2, 2)])
    assert driver.plugin.asked == [4]


def test_each_input_beside_a_batch_can_be_an_item_or_a_batch(adding):
    found = list(sharings(adding(BATCH, ITEM)))
    assert [sharing.place for sharing in found] == [1]
    assert found[0].batched.case.inputs[1].profile == ((1, 2), (3, 2), (4, 2))
    both = list(sharings(adding(BATCH, BATCH)))
    assert [sharing.shared.case.inputs[sharing.place].network_dims for sharing in both] == [(1, 2)] * 2
    assert list(sharings(adding(ITEM, ITEM))) == []


def test_a_plugin_is_asked_about_items(adding):
    subject = adding(BATCH, BATCH)
    plugin = subject.create()
    assert item_shape(subject, plugin, 0) == (2,)
    assert reads_one_item(subject, plugin, 0)
    assert not broadcasts_output(subject, plugin, 0, [True, True])


def test_what_a_plugin_s_own_classes_define_is_found(adding):
    own = own_methods(adding(BATCH, plugin=Copied).create())
    assert own["reads"] == "Copied"
    assert own["supports_format"] == "Adder"
    assert "configure_with_format" not in own
