"""Comparing this run with a stored one: each quantity, and the counts, on each case."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError
from harness.controller.latency.shift import ShiftVerdict
from harness.controller.latency.stored_reading import Reading
from harness.controller.latency.stored_shift import MARGIN, allowance, since
from harness.protocol.latency_quantity import Quantity
from harness.protocol.requests import COUNTS

if TYPE_CHECKING:
    from harness.controller.latency.stored_run import StoredRun
    from harness.protocol.latency_samples import Sampled
    from harness.results.run_plan import ItemId


@dataclasses.dataclass(frozen=True)
class Reviewed:
    """What is compared with the stored run: a quantity, or without one the counts."""

    quantity: Quantity | None = None

    @property
    def value(self) -> str:
        """The last part of the node id."""
        return f"{self.quantity.value if self.quantity else COUNTS}_compare"


REVIEWED: Final = (*map(Reviewed, Quantity), Reviewed())


class Review:
    """Compares with a stored run.

    Attributes:
        stored: That run.
    """

    def __init__(self, stored: StoredRun, fail: float | None) -> None:
        """``fail`` is how much slower is too slow; without it, what is slower is told, and fails nothing."""
        self.stored = stored
        self._fail = fail

    def compare(self, place: ItemId, quantity: Quantity, measured: Sampled, missing: str) -> str:
        """Return in words what has become of the quantity whose place in the stored run is given.

        Args:
            place: Where the quantity stands.
            quantity: Which it is.
            measured: What is known of the case.
            missing: Why this run has nothing of it, if so.

        Raises:
            LatencyUnknownError: It cannot be told.
            LatencyFailedError: It is slower, where that fails; or one of the two runs does not have it.
        """
        entry = self.stored.entry(place)
        if entry is None and missing:
            raise LatencyUnknownError(missing)
        if entry is None:
            raise LatencyFailedError(f"the stored run has no {quantity.value} of this case")
        if missing:
            raise LatencyFailedError(f"the stored run has {quantity.value}, and this one does not: {missing}")
        now, then = Reading.of(quantity, measured), entry.reading
        _insist_on_the_same_work(now, then)
        found = since(now, then, self._fail or MARGIN, allowance(quantity))
        if found.outcome is ShiftVerdict.AMBIGUOUS:
            raise LatencyUnknownError(str(found))
        return self._told(str(found), is_worse=found.outcome is ShiftVerdict.SLOWER)

    def count(self, place: ItemId, counts: dict[str, int], missing: str) -> str:
        """Return in words what has become of the counts of the case that the place belongs to.

        Raises:
            LatencyUnknownError: Neither run has any.
            LatencyFailedError: There are more, where that fails; or one of the two runs does not have them.
        """
        stored = self.stored.counts(place)
        if not counts and not stored:
            raise LatencyUnknownError(missing or "nothing was counted")
        if counts.keys() != stored.keys():
            lacks = sorted(counts.keys() ^ stored.keys())
            raise LatencyFailedError(f"counts that one of the two runs does not have: {', '.join(lacks)}; {missing}")
        changed = [
            f"{name.replace('_', ' ')}: {count}, where it was {stored[name]}"
            for name, count in counts.items()
            if count != stored[name]
        ]
        if not changed:
            return "SAME: " + ", ".join(f"{name} {count}" for name, count in counts.items())
        is_worse = any(count > stored[name] for name, count in counts.items())
        return self._told(f"{'MORE' if is_worse else 'FEWER'}: {'; '.join(changed)}", is_worse=is_worse)

    def _told(self, said: str, *, is_worse: bool) -> str:
        if is_worse and self._fail is not None:
            raise LatencyFailedError(said)
        return said


def _insist_on_the_same_work(now: Reading, then: Reading) -> None:
    for which, reading in (("the stored run", then), ("this run", now)):
        if reading.calibration <= 0:
            raise LatencyFailedError(f"{which} has no calibration for it: measure host_enqueue with it")
    for name in ("shapes", "method"):
        here, there = getattr(now, name), getattr(then, name)
        if here != there:
            raise LatencyFailedError(f"the stored run has another {name}: {there} there, {here} here")
