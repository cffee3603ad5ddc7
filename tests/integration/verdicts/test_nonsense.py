"""Whatever a callback returns, no rule fails by itself, and where the answer counts some rule says what is wrong.

By day a few callbacks return a few kinds of nonsense, always the same ones. By night each returns each, which takes an
hour; tools/nonsense.py does so too.
"""

import random

import pytest

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
CHOSEN = random.Random("by day").sample(callbacks(), CALLBACKS)  # noqa: S311 - no secret


@pytest.mark.parametrize("callback", CHOSEN, ids=".".join)
def test_some_nonsense_becomes_a_verdict(callback):
    drawn = random.Random(f"by day {callback}")  # noqa: S311 - as above
    kinds = drawn.sample(sorted(set(KINDS) - NEVER_RIGHT), SOME)
    judge(callback, [*kinds, "an object"])


@pytest.mark.nightly
@pytest.mark.parametrize("callback", callbacks(), ids=".".join)
def test_nonsense_becomes_a_verdict(callback):
    judge(callback, list(KINDS))


def judge(callback, kinds):
    """Have a callback return each of some kinds; each is judged without an internal error."""
    told = PROCESSES.call(told_of, *callback, kinds)
    assert {kind: found for kind, found in told.items() if found.get("died") or found.get("internal")} == {}
    method = callback[-1]
    if method not in WITHOUT_ANSWER:
        said = {kind: [*found["broken"].values(), *found["problems"]] for kind, found in told.items()}
        assert [kind for kind in NEVER_RIGHT & set(kinds) if method not in str(said[kind])] == []
