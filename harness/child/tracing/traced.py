"""Drive the plugin once in a child and write everything down."""

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
    """Drive the plugin through everything, and write every call into a file; there is no verdict.

    Which types it takes is asked beforehand, and is not written down: that is no step of an application's. The payload
    of the answer is how the drive stopped, and empty where it came to its end.
    """
    observers = list(subject.gate.observers)
    gate = RecordingGate(Recorder(Path(file)), observers)
    types, unseen = None, dataclasses.replace(subject, gate=Gate(observers=observers, quiet=True))
    with contextlib.suppress(Exception):  # where that fails, the drive itself will meet why
        types = network_types(unseen)
    try:
        with watching(gate), showing(gate.steps):
            stopped = drive(dataclasses.replace(subject, gate=gate, memory={}), types=types).stopped
    except Exception as error:  # noqa: BLE001 - whatever it is, the trace ends with it
        stopped = failures.named(error)
    gate.settle()
    return Answer(Kind.JUDGED, evidence=1, payload=stopped)
