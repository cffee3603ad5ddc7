"""Take over the file descriptors that a process inherits for its output and its flight recorder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.process import flight_recorder, linux, output_capture, stack
from harness.process.flight_recorder import FlightRecorder
from harness.process.output_capture import Ends

if TYPE_CHECKING:
    from collections.abc import Mapping


def recorder(descriptor: int) -> FlightRecorder:
    """Record this process's callbacks in the shared memory behind a descriptor from now on; return the recorder."""
    box = FlightRecorder.on(descriptor)
    os.close(descriptor)
    box.take_over()
    flight_recorder.install(box)
    return box


def sections(handed: Mapping[str, int]) -> Ends:
    """Write this process's stacks and warnings to their pipes, and return the ends of all pipes.

    Standard output and standard error lead to their pipes already; the log is diverted later.
    """
    others = {name: linux.private(handed[name]) for name in ("log", "warnings", "stack")}
    ends = Ends(stdout=1, stderr=2, **others)
    stack.arm(ends.stack)
    output_capture.divert_warnings(ends)
    return ends
