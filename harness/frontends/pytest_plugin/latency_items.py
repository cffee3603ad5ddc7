"""Define the test items of latencies, one for each quantity on a case, and pass samples to pytest-benchmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError

if TYPE_CHECKING:
    import os

    from harness.controller.latency.latencies import Latencies
    from harness.controller.latency.regression_check import ComparedQuantity
    from harness.protocol.latency_quantity import Quantity
    from harness.results.run_plan import ItemId, ModulePlan, PluginPlan

Taken = TypeVar("Taken")


class Player:
    """A timer for pytest-benchmark, which reads it twice for each sample: it returns 0, and then the sample."""

    __name__ = "samples taken in the child"

    def __init__(self) -> None:
        self.samples: Sequence[float] = ()
        self._looks = 0

    def __call__(self) -> float:
        """Return 0 or the next sample, in turns."""
        sample, is_end = divmod(self._looks, 2)
        self._looks += 1
        return self.samples[sample] if is_end else 0.0


def replay(benchmark: Any, player: Player, samples: Sequence[float]) -> None:
    """Have the fixture, whose timer is the player, record samples as if it had taken them, each in one round."""
    player.samples = samples
    benchmark.pedantic(lambda: None, rounds=len(samples), iterations=1, warmup_rounds=0)


class _Item(pytest.Function):
    """A latency, or a comparison of latencies, on one case of a plugin."""

    def __init__(
        self, *, latencies: Latencies, place: ItemId, module: ModulePlan, plugin: PluginPlan, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.place = place
        self.module_plan = module
        self.plugin_plan = plugin
        self.subject = (module, plugin, place)
        self._latencies = latencies
        self.add_marker(pytest.mark.conformance)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Return the plugin's file and line, and the item's name."""
        file, line = Path(self.plugin_plan.file or self.module_plan.given), self.plugin_plan.line
        return file.absolute(), max(line - 1, 0), f"{self.place.rule} of {self.place.label} {self.place.case}"


class ComparisonItem(_Item):
    """One comparison with another version of the plugin, on one case."""

    def __init__(self, *, kind: ComparedQuantity, **rest: Any) -> None:
        super().__init__(**rest)
        self.kind = kind
        self.add_marker(pytest.mark.benchmark)

    @classmethod
    def below(cls, parent: pytest.Collector, place: ItemId, **known: Any) -> ComparisonItem:
        """Return an item below its case's node."""

        def test() -> None:
            item.compare()

        item: ComparisonItem = cls.from_parent(parent, name=place.rule, callobj=test, place=place, **known)
        return item

    def compare(self) -> None:
        """Compare; fail if this version is slower, and skip if the comparison has no clear result."""
        if hasattr(self.config, "workerinput"):
            pytest.skip("NOT-RUN: no latency can be measured beside other workers of pytest-xdist")
        _take(lambda: self._latencies.compare(*self.subject, self.kind))


class LatencyItem(_Item):
    """One quantity on one case."""

    def __init__(self, *, quantity: Quantity, **rest: Any) -> None:
        super().__init__(**rest)
        self.quantity = quantity
        self._player = Player()
        self.add_marker(pytest.mark.benchmark(timer=self._player, group=quantity.value))
        # If there is no latency, the item says why; a warning of pytest-benchmark would repeat that.
        self.add_marker(pytest.mark.filterwarnings("ignore:Benchmark fixture was not used at all"))

    @classmethod
    def below(cls, parent: pytest.Collector, place: ItemId, **known: Any) -> LatencyItem:
        """Return an item below its case's node."""

        def test(benchmark: Any) -> None:
            item.measure(benchmark)

        item: LatencyItem = cls.from_parent(parent, name=place.rule, callobj=test, place=place, **known)
        return item

    def measure(self, benchmark: Any) -> None:
        """Take the samples, and pass them to pytest-benchmark; skip or fail if there are none."""
        if not benchmark.enabled:
            pytest.skip("NOT-RUN: pytest-benchmark is disabled; with pytest-xdist it always is")
        samples = _take(lambda: self._latencies.samples(*self.subject, self.quantity), "no latency: ")
        benchmark.name = f"{self.place.label} {self.place.case} {self.quantity.value}"
        benchmark.extra_info.update(self._latencies.details(self.place, self.quantity))
        replay(benchmark, self._player, samples)


def _take(what: Callable[[], Taken], failing: str = "") -> Taken:
    """Return the result of ``what``; skip the test if a latency is unknown, and fail it if the plugin failed."""
    try:
        return what()
    except LatencyUnknownError as error:
        pytest.skip(f"NOT-RUN: {error}")
    except LatencyFailedError as error:
        failure = f"{failing}{error}"
    raise pytest.fail.Exception(failure, pytrace=False)  # not in the handler: pytest would show two exceptions
