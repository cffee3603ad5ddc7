"""Whether a version is slower than what a stored run says of it, across two occasions that share nothing.

Theory. Two versions that take turns share the state of the machine; a stored run and this one do not. Both have timed
something that does nothing, the calibration: where that takes longer now, so may everything. What is expected now is
the stored median, times the ratio of the calibrations. But a calibration is itself an occasion, as good as its memory
happens to lie, so the truth is taken to lie anywhere between the stored value as it is and as it is scaled. Each run is
one occasion, and what an occasion adds by chance, however many samples it has, was measured: that is the allowance. So
the interval spans both medians' intervals, the scale and the allowance, and an answer is given only where all of it
lies on one side of a bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from harness.controller.latency.shift import ShiftVerdict, outcome_of, us
from harness.protocol.latency_estimates import Interval
from harness.protocol.latency_quantity import Group

if TYPE_CHECKING:
    from harness.controller.latency.stored_reading import Reading
    from harness.protocol.latency_quantity import Quantity

#: How much slower is too slow by default, as a share; more than between versions that take turns.
MARGIN: Final = 0.1
#: The share of a call by which two runs of the same version may differ by chance, of calls in the long run and of
#: those that come once; docs/measuring_enqueue.md has the measurements that they rest on.
_ALLOWANCE: Final = 0.05
_ALLOWANCE_ONCE: Final = 0.5


@dataclass(frozen=True)
class Since:
    """This run beside the stored one.

    Attributes:
        outcome: What is said of this one.
        change: By which share of what was expected it is slower, with its bounds.
        now: The median of this run, in seconds.
        then: That of the stored one.
        scale: How many times as long the calibration takes now.
    """

    outcome: ShiftVerdict
    change: Interval
    now: float
    then: float
    scale: float

    def __str__(self) -> str:
        told = f"{us(self.now)} where it was {us(self.then)}, the calibration takes {self.scale:.2f} times as long"
        if not math.isfinite(self.change.high):
            return f"{self.outcome.value}: {told}; it was too little to be told from nothing"
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
    return Since(outcome_of(change, margin), change, now.median, then.median, scale)


def _change(now: Reading, expected: Interval) -> Interval:
    """Return the change; without a bound where what was expected may be nothing, as can be of what is left net."""
    if expected.low <= 0 or expected.middle <= 0:
        return Interval(-math.inf, 0.0, math.inf)
    bounds = sorted(value / limit - 1 for value in (now.low, now.high) for limit in (expected.low, expected.high))
    return Interval(bounds[0], now.median / expected.middle - 1, bounds[-1])
