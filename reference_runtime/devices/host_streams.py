"""Streams and events of the host device, with vector clocks for the order that a GPU would guarantee.

Theory. The host runs work as soon as it is submitted, which is one of the schedules that a GPU may choose. Clocks keep
the order that a GPU guarantees. Each piece of work gets a clock: for every stream, how many pieces of its work are
certain to be over before. Certainty has five sources:

* a stream runs its work in order;
* the legacy default stream (handle 0) waits for every blocking stream, and every blocking stream waits for it;
  non-blocking streams do not take part;
* ``wait_event`` makes a stream wait for the work of another before the event was recorded;
* the host's waits (for a stream, an event, the device) come before all work that the host submits later;
* a new stream comes after all work that the host has waited for.

Two accesses without a guaranteed order may run in any order on a GPU, or at once. If one of them writes, and they share
bytes, this is a race.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Counts = Mapping[int, int]

LEGACY: Final = 0
"""The handle of the legacy default stream; ``cudaStreamLegacy`` (1) is the same stream."""

PER_THREAD: Final = 2
"""``cudaStreamPerThread``."""

_FIRST_HANDLE: Final = 0x7DEC_0000_0000_0000
_HANDLE_STEP: Final = 0x100
_REMEMBERED: Final = 16  # how many waits of the host a stream keeps


class Clock:
    """For every stream, how many pieces of its work are certain to be over.

    The counts of the work that the host has waited for are shared by all clocks. Each clock adds counts of later work.
    """

    __slots__ = ("_host", "_own")

    def __init__(self, host: Counts, own: Counts) -> None:
        self._host = host
        self._own = own

    def get(self, stream: int, default: int = 0) -> int:
        """Return the count for one stream; ``default`` if it is 0."""
        return max(self._host.get(stream, 0), self._own.get(stream, 0)) or default

    @property
    def own(self) -> Counts:
        """Return the counts of work that is later than the host's last wait."""
        return self._own

    def since(self, host: Counts) -> Clock:
        """Return this clock with the shared counts ``host`` of a later wait of the host."""
        if self._host is host:
            return self
        return Clock(host, {stream: count for stream, count in self._own.items() if host.get(stream, 0) < count})

    def with_all(self, others: Iterable[Clock]) -> Clock:
        """Return a clock with the greater counts of this clock and others, which have the same shared counts."""
        own = dict(self._own)
        for other in others:
            own.update((stream, count) for stream, count in other.own.items() if own.get(stream, 0) < count)
        return Clock(self._host, own)

    def next_of(self, stream: int) -> Clock:
        """Return the clock after one more piece of work on a stream."""
        return Clock(self._host, {**self._own, stream: self.get(stream) + 1})


class HostEvent:
    """A point in a stream that the host and other streams can wait for."""

    def __init__(self, table: StreamTable, handle: int) -> None:
        self._table = table
        self.handle = handle
        self._clock = Clock({}, {})
        self.stream: int | None = None

    def record(self, stream: HostStream) -> None:
        """Mark the work that ``stream`` has so far."""
        with self._table.lock:
            self._clock = stream.clock
            self.stream = stream.handle

    def synchronize(self) -> None:
        """Wait, on the host, until the marked work is done."""
        self._table.host_waits(self._clock)

    @property
    def clock(self) -> Clock:
        """Return the counts of the work that is over once the event has happened."""
        return self._clock


class HostStream:
    """An ordered queue of work; ``log`` holds the last times that the host waited for it."""

    def __init__(self, table: StreamTable, handle: int, *, blocking: bool = True) -> None:
        self._table = table
        self.handle = handle
        self.blocking = blocking
        self.clock = Clock({}, {})
        self.log: deque[str] = deque(maxlen=_REMEMBERED)

    def synchronize(self) -> None:
        """Wait, on the host, for all work on the stream."""
        self.log.append("synchronize")
        self._table.host_waits(self.clock)

    def wait_event(self, event: HostEvent) -> None:
        """Make later work on this stream wait for the work that ``event`` marked."""
        with self._table.lock:
            self.clock = self._table.joined(self.clock, [event.clock])

    def __repr__(self) -> str:
        return f"<HostStream {self.handle:#x}>"


class StreamTable:
    """All streams and events of the process, by handle."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._handles = itertools.count(_FIRST_HANDLE, _HANDLE_STEP)
        self._host: Counts = {}
        self._streams = {handle: HostStream(self, handle) for handle in (LEGACY, PER_THREAD)}
        self._streams[1] = self._streams[LEGACY]
        self._events: dict[int, HostEvent] = {}

    def new(self, *, blocking: bool = False) -> HostStream:
        """Return a new stream; a blocking stream and the default stream wait for each other."""
        with self.lock:
            stream = HostStream(self, next(self._handles), blocking=blocking)
            self._streams[stream.handle] = stream
            return stream

    def find(self, handle: int) -> HostStream | None:
        """Return the stream with a handle; None if there is none."""
        return self._streams.get(handle)

    def drop(self, handle: int) -> bool:
        """Forget a stream, as ``cudaStreamDestroy`` does; return whether it existed.

        If the stream is blocking, its work still comes before later work on the default stream.
        """
        with self.lock:
            stream = self._streams.pop(handle, None) if handle > PER_THREAD else None
            if stream is not None and stream.blocking:
                legacy = self._streams[LEGACY]
                legacy.clock = self.joined(legacy.clock, [stream.clock])
            return stream is not None

    def new_event(self) -> HostEvent:
        """Return a new event, not yet recorded."""
        with self.lock:
            event = HostEvent(self, next(self._handles))
            self._events[event.handle] = event
            return event

    def find_event(self, handle: int) -> HostEvent | None:
        """Return the event with a handle; None if there is none."""
        return self._events.get(handle)

    def drop_event(self, handle: int) -> bool:
        """Forget an event, as ``cudaEventDestroy`` does; return whether it existed."""
        return self._events.pop(handle, None) is not None

    def joined(self, clock: Clock, others: Iterable[Clock]) -> Clock:
        """Return a clock that contains the others, and the work that the host has waited for."""
        return clock.since(self._host).with_all(other.since(self._host) for other in others)

    def host_waits(self, clock: Clock | None = None) -> None:
        """Record that the host has waited: all later work comes after ``clock``, or after all work if it is None."""
        with self.lock:
            known = [clock] if clock is not None else [stream.clock for stream in self._streams.values()]
            beyond = self.joined(Clock(self._host, {}), known).own
            if beyond:
                self._host = {**self._host, **beyond}

    def comes_after(self, stream: HostStream, clock: Clock) -> bool:
        """Return whether all later work on ``stream`` is certain to come after ``clock``."""
        with self.lock:
            known = self._known(stream)
            return all(known.get(handle) >= count for handle, count in clock.since(self._host).own.items())

    def submit(self, stream: HostStream) -> Clock:
        """Put one more piece of work on ``stream`` and return the work's clock."""
        with self.lock:
            stream.clock = self._known(stream).next_of(stream.handle)
            return stream.clock

    def _known(self, stream: HostStream) -> Clock:
        """Return the clock of all work that is certain to come before later work on ``stream``."""
        if stream.handle == LEGACY:
            before = [other for other in self._streams.values() if other.blocking and other is not stream]
        else:
            before = [self._streams[LEGACY]] if stream.blocking else []
        return self.joined(stream.clock, (other.clock for other in before))
