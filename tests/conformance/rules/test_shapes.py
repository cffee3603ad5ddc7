"""The shape rules where no witness looks: unusual plugins that are sound, and defects in a corner."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG001, ARG005

import numpy as np
import pytest

import reference_runtime as trt
from conformance.rules import shapes
from harness.contract.verdict import Kind

SUM, MAX, CEIL_DIV = trt.DimensionOperation.SUM, trt.DimensionOperation.MAX, trt.DimensionOperation.CEIL_DIV
FLOOR_DIV, SUB = trt.DimensionOperation.FLOOR_DIV, trt.DimensionOperation.SUB


@pytest.fixture
def judged(sound, subject_of, judge):
    """Return ``judged(rule, get_output_dimensions, base, case)``: the answer for a base with another shape query."""

    def ask(rule, get_output_dimensions, base="scale", **changes):
        module, name = getattr(sound, base), base.capitalize()
        plugin_class = type("Plugin", (getattr(module, name),), {"get_output_dimensions": get_output_dimensions})
        case = {**getattr(module, f"{base.upper()}_CASES")[0], **changes}
        return judge(rule, subject_of(getattr(module, f"{name}Creator"), plugin_class, case))

    return ask


def returns(make):
    """Return a ``get_output_dimensions`` that gives ``make(inputs, expr_builder)``."""
    return lambda self, output_index, inputs, expr_builder: make(inputs, expr_builder)


def last_replaced(make):
    """Return a ``get_output_dimensions`` that replaces the last dimension."""

    def shape(inputs, builder):
        output = trt.DimsExprs(inputs[0])
        output[len(output) - 1] = make(inputs, builder)
        return output

    return returns(shape)


@pytest.mark.parametrize("rank", [-1, 8])
def test_the_rank_is_judged_whatever_it_is(judged, rank):
    answer = judged(
        shapes.every_dimension_has_an_expression,
        returns(lambda inputs, builder: trt.DimsExprs([inputs[0][0]] * 8) if rank > 0 else trt.DimsExprs(rank)),
    )
    assert (answer.kind, bool(answer.broken)) == (Kind.JUDGED, rank < 0)


@pytest.mark.parametrize(
    "make",
    [
        lambda inputs, builder: inputs[0][2] * 2,
        lambda inputs, builder: 4,
        lambda inputs, builder: builder.operation(SUM, inputs[0][2], 1),
        lambda inputs, builder: builder.constant(inputs[0][2]),
        lambda inputs, builder: trt.IExprBuilder().constant(3),
        lambda inputs, builder: int(inputs[0][2]),
    ],
)
def test_numbers_in_place_of_expressions_are_told_from_other_failures(judged, make):
    answer = judged(shapes.expressions_come_from_the_builder, last_replaced(make))
    assert answer.broken == answer.evidence > 0
    assert " at 0x" not in answer.violations[0].observed, "a message says the same in every process"


@pytest.mark.parametrize("make", [lambda inputs, builder: builder.constant(2.5), lambda inputs, builder: inputs[5]])
def test_other_failures_belong_to_the_owner_of_the_query(judged, make):
    assert not judged(shapes.expressions_come_from_the_builder, last_replaced(make)).broken
    assert judged(shapes.every_output_has_a_shape, last_replaced(make)).broken


def test_a_value_may_be_read_after_asking_whether_it_is_constant(judged):
    def careful(inputs, builder):
        last = inputs[0][2]
        if last.is_constant():
            return builder.constant(last.get_constant_value())
        return last

    answer = judged(shapes.constants_are_read_where_they_are_constant, last_replaced(careful))
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)


def test_a_value_that_is_read_only_to_choose_is_found(judged):
    def chooses(inputs, builder):
        return builder.constant(8) if inputs[0][2].get_constant_value() > 8 else inputs[0][2]

    assert judged(shapes.constants_are_read_where_they_are_constant, last_replaced(chooses)).broken


def test_the_input_shape_itself_may_be_the_output_shape(judged):
    answer = judged(shapes.passed_shapes_are_copied_before_they_are_changed, returns(lambda inputs, builder: inputs[0]))
    assert (answer.broken, answer.evidence > 0) == (0, True)


def test_a_divisor_that_is_bounded_below_is_no_zero(judged):
    def bounded(inputs, builder):
        one = builder.constant(1)
        divisor = builder.operation(MAX, builder.operation(SUB, inputs[0][0], one), one)
        return builder.operation(FLOOR_DIV, inputs[0][2], divisor)

    answer = judged(shapes.no_divisor_is_zero, last_replaced(bounded))
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)


def test_a_divisor_that_is_zero_in_one_mixture_of_extremes_only_is_found(judged):
    def fragile(inputs, builder):
        divisor = builder.operation(SUB, builder.operation(SUM, inputs[0][0], builder.constant(5)), inputs[0][2])
        return builder.operation(FLOOR_DIV, inputs[0][2], divisor)  # zero for N = 4 and W = 9: at max

    assert judged(shapes.no_divisor_is_zero, last_replaced(fragile)).broken


def test_an_extent_that_is_negative_in_one_mixture_of_extremes_only_is_found(judged):
    def difference(inputs, builder):
        return builder.operation(SUM, builder.operation(SUB, inputs[0][2], inputs[0][0]), builder.constant(2))

    answer = judged(shapes.no_extent_is_negative, last_replaced(difference))  # W - N + 2 at W = 1 and N = 4
    assert answer.broken
    assert "[[4, 3, 1]]" in answer.violations[0].where


def test_rounding_is_judged_beside_the_multiples(judged, sound):
    right = judged(shapes.rounding_is_that_of_the_computation, sound.pool.Pool.get_output_dimensions, "pool")
    assert (right.kind, right.broken) == (Kind.JUDGED, 0)

    def one_more(inputs, builder):
        total = builder.operation(SUM, inputs[0][2], builder.constant(1))
        return builder.operation(FLOOR_DIV, total, builder.constant(2))

    same = judged(shapes.rounding_is_that_of_the_computation, last_replaced(one_more), "pool")
    assert (same.kind, same.broken) == (Kind.JUDGED, 0), "(W + 1) // 2 is W / 2 rounded up"
    assert same.evidence == 2


@pytest.mark.parametrize(
    "rule", [shapes.shapes_are_those_of_the_computation, shapes.rounding_is_that_of_the_computation]
)
def test_without_a_reference_what_enqueue_writes_is_the_shape(judged, sound, rule):
    answer = judged(rule, sound.pool.Pool.get_output_dimensions, "pool", reference=None)
    assert (answer.kind, answer.broken, answer.evidence > 0) == (Kind.JUDGED, 0, True)


def test_without_a_reference_a_shape_that_enqueue_does_not_fill_is_found(sound, subject_of, judge):
    def leaves_the_last_row(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shorter = [trt.PluginTensorDesc() for _ in output_desc]
        for whole, part in zip([*input_desc, *output_desc], shorter * 2, strict=True):
            n, *others = whole.dims
            part.dims, part.type, part.format = trt.Dims([max(n - 1, 0), *others]), whole.type, whole.format
        sound.scale.Scale.enqueue(self, shorter, shorter, inputs, outputs, workspace, stream)

    plugin_class = type("Plugin", (sound.scale.Scale,), {"enqueue": leaves_the_last_row})
    case = {**sound.scale.SCALE_CASES[0], "reference": None}
    answer = judge(shapes.shapes_are_those_of_the_computation, subject_of(sound.scale.ScaleCreator, plugin_class, case))
    assert answer.broken
    assert "was not written" in answer.violations[0].observed


def test_a_reference_that_fails_is_told_as_such(judged, sound):
    def fails(x, *, fields):
        raise RuntimeError("no idea")

    answer = judged(
        shapes.shapes_are_those_of_the_computation, sound.scale.Scale.get_output_dimensions, reference=fails
    )
    assert answer.kind is Kind.MET
    assert answer.mishap.callback == "the case's reference"
    assert "no idea" in answer.mishap.how


def test_a_device_that_is_only_used_on_the_first_question_is_seen(judged):
    def allocates_once(self, output_index, inputs, expr_builder):
        import cupy as cp  # noqa: PLC0415 - the name is ours only now

        if not hasattr(self, "scratch"):
            self.scratch = cp.zeros(4, np.float32)
        return trt.DimsExprs(inputs[0])

    assert judged(shapes.shapes_and_types_need_no_device, allocates_once).broken


def test_an_expression_kept_from_the_last_call_and_used_when_configured_is_seen(sound, subject_of, judge):
    def keeps(self, output_index, inputs, expr_builder):
        self.last = inputs[0][2]
        return trt.DimsExprs(inputs[0])

    def uses(self, inputs, outputs):
        self.last.is_constant()

    plugin_class = type("Plugin", (sound.scale.Scale,), {"get_output_dimensions": keeps, "configure_plugin": uses})
    subject = subject_of(sound.scale.ScaleCreator, plugin_class, *sound.scale.SCALE_CASES)
    answer = judge(shapes.expressions_end_with_their_call, subject)
    assert answer.broken
    assert "test_shapes.py" in answer.violations[0].observed
