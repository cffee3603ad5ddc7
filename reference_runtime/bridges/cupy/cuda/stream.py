"""``cupy.cuda.stream``: streams, events, and the current stream of each thread."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any, ClassVar

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges.cupy.cuda import runtime

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Event", "ExternalStream", "Stream", "get_current_stream", "get_elapsed_time"]

_UNKNOWN_DEVICE = -1


class _Current(threading.local):
    """The current stream of each thread."""

    def __init__(self) -> None:
        self.stream: _BaseStream | None = None


_CURRENT = _Current()


def get_current_stream(device_id: int = -1) -> _BaseStream:
    """Return the current stream of this thread."""
    return _CURRENT.stream or Stream.null


def get_elapsed_time(start_event: Event, end_event: Event) -> float:
    """Return the milliseconds between two events."""
    return runtime.eventElapsedTime(start_event.ptr, end_event.ptr)


class Event:
    """A point in a stream that other streams can wait for."""

    def __init__(
        self,
        block: bool = False,
        disable_timing: bool = False,
        interprocess: bool = False,
    ) -> None:
        self.ptr = runtime.eventCreate()
        weakref.finalize(self, runtime.eventDestroy, self.ptr).atexit = False

    @property
    def done(self) -> bool:
        """Return whether the event has occurred."""
        return runtime.eventQuery(self.ptr) == 0

    def record(self, stream: _BaseStream | None = None) -> None:
        """Mark the work that ``stream``, or the current stream, has so far."""
        runtime.eventRecord(self.ptr, (stream or get_current_stream()).ptr)

    def synchronize(self) -> None:
        """Wait for the event."""
        runtime.eventSynchronize(self.ptr)


class _BaseStream:
    """The methods of all streams."""

    def __init__(self, ptr: Any, device_id: int) -> None:
        self.ptr = ptr
        self.device_id = device_id
        self._before: list[_BaseStream | None] = []
        self._owner: object = None

    def use(self) -> _BaseStream:
        """Make this stream the current stream of the thread."""
        _CURRENT.stream = self
        return self

    def __enter__(self) -> _BaseStream:  # noqa: PYI034 - Self is newer than Python 3.10
        self._before.append(_CURRENT.stream)
        return self.use()

    def __exit__(self, *exception: object) -> None:
        _CURRENT.stream = self._before.pop()

    def synchronize(self) -> None:
        """Wait for all work on the stream."""
        runtime.streamSynchronize(self.ptr)

    @property
    def done(self) -> bool:
        """Return whether all work on the stream is done."""
        return runtime.streamQuery(self.ptr) == 0

    @property
    def is_non_blocking(self) -> bool:
        """Return whether the stream runs independently of the default stream."""
        return runtime.streamGetFlags(self.ptr) == runtime.streamNonBlocking

    @property
    def priority(self) -> int:
        """Return the priority, which has no effect on the host."""
        return 0

    def record(self, event: Event | None = None) -> Event:
        """Mark the work that the stream has so far, in ``event`` or a new event."""
        marked = event or Event()
        runtime.eventRecord(marked.ptr, self.ptr)
        return marked

    def wait_event(self, event: Event) -> None:
        """Make later work on this stream wait for ``event``."""
        runtime.streamWaitEvent(self.ptr, event.ptr)

    def launch_host_func(self, callback: Callable[[Any], object], arg: Any) -> None:
        """Call a function of the host in the order of the stream."""
        runtime.launchHostFunc(self.ptr, callback, arg)

    def add_callback(self, callback: Callable[[Any, int, Any], object], arg: Any) -> None:
        """Call a function of the host in the order of the stream."""
        callback(self, 0, arg)

    def is_capturing(self) -> bool:
        """Return whether the stream captures a graph."""
        return runtime.streamIsCapturing(self.ptr)

    def begin_capture(self, mode: int | None = None) -> None:
        """Raise `NeedsGpu`: the host cannot capture a graph."""
        raise NeedsGpu("recording a CUDA graph")

    def end_capture(self) -> None:
        """Raise `NeedsGpu`: the host cannot capture a graph."""
        raise NeedsGpu("recording a CUDA graph")

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.ptr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _BaseStream) and bool(self.ptr == other.ptr)

    def __hash__(self) -> int:
        return hash(self.ptr)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.ptr} (device {self.device_id})>"


class Stream(_BaseStream):
    """A stream that is destroyed with this object, or a default stream."""

    null: ClassVar[Stream]
    ptds: ClassVar[Stream]

    def __init__(
        self,
        null: bool = False,
        non_blocking: bool = False,
        ptds: bool = False,
        priority: int | None = None,
    ) -> None:
        if null or ptds:
            super().__init__(0 if null else runtime.streamPerThread, _UNKNOWN_DEVICE)
            return
        super().__init__(runtime.streamCreateWithFlags(int(non_blocking)), runtime.getDevice())
        weakref.finalize(self, runtime.streamDestroy, self.ptr).atexit = False

    @classmethod
    def from_external(cls, obj: Any) -> Stream:
        """Return the stream of an object with the CUDA stream protocol; its owner destroys it."""
        protocol = getattr(obj, "__cuda_stream__", None)
        if protocol is None:
            raise TypeError(
                f"Object of type {type(obj).__name__} does not implement the CUDA stream protocol "
                "(__cuda_stream__ method)"
            )
        answer = protocol()
        if not isinstance(answer, tuple) or len(answer) != 2:  # noqa: PLR2004 - version and handle
            raise TypeError("__cuda_stream__() must return a 2-tuple of (version, stream_ptr)")
        version, handle = answer
        if version != 0:
            raise TypeError(f"__cuda_stream__() returned unsupported version {version}, only version 0 is supported")
        stream = cls(null=True)
        stream.ptr = handle
        stream._owner = obj  # the owner destroys the stream, so it is kept alive
        return stream


Stream.null = Stream(null=True)
Stream.ptds = Stream(ptds=True)


class ExternalStream(_BaseStream):
    """A stream from another library, by its handle."""

    def __init__(self, ptr: int, device_id: int = _UNKNOWN_DEVICE) -> None:
        super().__init__(ptr, device_id)
