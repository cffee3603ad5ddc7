"""Observers of a gate."""

import types

import pytest

import reference_runtime as trt
from harness.checks.observation.watching import ArgumentSpoiler, ArgumentWatch, OutcomeLog, observing
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.trampolines import v2
from reference_runtime.values.descriptions import Bounds, Description
from tests.support.workbench import Doubler

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
        v2.configure_plugin(gate, plugin, [bounds], [bounds])
    assert not watch.changes
    return plugin


def test_a_callback_sees_its_descriptors_as_they_are(plugin):
    assert plugin.seen == [[1, 3], trt.DataType.FLOAT]


def test_every_extent_the_rank_and_the_type_of_a_kept_descriptor_are_other_ones(plugin):
    assert list(plugin.kept.desc.dims) == [2, 2, 2]
    assert list(plugin.kept.max) == [1, 2]
    assert plugin.kept.desc.type != trt.DataType.FLOAT


class Meddler(Doubler):
    def configure_plugin(self, inputs, _outputs):
        inputs[0].desc.type = trt.DataType.HALF

    def serialize(self):
        return b"data"


def configure_watched(plugin, *observers):
    gate, bounds = Gate(quiet=True), Bounds(DESC, (1, 3), (1, 3), (2, 3))
    with observing(gate, *observers):
        v2.configure_plugin(gate, plugin, [bounds], [bounds])
    return gate


def test_a_change_of_an_argument_is_told_with_before_and_after():
    watch = ArgumentWatch("configure_plugin")
    configure_watched(Meddler(), watch)
    (change,) = watch.changes
    assert (change.path, change.before, change.after) == (
        "arguments[0][0].desc.type",
        "DataType.FLOAT",
        "DataType.HALF",
    )


def test_methods_that_are_not_watched_may_do_what_they_want():
    watch = ArgumentWatch("enqueue")
    configure_watched(Meddler(), watch)
    assert (watch.changes, watch.seen) == ([], 0)


def test_a_log_keeps_the_calls_of_its_methods_with_their_outcomes():
    log, plugin = OutcomeLog("serialize"), Meddler()
    gate = configure_watched(plugin, log)
    with observing(gate, log):
        v2.serialize(gate, plugin, 4)
    assert {event.method for event, _ in log.calls} == {"serialize"}
    assert {outcome.value for _, outcome in log.calls} == {b"data"}


def test_observers_are_gone_afterwards():
    assert configure_watched(Meddler(), OutcomeLog()).observers == []


def test_a_spoiler_without_methods_overwrites_what_every_callback_was_given():
    plugin = Keeper()
    configure_watched(plugin, ArgumentSpoiler())
    assert list(plugin.kept.max) == [1, 2]


def test_a_spoiled_description_has_another_rank():
    desc = trt.PluginTensorDesc()
    desc.dims = trt.Dims([4, 3])
    ArgumentSpoiler().after(types.SimpleNamespace(method="clone", arguments=[[desc]]), None)
    assert list(desc.dims) == [3, 2, 2]


def test_extents_that_are_no_part_of_a_descriptor_are_overwritten_as_well():
    dims = trt.Dims([1, 3])
    ArgumentSpoiler().after(types.SimpleNamespace(method="get_output_shape", arguments=[[dims]]), None)
    assert list(dims) == [2, 2]


class LateReader(Doubler):
    def configure_plugin(self, inputs, _outputs):
        self.extents = list(inputs[0].desc.dims)
        self.kept = inputs[0]

    def serialize(self):
        return bytes(self.kept.max)


def test_a_spoiler_notes_which_later_callback_reads_a_shape_from_a_descriptor():
    gate, plugin, spoiler = Gate(quiet=True), LateReader(), ArgumentSpoiler()
    bounds = Bounds(DESC, (1, 3), (1, 3), (2, 3))
    with observing(gate, spoiler):
        v2.configure_plugin(gate, plugin, [bounds], [bounds])
        assert list(plugin.kept.desc.dims) == [2, 2, 2]  # read by nobody but this test, while no callback runs
        assert spoiler.late_reads == []
        v2.serialize(gate, plugin, 4)
    assert set(spoiler.late_reads) == {("configure_plugin", "serialize")}
