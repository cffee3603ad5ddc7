"""The streams and events of ``torch.cuda`` on the host device, and the current stream of each thread."""

from __future__ import annotations

import threading
import weakref
from typing import Any

from reference_runtime.bridges.cupy.cuda import runtime

__all__ = ["Event", "ExternalStream", "Stream", "StreamContext", "current_stream", "default_stream", "set_stream"]


class _Current(threading.local):
    """The current stream of each thread."""

    stream: Any = None


_CURRENT = _Current()


class ExternalStream:
    """A stream from another library, by its handle."""

    def __init__(self, stream_ptr: int, device: Any = None, **others: Any) -> None:
        self.cuda_stream = int(stream_ptr)

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.cuda_stream

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExternalStream) and other.cuda_stream == self.cuda_stream

    def __hash__(self) -> int:
        return hash(self.cuda_stream)

    def synchronize(self) -> None:
        """Wait for all work on the stream."""
        runtime.streamSynchronize(self.cuda_stream)

    def query(self) -> bool:
        """Return whether all work on the stream is done; on the host it always is."""
        return runtime.streamQuery(self.cuda_stream) == 0

    def record_event(self, event: Event | None = None) -> Event:
        """Mark the work that the stream has so far."""
        marked = event or Event()
        marked.record(self)
        return marked

    def wait_event(self, event: Event) -> None:
        """Make later work on this stream wait for an event."""
        runtime.streamWaitEvent(self.cuda_stream, event.cuda_event)

    def wait_stream(self, stream: ExternalStream) -> None:
        """Make later work on this stream wait for the work that another stream has so far."""
        self.wait_event(stream.record_event())


class Stream(ExternalStream):
    """A new stream, which is destroyed with this object."""

    def __init__(self, device: Any = None, priority: int = 0, **others: Any) -> None:
        super().__init__(runtime.streamCreateWithFlags(runtime.streamNonBlocking))
        weakref.finalize(self, runtime.streamDestroy, self.cuda_stream).atexit = False


class Event:
    """A point in a stream."""

    def __init__(self, *settings: Any, **others: Any) -> None:
        self.cuda_event = runtime.eventCreate()
        weakref.finalize(self, runtime.eventDestroy, self.cuda_event).atexit = False

    def record(self, stream: ExternalStream | None = None) -> None:
        """Mark the work that a stream, or the current stream, has so far."""
        runtime.eventRecord(self.cuda_event, (stream or current_stream()).cuda_stream)

    def wait(self, stream: ExternalStream | None = None) -> None:
        """Make later work on a stream, or on the current stream, wait for the event."""
        (stream or current_stream()).wait_event(self)

    def query(self) -> bool:
        """Return whether the event has happened."""
        return runtime.eventQuery(self.cuda_event) == 0

    def synchronize(self) -> None:
        """Wait for the event."""
        runtime.eventSynchronize(self.cuda_event)

    def elapsed_time(self, end_event: Event) -> float:
        """Return the milliseconds from this event to another, which are 0 on the host."""
        return runtime.eventElapsedTime(self.cuda_event, end_event.cuda_event)


class StreamContext:
    """Makes a stream the current stream within a block; None changes nothing."""

    def __init__(self, stream: ExternalStream | None) -> None:
        self.stream = stream
        self._before: list[ExternalStream] = []

    def __enter__(self) -> None:
        self._before.append(current_stream())
        if self.stream is not None:
            set_stream(self.stream)

    def __exit__(self, *exception: object) -> None:
        set_stream(self._before.pop())


def current_stream(device: Any = None) -> ExternalStream:
    """Return the current stream of this thread."""
    return _CURRENT.stream or default_stream()


def default_stream(device: Any = None) -> ExternalStream:
    """Return the default stream."""
    return ExternalStream(0)


def set_stream(stream: ExternalStream) -> None:
    """Make a stream the current stream of this thread."""
    _CURRENT.stream = stream
