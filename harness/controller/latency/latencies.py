"""The latencies of a run: which are wanted, who measures them, and the section that tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from harness.contract.interface import Interface
from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError
from harness.controller.latency.regression_check import ComparedQuantity
from harness.controller.latency.stored_comparison import REVIEWED, Reviewed
from harness.controller.latency.text import details, lines_of
from harness.protocol.latency_quantity import Quantity
from harness.protocol.latency_samples import Sampled
from harness.protocol.requests import COUNTS
from harness.results.run_plan import ItemId

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.config.options import Options
    from harness.controller.latency.measure import Measuring
    from harness.controller.latency.regression_check import RegressionCheck
    from harness.controller.latency.sources import LatencySources
    from harness.controller.latency.stored_comparison import Review
    from harness.results.run_plan import CasePlan, ModulePlan, PluginPlan, RunPlan
    from harness.results.selection import Selection

TITLE = "TensorRT plugin latency"


class _Item(Protocol):
    @property
    def place(self) -> ItemId: ...
    @property
    def module_plan(self) -> ModulePlan: ...
    @property
    def plugin_plan(self) -> PluginPlan: ...


class LatencyItem(_Item, Protocol):
    """One quantity on one case."""

    @property
    def quantity(self) -> Quantity:
        """What is measured."""


class ComparisonItem(_Item, Protocol):
    """One comparison with another version, or with a stored run, on one case."""

    @property
    def kind(self) -> ComparedQuantity | Reviewed:
        """What is compared."""


class Latencies:
    """What ``--plugin-benchmark``, ``-against`` and ``-compare`` add to a run; without them, nothing."""

    def __init__(self, options: Options, selection: Selection, sources: LatencySources) -> None:
        self._options = options
        self._selection = selection
        self._sources = sources
        self._review = sources.stored_comparison()
        self._measuring: dict[tuple[str, str], Measuring] = {}
        self._gates: dict[tuple[str, str], RegressionCheck] = {}
        self._told: dict[ItemId, Sampled] = {}
        self._compared: dict[type[ComparedQuantity | Reviewed], dict[ItemId, str]] = {}

    def wanted(self, plugin: PluginPlan, case: CasePlan) -> tuple[Quantity, ...]:
        """Return what is to be measured on a case."""
        if not self._options.benchmark or plugin.interface is Interface.APPLICATION:
            return ()
        return tuple(each for each in Quantity if self._selection.admits_by_id(_place(plugin, case, each)))

    def wanted_comparisons(self, plugin: PluginPlan, case: CasePlan) -> tuple[ComparedQuantity | Reviewed, ...]:
        """Return what of a case is to be compared with another version or run."""
        if plugin.interface is Interface.APPLICATION:
            return ()
        return tuple(each for each in self._comparisons if self._selection.admits_by_id(_place(plugin, case, each)))

    def places(self, plan: RunPlan) -> Iterator[ItemId]:
        """Yield the place of everything that can be measured."""
        kinds = [*(Quantity if self._options.benchmark else ()), *self._comparisons]
        for plugin in (plugin for _, plugin in plan.plugins if plugin.interface is not Interface.APPLICATION):
            for case in plugin.cases:
                yield from (_place(plugin, case, kind) for kind in kinds)

    def check(self, plan: RunPlan) -> None:
        """Make sure that the stored run, if one is compared with, has the cases of this one.

        Raises:
            harness.controller.latency.stored_run.StoredRunError: One of the two lacks a case.
        """
        if self._review is None or any(module.failure is not None for module in plan.modules):
            return  # what failed has no cases, and is told as such
        cases = [(plugin, case) for _, plugin in plan.plugins for case in plugin.cases]
        self._review.stored.insist_on_the_same_cases(
            (_place(plugin, case, Reviewed()) for plugin, case in cases),
            (_place(plugin, case, kind) for plugin, case in cases for kind in self.wanted_comparisons(plugin, case)),
        )

    @property
    def _comparisons(self) -> tuple[ComparedQuantity | Reviewed, ...]:
        gated = tuple(ComparedQuantity) if self._options.benchmark_against else ()
        return (*gated, *(REVIEWED if self._review is not None else ()))

    def samples(self, item: LatencyItem) -> list[float]:
        """Return the samples of an item's quantity.

        Raises:
            harness.controller.latency.measure.LatencyUnknownError: It cannot be known here.
            harness.controller.latency.measure.LatencyFailedError: The plugin failed.
        """
        case = item.plugin_plan.case(item.place.case)
        measuring = self._measuring_of(item.module_plan, case)
        try:
            return measuring.samples(item.plugin_plan.key, case, item.quantity, self._options.seeds[0])
        finally:
            measured = measuring.measured.get((item.plugin_plan.key, case.name))
            if measured is not None:
                self._told[ItemId(item.place.label, case.name, "")] = measured

    def compare(self, item: ComparisonItem) -> None:
        """Compare with another version or run.

        Raises:
            harness.controller.latency.measure.LatencyUnknownError: It cannot be told.
            harness.controller.latency.measure.LatencyFailedError: This one is slower, or the other lacks the case.
        """
        compared = self._compared.setdefault(type(item.kind), {})
        try:
            compared[item.place] = self._said(item)
        except (LatencyUnknownError, LatencyFailedError) as error:
            compared[item.place] = str(error)
            raise

    def _said(self, item: ComparisonItem) -> str:
        if isinstance(item.kind, ComparedQuantity):
            return self._gated(item, item.kind)
        if self._review is None:
            raise RuntimeError(f"{item.place.nodeid}: there is no stored run")
        return self._reviewed(self._review, item, item.kind.quantity)

    def _gated(self, item: ComparisonItem, kind: ComparedQuantity) -> str:
        case = item.plugin_plan.case(item.place.case)
        key = (item.module_plan.given, case.spec)
        if key not in self._gates:
            self._gates[key] = self._sources.regression_check(item.module_plan, case.spec)
        return self._gates[key].pass_through(item.plugin_plan.key, case, kind, self._options.seeds[0])

    def _reviewed(self, review: Review, item: ComparisonItem, quantity: Quantity | None) -> str:
        """Measure a case, and compare it with the stored run."""
        plugin, case = item.plugin_plan, item.plugin_plan.case(item.place.case)
        measuring, why = self._measuring_of(item.module_plan, case), ""
        try:
            measuring.samples(plugin.key, case, quantity or Quantity.HOST_ENQUEUE, self._options.seeds[0])
        except LatencyUnknownError as unknown:
            why = str(unknown)
        measured = measuring.measured.get((plugin.key, case.name), Sampled())
        if quantity is None:
            return review.count(item.place, measured.counts, measured.missing.get(COUNTS, ""))
        return review.compare(_place(plugin, case, quantity), quantity, measured, why)

    def _measuring_of(self, module: ModulePlan, case: CasePlan) -> Measuring:
        key = (module.given, case.spec)
        if key not in self._measuring:
            self._measuring[key] = self._sources.measuring(module, case.spec)
        return self._measuring[key]

    def details(self, item: LatencyItem) -> dict[str, Any]:
        """Return what goes with the samples of an item."""
        return details(item.quantity, self._told[ItemId(item.place.label, item.place.case, "")])

    def to_plain(self) -> dict[str, list[dict[str, Any]]]:
        """What was measured and compared, as JSON can hold it; no entries where nothing was."""
        measured = [
            {"id": place.nodeid, "case": place.case, "lines": list(lines_of(each)), **each.to_plain()}
            for place, each in self._told.items()
            if each.series
        ]
        compared = [
            {"id": place.nodeid, "case": place.case, "with": self._title(kind), "said": said}
            for kind, all_said in self._compared.items()
            for place, said in all_said.items()
        ]
        return {"measured": measured, "compared": compared}

    def _title(self, kind: type[ComparedQuantity | Reviewed]) -> str:
        """What is compared with: the other version, or the stored run."""
        stored = self._review.stored.title if self._review is not None else ""
        return stored if kind is Reviewed else self._options.benchmark_against

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Yield what was measured, and what was compared, each with a title; details are indented."""
        if any(measured.series for measured in self._told.values()):
            told: list[str] = []
            for place, measured in self._told.items():
                machine = measured.facts.get("machine")
                heading = f"{place.label} · {place.case}"
                told += [
                    f"{heading} · {machine}" if machine else heading,
                    *(f"  {line}" for line in lines_of(measured)),
                ]
            yield TITLE, told
        for kind, compared in self._compared.items():
            lines = [f"{place.label} · {place.case} · {place.rule}: {said}" for place, said in compared.items()]
            yield f"compared with {self._title(kind)}", lines


def _place(plugin: PluginPlan, case: CasePlan, kind: Quantity | ComparedQuantity | Reviewed) -> ItemId:
    return ItemId(plugin.label, case.name, kind.value)
