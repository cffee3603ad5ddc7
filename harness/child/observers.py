"""Observe every callback in a child: record it, refuse it if it must not run again, or change its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.checks.fields.field_variants import with_conversions
from harness.contract.finding import CallbackFailure, SkippedCallbackError
from harness.process import flight_recorder
from reference_runtime.bridges.launches import tell_of_interpreters
from reference_runtime.calling.lifecycle.table import Call

if TYPE_CHECKING:
    from reference_runtime.calling.gate.records import CallOutcome, Event


class CallbackRecorder:
    """Writes each callback into the flight recorder before it runs, and each package that interprets kernels."""

    def __init__(self) -> None:
        tell_of_interpreters(flight_recorder.interpreting)

    def before(self, event: Event) -> None:
        """Record the callback."""
        flight_recorder.record(event.target, event.method, event.phase.value)

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - an observer's signature
        """Record that the callback has returned."""
        flight_recorder.returned()


class CallbackSkipper:
    """Refuses callbacks that have ended a process before, or have not returned."""

    def __init__(self, shunned: dict[str, str]) -> None:
        """Refuse the callbacks in ``shunned``, each with the rule that reports how it ended."""
        self._shunned = shunned

    def before(self, event: Event) -> None:
        """Refuse a callback that must not be called again."""
        if event.method in self._shunned:
            how = f"is not called again: {self._shunned[event.method]} reports how it ended"
            where = f"{event.target}, phase {event.phase.value}"
            raise SkippedCallbackError(CallbackFailure(event.method, how, where, skipped=True))

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Do nothing: a callback is refused before it runs."""


class ConversionAllower:
    """Lets a creator use an array of one element as a number, as NumPy did before version 2.4."""

    def before(self, event: Event) -> None:
        """Let ``float(field.data)`` return the only element."""
        if event.method == Call.CREATE_PLUGIN.value:
            for argument in event.arguments:
                with_conversions(argument)

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Do nothing: the arguments are changed before the callback runs."""
