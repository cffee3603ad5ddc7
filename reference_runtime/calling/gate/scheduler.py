"""Decide every order and count that no document fixes.

Seed 0 is the plainest schedule: the first option, the least count, the given order. Any other seed decides by a hash of
the seed, the decision's name, and how often that decision was made before. So decisions do not influence each other,
and are the same on every machine and Python version. A decision can also be fixed by its name.

The decisions, by their names in the code:

* in a build: "types asked for before shapes"; "analyses that are repeated"; "candidates", the order in which types and
  formats are offered; "profile shown in format queries"; "timed on a clone" for version 2; "a lone candidate is timed";
  "tactics are timed", in which order; "more timed runs"; "combination", the chosen one of those that passed; "builder
  copies live as long as the builder"; for version 3 "way of a build", that with timing or one of two without;
  "capabilities asked for before each use"; "network's plugin asked for shapes in a build"; "types asked for in a
  build"; "workspace asked for before tactics", "workspace asked for once the tactic is set" and "fields asked for
  again";
* in a network, for version 3: "types asked for again by the network", and "capabilities asked for before each use";
* in an engine: "engine plugins start"; "bounds in the execution phase", those of the profile or the dimensions again;
  "tactic set when a context is created" (else before the first shape); "tactic set with every change of shape";
  "workspace asked for while executing";
* at the end, in which order: "network copies go", "builder copies go", "context copies go", "engine plugins go".

One order is fixed here although no document fixes it. A tactic is set before the first change of shape, as TensorRT's
samples expect.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

T = TypeVar("T")
_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


class Scheduler:
    """Answers "which one", "how many" and "in what order"; the same questions get the same answers."""

    def __init__(self, seed: int = 0, fixed: Mapping[str, int] = _NOTHING) -> None:
        self.seed: Final = seed
        self.fixed: Final = fixed
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def anew(self) -> Scheduler:
        """Return a scheduler whose decisions begin again."""
        return Scheduler(self.seed, self.fixed)

    def choose(self, what: str, options: Sequence[T]) -> T:
        """Return one of ``options``; list the plainest first."""
        return options[self._draw(what, len(options))]

    def count(self, what: str, least: int, most: int) -> int:
        """Return a number from ``least`` to ``most``."""
        return least + self._draw(what, most - least + 1)

    def order(self, what: str, items: Sequence[T]) -> list[T]:
        """Return ``items`` in some order."""
        left = list(items)
        if self.seed == 0:
            return left
        return [left.pop(self._draw(what, len(left))) for _ in items]

    def _draw(self, what: str, below: int) -> int:
        with self._lock:
            self._asked[what] += 1
            number = self._asked[what]
        if what in self.fixed:
            return self.fixed[what] % below
        if self.seed == 0:
            return 0
        digest = hashlib.sha256(f"{self.seed}/{what}/{number}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % below


_CURRENT: ContextVar[tuple[int, Mapping[str, int]]] = ContextVar("reference_runtime_seed", default=(0, _NOTHING))


def current_scheduler() -> Scheduler:
    """Return a new scheduler with the seed, and the fixed decisions, in force."""
    return Scheduler(*_CURRENT.get())


@contextmanager
def scheduling(seed: int, fixed: Mapping[str, int] = _NOTHING) -> Iterator[None]:
    """Let builders and runtimes that are created in the block follow the schedules of ``seed``.

    A decision that ``fixed`` names takes the option with that number under every seed.
    """
    token = _CURRENT.set((seed, fixed))
    try:
        yield
    finally:
        _CURRENT.reset(token)
