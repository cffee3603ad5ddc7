"""Choose the examples of a fuzz rule: a fixed list, generated examples, and when to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

#: Examples in a row that have to reach nothing new before a search ends.
QUIET = 3
#: The same where a search is for what a plugin keeps: one that is seen to keep nothing does each time what it did.
QUIET_OF_KEPT = 1


def nothing_listed(chance: random.Random) -> list[Any]:  # noqa: ARG001 - as all of them
    """List no examples: all are drawn."""
    return []


class Examples(msgspec.Struct, frozen=True):
    """The source of a fuzz rule's examples, and the conditions under which its search may end.

    Attributes:
        strategy: Makes a strategy of Hypothesis, or a state machine: what is drawn after the listed examples.
        listed: Lists bounds and combinations of them, by chance of the seed; they are judged first.
        ends: Whether the search may end when examples reach nothing new; else it takes its whole budget.
        remembers: Whether it looks for state that a plugin keeps from call to call. Then the search does not end early
            if the plugin keeps any state.
    """

    strategy: Callable[[], Any]
    listed: Callable[[random.Random], list[Any]] = nothing_listed
    ends: bool = False
    remembers: bool = False


def examples_of(source: Any) -> Examples:
    """Return what a rule's strategy gave; a strategy of Hypothesis alone is drawn from to the end of the budget."""
    return source if isinstance(source, Examples) else Examples(lambda: source)
