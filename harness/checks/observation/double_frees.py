"""Find handles that were freed twice: device memory, streams and events."""

from __future__ import annotations

import contextlib
import gc
from typing import TYPE_CHECKING

from reference_runtime.devices.host import FaultKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

_KINDS = {FaultKind.DOUBLE_FREE, FaultKind.BAD_FREE, FaultKind.UNKNOWN_STREAM}


@contextlib.contextmanager
def wrong_frees(subject: Subject) -> Iterator[list[str]]:
    """Give sentences about what was freed wrongly within, finalisers included; the list is filled at the end.

    Errors of CUDA that the plugin swallows count as well.
    """
    faults = subject.device.faults
    before = len(faults)
    sentences: list[str] = []
    yield sentences
    gc.collect()
    sentences.extend(fault.sentence for fault in faults[before:] if fault.kind in _KINDS)
