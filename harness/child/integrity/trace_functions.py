"""Detect callbacks that set a trace or profile function, which could change the judge's variables later."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

from harness.process import flight_recorder
from harness.process.handover import InterferenceError
from harness.process.loaded_files import OURS

if TYPE_CHECKING:
    from reference_runtime.calling.gate.records import CallOutcome, Event

_READ = (sys.gettrace, sys.getprofile)


class TraceWatcher:
    """Detects, in a child, whether a callback sets a trace or a profile function of its thread."""

    def __init__(self) -> None:
        self._before = threading.local()
        self._set_by = ""

    def before(self, event: Event) -> None:  # noqa: ARG002 - an observer's signature
        """Note the functions that are set before the callback."""
        if sys.gettrace() is not None or sys.getprofile() is not None:
            self._before.functions = _functions()

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - as above
        """If the callback has set a function that is not the harness's, note the callback and remove all functions."""
        if sys.gettrace() is None and sys.getprofile() is None:
            return
        known = [id(each) for each in getattr(self._before, "functions", ())]
        if flight_recorder.is_installed() and any(
            id(each) not in known and not _is_ours(each) for each in _functions()
        ):
            self._set_by = event.method
            sys.settrace(None)
            sys.setprofile(None)

    def insist_on_unchanged(self) -> None:
        """Make sure that no callback has set a trace or profile function.

        Raises:
            InterferenceError: A callback has set one.
        """
        if self._set_by:
            raise InterferenceError(f"{self._set_by} set a trace or profile function")


def _functions() -> list[Any]:
    return [function for read in _READ if (function := read()) is not None]


def _is_ours(function: Any) -> bool:
    names = getattr(getattr(function, "__func__", function), "__globals__", {})
    return str(names.get("__name__")).partition(".")[0] in OURS
