"""A CUDA device: real memory, streams and kernels, used through CuPy, and observed through calls of the driver.

Theory. A CUDA device has the methods of the host device, as far as hardware allows. Guard bands and results show misuse
of memory. The bytes that a kernel reads or writes cannot be seen. Calls of the driver can be seen (``cuda_calls``):
memory that a plugin allocates, waits of the host, and streams with work. A query that a GPU cannot answer raises
`NeedsHost`, so that no rule passes without a check.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from msgspec import Struct

from reference_runtime.bound.errors import NeedsHost
from reference_runtime.devices import cuda_api
from reference_runtime.devices.base import ALIGNMENT, GUARD, Pointer
from reference_runtime.devices.cuda_calls import CudaCall, NoListenerError, listen, quietly
from reference_runtime.devices.cuda_memory import CudaArena, CudaBuffer, download, upload
from reference_runtime.devices.cuda_order import CudaMark, CudaStream
from reference_runtime.devices.records import (
    Access,
    Allocation,
    DeviceFault,
    Fault,
    FaultKind,
    Race,
    Recording,
    Synchronization,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference_runtime.devices.cuda_calls import Listener
    from reference_runtime.devices.records import Kind, Owner, Source

_WAITS = {"cuStreamSynchronize": "stream", "cuCtxSynchronize": "device", "cuEventSynchronize": "event"}
_FREES = {"cuMemFree", "cuMemFreeAsync"}
_INVALID_VALUE = 1  # CUDA_ERROR_INVALID_VALUE


class PluginAllocation(Struct, frozen=True):
    """Memory that a plugin allocated from CUDA and has not freed."""

    address: int
    nbytes: int
    source: Source
    owner: Owner = "plugin"


class CudaRecording(Recording):
    """Recorded calls of the driver. An access is a launch or a copy; a launch does not show which bytes it accesses."""

    def races(self) -> list[Race]:
        """Raise an error, because a GPU does not show which bytes a kernel accesses.

        Raises:
            NeedsHost: Always.
        """
        raise NeedsHost("which bytes a kernel reads and writes")


class CudaDevice:
    """The current device of CUDA."""

    is_asynchronous = True
    """Work runs after the call that submits it, so a stream may be late."""

    def __init__(self, *, listening: bool = True) -> None:
        """Use CUDA's current device. Without ``listening`` no call of the driver is recorded, and none is slowed."""
        self.faults: list[Fault] = []
        self._live: dict[int, CudaBuffer] = {}
        self._held: dict[int, PluginAllocation] = {}
        self._labels: dict[int, str] = {}  # by address, for all memory that was ever allocated
        self._pooled = cuda_api.pooled()
        self._is_pooling = 0
        self._hook = cuda_api.pool_hook(self._pooling) if listening else None
        self._recordings: list[CudaRecording] = []
        self._streams: list[CudaStream] = []  # the last reference to a stream destroys it, as on the host
        self._why_unrecorded = "" if listening else "no call is recorded during timing"
        self._listener: Listener | None = None
        if listening:
            self._listen()

    @property
    def plugin_bytes(self) -> int:
        """Return how many bytes the plugin has allocated and not freed; the memory of CuPy's pool is not counted.

        Raises:
            NeedsHost: Calls of the driver are not recorded, or torch has memory, too.
        """
        self._require_listener()
        if "torch" in sys.modules:
            raise NeedsHost("whether memory is torch's or the plugin's")
        return sum(each.nbytes for each in self._held.values()) - (cuda_api.pooled() - self._pooled)

    @property
    def shortage(self) -> NoReturn:
        """Raise an error, because a real device cannot run out of memory for one plugin alone.

        Raises:
            NeedsHost: Always.
        """
        raise NeedsHost("a device that runs out of memory")

    def __process_state__(self) -> object:
        """Return the addresses of all memory that is allocated, and the faults; Python cannot see the listener."""
        return sorted(self._live), sorted(self._held), len(self.faults)

    def allocate(
        self, nbytes: int, *, label: str = "", owner: Owner = "runtime", source: Source = "malloc"
    ) -> CudaBuffer:
        """Return new memory between guard bands, filled with poison."""
        if nbytes < 0:
            raise ValueError(f"cannot allocate {nbytes} bytes")
        with quietly():
            address = cuda_api.runtime().malloc(GUARD + -(-nbytes // ALIGNMENT) * ALIGNMENT + GUARD) + GUARD
            buffer = CudaBuffer(address, nbytes, label=label, owner=owner, source=source, on_free=self._release)
            buffer.poison()
        self._live[address] = buffer
        self._labels[address] = label
        return buffer

    def arena(self, address: int, nbytes: int, *, shared: bool) -> CudaArena:
        """Return an arena in existing memory; the owner of ``shared`` memory may use it between executions."""
        self.reach(address, nbytes)
        return CudaArena(address, nbytes, self.report, shared=shared)

    def reach(self, address: int, nbytes: int) -> None:
        """Raise `DeviceFault` unless ``nbytes`` bytes at ``address`` are in one allocation."""
        known = cuda_api.range_of(address) if nbytes else (address, 0)
        if known is None or address + nbytes > sum(known):
            kind = FaultKind.UNKNOWN if known is None else FaultKind.OUT_OF_BOUNDS
            sentence = f"{nbytes} bytes at {address:#x} are not in one allocation of device memory"
            raise DeviceFault(self.report(kind, address, nbytes, "", sentence))

    def is_address(self, address: int) -> bool:
        """Return whether an address is in memory of the device."""
        return cuda_api.range_of(address) is not None

    def mark(self, stream: int) -> CudaMark:
        """Return a mark behind all work that ``stream`` has so far."""
        return CudaMark(stream)

    def comes_after(self, stream: int, mark: CudaMark) -> bool:
        """Return whether all later work on ``stream`` is certain to run after ``mark``."""
        return stream == mark.stream or mark.is_over

    def wait(self, stream: int, mark: CudaMark) -> None:
        """Make later work on ``stream`` wait for ``mark``."""
        mark.hold(stream)

    def record_event(self, event: int, *, stream: int) -> None:
        """Record the application's event on ``stream``."""
        cuda_api.runtime().eventRecord(event, stream)

    def new_stream(self, *, blocking: bool = False) -> CudaStream:
        """Return a new stream; unless ``blocking`` it does not wait for the default stream."""
        self._streams.append(CudaStream(blocking=blocking))
        return self._streams[-1]

    def synchronize(self) -> None:
        """Wait until all work on the device is done."""
        with quietly():
            cuda_api.runtime().deviceSynchronize()

    @contextmanager
    def recording(self) -> Iterator[CudaRecording]:
        """Record launches, copies, allocations and waits; recordings may nest.

        Raises:
            NeedsHost: Calls of the driver are not recorded.
        """
        self._require_listener()
        log = CudaRecording()
        self._recordings.append(log)
        try:
            yield log
        finally:
            self._recordings.remove(log)

    def note(self, address: int, nbytes: int, kind: Kind, stream: int) -> None:
        """Record an access of the layers before or after a plugin, as the host device records it."""
        for log in self._recordings:
            log.accesses.append(Access(stream, address, nbytes, kind))

    def launch(self, image: bytes, name: str, sizes: Sequence[int], arguments: Sequence[Any], *, stream: int) -> None:
        """Load the kernel, once for each image, and launch it.

        A parameter without an argument is 0. Triton's kernels end with parameters for memory that most kernels do not
        use. CUDA reads an argument for each parameter, so too few would end the process.
        """
        values = [np.uintp(each.address) if isinstance(each, Pointer) else each for each in arguments]
        function, count = cuda_api.kernel_of(image, name)
        values += [np.uintp(0)] * (count - len(values))
        function(tuple(sizes[:3]), tuple(sizes[3:6]), values, sizes[6], cuda_api.stream_of(stream))

    def fetch(self, address: int, nbytes: int, *, stream: int) -> bytes:  # noqa: ARG002 - it waits for all streams
        """Return the content of memory, once the device has done all its work."""
        return bytes(download(address, nbytes))

    def store(self, address: int, data: bytes, *, stream: int) -> None:  # noqa: ARG002 - it waits for all streams
        """Write to memory, once the device has done all its work."""
        upload(address, data)

    def report(self, kind: FaultKind, address: int, nbytes: int, label: str, sentence: str) -> Fault:
        """Record a fault."""
        fault = Fault(kind, address, nbytes, label, sentence)
        self.faults.append(fault)
        return fault

    def close(self) -> None:
        """Stop listening."""
        if self._hook is not None:
            self._hook.__exit__()
        if self._listener is not None:
            self._listener.close()

    def _listen(self) -> None:
        try:
            self._listener = listen(self._record_call)
        except NoListenerError as error:
            self._why_unrecorded = str(error)

    def _require_listener(self) -> None:
        if self._why_unrecorded:
            raise NeedsHost(f"the calls of the driver ({self._why_unrecorded})")

    def _release(self, buffer: CudaBuffer) -> None:
        if buffer.freed:
            sentence = f"{buffer!r} was freed a second time"
            raise DeviceFault(self.report(FaultKind.DOUBLE_FREE, buffer.address, buffer.nbytes, buffer.label, sentence))
        self._live.pop(buffer.address, None)
        with quietly():
            buffer.retire()
            cuda_api.runtime().free(buffer.address - GUARD)

    def _record_call(self, call: CudaCall) -> None:
        """Record a call of the driver, which the plugin made."""
        if call.name in _FREES and call.error:
            self._blame(call)
        elif call.name.startswith("cuMemAlloc") and call.address and not call.error:
            source: Source = "malloc" if call.stream is None else "malloc_async"
            source = "pool" if self._is_pooling else source
            self._held[call.address] = PluginAllocation(call.address, call.nbytes, source)
            self._labels.pop(call.address, None)
            self._log_allocation(Allocation("plugin", source, call.address, call.nbytes))
        elif call.name in _FREES:
            held = self._held.pop(call.address, None)
            if held is not None:
                self._log_allocation(Allocation("plugin", held.source, held.address, held.nbytes, freed=True))
        elif call.name in _WAITS:
            for log in self._recordings:
                log.synchronizations.append(Synchronization(_WAITS[call.name], call.stream))
        elif call.stream is not None:
            for log in self._recordings:
                log.accesses.append(Access(call.stream, call.address, call.nbytes, "write"))

    def _blame(self, call: CudaCall) -> None:
        """Report a free of unknown memory. Any other error of a free comes from earlier work on the device."""
        if call.error == _INVALID_VALUE:
            label = self._labels.get(call.address, "")
            place = f"{call.address:#x} ({label})" if label else f"{call.address:#x}"
            why = "it was freed before, or is not memory of CUDA"
            sentence = f"{place} was freed, but no allocation of CUDA begins there: {why}"
            self.report(FaultKind.BAD_FREE, call.address, 0, label, sentence)

    def _pooling(self, change: int) -> None:
        self._is_pooling += change

    def _log_allocation(self, allocation: Allocation) -> None:
        for log in self._recordings:
            log.allocations.append(allocation)
