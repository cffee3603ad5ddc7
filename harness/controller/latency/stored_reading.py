"""What one run says of a quantity, in a form that a later run can be compared with."""

from __future__ import annotations

import dataclasses
import math
import statistics
from typing import TYPE_CHECKING, Any, Final

from harness.contract.codec import Record
from harness.protocol.latency_estimates import interval_of_median
from harness.protocol.latency_quantity import Quantity

if TYPE_CHECKING:
    from harness.protocol.latency_samples import Sampled

#: The quantities that a net one is the rest of.
_WHOLE: Final = {
    Quantity.HOST_ENQUEUE_NET: Quantity.HOST_ENQUEUE,
    Quantity.DEVICE_HOT_NET: Quantity.DEVICE_HOT,
    Quantity.DEVICE_COLD_NET: Quantity.DEVICE_COLD,
}
#: The fact that tells what was measured in the same way of something that does nothing: the calibration.
_CALIBRATION: Final = {
    Quantity.DEVICE_HOT: "launch",
    Quantity.DEVICE_HOT_NET: "launch",
    Quantity.DEVICE_COLD: "cold_launch",
    Quantity.DEVICE_COLD_NET: "cold_launch",
}
_EMPTY_PLUGIN: Final = "empty_plugin"


@dataclasses.dataclass(frozen=True)
class Reading(Record):
    """One quantity of one case in one run; all times in seconds.

    Attributes:
        low: Lower bound of the median, of 99 %.
        median: The median.
        high: Its upper bound.
        whole: The median of the quantity as a whole, where this is what is left of it net.
        calibration: The median of an empty plugin or kernel, taken in turn with it; 0 where none was.
        shapes: The shapes of the case.
        method: How it was measured.
    """

    low: float
    median: float
    high: float
    whole: float
    calibration: float
    shapes: list[list[int]]
    method: str

    @classmethod
    def of(cls, quantity: Quantity, measured: Sampled) -> Reading:
        """Return what was measured."""
        whole = _WHOLE.get(quantity, quantity)
        low, median, high = interval_of_median(measured.series[quantity.value])
        return cls(
            low=low,
            median=median,
            high=high,
            whole=statistics.median(measured.series[whole.value]),
            calibration=float(measured.facts.get(_CALIBRATION.get(quantity, _EMPTY_PLUGIN), 0.0)),
            shapes=measured.facts.get("shapes", []),
            method=measured.methods.get(whole.value, "").partition(" ")[0],
        )

    @classmethod
    def from_plain(cls, data: Any) -> Reading:
        """Return the reading that :meth:`to_plain` described.

        Raises:
            ValueError: It is none; the argument names the field.
        """
        found: dict[str, Any] = data if isinstance(data, dict) else {}
        for name in ("low", "median", "high", "whole", "calibration"):
            value = found.get(name)
            if not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ValueError(f"{name}: expected a number of seconds, found {value!r}")
        if type(found.get("shapes")) is not list or type(found.get("method")) is not str:
            raise ValueError("shapes, method: expected a list and a text")
        if not found["low"] <= found["median"] <= found["high"]:
            raise ValueError("low, median, high: expected them in this order")
        return cls(**{field.name: found[field.name] for field in dataclasses.fields(cls)})
