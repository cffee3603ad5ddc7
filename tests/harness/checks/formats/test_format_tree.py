"""Small numbers lead to what a plugin accepts, whatever that is."""

from typing import ClassVar

import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.formats.format_tree import FormatTree, chosen
from harness.checks.formats.formats import Question
from harness.contract.finding import NotRun
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

FLOAT, HALF, INT8 = trt.DataType.FLOAT, trt.DataType.HALF, trt.DataType.INT8
LINEAR, HWC, HWC8 = trt.TensorFormat.LINEAR, trt.TensorFormat.HWC, trt.TensorFormat.HWC8
TAKEN = [(FLOAT, LINEAR), (FLOAT, HWC), (HALF, LINEAR), (HALF, HWC8)]


class Several(Doubler):
    """Takes two types in two layouts each, and one type for all tensors; notes what it was asked."""

    asked: ClassVar = []

    def supports_format_combination(self, pos, in_out, _num_inputs):
        form = in_out[pos].type, in_out[pos].format
        self.asked.append((id(self), pos, form))
        return form in TAKEN and form[0] == in_out[0].type


@pytest.fixture
def tree_of():
    def make(plugin_class, types=("float32", "float16"), dims=(1, 8, 2, 2)):
        plugin_class.asked = []
        case = Case("P", inputs=({"dims": dims, "types": types},))
        subject = subject_of(Creator(lambda _: plugin_class()), case)
        with use(subject.device):
            return FormatTree(subject)

    return make


def test_what_is_accepted_depends_on_the_head(tree_of):
    tree = tree_of(Several)
    assert tree.accepted(()) == TAKEN
    assert tree.accepted(((HALF, HWC8),)) == TAKEN[2:]
    assert tree.accepted(((INT8, LINEAR),)) == []


def test_what_the_first_tensor_takes_leads_at_the_others(tree_of):
    tree = tree_of(Several)
    assert tree.forms(1)[:4] == TAKEN
    assert sorted(map(str, tree.forms(1))) == sorted(map(str, tree.forms(0)))
    assert tree.all_forms(1)[: len(tree.forms(1))] == tree.forms(1)
    assert len(tree.all_forms(1)) == len(trt.DataType.__members__) * len(trt.TensorFormat.__members__)


def test_vectors_of_an_unknown_number_of_channels_are_not_offered(tree_of):
    tree = tree_of(Several)
    assert (INT8, trt.TensorFormat.CHW4) in tree.forms(0)
    tree.subject.memory.clear()
    tree.dims = [(1, -1, 2, 2)] * 2
    assert (INT8, trt.TensorFormat.CHW4) not in tree.forms(0)


def test_answers_are_those_of_a_new_object_that_is_asked_in_turn(tree_of):
    tree = tree_of(Several)
    Several.asked.clear()
    assert tree.answer(Question(tuple(TAKEN[:1]), (FLOAT, HWC))) is True
    assert tree.answer(Question(tuple(TAKEN[:1]), (HALF, LINEAR))) is False
    assert {number for number, _, _ in Several.asked} == {Several.asked[0][0]}
    assert [pos for _, pos, _ in Several.asked] == [0, 1, 1]


def test_a_failure_is_an_answer(tree_of):
    class Raises(Several):
        def supports_format_combination(self, *_):
            raise KeyError("no")

    assert "KeyError" in tree_of(Raises).answer(Question((), (FLOAT, LINEAR)))


@pytest.mark.parametrize(
    ("numbers", "forms"),
    [
        ([0, 0], (TAKEN[0], TAKEN[0])),
        ([1, 0], (TAKEN[1], TAKEN[0])),
        ([3, 1], (TAKEN[3], TAKEN[3])),
        ([6, 2], (TAKEN[2], TAKEN[2])),
        ([3], (TAKEN[3], TAKEN[3])),
        ([], (TAKEN[0], TAKEN[0])),
    ],
)
def test_numbers_choose_among_what_is_accepted(tree_of, numbers, forms):
    assert tree_of(Several).combination(numbers).forms == forms


def test_inputs_have_types_of_the_case(tree_of):
    tree = tree_of(Several, types=("float16",))
    assert {tree.combination([number]).inputs for number in range(8)} == {(form,) for form in TAKEN[2:]}


def test_a_way_that_ends_leads_to_the_next(tree_of):
    class OnlyHalfEnds(Several):
        def supports_format_combination(self, pos, in_out, num_inputs):
            return super().supports_format_combination(pos, in_out, num_inputs) and (pos == 0 or in_out[0].type == HALF)

    assert tree_of(OnlyHalfEnds).combination([0, 0]).forms == (TAKEN[2], TAKEN[2])


def test_where_no_way_ends_well_nothing_is_run(tree_of):
    class NoOutput(Several):
        def supports_format_combination(self, pos, in_out, num_inputs):
            return pos == 0 and super().supports_format_combination(pos, in_out, num_inputs)

    with pytest.raises(NotRun, match="no full combination"):
        tree_of(NoOutput).combination([0, 0])


def test_a_twin_has_the_same_types_in_linear_tensors(tree_of):
    tree = tree_of(Several)
    combination = tree.combination([3, 1])
    assert tree.linear_twin(combination).forms == ((HALF, LINEAR), (HALF, LINEAR))


def test_without_linear_tensors_there_is_no_twin(tree_of):
    class NeverLinear(Several):
        def supports_format_combination(self, pos, in_out, num_inputs):
            linear = in_out[pos].format == LINEAR
            return not linear and super().supports_format_combination(pos, in_out, num_inputs)

    tree = tree_of(NeverLinear)
    assert tree.linear_twin(tree.combination([0])) is None


def test_numbers_begin_again():
    assert [chosen([4, 5], place) for place in range(3)] == [4, 5, 4]
