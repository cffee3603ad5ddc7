"""When a search has seen enough: the last few examples reached nothing in the plugin that none before them did."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from harness.protocol.requests import Watched
from harness.strategies.examples import QUIET, QUIET_OF_KEPT

if TYPE_CHECKING:
    from harness.contract.verdict import Answer
    from harness.controller.fuzz.budget import Budget
    from harness.strategies.examples import Examples


class Novelty:
    """Counts how many examples in a row reached nothing new."""

    def __init__(self, source: Examples, budget: Budget) -> None:
        self.may_end = source.ends and budget.patience is not None
        self._patience = (QUIET_OF_KEPT if source.remembers else QUIET) * (budget.patience or 1)
        self._remembers = source.remembers
        self._known: set[str] = set()
        self._quiet = 0

    @property
    def watched(self) -> Watched:
        """What the child is to watch."""
        if not self.may_end:
            return Watched.NOTHING
        return Watched.STATE if self._remembers else Watched.CODE

    @property
    def left(self) -> int:
        """How many further examples may end the search."""
        return self._patience - self._quiet if self.may_end else sys.maxsize

    @property
    def is_over(self) -> bool:
        """Whether enough examples in a row reached nothing new."""
        return self.left <= 0

    def note(self, answer: Answer) -> None:
        """Take over what examples reached; a plugin that keeps something, or is not seen, is searched to the end."""
        for reached in answer.reached:
            self._quiet = self._quiet + 1 if self._known.issuperset(reached) else 0
            self._known.update(reached)
        if answer.keeps:
            self.may_end = False
