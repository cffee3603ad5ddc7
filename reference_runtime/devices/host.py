"""The host device: guarded memory and ordered streams in place of a GPU.

Theory. A plugin gets addresses and a stream as plain ints, as on a GPU. It reaches the memory only through functions of
this module, such as ``view``. The bridges call them for array libraries. The device keeps:

* *Memory* (``host_buffers``): one address space for the process, as hardware has; each device owns a part.
* *Order* (``host_streams``): work runs at once, when it is submitted, which is one legal schedule. Vector clocks keep
  the order that a GPU would guarantee, so that races are found without running other schedules.
* *Records* (``records``): during a ``recording``, each access with its stream, each allocation and each wait of the
  host. Misuses of memory are always recorded, in ``faults``. Most of them also raise ``DeviceFault`` where they happen,
  because execution cannot go on.

The file is long because the parts of the device meet here.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from reference_runtime.bound.errors import NeedsStandIn
from reference_runtime.devices import bounds
from reference_runtime.devices.host_arena import HostArena
from reference_runtime.devices.host_buffers import (
    Addresses,
    AddressSpace,
    BorrowedBuffer,
    HostBuffer,
    poison_byte,
)
from reference_runtime.devices.host_shortage import TOTAL_MEMORY, OutOfDeviceMemory, Shortage
from reference_runtime.devices.host_streams import LEGACY, HostEvent, HostStream, StreamTable
from reference_runtime.devices.records import (
    Access,
    Allocation,
    Damage,
    DeviceFault,
    Fault,
    FaultKind,
    Kind,
    Owner,
    Race,
    Recording,
    Source,
    Synchronization,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np
    import numpy.typing as npt

__all__ = [
    "LEGACY",
    "TOTAL_MEMORY",
    "Access",
    "Allocation",
    "Damage",
    "DeviceFault",
    "Fault",
    "FaultKind",
    "HostBuffer",
    "HostDevice",
    "HostEvent",
    "HostStream",
    "OutOfDeviceMemory",
    "Race",
    "Recording",
    "Synchronization",
    "access",
    "buffer_at",
    "bytes_from",
    "current_device",
    "destroy_event",
    "destroy_stream",
    "event_at",
    "forget_freed",
    "free",
    "is_device_address",
    "is_stream",
    "locate",
    "note",
    "poison_byte",
    "stream_at",
    "use",
    "view",
]


class HostDevice:
    """A device made of host memory; all devices of a process share its address space."""

    is_asynchronous = False
    """Work runs when it is submitted; clocks keep the order that a GPU would guarantee."""

    def __init__(self, *, addresses: Addresses = "opaque") -> None:
        self.addresses: Addresses = addresses
        self.faults: list[Fault] = []
        self.shortage = Shortage()
        self._live: dict[int, HostBuffer] = {}
        self._recordings: list[Recording] = []
        self._number = 0

    @property
    def buffers(self) -> list[HostBuffer]:
        """Return the buffers that are not freed, in the order of their allocation."""
        return list(self._live.values())

    @property
    def plugin_bytes(self) -> int:
        """Return how many bytes the plugin has allocated and not freed; an array library's pool is not counted."""
        return sum(each.nbytes for each in self.buffers if each.owner == "plugin" and each.source != "pool")

    @property
    def default_stream(self) -> HostStream:
        """The legacy default stream, handle 0."""
        return stream_at(LEGACY)

    def allocate(
        self, nbytes: int, *, label: str = "", owner: Owner = "runtime", source: Source = "malloc"
    ) -> HostBuffer:
        """Return new memory between guard bands, filled with poison; for 0 bytes, an address without memory.

        Raises:
            OutOfDeviceMemory: The device has less memory, or a `Shortage` refuses the allocation.
            ValueError: ``nbytes`` is negative.
        """
        if nbytes < 0:
            raise ValueError(f"cannot allocate {nbytes} bytes")
        if owner == "plugin":
            self.shortage.admit()
        if nbytes > TOTAL_MEMORY:
            raise OutOfDeviceMemory(f"{nbytes} bytes are more than the device has")
        buffer = HostBuffer(nbytes, label=label, owner=owner, source=source, on_free=self._release)
        _HARDWARE.space.place(buffer, self.addresses)
        self.adopt(buffer)
        self._live[buffer.address] = buffer
        for log in self._recordings:
            log.allocations.append(Allocation(owner, source, buffer.address, nbytes))
        return buffer

    def borrow(self, memory: npt.NDArray[np.uint8], *, label: str) -> HostBuffer:
        """Return a buffer over host memory, which counts as device memory until the buffer is freed."""
        buffer = BorrowedBuffer(memory, label=label, on_free=_HARDWARE.space.retire)
        _HARDWARE.space.place(buffer, self.addresses)
        self.adopt(buffer)
        return buffer

    def arena(self, address: int, nbytes: int, *, shared: bool) -> HostArena:
        """Return an arena in existing memory; the owner of ``shared`` memory may use it between executions."""
        return HostArena(address, locate(address, nbytes), _HARDWARE.space, self, shared=shared)

    def adopt(self, buffer: HostBuffer) -> None:
        """Make a buffer belong to this device, which then records its misuse."""
        buffer.home = self

    def reach(self, address: int, nbytes: int) -> None:
        """Raise `DeviceFault` unless ``nbytes`` bytes at ``address`` are in one buffer."""
        locate(address, nbytes)

    def is_address(self, address: int) -> bool:
        """Return whether an address is in memory of any host device."""
        return is_device_address(address)

    def mark(self, stream: int) -> HostEvent:
        """Return a mark behind all work that ``stream`` has so far; the mark itself counts as work."""
        known, event = stream_at(stream), HostEvent(_HARDWARE.streams, 0)
        _HARDWARE.streams.submit(known)
        event.record(known)
        return event

    def comes_after(self, stream: int, mark: HostEvent) -> bool:
        """Return whether all later work on ``stream`` is certain to run after ``mark``."""
        return _HARDWARE.streams.comes_after(stream_at(stream), mark.clock)

    def wait(self, stream: int, mark: HostEvent) -> None:
        """Make later work on ``stream`` wait for ``mark``."""
        stream_at(stream).wait_event(mark)

    def record_event(self, event: int, *, stream: int) -> None:
        """Record the application's event on ``stream``."""
        event_at(event).record(stream_at(stream))

    def new_stream(self, *, blocking: bool = False) -> HostStream:
        """Return a new stream; unless ``blocking`` it does not wait for the default stream."""
        return _HARDWARE.streams.new(blocking=blocking)

    def new_event(self) -> HostEvent:
        """Return a new event, not yet recorded."""
        return _HARDWARE.streams.new_event()

    def synchronize(self, what: str = "device", stream: HostStream | None = None) -> None:
        """Make the host wait for ``stream``, or for all work if it is None; ``what`` is recorded as the call."""
        for log in self._recordings:
            log.synchronizations.append(Synchronization(what, stream.handle if stream else None))
        _HARDWARE.streams.host_waits() if stream is None else stream.synchronize()

    def query(self, stream: HostStream) -> None:
        """Record that the plugin asked whether ``stream`` is idle; on the host it always is."""
        for log in self._recordings:
            log.queries.append(stream.handle)

    def wait_for(self, event: HostEvent) -> None:
        """Make the host wait for ``event``."""
        for log in self._recordings:
            log.synchronizations.append(Synchronization("event", event.stream))
        event.synchronize()

    @contextmanager
    def recording(self, into: Recording | None = None) -> Iterator[Recording]:
        """Record accesses, allocations and waits, in a new recording or ``into`` one; recordings may nest."""
        log = Recording() if into is None else into
        self._recordings.append(log)
        try:
            yield log
        finally:
            self._recordings.remove(log)

    def note(self, address: int, nbytes: int, kind: Kind, stream: int) -> None:
        """Record one access by work on ``stream``; a view is not work, and does not advance the stream's clock."""
        known = stream_at(stream)
        if not self._recordings:
            return
        clock = known.clock if kind == "view" else _HARDWARE.streams.submit(known)
        self._number += 1
        for log in self._recordings:
            log.accesses.append(Access(known.handle, address, nbytes, kind, self._number, clock))

    def launch(self, image: bytes, name: str, sizes: Sequence[int], arguments: Sequence[Any], *, stream: int) -> None:  # noqa: ARG002 - nothing here can run it
        """Run a replacement of a compiled kernel: the function that `launch_with` has set.

        Raises:
            NeedsStandIn: No function was set.
        """
        if not _HARDWARE.launchers:
            raise NeedsStandIn("compiled kernel", name, None)
        _HARDWARE.launchers[-1](name, sizes, arguments, stream)

    def fetch(self, address: int, nbytes: int, *, stream: int) -> bytes:
        """Return the content of memory; the read is work on ``stream``."""
        return bytes(access(address, nbytes, "read", stream=stream))

    def store(self, address: int, data: bytes, *, stream: int) -> None:
        """Write to memory; the write is work on ``stream``."""
        access(address, len(data), "write", stream=stream)[:] = data

    def report(self, kind: FaultKind, address: int, nbytes: int, label: str, sentence: str) -> Fault:
        """Record a fault."""
        fault = Fault(kind, address, nbytes, label, sentence)
        self.faults.append(fault)
        return fault

    def refuse(self, kind: FaultKind, address: int, nbytes: int, label: str, sentence: str) -> NoReturn:
        """Record a fault and raise it."""
        raise DeviceFault(self.report(kind, address, nbytes, label, sentence))

    def close(self) -> None:
        """Do nothing: the memory is freed with the process."""

    def _release(self, buffer: HostBuffer) -> None:
        if buffer.freed:
            sentence = f"{buffer!r} was freed a second time"
            self.refuse(FaultKind.DOUBLE_FREE, buffer.address, buffer.nbytes, buffer.label, sentence)
        self._live.pop(buffer.address, None)
        _HARDWARE.space.retire(buffer)
        for log in self._recordings:
            log.allocations.append(Allocation(buffer.owner, buffer.source, buffer.address, buffer.nbytes, freed=True))


class _Hardware:
    """The parts that exist once in a process: the address space, the streams, and the current device."""

    def __init__(self) -> None:
        self.space = AddressSpace()
        self.streams = StreamTable()
        self.in_use: list[HostDevice] = []
        self.launchers: list[Callable[[str, Sequence[int], Sequence[Any], int], None]] = []


_HARDWARE = _Hardware()


def launch_with(function: Callable[[str, Sequence[int], Sequence[Any], int], None]) -> None:
    """Set the function that runs in place of compiled kernels.

    It receives the kernel's name, the sizes (grid, block, shared memory), the arguments and the stream.
    """
    _HARDWARE.launchers[:] = [function]


def current_device() -> HostDevice:
    """Return the current host device; a process that never chose a device gets a new device."""
    if not _HARDWARE.in_use:
        _HARDWARE.in_use.append(HostDevice())
    return _HARDWARE.in_use[-1]


@contextmanager
def use(device: HostDevice) -> Iterator[HostDevice]:
    """Make ``device`` the current host device of all threads within the block."""
    _HARDWARE.in_use.append(device)
    try:
        yield device
    finally:
        _HARDWARE.in_use.remove(device)


def stream_at(handle: int) -> HostStream:
    """Return the stream of a ``cudaStream_t``; raise a fault for an unknown handle."""
    stream = _HARDWARE.streams.find(handle)
    if stream is None:
        sentence = f"{handle:#x} is not the handle of a stream of this process"
        current_device().refuse(FaultKind.UNKNOWN_STREAM, handle, 0, "", sentence)
    return stream


def is_stream(handle: int) -> bool:
    """Return whether a ``cudaStream_t`` is the handle of a stream."""
    return _HARDWARE.streams.find(handle) is not None


def destroy_stream(handle: int) -> None:
    """Forget a stream that ``new_stream`` created; raise a fault for an unknown handle."""
    stream_at(handle)
    _HARDWARE.streams.drop(handle)


def event_at(handle: int) -> HostEvent:
    """Return the event of a ``cudaEvent_t``; raise a fault for an unknown handle."""
    event = _HARDWARE.streams.find_event(handle)
    if event is None:
        sentence = f"{handle:#x} is not the handle of an event of this process"
        current_device().refuse(FaultKind.UNKNOWN_STREAM, handle, 0, "", sentence)
    return event


def destroy_event(handle: int) -> None:
    """Forget an event that ``new_event`` created; raise a fault for an unknown handle."""
    event_at(handle)
    _HARDWARE.streams.drop_event(handle)


def view(address: int, nbytes: int, *, alignment: int = 1, stream: int = LEGACY) -> memoryview:
    """Return the memory at ``address``: exactly ``nbytes`` bytes, all of them in one living buffer.

    The view is recorded, and other memory raises a fault. A view of 0 bytes is valid at every address, null included.
    """
    return access(address, nbytes, "view", alignment=alignment, stream=stream)


def access(address: int, nbytes: int, kind: Kind, *, alignment: int = 1, stream: int = LEGACY) -> memoryview:
    """Return the memory at ``address`` like ``view``; record an access of this ``kind`` by work on ``stream``."""
    if nbytes == 0:
        return memoryview(bytearray())
    buffer = _reached(address, nbytes, alignment)
    buffer.home.note(address, nbytes, kind, stream)
    return _part(buffer, address, nbytes)


def locate(address: int, nbytes: int, *, alignment: int = 1) -> memoryview:
    """Return the memory at ``address`` like ``view``, without recording an access; faults are recorded."""
    return _part(_reached(address, nbytes, alignment), address, nbytes) if nbytes else memoryview(bytearray())


def _reached(address: int, nbytes: int, alignment: int) -> HostBuffer:
    """Return the living buffer that contains ``nbytes`` bytes at ``address``; raise a fault if none does."""
    buffer = _HARDWARE.space.find(address)
    if buffer is None:
        kind_of_fault, sentence = bounds.nowhere(address, nbytes)
        current_device().refuse(kind_of_fault, address, nbytes, "", sentence)
    wrong = bounds.misuse(buffer, address, nbytes, alignment)
    if wrong is not None:
        buffer.home.refuse(wrong[0], address, nbytes, buffer.label, wrong[1])
    return buffer


def _part(buffer: HostBuffer, address: int, nbytes: int) -> memoryview:
    offset = address - buffer.address
    return buffer.payload[offset : offset + nbytes].data


def bytes_from(address: int) -> int:
    """Return the number of bytes from ``address`` to the end of its buffer; without a buffer, raise a fault."""
    buffer = _HARDWARE.space.find(address)
    if buffer is None:
        kind_of_fault, sentence = bounds.nowhere(address, 1)
        current_device().refuse(kind_of_fault, address, 1, "", sentence)
    return max(buffer.address + buffer.nbytes - address, 0)


def buffer_at(address: int) -> HostBuffer | None:
    """Return the buffer, living or freed, around an address; None if there is none. No access is recorded."""
    return _HARDWARE.space.find(address)


def note(address: int, nbytes: int, kind: Kind, stream: int) -> None:
    """Record an access to memory that ``locate`` has returned."""
    buffer = _HARDWARE.space.find(address)
    if buffer is not None:
        buffer.home.note(address, nbytes, kind, stream)


def is_device_address(address: int) -> bool:
    """Return whether ``address`` is in device memory, or in freed memory that is still known."""
    return _HARDWARE.space.find(address) is not None


def free(address: int, *, stream: int | None = None) -> None:
    """Free the buffer that begins at ``address``, as ``cudaFree`` does; ignore the null address.

    With a ``stream`` the free is recorded as a write on that stream. Work of other streams in the buffer must be over.
    """
    if address == 0:
        return
    buffer = _HARDWARE.space.owner_of(address)
    if buffer is None:
        inside = _HARDWARE.space.find(address)
        sentence = f"{address:#x} is not the beginning of an allocation" + (
            f"; it is inside {inside!r}" if inside else ""
        )
        home = inside.home if inside else current_device()
        home.refuse(FaultKind.BAD_FREE, address, 0, inside.label if inside else "", sentence)
    if stream is not None:
        buffer.home.note(address, buffer.nbytes, "write", stream)
    buffer.free()


def forget_freed() -> None:
    """Release freed buffers that are still remembered, so that they do not count as memory of the process."""
    _HARDWARE.space.forget_freed()
