"""Limit a fuzz rule's search: examples and seconds, by level and by the user's options."""

from __future__ import annotations

import dataclasses
import sys

from harness.contract.thoroughness import Thoroughness

#: How long a search goes on without anything new.
PATIENCE = {Thoroughness.SMOKE: 1, Thoroughness.DEFAULT: 1, Thoroughness.EXHAUSTIVE: 10}


@dataclasses.dataclass(frozen=True)
class Budget:
    """What one fuzz rule may spend on one case.

    Attributes:
        examples: Examples to judge.
        seconds: Seconds after which no further example is drawn; None for no limit.
        patience: How long a search goes on without anything new, compared with level 5; None where it takes all.
        shrinks: Whether an example that fails is made smaller.
    """

    examples: int = Thoroughness.DEFAULT.examples
    seconds: float | None = None
    patience: int | None = 1
    shrinks: bool = True

    @classmethod
    def of(cls, level: Thoroughness, examples: int | None, seconds: float | None) -> Budget:
        """The budget of a run; with seconds and no number of examples it is the time that limits."""
        if examples is not None or seconds is not None:
            return cls(sys.maxsize if examples is None else examples, seconds, patience=None)
        return cls(level.examples, patience=PATIENCE[level])
