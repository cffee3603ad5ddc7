"""Take over the file descriptors that a process inherits: its channel, its sections, its flight recorder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.process import flight_recorder, linux, output_capture, stack
from harness.process.flight_recorder import FlightRecorder
from harness.process.output_capture import Ends

if TYPE_CHECKING:
    from collections.abc import Mapping


def recorder(descriptor: int) -> FlightRecorder:
    """Write this process's callbacks into the shared memory behind a descriptor from now on."""
    box = FlightRecorder.on(descriptor)
    os.close(descriptor)
    box.take_over()
    flight_recorder.install(box)
    return box


def sections(handed: Mapping[str, int]) -> Ends:
    """Write the stacks and warnings of this process to their sections; standard output and error lead there already."""
    others = {name: linux.private(handed[name]) for name in ("log", "warnings", "stack")}
    ends = Ends(stdout=1, stderr=2, **others)
    stack.arm(ends.stack)
    output_capture.divert_warnings(ends)
    return ends
