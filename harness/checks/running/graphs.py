"""Capture a call of ``enqueue`` as a CUDA graph, to replay it with other data at the same addresses."""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING

from harness.contract.finding import CallbackFailedError
from reference_runtime.devices import cuda_api

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.checks.running.repeatable_call import RepeatableCall

#: The mode ``cudaStreamCaptureModeThreadLocal``: unsafe CUDA calls of this thread fail during the capture.
_THREAD_LOCAL = 1


class CaptureError(Exception):
    """``enqueue`` cannot be captured; the argument says why."""


def captured(standing: RepeatableCall) -> Callable[[], None]:
    """Capture a call of ``enqueue``, and return a function that replays it and waits for its end.

    Raises:
        CaptureError: The call cannot be captured.
    """
    stream = cuda_api.stream_of(standing.stream.handle)
    stream.begin_capture(_THREAD_LOCAL)
    try:
        standing.call()
        graph = stream.end_capture()
    except CallbackFailedError as error:
        with contextlib.suppress(Exception):  # ending an invalid capture raises an exception
            stream.end_capture()
        raise CaptureError(error.failure.how) from error
    except importlib.import_module("cupy").cuda.runtime.CUDARuntimeError as error:
        raise CaptureError(f"left the capture invalid: {error}") from error

    def replay() -> None:
        graph.launch(stream)
        stream.synchronize()

    return replay
