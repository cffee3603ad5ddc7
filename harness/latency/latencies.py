"""The latencies of a run: which are wanted, who measures them, and the section that tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.latency.quantity import Quantity
from harness.latency.telling import details, lines_of
from harness.plan import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _pytest.terminal import TerminalReporter

    from harness.latency.items import LatencyItem
    from harness.latency.measuring import Measured, Measuring
    from harness.options import Options
    from harness.plan import CasePlan, ModulePlan, Plan, PluginPlan
    from harness.selection import Selection

__all__ = ["Latencies"]

TITLE = "TensorRT plugin latency"


class Latencies:
    """What ``--plugin-benchmark`` adds to a run; without it there is nothing here."""

    def __init__(self, options: Options, selection: Selection, make: Callable[[ModulePlan, str], Measuring]) -> None:
        self._options = options
        self._selection = selection
        self._make = make
        self._measuring: dict[tuple[str, str], Measuring] = {}
        self._told: dict[Place, Measured] = {}

    def wanted(self, plugin: PluginPlan, case: CasePlan) -> tuple[Quantity, ...]:
        """Return what is to be measured on a case."""
        if not self._options.benchmark:
            return ()
        return tuple(each for each in Quantity if self._selection.admits_by_id(_place(plugin, case, each)))

    def places(self, plan: Plan) -> Iterator[Place]:
        """Yield the place of everything that can be measured."""
        if self._options.benchmark:
            for _, plugin in plan.plugins:
                for case in plugin.cases:
                    yield from (_place(plugin, case, quantity) for quantity in Quantity)

    def samples(self, item: LatencyItem) -> list[float]:
        """Return the samples of an item's quantity.

        Raises:
            harness.latency.measuring.LatencyUnknownError: It cannot be known here.
            harness.latency.measuring.LatencyFailedError: The plugin failed.
        """
        case = item.plugin_plan.case(item.place.case)
        key = (item.module_plan.given, case.spec)
        if key not in self._measuring:
            self._measuring[key] = self._make(item.module_plan, case.spec)
        measuring = self._measuring[key]
        try:
            return measuring.samples(item.plugin_plan.key, case, item.quantity, self._options.seeds[0])
        finally:
            measured = measuring.measured.get((item.plugin_plan.key, case.name))
            if measured is not None:
                self._told[Place(item.place.label, case.name, "")] = measured

    def details(self, item: LatencyItem) -> dict[str, Any]:
        """Return what goes with the samples of an item."""
        return details(item.quantity, self._told[Place(item.place.label, item.place.case, "")])

    def show(self, writer: TerminalReporter) -> None:
        """Print the section, where anything was measured."""
        if not any(measured.series for measured in self._told.values()):
            return
        writer.write_sep("=", TITLE)
        for place, measured in self._told.items():
            machine = measured.facts.get("machine")
            heading = f"{place.label} · {place.case}"
            writer.write_line(f"{heading} · {machine}" if machine else heading, bold=True)
            for line in lines_of(measured):
                writer.write_line(f"  {line}")


def _place(plugin: PluginPlan, case: CasePlan, quantity: Quantity) -> Place:
    return Place(plugin.label, case.name, quantity.value)
