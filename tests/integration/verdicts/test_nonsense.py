"""Whatever a callback returns, no rule fails by itself, and where the answer counts some rule says what is wrong.

By day a few callbacks return a few kinds of nonsense, always the same ones. By night each callback returns a fixed part
of the kinds: two of them meet all rules, the others those of level 1. Each kind meets all rules in some callback.
tools/nonsense.py has each callback return each kind, and all rules judge it.
"""

import random

import pytest

from harness.contract import catalogue
from tests.support.forked_processes import PROCESSES
from tests.support.nonsense.judging import callbacks, told_of
from tests.support.nonsense.kinds import KINDS

#: How many callbacks are tried in each run, and with how many kinds.
CALLBACKS, SOME = 1, 1
#: What TensorRT expects no answer of.
WITHOUT_ANSWER = {
    "configure_plugin",
    "initialize",
    "terminate",
    "destroy",
    "set_tactic",
    "on_shape_change",
    "enqueue",
    "attach_to_context",
    "detach_from_context",
}
#: Kinds that are no answer to any question.
NEVER_RIGHT = {"an object", "a dictionary", "an object whose every method raises", "a list that holds itself"}
#: By night a callback returns one kind of so many, and one of so many meets all rules.
ONE_OF, FOR_ALL_RULES = 6, 36
CHOSEN = random.Random("by day").sample(callbacks(), CALLBACKS)  # noqa: S311 - no secret


@pytest.mark.parametrize("callback", CHOSEN, ids=".".join)
def test_some_nonsense_becomes_a_verdict(callback):
    drawn = random.Random(f"by day {callback}")  # noqa: S311 - as above
    kinds = drawn.sample(sorted(set(KINDS) - NEVER_RIGHT), SOME)
    judge(callback, [*kinds, "an object"])


def by_night(callback, one_of):
    """Return the kinds that a callback returns by night; the next callback returns their neighbours."""
    number = callbacks().index(callback)
    return [kind for place, kind in enumerate(KINDS) if (place + number) % one_of == 0]


def test_by_night_each_kind_meets_all_rules_in_some_callback():
    assert {kind for callback in callbacks() for kind in by_night(callback, FOR_ALL_RULES)} == {*KINDS}


@pytest.mark.nightly
@pytest.mark.parametrize("callback", callbacks(), ids=".".join)
def test_nonsense_becomes_a_verdict(callback):
    judge(callback, by_night(callback, FOR_ALL_RULES))
    cheap = [rule.id for rule in catalogue.load().rules.values() if rule.level == 1]
    judge(callback, sorted({*by_night(callback, ONE_OF), *NEVER_RIGHT}), cheap)


def judge(callback, kinds, rules=None):
    """Have a callback return each of some kinds; all or some rules judge each without an internal error."""
    told = PROCESSES.call(told_of, *callback, kinds, rules)
    assert {kind: found for kind, found in told.items() if found.get("died") or found.get("internal")} == {}
    method = callback[-1]
    if method not in WITHOUT_ANSWER:
        said = {kind: [*found["broken"].values(), *found["problems"]] for kind, found in told.items()}
        assert [kind for kind in NEVER_RIGHT & set(kinds) if method not in str(said[kind])] == []
