"""Define the levels of ``--plugin-level``, and the seeds of each."""

from __future__ import annotations

import enum


class Thoroughness(enum.Enum):
    """A level holds all that those before it hold; ``docs/options.md`` says what each adds."""

    SMOKE = "1"
    DEFAULT = "5"
    EXHAUSTIVE = "10"

    @property
    def number(self) -> int:
        """The level as rules compare it."""
        return int(self.value)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the scheduler for rules that drive an engine; other rules are judged with the first."""
        return tuple(range(_SEEDS[self]))

    @property
    def examples(self) -> int:
        """The examples of one fuzz rule on one case, at the most."""
        return _EXAMPLES[self]


_SEEDS = {Thoroughness.SMOKE: 1, Thoroughness.DEFAULT: 3, Thoroughness.EXHAUSTIVE: 10}
_EXAMPLES = {Thoroughness.SMOKE: 50, Thoroughness.DEFAULT: 50, Thoroughness.EXHAUSTIVE: 1000}
#: The levels that a rule can begin at.
NUMBERS = tuple(level.number for level in Thoroughness)
