"""The canonical drive, from network to engine's end."""

import dataclasses
import itertools
import re

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case, Input
from harness.checks.engines.canonical_drive import Original, completed, drive
from harness.contract.finding import NotRun
from harness.subject.subject import Facts
from reference_runtime import get_plugin_registry
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices import host
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

CASE = Case(plugin="P", inputs=(Input(dims=("N", 3), min=(0, 3), opt=(2, 3), max=(4, 3)),))


class Loader(Creator):
    def deserialize_plugin(self, _name, _data):
        return self.create(None)


class Unready(Doubler):
    def initialize(self):
        raise RuntimeError("no")


@pytest.fixture(name="subject_with")
def a_subject_whose_creator_is_registered():
    registered = []

    def subject_with(plugin_class):
        creator = Loader(lambda _: plugin_class())
        registered.append(creator)
        get_plugin_registry().register_creator(creator, "")
        return subject_of(creator, CASE)

    yield subject_with
    for creator in registered:
        get_plugin_registry().deregister_creator(creator)


def driven(subject, **options):
    with watching(subject.gate), use(subject.device):
        return drive(subject, **options)


def test_two_contexts_run_interleaved_and_compute(subject_with):
    seen = driven(subject_with(Doubler))
    assert seen.stopped == ""
    assert [(each.context, each.shapes[0][0]) for each in seen.executions] == [(0, 2), (1, 4), (0, 4), (0, 2)]
    assert all((each.outputs[0] == each.inputs[0] * 2).all() for each in seen.executions)


class RoundsToInt8(Doubler):
    """Its one output is INT8, which a weakly typed network must allow, and whose scale it must know."""

    def get_output_datatype(self, *_):
        return trt.DataType.INT8

    def supports_format_combination(self, pos, in_out, _num_inputs):
        wanted = (trt.DataType.FLOAT, trt.DataType.INT8)[pos]
        return in_out[pos].type == wanted and in_out[pos].format == trt.TensorFormat.LINEAR

    def enqueue(self, input_desc, _output_desc, inputs, outputs, *_):
        count = trt.volume(input_desc[0].dims)
        x = np.frombuffer(host.view(inputs[0], count * 4), np.float32)
        np.frombuffer(host.view(outputs[0], count), np.int8)[:] = np.rint(x)


def test_the_network_allows_the_types_of_the_outputs_too(subject_with):
    seen = driven(subject_with(RoundsToInt8))
    assert seen.stopped == ""
    assert all((each.outputs[0] == np.rint(each.inputs[0])).all() for each in seen.executions)


def test_every_object_is_destroyed_and_all_memory_given_back(subject_with):
    subject = subject_with(Doubler)
    driven(subject)
    assert all(owned.destroyed for owned in subject.gate.owned)
    assert subject.device.buffers == []


@pytest.mark.parametrize("original", Original)
def test_the_original_is_destroyed_when_it_is_said(subject_with, original):
    subject = subject_with(Doubler)
    seen = driven(subject, original=original)
    destroyed = [event.target for event, _ in seen.events if event.method == "destroy"]
    events = [(event.method, event.target) for event, _ in seen.events]
    network_copy = next(event for event, _ in seen.events if event.method == "clone")
    at = events.index(("destroy", network_copy.target))
    last_enqueue = max(number for number, (method, _) in enumerate(events) if method == "enqueue")
    assert destroyed.count(network_copy.target) == 1
    assert (at > last_enqueue) == (original is Original.LAST_OF_ALL)


def test_the_same_drive_makes_the_same_calls(subject_with):
    subject = subject_with(Doubler)
    first, second = (driven(dataclasses.replace(subject, gate=Gate(quiet=True), facts=Facts())) for _ in range(2))
    for one, other in itertools.zip_longest(first.events, second.events):
        assert (one[0].target, one[0].method, one[0].phase) == (other[0].target, other[0].method, other[0].phase)


def test_a_drive_that_tensorrt_gives_up_says_where(subject_with):
    subject = subject_with(Unready)
    assert re.match("TensorRT made no plan: .*: the plugin could not be initialized", driven(subject).stopped)
    with watching(subject.gate), use(subject.device), pytest.raises(NotRun, match="TensorRT made no plan"):
        completed(subject)
    assert subject.gate.observers == []
