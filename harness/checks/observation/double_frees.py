"""Find frees of device memory that is not allocated, and uses of streams and events that do not exist."""

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
    """Give a list of sentences about wrong frees in the block, which is filled when the block ends.

    Frees by finalisers count, and CUDA's errors even if the plugin ignores them.
    """
    faults = subject.device.faults
    before = len(faults)
    sentences: list[str] = []
    yield sentences
    gc.collect()
    sentences.extend(fault.sentence for fault in faults[before:] if fault.kind in _KINDS)
