"""Measure the latencies of a run, compare them with another version, and report both."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from harness.contract.interface import Interface
from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError, Measuring
from harness.controller.latency.regression_check import MARGIN, ComparedQuantity, RegressionCheck
from harness.controller.latency.text import details, floors, lines_of
from harness.process import machine
from harness.protocol.latency_quantity import Quantity
from harness.results.run_plan import ItemId

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.controller.latency.shift import Comparison
    from harness.protocol.asked import Asking, Isolation
    from harness.protocol.latency_samples import Sampled
    from harness.results.run_plan import CasePlan, ModulePlan, PluginPlan, RunPlan
    from harness.results.selection import Selection

TITLE = "TensorRT plugin latency"


def identity(options: Options, device: str) -> dict[str, str]:
    """Return, by name, the facts that must be equal in two stored runs for their latencies to be comparable."""
    return {
        **machine.identity(),
        "device": device,
        "spec": options.spec.value,
        "addresses": options.addresses.value,
        "isolation": options.isolation.value,
        "seed": str(options.seeds[0]),
    }


class Latencies:
    """The measurements of ``--plugin-benchmark`` and ``--plugin-benchmark-against``; without these options, none."""

    def __init__(
        self,
        options: Options,
        selection: Selection,
        device: str,
        child: Callable[[str, str], Asking],
        make: Callable[[str, str], Isolation],
    ) -> None:
        """Take the options; ``child`` returns the child of a module at an API level, ``make`` a new child."""
        self._options = options
        self._selection = selection
        self._device = device
        self._child = child
        self._make = make
        self._others: list[Isolation] = []
        self._measuring: dict[tuple[str, str], Measuring] = {}
        self._gates: dict[tuple[str, str], RegressionCheck] = {}
        self._measured: dict[ItemId, Sampled] = {}
        self._compared: dict[ItemId, Comparison | str] = {}

    def quantities_on(self, plugin: PluginPlan, case: CasePlan) -> tuple[Quantity, ...]:
        """Return the selected quantities to measure on a case."""
        if not self._options.benchmark or plugin.interface is Interface.APPLICATION:
            return ()
        return tuple(each for each in Quantity if self._selection.admits_by_id(_place(plugin, case, each)))

    def comparisons_on(self, plugin: PluginPlan, case: CasePlan) -> tuple[ComparedQuantity, ...]:
        """Return the selected quantities of a case to compare with another version."""
        if plugin.interface is Interface.APPLICATION:
            return ()
        return tuple(each for each in self._comparisons if self._selection.admits_by_id(_place(plugin, case, each)))

    def places(self, plan: RunPlan) -> Iterator[ItemId]:
        """Yield the item of each quantity on each case, selected or not."""
        kinds = [*(Quantity if self._options.benchmark else ()), *self._comparisons]
        for plugin in (plugin for _, plugin in plan.plugins if plugin.interface is not Interface.APPLICATION):
            for case in plugin.cases:
                yield from (_place(plugin, case, kind) for kind in kinds)

    @property
    def _comparisons(self) -> tuple[ComparedQuantity, ...]:
        return tuple(ComparedQuantity) if self._options.benchmark_against else ()

    def samples(self, module: ModulePlan, plugin: PluginPlan, place: ItemId, quantity: Quantity) -> list[float]:
        """Return the samples of a quantity, in seconds.

        Raises:
            harness.controller.latency.measure.LatencyUnknownError: This machine cannot measure the quantity.
            harness.controller.latency.measure.LatencyFailedError: The plugin failed.
        """
        case = plugin.case(place.case)
        measuring = self._measuring_of(module, case)
        try:
            return measuring.samples(plugin.key, case, quantity, self._options.seeds[0])
        finally:
            measured = measuring.measured.get((plugin.key, case.name))
            if measured is not None:
                self._measured[ItemId(place.label, case.name, "")] = measured

    def compare(self, module: ModulePlan, plugin: PluginPlan, place: ItemId, kind: ComparedQuantity) -> None:
        """Compare a quantity on a case with that of another version, and remember the result.

        Raises:
            harness.controller.latency.measure.LatencyUnknownError: The samples show neither that it is slower nor that
                it is not.
            harness.controller.latency.measure.LatencyFailedError: This version is slower, or the other lacks the case.
        """
        try:
            self._compared[place] = self._gated(module, plugin, plugin.case(place.case), kind)
        except (LatencyUnknownError, LatencyFailedError) as error:
            (self._compared[place],) = error.args
            raise

    def _gated(
        self, module: ModulePlan, plugin: PluginPlan, case: CasePlan, kind: ComparedQuantity
    ) -> Comparison | str:
        key = (module.given, case.spec)
        if key not in self._gates:
            names = (module.given, self._options.benchmark_against)
            candidate, baseline = others = [self._make(name, case.spec) for name in names]
            self._others += others
            margin = self._options.benchmark_fail or MARGIN
            self._gates[key] = RegressionCheck(candidate, baseline, self._device, margin)
        return self._gates[key].pass_through(plugin.key, case, kind, self._options.seeds[0])

    def _measuring_of(self, module: ModulePlan, case: CasePlan) -> Measuring:
        key = (module.given, case.spec)
        if key not in self._measuring:
            self._measuring[key] = Measuring(self._child(module.given, case.spec), self._device)
        return self._measuring[key]

    def close(self) -> None:
        """End the children that comparisons started."""
        for child in self._others:
            child.close()

    def details(self, place: ItemId, quantity: Quantity) -> dict[str, Any]:
        """Return the statistics and facts about the samples of a quantity, for pytest-benchmark's JSON."""
        return details(quantity, self._measured[ItemId(place.label, place.case, "")])

    def to_plain(self) -> dict[str, list[dict[str, Any]]]:
        """Return the measurements and comparisons for JSON, in two lists."""
        measured = [
            {
                "id": place.nodeid,
                "case": place.case,
                "lines": list(lines_of(each)),
                "floors": floors(each),
                **each.to_plain(),
            }
            for place, each in self._measured.items()
            if each.series
        ]
        compared = [
            {
                "id": place.nodeid,
                "case": place.case,
                "with": self._options.benchmark_against,
                "said": str(comparison),
                **_change(comparison),
            }
            for place, comparison in self._compared.items()
        ]
        return {"measured": measured, "compared": compared}

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the title and the lines of two sections: of measurements and of comparisons; none if they are empty."""
        if any(measured.series for measured in self._measured.values()):
            lines: list[str] = []
            for place, measured in self._measured.items():
                machine = measured.facts.get("machine")
                heading = f"{place.label} · {place.case}"
                lines += [
                    f"{heading} · {machine}" if machine else heading,
                    *(f"  {line}" for line in lines_of(measured)),
                ]
            yield TITLE, lines
        if self._compared:
            lines = [f"{place.label} · {place.case} · {place.rule}: {each}" for place, each in self._compared.items()]
            yield f"compared with {self._options.benchmark_against}", lines


def _change(comparison: Comparison | str) -> dict[str, Any]:
    """Return the change as a share, with its bounds, and the margin; empty without a measured change."""
    if isinstance(comparison, str) or not all(map(math.isfinite, comparison.change)):
        return {}
    return {"change": list(comparison.change), "margin": comparison.margin}


def _place(plugin: PluginPlan, case: CasePlan, kind: Quantity | ComparedQuantity) -> ItemId:
    return ItemId(plugin.label, case.name, kind.value)
