"""The one source of every order and count that no document fixes.

Seed 0 is the plainest schedule: the first option, the least count, the given order. Any other seed draws from a
hash of (seed, what is decided, how often that was decided before), so a decision depends on nothing else: one
more question somewhere leaves all other answers as they were, on every machine and Python version.

What is decided here (each by the name that stands in the code): the order in which copies are destroyed and engine
plugins started; whether the builder's copies live as long as the builder; how often the analysis is repeated; the order
of the candidates of a format query; whether a combination is timed on a clone, and how often it runs; which of the
combinations that got through is taken; what the bounds are in an execution-phase ``configure_plugin``; whether the
workspace is asked for while executing.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Scheduler", "current_scheduler", "scheduling"]

T = TypeVar("T")


class Scheduler:
    """Answers "which one", "how many" and "in what order"; the same questions get the same answers."""

    def __init__(self, seed: int = 0) -> None:
        self.seed: Final = seed
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def choose(self, what: str, options: Sequence[T]) -> T:
        """Return one of ``options``; list the plainest first."""
        return options[self._draw(what, len(options))]

    def count(self, what: str, least: int, most: int) -> int:
        """Return a number from ``least`` to ``most``."""
        return least + self._draw(what, most - least + 1)

    def order(self, what: str, items: Sequence[T]) -> list[T]:
        """Return ``items`` in some order."""
        left = list(items)
        return [left.pop(self._draw(what, len(left))) for _ in items]

    def _draw(self, what: str, below: int) -> int:
        with self._lock:
            self._asked[what] += 1
            asked = self._asked[what]
        if self.seed == 0:
            return 0
        digest = hashlib.sha256(f"{self.seed}/{what}/{asked}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % below


_CURRENT: ContextVar[int] = ContextVar("reference_runtime_seed", default=0)


def current_scheduler() -> Scheduler:
    """Return a new scheduler with the seed in force."""
    return Scheduler(_CURRENT.get())


@contextmanager
def scheduling(seed: int) -> Iterator[None]:
    """Let builders and runtimes that are made inside follow the schedules of ``seed``."""
    token = _CURRENT.set(seed)
    try:
        yield
    finally:
        _CURRENT.reset(token)
