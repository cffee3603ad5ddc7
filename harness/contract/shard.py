"""The parts into which the examples of a fuzz rule on a case are split, so that several processes can judge them."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Shard:
    """One of some parts; a rule that is not split is the one part of one.

    Attributes:
        number: Which one, from 1.
        of: How many there are.
    """

    number: int = 1
    of: int = 1

    def __str__(self) -> str:
        """Return what is seen in node ids: ``2/4``."""
        return f"{self.number}/{self.of}"

    @property
    def is_whole(self) -> bool:
        """Whether there are no other parts."""
        return self.of == 1

    @property
    def is_first(self) -> bool:
        """Whether what must be done once is for this one to do."""
        return self.number == 1

    def share(self, total: int) -> int:
        """Return how many of some things are this part's, one at least; over all parts they add up."""
        return max(1, total // self.of + (self.number <= total % self.of))


#: All of it.
WHOLE = Shard()


def parts(number: int) -> tuple[Shard, ...]:
    """Return so many parts of a whole."""
    return tuple(Shard(each, number) for each in range(1, number + 1))
