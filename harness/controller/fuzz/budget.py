"""Limit a fuzz rule's search: in examples, in seconds, and when examples reach no new code or state."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from harness.contract.thoroughness import Thoroughness
from harness.protocol.requests import Watched
from harness.strategies.examples import QUIET, QUIET_OF_KEPT

if TYPE_CHECKING:
    from harness.contract.verdict import Answer
    from harness.strategies.examples import Examples

#: A factor of the number of examples in a row without new code or state that end a search.
PATIENCE = {Thoroughness.SMOKE: 1, Thoroughness.DEFAULT: 1, Thoroughness.EXHAUSTIVE: 10}


class Budget(msgspec.Struct, frozen=True):
    """The limits of one fuzz rule on one case: examples, time and patience.

    Attributes:
        examples: How many examples the rule judges at most.
        seconds: Seconds after which no further example is generated; None for no limit.
        patience: A factor of the number of examples in a row without new code or state that end the search. None: the
            search never ends early.
        shrinks: Whether an example that fails is made smaller.
    """

    examples: int = Thoroughness.DEFAULT.examples
    seconds: float | None = None
    patience: int | None = 1
    shrinks: bool = True

    @classmethod
    def of(cls, level: Thoroughness, examples: int | None, seconds: float | None) -> Budget:
        """Return the budget of a run; if the user gives seconds alone, the number of examples has no limit."""
        if examples is not None or seconds is not None:
            return cls(sys.maxsize if examples is None else examples, seconds, patience=None)
        return cls(level.examples, patience=PATIENCE[level])


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
        """Return the part of the plugin that the child must watch."""
        if not self.may_end:
            return Watched.NOTHING
        return Watched.STATE if self._remembers else Watched.CODE

    @property
    def left(self) -> int:
        """Return the number of further examples without new code or state that end the search."""
        return self._patience - self._quiet if self.may_end else sys.maxsize

    @property
    def is_over(self) -> bool:
        """Return whether enough examples in a row reached no new code or state."""
        return self.left <= 0

    def note(self, answer: Answer) -> None:
        """Count the examples that reached nothing new. If the plugin keeps state, the search does not end early."""
        for reached in answer.reached:
            self._quiet = self._quiet + 1 if self._known.issuperset(reached) else 0
            self._known.update(reached)
        if answer.keeps:
            self.may_end = False
