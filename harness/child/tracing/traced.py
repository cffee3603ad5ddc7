"""Drive the plugin through one complete run in a child, and write every call into a file."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from harness.checks.engines.canonical_drive import drive
from harness.checks.formats.choices import network_types
from harness.child.tracing.recorder import Recorder, RecordingGate
from harness.contract.verdict import Answer, Kind
from harness.process import failures
from reference_runtime.call_observer import showing
from reference_runtime.calling.gate.gate import Gate, watching

if TYPE_CHECKING:
    from harness.subject.subject import Subject


def traced(subject: Subject, file: str) -> Answer:
    """Drive the plugin through one complete run, and write every call into a file.

    The types that the plugin takes are found out before. The calls for that are not written down, since an application
    does not make them. The payload of the answer says why the drive stopped; it is empty if the drive reached its end.
    """
    observers = list(subject.gate.observers)
    gate = RecordingGate(Recorder(Path(file)), observers)
    types, unseen = None, dataclasses.replace(subject, gate=Gate(observers=observers, quiet=True))
    with contextlib.suppress(Exception):  # the drive will meet the same failure
        types = network_types(unseen)
    try:
        with watching(gate), showing(gate.steps):
            stopped = drive(dataclasses.replace(subject, gate=gate, memory={}), types=types).stopped
    except Exception as error:  # noqa: BLE001 - any exception ends the trace
        stopped = failures.named(error)
    gate.settle()
    return Answer(Kind.JUDGED, evidence=1, payload=stopped)
