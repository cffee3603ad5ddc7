"""Hold the latencies of one case: samples, how they were taken, and further facts."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.protocol.latency_quantity import Quantity

#: The fact that names the kernels in whose place functions of the case's ran.
STAND_INS = "stand_ins"


@dataclasses.dataclass
class Sampled:
    """The measurements of one process, or of several together.

    Attributes:
        series: The samples in seconds, by quantity.
        methods: How a quantity was measured, where that needs a word.
        missing: Why a quantity has no samples.
        facts: What else was measured: floors, bandwidth, the machine.
        counts: What one call asks for.
    """

    series: dict[str, list[float]] = dataclasses.field(default_factory=dict)
    methods: dict[str, str] = dataclasses.field(default_factory=dict)
    missing: dict[str, str] = dataclasses.field(default_factory=dict)
    facts: dict[str, Any] = dataclasses.field(default_factory=dict)
    counts: dict[str, int] = dataclasses.field(default_factory=dict)

    def keep(self, quantity: Quantity, samples: list[float]) -> None:
        """Keep the samples of a quantity."""
        self.series[quantity.value] = samples

    def add(self, found: dict[str, Any]) -> None:
        """Add what another process has found out, as plain data."""
        for quantity, samples in found["series"].items():
            self.series.setdefault(quantity, []).extend(samples)
        for name in ("methods", "missing", "facts", "counts"):
            getattr(self, name).update(found[name])

    def to_plain(self) -> dict[str, Any]:
        """All of it as JSON can hold it."""
        return dataclasses.asdict(self)
