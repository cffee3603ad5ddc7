"""Comparing this run with a stored one: each quantity, and the counts, on each case.

Theory. Two versions that take turns share the state of the machine; a stored run and this one do not. Both have timed
something that does nothing, the calibration: where that takes longer now, so may everything. What is expected now is
the stored median, times the ratio of the calibrations. But a calibration is itself an occasion, with its own chance of
memory, so the truth is taken to be anywhere between the stored value as it is and as it is scaled. Each run is
one occasion, and what an occasion adds by chance, however many samples it has, was measured: that is the allowance. So
the interval spans both medians' intervals, the scale and the allowance, and an answer is given only where all of it
is on one side of a bound.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Final

from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError
from harness.controller.latency.shift import ShiftVerdict, outcome_of, us
from harness.controller.latency.stored_run import Reading
from harness.protocol.latency_estimates import Interval
from harness.protocol.latency_quantity import Group, Quantity
from harness.protocol.requests import COUNTS

if TYPE_CHECKING:
    from harness.controller.latency.stored_run import StoredRun
    from harness.protocol.latency_samples import Sampled
    from harness.results.run_plan import ItemId

#: How much slower is too slow by default, as a share; more than between versions that take turns.
MARGIN: Final = 0.1
#: The share of a call by which two runs of the same version may differ by chance, of calls in the long run and of
#: those that come once; docs/contributing/measuring_enqueue.md has the measurements that they rest on.
_ALLOWANCE: Final = 0.05
_ALLOWANCE_ONCE: Final = 0.5


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
        """``fail`` is how much slower is too slow; without it, a slowdown is reported, and fails nothing."""
        self.stored = stored
        self._fail = fail

    def compare(self, place: ItemId, quantity: Quantity, measured: Sampled, missing: str) -> Since:
        """Return what has become of the quantity whose place in the stored run is given.

        Args:
            place: The item of the quantity.
            quantity: Which it is.
            measured: What is known of the case.
            missing: Why this run has nothing of it, if so.

        Raises:
            LatencyUnknownError: The samples do not decide it.
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
            raise LatencyUnknownError(found)
        self._insist_on_speed(found, is_worse=found.outcome is ShiftVerdict.SLOWER)
        return found

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
        found = f"{'MORE' if is_worse else 'FEWER'}: {'; '.join(changed)}"
        self._insist_on_speed(found, is_worse=is_worse)
        return found

    def _insist_on_speed(self, found: Since | str, *, is_worse: bool) -> None:
        if is_worse and self._fail is not None:
            raise LatencyFailedError(found)


def _insist_on_the_same_work(now: Reading, then: Reading) -> None:
    for which, reading in (("the stored run", then), ("this run", now)):
        if reading.calibration <= 0:
            raise LatencyFailedError(f"{which} has no calibration for it: measure host_enqueue with it")
    for name in ("shapes", "method"):
        here, there = getattr(now, name), getattr(then, name)
        if here != there:
            raise LatencyFailedError(f"the stored run has another {name}: {there} there, {here} here")


@dataclasses.dataclass(frozen=True)
class Since:
    """This run beside the stored one.

    Attributes:
        outcome: What is said of this one.
        change: By which share of what was expected it is slower, with its bounds.
        now: The median of this run, in seconds.
        then: That of the stored one.
        scale: How many times as long the calibration takes now.
        margin: The share up to which the two count as the same.
    """

    outcome: ShiftVerdict
    change: Interval
    now: float
    then: float
    scale: float
    margin: float

    def __str__(self) -> str:
        told = f"{us(self.now)} where it was {us(self.then)}, the calibration takes {self.scale:.2f} times as long"
        if not math.isfinite(self.change.high):
            return f"{self.outcome.value}: {told}; it was too short to be measured"
        low, middle, high = (f"{share:+.1%}" for share in self.change)
        return f"{self.outcome.value}: {middle} ({low} to {high}), {told}"


def allowance(quantity: Quantity) -> float:
    """Return the share by which two runs of a quantity may differ by chance."""
    return _ALLOWANCE if quantity.group is Group.STEADY else _ALLOWANCE_ONCE


def since(now: Reading, then: Reading, margin: float, chance: float) -> Since:
    """Return what has become of a quantity; ``chance`` is its allowance, and both have a calibration."""
    scale = now.calibration / then.calibration
    least, most = sorted((1.0, scale))
    aside = chance * then.whole
    expected = Interval((then.low - aside) * least, then.median * scale, (then.high + aside) * most)
    change = _change(now, expected)
    return Since(outcome_of(change, margin), change, now.median, then.median, scale, margin)


def _change(now: Reading, expected: Interval) -> Interval:
    """Return the change; without a bound where what was expected may be nothing, as can be of what is left net."""
    if expected.low <= 0 or expected.middle <= 0:
        return Interval(-math.inf, 0.0, math.inf)
    bounds = sorted(value / limit - 1 for value in (now.low, now.high) for limit in (expected.low, expected.high))
    return Interval(bounds[0], now.median / expected.middle - 1, bounds[-1])
