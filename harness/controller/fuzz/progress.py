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
        judged: The number of examples judged so far.
        seconds: How long the search has taken.
        budget: The limits of the search.
        tries: How often examples were judged after the first failure, to shrink it; 0 before a failure.
    """

    rule: str
    judged: int
    seconds: float
    budget: Budget
    tries: int = 0

    @property
    def of(self) -> int | None:
        """Return the number of examples of the whole search; None if only time limits it."""
        return None if self.budget.examples == sys.maxsize else self.budget.examples

    @property
    def left(self) -> float | None:
        """Return an estimate of the seconds left if no example fails; None before there is one."""
        known = []
        if self.budget.seconds is not None:
            known.append(max(self.budget.seconds - self.seconds, 0.0))
        if self.of is not None and self.judged:
            known.append(self.seconds / self.judged * max(self.of - self.judged, 0))
        return min(known, default=None)


class SearchDisplay(Protocol):
    """Shows the progress of a search."""

    def show(self, progress: Progress) -> None:
        """Show the progress; a search calls this before each request to the child."""

    def end(self) -> None:
        """Remove the display: the search is over."""
