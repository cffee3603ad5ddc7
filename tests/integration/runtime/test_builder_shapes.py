from __future__ import annotations

import pytest

from reference_runtime.bound.undefined_use import MisuseKind
from reference_runtime.calling.adapters.output_shapes import output_expressions
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.trampolines.v2 import get_output_dimensions
from reference_runtime.shapes import expression_nodes
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DimensionOperation
from tests.support.runtime.recording import Recorder, Tape, shop


class Doubling(Recorder):
    def get_output_dimensions(self, _index, inputs, builder):
        dims = DimsExprs(inputs[0])
        dims[0] = builder.operation(DimensionOperation.PROD, inputs[0][0], builder.constant(2))
        return dims


def answering(answer):
    class Answering(Recorder):
        def get_output_dimensions(self, _index, inputs, builder):
            return answer(inputs, builder)

        def enqueue(self, *_):
            pass

    return Answering


@pytest.fixture
def made():
    with shop() as made:
        yield made


def ask(plugin, dims=(-1, 3), outputs=(0,)):
    return output_expressions(get_output_dimensions, Gate(quiet=True), plugin, [dims], outputs)


def test_an_answer_is_kept_as_expressions_of_the_inputs():
    (shape,) = ask(Doubling(Tape()))
    assert shape.problem is None
    assert [expression_nodes.evaluate(node, [(5, 3)]) for node in shape.nodes] == [10, 3]


def test_each_question_has_a_builder_of_its_own_which_is_closed_afterwards():
    kept = []

    class Keeping(Recorder):
        def get_output_dimensions(self, _index, inputs, builder):
            kept.append((builder, inputs[0]))
            return DimsExprs(inputs[0])

    first, second = ask(Keeping(Tape()), outputs=(0, 1))
    assert first.builder is not second.builder
    assert first.builder.misuses == []
    kept[0][0].constant(1)
    assert [misuse.kind for misuse in first.builder.misuses] == [MisuseKind.CLOSED_BUILDER]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda _inputs, _builder: DimsExprs(2), "no expression was stored for dimension 0"),
        (lambda _inputs, _builder: DimsExprs(-1), "it has -1 dimensions"),
    ],
)
def test_what_cannot_be_used_is_said(made, answer, problem):
    (shape,) = ask(answering(answer)(Tape()))
    assert shape.problem == problem
    made.profile()
    assert made.builder.build_serialized_network(made.network(kind=answering(answer)), made.config) is None
    assert problem in made.log.errors[0]


def test_a_failing_query_is_a_scalar_and_the_build_goes_on(made):
    engine = made.engine(kind=answering(lambda *_: Dims((1, 2))))
    assert engine.get_tensor_shape("y0") == ()
    assert {failure.what for failure in made.gate.failures} == {"returned (1, 2), which is no DimsExprs"}


def minus(amount):
    def answer(inputs, builder):
        reduced = builder.operation(DimensionOperation.SUB, inputs[0][0], builder.constant(amount))
        return DimsExprs([reduced])

    return answering(answer)


def test_an_output_that_is_negative_at_a_bound_alone_is_built_and_refused_when_it_is_executed(made):
    made.profile()
    context = made.engine(made.network(kind=minus(2))).create_execution_context()
    assert context.set_input_shape("x0", (1, 3, 2))
    with pytest.raises(RuntimeError, match="infer_shapes"):
        context.infer_shapes()
    assert "output 0 would have the shape [-1] for inputs [1, 3, 2]" in made.log.errors[0]
    assert context.set_input_shape("x0", (3, 3, 2))
    assert tuple(context.get_tensor_shape("y0")) == (1,)


def test_an_output_that_is_negative_at_the_optimum_gives_no_engine(made):
    made.profile()
    assert made.builder.build_serialized_network(made.network(kind=minus(5)), made.config) is None
    assert "output 0 would have the shape" in made.log.errors[0]


def test_a_zero_divisor_gives_no_engine(made):
    def divide(inputs, builder):
        zero = builder.operation(DimensionOperation.SUB, inputs[0][0], inputs[0][0])
        return DimsExprs([builder.operation(DimensionOperation.FLOOR_DIV, inputs[0][0], zero)])

    made.profile()
    assert made.builder.build_serialized_network(made.network(kind=answering(divide)), made.config) is None
    assert "divides by zero" in made.log.errors[0]


def test_bounds_stay_in_order_where_an_output_shrinks_as_its_input_grows(made):
    class Shrinking(Recorder):
        def get_output_dimensions(self, _index, inputs, builder):
            ten = builder.constant(10)
            return DimsExprs([builder.operation(DimensionOperation.SUB, ten, inputs[0][0])])

        def enqueue(self, *arguments):
            self.note("enqueue", *arguments)

    made.profile()
    made.build(made.network(kind=Shrinking))
    ((_, least, best, greatest),) = made.tape.of("configure_plugin")[0][2][1]
    assert (least, best, greatest) == ((6,), (8,), (9,))


def test_shapes_follow_through_a_chain(made):
    made.profile()
    engine = made.engine(made.network(chain=3, kind=Doubling), kind=Doubling)
    assert engine.get_tensor_shape("y0") == (-1, 3, -1)
    context = engine.create_execution_context()
    context.set_input_shape("x0", (2, 3, 5))
    assert context.get_tensor_shape("y0") == (16, 3, 5)
