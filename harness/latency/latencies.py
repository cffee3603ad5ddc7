"""The latencies of a run: which are wanted, who measures them, and the section that tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.interface import Interface
from harness.latency.gate import Gated
from harness.latency.measuring import LatencyFailedError, LatencyUnknownError
from harness.latency.quantity import Quantity
from harness.latency.telling import details, lines_of
from harness.plan import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from _pytest.terminal import TerminalReporter

    from harness.latency.gate import Gate
    from harness.latency.items import AgainstItem, LatencyItem
    from harness.latency.measuring import Measuring
    from harness.latency.sampled import Sampled
    from harness.options import Options
    from harness.plan import CasePlan, ModulePlan, Plan, PluginPlan
    from harness.selection import Selection

__all__ = ["Latencies"]

TITLE = "TensorRT plugin latency"


class Latencies:
    """What ``--plugin-benchmark`` and ``--plugin-benchmark-against`` add to a run; without them, nothing."""

    def __init__(
        self,
        options: Options,
        selection: Selection,
        make: Callable[[ModulePlan, str], Measuring],
        make_gate: Callable[[ModulePlan, str], Gate],
    ) -> None:
        self._options = options
        self._selection = selection
        self._make = make
        self._make_gate = make_gate
        self._measuring: dict[tuple[str, str], Measuring] = {}
        self._gates: dict[tuple[str, str], Gate] = {}
        self._told: dict[Place, Sampled] = {}
        self._compared: dict[Place, str] = {}

    def wanted(self, plugin: PluginPlan, case: CasePlan) -> tuple[Quantity, ...]:
        """Return what is to be measured on a case."""
        if not self._options.benchmark or plugin.interface is Interface.APPLICATION:
            return ()
        return tuple(each for each in Quantity if self._selection.admits_by_id(_place(plugin, case, each)))

    def wanted_comparisons(self, plugin: PluginPlan, case: CasePlan) -> tuple[Gated, ...]:
        """Return what of a case is to be compared with the baseline."""
        if not self._options.benchmark_against or plugin.interface is Interface.APPLICATION:
            return ()
        return tuple(each for each in Gated if self._selection.admits_by_id(_place(plugin, case, each)))

    def places(self, plan: Plan) -> Iterator[Place]:
        """Yield the place of everything that can be measured."""
        kinds: list[Quantity | Gated] = [*Quantity] if self._options.benchmark else []
        kinds += [*Gated] if self._options.benchmark_against else []
        for plugin in (plugin for _, plugin in plan.plugins if plugin.interface is not Interface.APPLICATION):
            for case in plugin.cases:
                yield from (_place(plugin, case, kind) for kind in kinds)

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

    def compare(self, item: AgainstItem) -> None:
        """Compare with the baseline.

        Raises:
            harness.latency.measuring.LatencyUnknownError: It cannot be told.
            harness.latency.measuring.LatencyFailedError: The candidate is slower, or the baseline lacks the case.
        """
        case = item.plugin_plan.case(item.place.case)
        key = (item.module_plan.given, case.spec)
        if key not in self._gates:
            self._gates[key] = self._make_gate(item.module_plan, case.spec)
        try:
            said = self._gates[key].pass_through(item.plugin_plan.key, case, item.gated, self._options.seeds[0])
        except (LatencyUnknownError, LatencyFailedError) as error:
            self._compared[item.place] = str(error)
            raise
        self._compared[item.place] = said

    def details(self, item: LatencyItem) -> dict[str, Any]:
        """Return what goes with the samples of an item."""
        return details(item.quantity, self._told[Place(item.place.label, item.place.case, "")])

    def show(self, writer: TerminalReporter) -> None:
        """Print what was measured, and what was compared."""
        self._show_latencies(writer)
        if self._compared:
            writer.write_sep("=", f"compared with {self._options.benchmark_against}")
            for place, said in self._compared.items():
                writer.write_line(f"{place.label} · {place.case} · {place.rule}: {said}")

    def _show_latencies(self, writer: TerminalReporter) -> None:
        if not any(measured.series for measured in self._told.values()):
            return
        writer.write_sep("=", TITLE)
        for place, measured in self._told.items():
            machine = measured.facts.get("machine")
            heading = f"{place.label} · {place.case}"
            writer.write_line(f"{heading} · {machine}" if machine else heading, bold=True)
            for line in lines_of(measured):
                writer.write_line(f"  {line}")


def _place(plugin: PluginPlan, case: CasePlan, kind: Quantity | Gated) -> Place:
    return Place(plugin.label, case.name, kind.value)
