"""Check that a version of a plugin is not slower than a baseline; this run measures both in turns."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError, insist_on
from harness.controller.latency.paired_run import BASELINE, CANDIDATE, duel
from harness.controller.latency.shift import ShiftVerdict, compared, counted_more
from harness.protocol.latency_quantity import Quantity
from harness.protocol.messages import Request
from harness.protocol.requests import COUNTS, RequestKind

if TYPE_CHECKING:
    from harness.controller.latency.shift import Comparison
    from harness.protocol.asked import Isolation
    from harness.results.run_plan import CasePlan

    Sides = Mapping[str, tuple[Isolation, Request]]

#: The default share of the baseline's time by which the candidate may be slower.
MARGIN: Final = 0.03
#: The number of occasions of a comparison; ``shift`` explains occasions and rounds.
OCCASIONS: Final = 8
#: The number of rounds of an occasion.
_ROUNDS: Final = {Quantity.HOST_ENQUEUE: 30, Quantity.DEVICE_HOT: 1}
#: An ambiguous comparison is repeated with four times the occasions. These are the most repetitions, by quantity.
_LONGER: Final = 4
_REPEATS: Final = {Quantity.HOST_ENQUEUE: 1, Quantity.DEVICE_HOT: 2}
#: Seconds that each child may take for one request.
_DEADLINE: Final = 120.0
_SAME_CASES: Final = "Give both versions the same cases, for example by --plugin-cases, which goes to both"


class ComparedQuantity(enum.Enum):
    """A quantity that is compared with the baseline."""

    HOST = "host_enqueue_against"
    DEVICE = "device_hot_against"
    COUNTS = "counts_against"

    @property
    def quantity(self) -> Quantity:
        """Return the quantity that is sampled for the comparison."""
        return Quantity.DEVICE_HOT if self is ComparedQuantity.DEVICE else Quantity.HOST_ENQUEUE


class RegressionCheck:
    """Compares the cases of one module with those of its baseline."""

    def __init__(self, candidate: Isolation, baseline: Isolation, device: str, margin: float) -> None:
        self._candidate = candidate
        self._baseline = baseline
        self._device = device
        self._margin = margin
        self._known: dict[str, dict[str, dict[str, Any]]] | None = None

    def pass_through(self, plugin: str, case: CasePlan, gated: ComparedQuantity, seed: int) -> Comparison | str:
        """Return the comparison, or a sentence about the counts, if the candidate is not slower.

        Raises:
            LatencyUnknownError: The samples show neither that the candidate is slower nor that it is not.
            LatencyFailedError: The candidate is slower, or the baseline does not have the case.
        """
        if gated is ComparedQuantity.DEVICE and self._device != "cuda":
            raise LatencyUnknownError("there is no GPU: the host has no latency of a device")
        here = Request("", plugin, case.name, seed, deadline=_DEADLINE, inferred=case.plain)
        known = self._known_case(plugin, case)
        there = Request("", plugin, case.name, seed, deadline=_DEADLINE, inferred=known.get("plain"))
        if gated is ComparedQuantity.COUNTS:
            return self._count(here, there)
        comparison = self._compare(here, there, gated.quantity)
        if comparison.outcome is ShiftVerdict.SLOWER:
            raise LatencyFailedError(comparison)
        if comparison.outcome is ShiftVerdict.AMBIGUOUS:
            raise LatencyUnknownError(comparison)
        return comparison

    def _compare(self, here: Request, there: Request, quantity: Quantity) -> Comparison:
        sides = {CANDIDATE: (self._candidate, here), BASELINE: (self._baseline, there)}
        count = OCCASIONS
        comparison = compared(occasions(sides, quantity, count), self._margin)
        while comparison.outcome is ShiftVerdict.AMBIGUOUS and count < OCCASIONS * _LONGER ** _REPEATS[quantity]:
            count *= _LONGER
            comparison = compared(occasions(sides, quantity, count), self._margin)
        return comparison

    def _count(self, here: Request, there: Request) -> str:
        counts: list[dict[str, int]] = []
        for side, child, request in ((CANDIDATE, self._candidate, here), (BASELINE, self._baseline, there)):
            answer = child.ask(request.asking(RequestKind.LATENCY, COUNTS))
            insist_on(answer, f"the {side}: ")
            counts.append(answer.payload["counts"])
        candidate, baseline = counts
        more = counted_more(candidate, baseline)
        if more:
            raise LatencyFailedError(f"each call asks for more: {'; '.join(more)}")
        return "each call asks for no more: " + ", ".join(f"{name} {count}" for name, count in candidate.items())

    def _known_case(self, plugin: str, case: CasePlan) -> dict[str, Any]:
        """Return the description of the baseline's case.

        Raises:
            LatencyFailedError: The baseline does not have the case, or has it with other shapes.
        """
        cases = self._cases().get(plugin)
        if cases is None:
            raise LatencyFailedError(f"the baseline has no plugin {plugin}{_found(self._cases())}")
        if case.name not in cases:
            raise LatencyFailedError(
                f"the baseline has no case {case.name!r} of {plugin}{_found(cases)}. {_SAME_CASES}"
            )
        known = cases[case.name]
        inputs = (facts.get("inputs", ()) for facts in (known.get("facts", {}), case.facts))
        before, now = ([list(entry["opt"]) for entry in entries] for entries in inputs)  # the measured shapes
        if before != now:
            raise LatencyFailedError(
                f"the baseline has other shapes in case {case.name!r} of {plugin}, which would be other work. "
                f"Its opt is {before}; here it is {now}. {_SAME_CASES}"
            )
        return known

    def _cases(self) -> dict[str, dict[str, dict[str, Any]]]:
        if self._known is None:
            loaded = self._baseline.load()
            if not loaded.ok:
                raise LatencyFailedError(f"the baseline cannot be imported: {loaded.answer and loaded.answer.reason}")
            plugins = self._baseline.discover()["plugins"]
            self._known = {plugin["key"]: {case["name"]: case for case in plugin["cases"]} for plugin in plugins}
        return self._known


def occasions(sides: Sides, quantity: Quantity, count: int) -> list[list[list[float]]]:
    """Return the rounds of ``count`` occasions.

    The addresses of a process's memory change Python's speed by some per cent, and a fork has its parent's addresses.
    So on the host each occasion has two new processes. On a GPU all occasions use the same two processes, each with new
    memory.
    """
    rounds = _ROUNDS[quantity]
    if quantity is Quantity.DEVICE_HOT:
        with duel(sides, quantity) as both:
            return [both.occasion(rounds) for _ in range(count)]
    taken = []
    for _ in range(count):
        for child, _request in sides.values():
            child.close()
        with duel(sides, quantity) as both:
            taken.append(both.occasion(rounds))
    return taken


def _found(known: Iterable[str]) -> str:
    return f"; it has {', '.join(known) or 'none'}"
