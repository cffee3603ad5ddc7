"""Observers of a gate."""

import pytest

import reference_runtime as trt
from harness.checks.watching import ArgumentSpoiler, ArgumentWatch, observing
from reference_runtime import trampolines
from reference_runtime.descriptions import Bounds, Description
from reference_runtime.gate import Gate
from tests.harness.checks.workbench import Doubler

DESC = Description((1, 3), trt.DataType.FLOAT, trt.TensorFormat.LINEAR)


class Keeper(Doubler):
    def configure_plugin(self, inputs, _outputs):
        self.seen = [list(inputs[0].desc.dims), inputs[0].desc.type]
        self.kept = inputs[0]


@pytest.fixture(name="plugin")
def a_plugin_that_was_configured_and_spoiled():
    gate, plugin, watch = Gate(quiet=True), Keeper(), ArgumentWatch("configure_plugin")
    bounds = Bounds(DESC, (1, 3), (1, 3), (2, 3))
    with observing(gate, watch, ArgumentSpoiler("configure_plugin")):
        trampolines.configure_plugin(gate, plugin, [bounds], [bounds])
    assert not watch.changes
    return plugin


def test_a_callback_sees_its_descriptors_as_they_are(plugin):
    assert plugin.seen == [[1, 3], trt.DataType.FLOAT]


def test_every_extent_and_type_of_a_kept_descriptor_is_another_one(plugin):
    assert list(plugin.kept.desc.dims) == [2, 2]
    assert list(plugin.kept.max) == [1, 2]
    assert plugin.kept.desc.type != trt.DataType.FLOAT
