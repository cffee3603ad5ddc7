"""Write every call on every object of a plugin into a file, so that the calls survive the process.

The file has one JSON object in each line, and is opened for each line. A plugin may close descriptors, or open files
with the same descriptors. Even so, it cannot stop the recording, nor get lines into its own files. The runtime's
reaction to a failure is known only once the runtime has gone on. So the reaction is written before the next call.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from harness.applications.names import Names
from harness.child.tracing.words import cut, words
from harness.process import failures as mishaps
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.lifecycle.table import V2, Call, Table
from reference_runtime.devices.current import current_device
from reference_runtime.devices.host import HostDevice
from reference_runtime.instruments import pybind11_object

if TYPE_CHECKING:
    from pathlib import Path

    from reference_runtime.call_observer import ApplicationCall
    from reference_runtime.calling.gate.gate import CallOutcome, Event, Observer
    from reference_runtime.calling.gate.records import Phase

_LONGEST_TEXT: Final = 300
#: Calls that return an object, or a part of an object, to TensorRT.
_MAKERS: Final = {
    call.value
    for call in (
        Call.CREATE_PLUGIN,
        Call.DESERIALIZE_PLUGIN,
        Call.CLONE,
        Call.ATTACH_TO_CONTEXT,
        Call.GET_CAPABILITY_INTERFACE,
    )
}


class Recorder:
    """Appends lines to a file; in a fork of its process, it does nothing."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._process = os.getpid()
        self._lock = threading.Lock()

    def write(self, what: str, /, **facts: Any) -> None:
        """Append a line."""
        if os.getpid() != self._process:
            return
        line = json.dumps({"is": what, **facts}, separators=(",", ":")) + "\n"
        with self._lock, self._file.open("a", encoding="utf-8") as file:
            file.write(line)


class RecordingGate(Gate):
    """Gate that writes down the calls made through it, and every change of an object's stage."""

    def __init__(self, recorder: Recorder, observers: Sequence[Observer]) -> None:
        self._calls = _Calls(recorder, self)
        super().__init__(observers=[*observers, self._calls])
        self._recorder = recorder
        self.steps = _Steps(recorder, self._calls)

    def advance(self, target: object, call: Call, table: Table = V2) -> None:
        """Move an object to its next stage, and write this down."""
        before = self.stage_of(target).value
        super().advance(target, call, table)
        after = self.stage_of(target).value
        self._recorder.write("move", object=self.name_of(target), method=call.value, before=before, after=after)

    def claim(self, parent: object | None, child: object, call: Call, phase: Phase, table: Table) -> None:
        """Take an object over, and write down its first stage."""
        super().claim(parent, child, call, phase, table)
        self._recorder.write("claim", object=self.name_of(child), stage=self.stage_of(child).value)

    def settle(self) -> None:
        """Write down the failures since the last call, with the runtime's reactions."""
        self._calls.settle()


class _Calls:
    """Observer that writes down the calls of a gate."""

    def __init__(self, recorder: Recorder, gate: Gate) -> None:
        self._recorder = recorder
        self._gate = gate
        self._begun: dict[int, int] = {}
        self._failures = 0
        self._here = threading.local()

    @property
    def depth(self) -> int:
        """Return the number of callbacks that this thread is inside."""
        return getattr(self._here, "depth", 0)

    def before(self, event: Event) -> None:
        """Write a call down before it is made."""
        self.settle()
        self._recorder.write(
            "call",
            number=event.number,
            at=time.perf_counter_ns(),
            thread=threading.get_ident(),
            thread_name=threading.current_thread().name,
            object=event.target,
            kind=type(event.receiver).__name__,
            method=event.method,
            phase=event.phase.value,
            arguments=[words(argument) for argument in event.arguments],
        )
        self._here.depth = self.depth + 1
        self._begun[event.number] = time.perf_counter_ns()

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Write down the result of a call, or its exception."""
        ended = time.perf_counter_ns()
        self._here.depth = self.depth - 1
        begun = self._begun.pop(event.number, ended)
        made = event.method in _MAKERS and isinstance(outcome.value, pybind11_object)
        value = self._gate.name_of(outcome.value) if made else words(outcome.value)
        how = "returned" if outcome.error is None else "raised"
        self._recorder.write(
            "end",
            number=event.number,
            at=begun,
            duration=ended - begun,
            outcome="not overridden" if outcome.missing else how,
            value=cut(mishaps.named(outcome.error), _LONGEST_TEXT) if outcome.error is not None else value,
            made=made,
            memory=_device_memory(),
        )

    def settle(self) -> None:
        """Write down the failures since the last call, which the bindings may swallow."""
        failures, self._failures = self._gate.failures[self._failures :], len(self._gate.failures)
        for failure in failures:
            what = cut(failure.what, _LONGEST_TEXT)
            becomes = failure.becomes
            self._recorder.write("failure", object=failure.target, method=failure.method, what=what, becomes=becomes)


def _device_memory() -> list[int] | None:
    """Return the bytes that are allocated on the host device: all, and the plugin's own; None on a GPU."""
    device = current_device()
    if not isinstance(device, HostDevice):
        return None
    return [sum(buffer.nbytes for buffer in device.buffers), device.plugin_bytes]


class _Steps:
    """Observer that writes down the drive's calls of the runtime, which are those of an application.

    Calls that a callback makes are left out.
    """

    def __init__(self, recorder: Recorder, calls: _Calls) -> None:
        self._recorder = recorder
        self._calls = calls
        self._names = Names()
        self._numbers = itertools.count(1)

    def before(self, call: ApplicationCall) -> None:
        """Write a call down before it is made."""
        if self._calls.depth:
            return
        names = self._names
        number, at = next(self._numbers), time.perf_counter_ns()
        self._recorder.write(
            "step",
            number=number,
            at=at,
            thread=threading.get_ident(),
            object="tensorrt" if call.target is None else str(names.of(call.target)),
            method=call.member,
            arguments=[
                f"{name}={names.of(value) if names.knows(value) else words(value)}"
                for name, value in call.arguments.items()
            ],
        )
        call.notes.update(number=number, at=at)

    def after(self, call: ApplicationCall) -> None:
        """Write down the end of the call, with its exception."""
        if "number" in call.notes:
            duration = time.perf_counter_ns() - call.notes["at"]
            error = cut(mishaps.named(call.error), _LONGEST_TEXT) if call.error else ""
            self._recorder.write("done", number=call.notes["number"], duration=duration, error=error)
