"""The level says how far a fuzz rule looks, unless the user does."""

import sys

import pytest

from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Answer, Kind
from harness.controller.fuzz.budget import Budget, Novelty
from harness.protocol.requests import Watched
from harness.strategies.examples import QUIET, QUIET_OF_KEPT, Examples


@pytest.mark.parametrize(
    ("level", "examples", "seconds", "number", "patience"),
    [
        (Thoroughness.SMOKE, None, None, 50, 1),
        (Thoroughness.DEFAULT, None, None, 50, 1),
        (Thoroughness.EXHAUSTIVE, None, None, 1000, 10),
        (Thoroughness.EXHAUSTIVE, 7, None, 7, None),
        (Thoroughness.DEFAULT, 7, 2.0, 7, None),
        (Thoroughness.DEFAULT, None, 2.0, sys.maxsize, None),
    ],
)
def test_only_what_the_user_limits_is_spent_to_the_end(level, examples, seconds, number, patience):
    assert Budget.of(level, examples, seconds) == Budget(number, seconds, patience=patience)


NEW, OLD = ("line 1",), ()


def reached(*examples, keeps=False):
    return Answer(Kind.JUDGED, reached=examples, keeps=keeps)


def novelty(*, patience=1, ends=True, remembers=False):
    return Novelty(Examples(lambda: None, ends=ends, remembers=remembers), Budget(patience=patience))


def test_it_is_over_when_enough_examples_in_a_row_reach_nothing_new():
    seen = novelty()
    seen.note(reached(NEW, *[OLD] * (QUIET - 1)))
    assert (seen.is_over, seen.left) == (False, 1)
    seen.note(reached(NEW))
    assert seen.is_over, "what an earlier batch reached is not new"


def test_where_nothing_is_kept_it_is_over_sooner():
    seen = novelty(remembers=True)
    assert seen.left == QUIET_OF_KEPT < QUIET
    seen.note(reached(NEW, *[OLD] * QUIET_OF_KEPT))
    assert seen.is_over


def test_something_new_begins_the_count_again():
    seen = novelty()
    seen.note(reached(*[OLD] * (QUIET - 1), NEW))
    assert seen.left == QUIET


def test_a_higher_level_has_more_patience():
    assert novelty(patience=10).left == 10 * QUIET


@pytest.mark.parametrize("seen", [novelty(patience=None), novelty(ends=False)], ids=["user's number", "no end"])
def test_where_all_is_to_be_judged_nothing_is_watched(seen):
    seen.note(reached(*[OLD] * 100))
    assert (seen.is_over, seen.watched) == (False, Watched.NOTHING)


@pytest.mark.parametrize("remembers", [True, False])
def test_a_plugin_that_keeps_something_or_is_not_seen_is_searched_to_the_end(remembers):
    seen = novelty(remembers=remembers)
    assert seen.watched is (Watched.STATE if remembers else Watched.CODE)
    seen.note(reached(*[OLD] * 100, keeps=True))
    assert not seen.is_over
