"""Streams and marks of a CUDA device."""

from __future__ import annotations

import weakref
from typing import Final

from reference_runtime.devices.cuda_api import runtime
from reference_runtime.devices.cuda_calls import quietly

_NON_BLOCKING: Final = 1
_WITHOUT_TIME: Final = 2


class CudaStream:
    """A stream, which is destroyed with the last reference to this object."""

    def __init__(self, *, blocking: bool = False) -> None:
        self.blocking = blocking
        self.handle: int = runtime().streamCreateWithFlags(0 if blocking else _NON_BLOCKING)
        weakref.finalize(self, runtime().streamDestroy, self.handle).atexit = False

    def synchronize(self) -> None:
        """Wait until all work on the stream is done."""
        with quietly():
            runtime().streamSynchronize(self.handle)

    def __process_state__(self) -> object:
        """Return what identifies the stream; its work is over before the next task."""
        return self.handle

    def __repr__(self) -> str:
        return f"<CudaStream {self.handle:#x}>"


class CudaMark:
    """A point in a stream, as an event."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self._event: int = runtime().eventCreateWithFlags(_WITHOUT_TIME)
        weakref.finalize(self, runtime().eventDestroy, self._event).atexit = False
        runtime().eventRecord(self._event, stream)

    @property
    def is_over(self) -> bool:
        """Return whether the device has passed the mark."""
        return bool(runtime().eventQuery(self._event) == 0)

    def hold(self, stream: int) -> None:
        """Make later work on ``stream`` wait for this mark."""
        runtime().streamWaitEvent(stream, self._event)
