"""Block the stream of the inputs while ``enqueue`` is called, to detect work on another stream."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from reference_runtime.devices.cuda_calls import quietly
from reference_runtime.devices.cuda_hold import holding
from reference_runtime.instruments import NeedsHost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.running.buffers import Buffers

#: The byte that inputs are filled with before their data arrive.
_MEANWHILE = 0x3C


@contextlib.contextmanager
def late(buffers: Buffers, stream: int, early: list[str]) -> Iterator[None]:
    """Block ``stream`` while the caller calls ``enqueue`` in the block, and let the inputs arrive afterwards.

    ``early`` receives the labels of the outputs that were written while the stream was blocked.

    Raises:
        NeedsHost: ``enqueue`` waited for the stream, which had to be released.
    """
    with holding(stream, buffers.inputs, _MEANWHILE) as hold:
        with quietly():
            before = [hold.peek(output) for output in buffers.outputs]
        yield
        with quietly():
            hold.let_others_work()
            after = [hold.peek(output) for output in buffers.outputs]
            if hold.is_over:
                raise NeedsHost("an enqueue that waits for its stream, which this check blocks")
    early += [
        output.label for output, *pair in zip(buffers.outputs, before, after, strict=True) if (pair[0] != pair[1]).any()
    ]
