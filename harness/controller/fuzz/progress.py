"""Report the progress of a search for a display."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from harness.controller.fuzz.budget import Budget


class Progress(msgspec.Struct, frozen=True):
    """The progress of a search.

    Attributes:
        rule: The rule's id.
        judged: Examples judged so far.
        seconds: How long it has taken.
        budget: What it may spend.
        tries: How often a failing example was judged again or made smaller; 0 while none is found.
    """

    rule: str
    judged: int
    seconds: float
    budget: Budget
    tries: int = 0

    @property
    def of(self) -> int | None:
        """Return the number of examples of the whole search; None if time limits it."""
        return None if self.budget.examples == sys.maxsize else self.budget.examples

    @property
    def left(self) -> float | None:
        """Seconds that it may still take where nothing fails; None if it is unknown yet."""
        known = []
        if self.budget.seconds is not None:
            known.append(max(self.budget.seconds - self.seconds, 0.0))
        if self.of is not None and self.judged:
            known.append(self.seconds / self.judged * max(self.of - self.judged, 0))
        return min(known, default=None)


class SearchDisplay(Protocol):
    """Shows how far a search is."""

    def show(self, progress: Progress) -> None:
        """Take notice of how far it is; called before each request to the child."""

    def end(self) -> None:
        """Take notice that it is over."""
