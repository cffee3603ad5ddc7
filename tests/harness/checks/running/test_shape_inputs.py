"""Plugins with shape inputs: asked, driven step by step, and as a whole engine."""

import dataclasses

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.engines.canonical_drive import drive
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.shape_inputs import asked_with_other_numbers, consequences, insist_on_shape_inputs
from harness.checks.shapes.shapes import ask_output_dimensions, asked_dims, evaluated
from harness.contract.finding import NotApplicable
from reference_runtime.calling.gate.gate import watching
from tests.support.workbench import TilerV3, subjects_v3

X = {"dims": ("N",), "min": (1,), "opt": (3,), "max": (4,)}
SIZE = {"shape_input": True, "types": "int32", "min": (1, 2), "opt": (2, 3), "max": (4, 5)}
SHAPES = ((3,), (2, 4))


def tiled(x, size, *, fields):  # noqa: ARG001 - what references are given
    return np.resize(x, size)


class ByColumns(TilerV3):
    """Takes the second value for the first."""

    def get_output_shapes(self, _inputs, shape_inputs, _builder):
        return [trt.DimsExprs([shape_inputs[0][1], shape_inputs[0][0]])]


@pytest.fixture(name="subject_with")
def a_subject_on_a_device():
    with subjects_v3() as subject_with:
        yield lambda plugin_class=TilerV3, inputs=(X, SIZE): subject_with(
            plugin_class, Case(plugin="P", inputs=inputs, reference=tiled)
        )


def test_shapes_are_asked_for_with_unknown_and_with_constant_values(subject_with):
    subject = subject_with()
    assert [list(dims) for dims in asked_dims(subject)] == [
        [(-1,), (None, None)],
        [(1,), (1, 2)],
        [(3,), (2, 3)],
        [(4,), (4, 5)],
    ]
    unknown, constant = (ask_output_dimensions(subject, subject.create(), 0, asked_dims(subject)[k]) for k in (0, 2))
    assert not unknown.expressions[0].is_constant()
    assert constant.expressions[0].get_constant_value() == 2
    assert evaluated(unknown, SHAPES) == (2, 4)
    assert str(unknown) == "get_output_shapes(0) with inputs [[-1]] and shape inputs [[None, None]]"


def test_changed_values_are_told_from_changed_extents(subject_with):
    subject = subject_with()
    asked = ask_output_dimensions(subject, subject.create(), 0)
    asked.shape_inputs[0][1] = asked.builder.constant(7)
    assert [place for place, _, _ in asked.edited] == ["shape_inputs[0][1]"]


def test_only_shape_queries_see_the_values(subject_with):
    subject = subject_with()
    driver = Driver(subject, subject.create()).configure_for_build()
    assert driver.plugin.configured == [((-1,), (1,), (4,)), ((-1, -1), (1, 2), (4, 5))]
    run = driver.initialize().run(SHAPES)
    assert run.shapes == SHAPES
    assert [array.shape for array in run.inputs] == [(3,)]
    assert (run.outputs[0] == np.resize(run.inputs[0], (2, 4))).all()


@pytest.mark.parametrize("dims", [(2,), (1, 2)], ids=["row", "table"])
def test_an_engine_is_told_the_values_from_the_host(subject_with, dims):
    subject = subject_with(inputs=(X, {**SIZE, "dims": dims}))
    registry = trt.get_plugin_registry()
    registry.register_creator(subject.creator, "")
    try:
        with watching(subject.gate):
            seen = drive(subject)
    finally:
        registry.deregister_creator(subject.creator)
    assert seen.stopped == ""
    assert [each.shapes[1] for each in seen.executions] == [(2, 3), (1, 2), (1, 2), (2, 3)]
    for each in seen.executions:
        assert (each.outputs[0] == np.resize(each.inputs[0], each.shapes[1])).all()


def test_each_value_changes_what_the_computation_says(subject_with):
    subject = subject_with()
    found = list(consequences(subject, subject.create()))
    assert {(each.change.value, *each.expected) for each in found} == {
        ("shape_inputs[0][0]", 0),
        ("shape_inputs[0][1]", 1),
    }
    assert all(each.stated == each.expected for each in found)


def test_values_taken_in_another_order_change_other_dimensions(subject_with):
    subject = subject_with(ByColumns)
    assert all(each.stated != each.expected for each in consequences(subject, subject.create()))


def test_other_numbers_are_none_and_one_too_many(subject_with):
    subject = subject_with()
    found = list(asked_with_other_numbers(subject, subject.create()))
    assert [number for number, _ in found] == [0, 2]
    assert all("ValueError" in asked.failure.what for _, asked in found)
    assert [len(asked.shape_inputs) for _, asked in found] == [0, 2]


def test_a_number_that_another_case_has_is_legal(subject_with):
    subject = subject_with()
    siblings = (subject.case, Case(plugin="P", name="without", inputs=(X,)))
    subject = dataclasses.replace(subject, origin=dataclasses.replace(subject.origin, siblings=siblings))
    assert [number for number, _ in asked_with_other_numbers(subject, subject.create())] == [2]


def test_without_shape_inputs_there_is_nothing_to_ask(subject_with):
    with pytest.raises(NotApplicable, match="no shape inputs"):
        insist_on_shape_inputs(subject_with(inputs=(X,)))


def test_two_shapes_that_differ_in_values_are_two(subject_with):
    driver = fresh_driver(subject_with(inputs=({"dims": (3,)}, SIZE)))
    assert driver.run(((3,), (1, 2))).outputs[0].shape == (1, 2)
    assert driver.run(((3,), (4, 5))).outputs[0].shape == (4, 5)
