"""What is drawn of formats is small numbers: conversations with neighbours and repeats, and even combinations."""

import collections

import pytest

from harness.cases.facts import Facts
from harness.cases.input import Input
from harness.contract.finding import NotApplicable
from harness.strategies import hypothesis_settings
from harness.strategies.formats import combinations, conversations
from harness.strategies.shapes import RUNNABLE

ROWS = Input(dims=("N", "W"), min=(8, 4), opt=(16, 8), max=(32, 16))
FACTS = Facts((ROWS, ROWS))
TALKS = hypothesis_settings.drawn(conversations(FACTS), 60, seeded=1)
ASKED = [question for talk in TALKS for question in talk["questions"]]
PAIRS = [pair for talk in TALKS for pair in zip(talk["questions"], talk["questions"][1:], strict=False)]


def test_questions_are_drawn_for_every_position_and_some_of_a_clone():
    assert {len(question["forms"]) for question in ASKED} == {1, 2, 3, 4, 5}
    assert {question["clone"] for question in ASKED} == {0, 1}


def test_what_stands_behind_a_question_differs_from_place_to_place():
    assert any(question["tail"][0] != question["tail"][1] for question in ASKED)
    assert 0.1 < sum(question["tail"][0] == 0 for question in ASKED) / len(ASKED) < 0.5


def test_a_form_comes_again_after_another_head_and_a_head_with_another_form():
    heads = [(one["forms"][:-1], other["forms"][:-1]) for one, other in PAIRS]
    forms = [(one["forms"][-1], other["forms"][-1]) for one, other in PAIRS]
    assert sum(a != b and c == d for (a, b), (c, d) in zip(heads, forms, strict=True)) > len(PAIRS) / 10
    assert sum(a == b and c != d for (a, b), (c, d) in zip(heads, forms, strict=True)) > len(PAIRS) / 10


def test_a_conversation_may_be_empty():
    smallest = hypothesis_settings.smallest(conversations(FACTS), 5, lambda _: True, seeded=1)
    assert smallest == {"questions": []}


def test_a_plugin_without_inputs_is_asked_too():
    talks = hypothesis_settings.drawn(conversations(Facts()), 5, seeded=1)
    assert any(talk["questions"] for talk in talks)


@pytest.mark.parametrize("seeded", range(5))
def test_two_choices_are_mixed_evenly(seeded):
    drawn = hypothesis_settings.drawn(combinations(FACTS), 65, seeded=seeded)
    mixtures = collections.Counter(tuple(number % 2 for number in example["forms"][:2]) for example in drawn)
    assert min(mixtures[a, b] for a in (0, 1) for b in (0, 1)) >= 6
    assert len({tuple(example["forms"]) for example in drawn}) > 50


def test_a_combination_comes_with_shapes_that_are_small_enough():
    images = Input(dims=("N", 3, "H", "W"), min=(1, 3, 4, 4), max=(64, 3, 2048, 2048))
    for example in hypothesis_settings.drawn(combinations(Facts((images,))), 20, seeded=1):
        [(n, c, h, w)] = example["shapes"]
        assert n * c * h * w <= RUNNABLE


def test_a_case_of_one_shape_has_no_shape_to_combine():
    with pytest.raises(NotApplicable, match="one shape"):
        combinations(Facts((Input(dims=(2, 4)),)))
