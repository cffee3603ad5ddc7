"""Have children measure latencies, and keep the samples; one process measures related latencies together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.contract.verdict import Kind
from harness.protocol.latency_quantity import Group, Quantity
from harness.protocol.latency_samples import STAND_INS, Sampled
from harness.protocol.messages import Request
from harness.protocol.requests import COUNTS, RequestKind

if TYPE_CHECKING:
    from harness.contract.verdict import Answer
    from harness.protocol.asked import Asking
    from harness.results.run_plan import CasePlan

#: Processes that time a call which comes once in a process, by device; CUDA takes half a second to start in each.
ONE_SHOTS = {"host": 20, "cuda": 5}
#: Seconds that a measurement in a process may take.
_DEADLINE = 60.0


class LatencyFailedError(Exception):
    """The plugin failed, so there is no latency; or a comparison failed. The argument says how."""


class LatencyUnknownError(Exception):
    """The latency cannot be measured, or a comparison has no clear result; the argument says why."""


def insist_on(answer: Answer, whose: str = "") -> None:
    """Raise an error unless an answer has measurements; ``whose`` is the beginning of its message.

    Raises:
        LatencyUnknownError: This machine cannot measure the latency.
        LatencyFailedError: The plugin failed.
    """
    if answer.kind is Kind.NOT_RUN:
        raise LatencyUnknownError(f"{whose}{answer.reason}")
    if answer.kind is not Kind.JUDGED:
        failure = answer.mishap
        raise LatencyFailedError(f"{whose}{f'{failure.callback} {failure.how}' if failure else answer.reason}")


class Measuring:
    """Measures the cases of one module on one device."""

    def __init__(self, child: Asking, device: str) -> None:
        self._child = child
        self._device = device
        self._measured: dict[tuple[str, str], Sampled] = {}
        self._done: dict[tuple[str, str, str], Answer] = {}

    @property
    def measured(self) -> dict[tuple[str, str], Sampled]:
        """Return the samples taken so far, by plugin and case."""
        return self._measured

    def samples(self, plugin: str, case: CasePlan, quantity: Quantity, seed: int) -> list[float]:
        """Return the samples of a quantity, in seconds.

        Raises:
            LatencyUnknownError: This machine cannot measure the quantity.
            LatencyFailedError: The plugin failed.
        """
        if quantity.needs_gpu and self._device != "cuda":
            raise LatencyUnknownError("there is no GPU: the host has no latency of a device")
        request = Request("", plugin, case.name, seed, deadline=_DEADLINE, inferred=case.plain)
        measured = self._measured.setdefault((plugin, case.name), Sampled())

        def count(answer: Answer) -> Answer:
            if answer.kind is Kind.JUDGED:
                measured.add(answer.payload)
            else:
                measured.missing[COUNTS] = answer.reason
            return answer

        def sample(group: Group, times: int) -> None:
            self._once(request, group.value, lambda answer: self._more(request, group, measured, answer, times))

        with contextlib.suppress(LatencyUnknownError):  # a separate process counts: counting would slow the samples
            self._once(request, COUNTS, count)
        if quantity.group is Group.STEADY:
            sample(Group.STEADY, 1)
        else:
            with contextlib.suppress(LatencyUnknownError, LatencyFailedError):  # reports compare with steady latencies
                sample(Group.STEADY, 1)
            sample(quantity.group, ONE_SHOTS[self._device])
        if quantity.value not in measured.series:
            raise LatencyUnknownError(measured.missing.get(quantity.value, "no latency was measured"))
        return measured.series[quantity.value]

    def _once(self, request: Request, what: str, keep: Callable[[Answer], Answer]) -> None:
        key = (request.plugin, request.case, what)
        if key not in self._done:
            self._done[key] = keep(self._child.ask(request.asking(RequestKind.LATENCY, what)))
        if self._done[key].kind is Kind.NOT_APPLICABLE:
            raise LatencyUnknownError(self._done[key].reason)
        insist_on(self._done[key])

    def _more(self, request: Request, group: Group, measured: Sampled, answer: Answer, times: int) -> Answer:
        """Ask for further samples until there are ``times`` answers, and keep the samples if no answer failed.

        Return the first answer that failed, or else ``answer``.
        """
        answers = [answer]
        if answer.kind is Kind.JUDGED:
            again = request.asking(RequestKind.LATENCY, group.value)
            answers += [self._child.ask(again) for _ in range(times - 1)]
        failed = [each for each in answers if each.kind is not Kind.JUDGED]
        for each in answers if not failed else ():
            measured.add(each.payload)
        if answer.stand_ins:
            measured.facts[STAND_INS] = list(answer.stand_ins)
        return failed[0] if failed else answer
