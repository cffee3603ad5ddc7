"""Capture calls of ``enqueue`` as a CUDA graph, and replay it with other data at the same addresses."""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING

from harness.contract.finding import CallbackFailedError
from reference_runtime.devices import cuda_api

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.checks.running.repeatable_call import RepeatableCall

#: Calls that could do harm elsewhere in this thread are refused while it captures.
_THREAD_LOCAL = 1


class CaptureError(Exception):
    """``enqueue`` cannot be captured; the argument says why."""


def captured(standing: RepeatableCall) -> Callable[[], None]:
    """Return a function that replays one call, and waits for it.

    Raises:
        CaptureError: It cannot be captured.
    """
    stream = cuda_api.stream_of(standing.stream.handle)
    stream.begin_capture(_THREAD_LOCAL)
    try:
        standing.call()
        graph = stream.end_capture()
    except CallbackFailedError as error:
        with contextlib.suppress(Exception):  # a capture that is invalid cannot be ended well
            stream.end_capture()
        raise CaptureError(error.mishap.how) from error
    except importlib.import_module("cupy").cuda.runtime.CUDARuntimeError as error:
        raise CaptureError(f"left the capture invalid: {error}") from error

    def replay() -> None:
        graph.launch(stream)
        stream.synchronize()

    return replay
