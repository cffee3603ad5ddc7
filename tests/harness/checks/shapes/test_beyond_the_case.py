"""Beyond its case a plugin is held to what it answers: one shape to one question, however it is asked."""

import pytest

import reference_runtime as trt
from harness.cases.case import Case, Input
from harness.checks.shapes.beyond_the_case import asked_again, insist_on_shapes, told_otherwise
from harness.contract.finding import NotRun
from tests.support.workbench import Creator, Doubler, TilerV3, subject_of, subjects_v3

CASE = Case("P", inputs=(Input(dims=("N", 3), min=(1, 3), max=(4, 3)),))
SIZED = Case("P", inputs=(Input(dims=(2,)), Input(shape_input=True, types=("int32",), min=(1, 1), max=(4, 9))))
LARGEST = 2**31 - 1


def subject_with(answer):
    class Asked(Doubler):
        def get_output_dimensions(self, index, inputs, builder):
            return answer(self, index, inputs, builder)

    return subject_of(Creator(lambda _: Asked()), CASE)


def copied(_self, _index, inputs, _builder):
    return trt.DimsExprs(inputs[0])


def disagreeing(subject, *shapes, known=0):
    pairs = [*told_otherwise(subject, shapes, known), *asked_again(subject, shapes)]
    return [pair for pair in pairs if pair.is_comparable and not pair.agrees]


def comparable(subject, *shapes, known=0):
    pairs = [*told_otherwise(subject, shapes, known), *asked_again(subject, shapes)]
    return [pair for pair in pairs if pair.is_comparable]


@pytest.mark.parametrize("shape", [(), (7,), (5, 3), (LARGEST,) * 8])
def test_what_follows_from_the_question_agrees(shape):
    subject = subject_with(copied)
    assert not disagreeing(subject, shape)
    assert len(comparable(subject, shape, known=1)) == 2 + 1 + 2


def test_symbols_stand_where_nothing_is_known():
    told = [list(pair.one.answer.dims[0]) for pair in told_otherwise(subject_with(copied), ((5, 6, 7),), 0b010)]
    assert told == [[-1, -1, -1], [-1, 6, -1]]


def test_fixed_extents_are_known_where_the_rank_is_that_of_the_case():
    (pair,) = told_otherwise(subject_with(copied), ((5, 3),), 0)
    assert pair.one.answer.dims == ((-1, 3),)


def test_another_shape_for_symbols_is_seen():
    def one_more(_self, _index, inputs, builder):
        return trt.DimsExprs([inputs[0][0] if inputs[0][0].is_constant() else builder.constant(9)])

    (pair,) = disagreeing(subject_with(one_more), (7,))
    assert (pair.one.shape, pair.other.shape, pair.same) == ((9,), (7,), False)


def test_what_is_kept_from_another_question_is_seen():
    def kept(self, _index, inputs, builder):
        self.rank = getattr(self, "rank", len(inputs[0]))
        return trt.DimsExprs([builder.constant(self.rank)])

    (pair,) = disagreeing(subject_with(kept), (7,))
    assert (pair.one.shape, pair.other.shape, pair.same) == ((1,), (2,), True)
    assert pair.later == "after get_output_dimensions(0) with inputs [[-1, 3]]"


def test_what_a_question_leaves_behind_is_seen():
    def counted(self, _index, _inputs, builder):
        self.times = getattr(self, "times", 0) + 1
        return trt.DimsExprs([builder.constant(min(self.times, 3))])

    assert any(pair.same and pair.shapes == ((1, 3),) for pair in disagreeing(subject_with(counted), (7,)))


def test_expressions_of_other_calls_are_told():
    def kept(self, _index, inputs, _builder):
        self.shape = getattr(self, "shape", None) or trt.DimsExprs(inputs[0])
        return self.shape

    pairs = comparable(subject_with(kept), (7,))
    assert any("made in an earlier call" in use for pair in pairs for use in pair.other.uses)
    assert not any(pair.one.uses + pair.other.uses for pair in comparable(subject_with(copied), (7,)))


def refuses(_self, _index, inputs, _builder):
    if len(inputs[0]) != 2:
        raise ValueError("a table is wanted")
    return trt.DimsExprs(inputs[0])


def reads_a_symbol(_self, _index, inputs, builder):
    return trt.DimsExprs([builder.constant(inputs[0][0].get_constant_value())])


def divides_by_zero(_self, _index, inputs, builder):
    return trt.DimsExprs([builder.operation(trt.DimensionOperation.FLOOR_DIV, inputs[0][0], builder.constant(0))])


def falls_below_zero(_self, _index, inputs, builder):
    shrunk = -2 if inputs[0][0].is_constant() else -3
    return trt.DimsExprs([builder.constant(shrunk)])


@pytest.mark.parametrize("answer", [refuses, reads_a_symbol, divides_by_zero, falls_below_zero])
def test_nobody_is_held_to_what_is_no_answer(answer):
    shapes = ((7,),)
    assert not any(pair.is_comparable for pair in told_otherwise(subject_with(answer), shapes, 0))


def test_values_of_shape_inputs_are_asked_with_too():
    with subjects_v3() as subject_v3:
        subject = subject_v3(TilerV3, SIZED)
        pairs = list(told_otherwise(subject, ((5, 2), (LARGEST, 7)), 1))
    assert [pair.one.answer.dims[1] for pair in pairs] == [(None, None), (None, 7)]
    assert all(pair.is_comparable and pair.agrees for pair in pairs)


@pytest.mark.parametrize("shapes", [[], [[1]], [[1], [1]], [[-1], [1, 1]], [[1] * 9, [1, 1]], [[2**31], [1, 1]]])
def test_shapes_that_nobody_can_ask_with_are_refused(shapes):
    with pytest.raises(NotRun, match="the plugin cannot be asked"):
        insist_on_shapes(SIZED, shapes)
