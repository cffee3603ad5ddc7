"""Hold the latencies of one case: samples, how they were taken, and further facts."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.protocol.latency_quantity import Quantity

#: The key in `Sampled.facts` of the kernels that functions of the case replaced.
STAND_INS = "stand_ins"


@dataclasses.dataclass
class Sampled:
    """The measurements of one process, or of several together.

    Attributes:
        series: The samples in seconds, by quantity.
        methods: How a quantity was measured, by quantity, if that can differ.
        missing: Why a quantity has no samples, by quantity.
        facts: What else was measured: floors, bandwidth, the machine.
        counts: What one call does, by name: allocations, synchronizations, launches, bytes.
    """

    series: dict[str, list[float]] = dataclasses.field(default_factory=dict)
    methods: dict[str, str] = dataclasses.field(default_factory=dict)
    missing: dict[str, str] = dataclasses.field(default_factory=dict)
    facts: dict[str, Any] = dataclasses.field(default_factory=dict)
    counts: dict[str, int] = dataclasses.field(default_factory=dict)

    def keep(self, quantity: Quantity, samples: list[float]) -> None:
        """Keep the samples of a quantity."""
        self.series[quantity.value] = samples

    def add(self, other: dict[str, Any]) -> None:
        """Add the measurements of another process, as its :meth:`to_plain` returned them."""
        for quantity, samples in other["series"].items():
            self.series.setdefault(quantity, []).extend(samples)
        for name in ("methods", "missing", "facts", "counts"):
            getattr(self, name).update(other[name])

    def to_plain(self) -> dict[str, Any]:
        """Return the measurements as JSON can hold them."""
        return dataclasses.asdict(self)
