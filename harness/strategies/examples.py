"""Define the source of a fuzz rule's examples: fixed examples, a strategy, and when the search may stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

#: The number of examples in a row that must reach no new code before a search ends.
QUIET = 3
#: The same number for a search for state that a plugin keeps; a plugin without state always does the same.
QUIET_OF_KEPT = 1


def nothing_listed(chance: random.Random) -> list[Any]:  # noqa: ARG001 - the signature of ``Examples.listed``
    """Return no fixed examples."""
    return []


class Examples(msgspec.Struct, frozen=True):
    """The source of a fuzz rule's examples, and the conditions under which its search may end.

    Attributes:
        strategy: Returns a strategy of Hypothesis, or a state machine. It generates the examples after the fixed ones.
        listed: Returns the fixed examples, such as bounds and combinations of them. The seed decides the details.
        ends: Whether the search may end when examples reach no new code; otherwise it uses its whole budget.
        remembers: Whether it looks for state that a plugin keeps from call to call. Then the search does not end early
            if the plugin keeps any state.
    """

    strategy: Callable[[], Any]
    listed: Callable[[random.Random], list[Any]] = nothing_listed
    ends: bool = False
    remembers: bool = False


def examples_of(source: Any) -> Examples:
    """Return the examples of a rule's source. If it is a bare strategy, the search uses its whole budget."""
    return source if isinstance(source, Examples) else Examples(lambda: source)
