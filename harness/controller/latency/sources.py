"""Choose the sources of a run's latencies: children that are measured or compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.controller.latency.measure import Measuring
from harness.controller.latency.regression_check import MARGIN, RegressionCheck
from harness.process import machine

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.protocol.asked import Asking, Isolation
    from harness.results.run_plan import ModulePlan


def identity(options: Options, device: str) -> dict[str, str]:
    """Return what must be the same in two stored runs for their latencies to be comparable, by name."""
    return {
        **machine.identity(),
        "device": device,
        "spec": options.spec.value,
        "addresses": options.addresses.value,
        "isolation": options.isolation.value,
        "seed": str(options.seeds[0]),
    }


class LatencySources:
    """Makes what measures and compares."""

    def __init__(
        self,
        options: Options,
        device: str,
        child: Callable[[str, str], Asking],
        make: Callable[[str, str], Isolation],
    ) -> None:
        """Take the options of a run; ``child`` returns the child of a module at a level, ``make`` another child."""
        self._options = options
        self._device = device
        self._child = child
        self._make = make
        self._compared: list[Isolation] = []

    def measuring(self, module: ModulePlan, spec: str) -> Measuring:
        """Return what measures the cases of a module at a level."""
        return Measuring(self._child(module.given, spec), self._device)

    def regression_check(self, module: ModulePlan, spec: str) -> RegressionCheck:
        """Return what compares a module with the module that ``--plugin-benchmark-against`` names."""
        options = self._options
        candidate, baseline = (self._make(name, spec) for name in (module.given, options.benchmark_against))
        self._compared += [candidate, baseline]
        return RegressionCheck(candidate, baseline, self._device, options.benchmark_fail or MARGIN)

    def close(self) -> None:
        """End the children that were compared."""
        for child in self._compared:
            child.close()
