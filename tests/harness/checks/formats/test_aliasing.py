"""Outputs in the memory of inputs, as plugins declare it and as drivers run it."""

import numpy as np
import pytest
from msgspec import structs

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.engines.canonical_drive import drive
from harness.checks.formats.aliasing import aliased, aliases_of, claims, may_alias, sources
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import APART
from harness.contract.finding import CallbackFailedError, NotApplicable
from reference_runtime.calling.gate.gate import watching
from reference_runtime.devices import host
from tests.support.workbench import Creator, Doubler, PluginV3, running, subjects_v3

SHAPES = ((2, 3), (2, 3))
BASES = (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuildV2, trt.IPluginV3OneRuntime)


def floats(address):
    return np.frombuffer(host.view(address, 24), np.float32)


class Adder(PluginV3, *BASES):
    """Adds its inputs into the memory of the first, and copies the second."""

    bases = BASES
    answers = (0, -1)

    def __init__(self):
        super().__init__()
        self.num_outputs = 2

    def get_aliased_input(self, output_index):
        return self.answers[output_index]

    def get_output_shapes(self, inputs, _shape_inputs, _builder):
        return [trt.DimsExprs(inputs[0]), trt.DimsExprs(inputs[1])]

    def enqueue(self, _input_desc, _output_desc, inputs, outputs, *_):
        floats(outputs[1])[:] = floats(inputs[1])
        floats(outputs[0])[:] = floats(inputs[0]) + floats(inputs[1])


@pytest.fixture(name="subject_with")
def a_subject_on_a_device():
    case = Case(plugin="P", inputs=({"dims": (2, 3)}, {"dims": (2, 3)}))
    with subjects_v3() as subject_with:
        yield lambda **members: subject_with(type("Plugin", (Adder,), members), case)


def test_an_output_lies_in_the_input_that_it_aliases(subject_with):
    labels = []
    run = fresh_driver(subject_with()).configure(SHAPES).enqueue(SHAPES, before=labels.extend)
    assert (run.outputs[0] == run.inputs[0] + run.inputs[1]).all()
    assert labels == ["inputs[0]", "inputs[1]", "outputs[1]", "workspace"]
    assert run.changed_inputs == []


def test_without_the_preview_feature_it_has_memory_of_its_own(subject_with):
    def writes_its_input(_self, _input_desc, _output_desc, inputs, outputs, *_):
        floats(inputs[0])[:] += floats(inputs[1])
        floats(outputs[1])[:] = 0

    subject = subject_with(enqueue=writes_its_input)
    together, apart = (
        fresh_driver(subject).run(SHAPES, conditions=each) for each in (structs.replace(APART, aliased=True), APART)
    )
    assert (together.outputs[0] == together.inputs[0] + together.inputs[1]).all()
    assert (apart.raw_outputs[0], apart.changed_inputs) == (b"\xcd" * 24, [0])


def test_other_inputs_are_seen_to_change(subject_with):
    def writes_another(_self, _input_desc, _output_desc, inputs, *_):
        floats(inputs[0])[:] = floats(inputs[1])[:] = 1

    assert fresh_driver(subject_with(enqueue=writes_another)).run(SHAPES).changed_inputs == [1]


def test_memory_that_moves_is_moved_with_its_input(subject_with):
    driver = fresh_driver(subject_with()).configure(SHAPES)
    for moved in (("inputs",), ("outputs",), ("inputs", "outputs", "workspace")):
        run = driver.enqueue_elsewhere(SHAPES, moved)
        assert (run.outputs[0] == run.inputs[0] + run.inputs[1]).all()
        assert run.stale_uses == []


@pytest.mark.parametrize("answers", [(0, 0), (2, -1), (-2, 1)])
def test_answers_that_tensorrt_refuses_alias_nothing(subject_with, answers):
    subject = subject_with(answers=answers)
    assert sources(subject, subject.create()) == list(answers)
    assert aliases_of(subject) == {}
    with pytest.raises(NotApplicable):
        aliased(subject)


def test_an_engine_is_built_with_the_preview_feature_and_bound_to_one_address(subject_with):
    def insists(_self, _input_desc, _output_desc, inputs, outputs, *_):
        if outputs[0] != inputs[0]:
            raise ValueError("elsewhere")
        floats(outputs[0])[:] += floats(inputs[1])

    subject = subject_with(enqueue=insists)
    registry = trt.get_plugin_registry()
    registry.register_creator(subject.creator, "")
    try:
        with watching(subject.gate):
            seen = drive(subject)
    finally:
        registry.deregister_creator(subject.creator)
    assert seen.stopped == ""
    assert all((each.outputs[0] == each.inputs[0] + each.inputs[1]).all() for each in seen.executions)


def test_an_output_of_other_extents_does_not_fit(subject_with):
    driver = Driver(subject := subject_with(), subject.create())
    inputs, outputs = driver.tensors.descriptions(SHAPES)
    assert driver.tensors.aliases(inputs, outputs) == {0: 0}
    assert driver.tensors.aliases(inputs, [outputs[0].sized((3, 3)), outputs[1]]) == {}


def test_a_failure_is_part_of_the_answer_or_stops_the_rule(subject_with):
    subject = subject_with(answers=(0, None))
    first, second = claims(subject, subject.create())
    assert (first.source, first.failure) == (0, None)
    assert (second.source, second.failure.what) == (-1, "returned None, which is no integer of 32 bits")
    with pytest.raises(CallbackFailedError, match="get_aliased_input returned None"):
        fresh_driver(subject).run(SHAPES)


def test_others_are_not_asked():
    subject = running(Creator(lambda _: Doubler()))
    assert not may_alias(subject, subject.create())
    assert aliases_of(subject) == {}
