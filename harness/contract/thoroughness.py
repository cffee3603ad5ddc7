"""Define the levels of ``--plugin-level``, and the seeds of each."""

from __future__ import annotations

import enum


class Thoroughness(enum.Enum):
    """A level of thoroughness, which includes the levels before it; ``docs/options.md`` says what each level adds."""

    SMOKE = "1"
    DEFAULT = "5"
    EXHAUSTIVE = "10"

    @property
    def number(self) -> int:
        """Return the level as a number, as rules compare it."""
        return int(self.value)

    @property
    def seeds(self) -> tuple[int, ...]:
        """Return the seeds of the scheduler for rules that drive an engine; other rules use only the first seed."""
        return tuple(range(_SEEDS[self]))

    @property
    def examples(self) -> int:
        """Return the number of examples of one fuzz rule on one case, at most."""
        return _EXAMPLES[self]


_SEEDS = {Thoroughness.SMOKE: 1, Thoroughness.DEFAULT: 3, Thoroughness.EXHAUSTIVE: 10}
_EXAMPLES = {Thoroughness.SMOKE: 50, Thoroughness.DEFAULT: 50, Thoroughness.EXHAUSTIVE: 1000}
#: The levels that a rule can begin at.
NUMBERS = tuple(level.number for level in Thoroughness)
