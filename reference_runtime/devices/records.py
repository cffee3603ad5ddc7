"""Records of events on a device: accesses, faults, allocations and synchronisations."""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from reference_runtime.devices.host_streams import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["read", "write", "view"]
Owner = Literal["runtime", "plugin"]
Source = Literal["malloc", "malloc_async", "pool"]
"""``cudaMalloc``, ``cudaMallocAsync``, or the memory pool of an array library."""


class FaultKind(enum.Enum):
    """The kind of a misuse of memory or of a stream."""

    NULL = "null address"
    UNKNOWN = "unknown address"
    OUT_OF_BOUNDS = "out of bounds"
    USE_AFTER_FREE = "use after free"
    DOUBLE_FREE = "double free"
    BAD_FREE = "bad free"
    MISALIGNED = "misaligned address"
    UNKNOWN_STREAM = "unknown stream or event"
    OVERWRITTEN = "memory overwritten that was not lent"


class Fault(Struct, frozen=True):
    """One misuse of a device; ``sentence`` describes it for messages."""

    kind: FaultKind
    address: int
    nbytes: int
    label: str
    sentence: str


class DeviceFault(RuntimeError):  # noqa: N818 - what hardware calls it
    """A fault for which a real device would crash or report a sticky error."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class KernelFailedError(RuntimeError):
    """A kernel failed on a GPU. CUDA reports it at a later call, and this process cannot use the device again."""


@dataclasses.dataclass(frozen=True)
class Access:
    """One use of device memory by work on a stream.

    ``clock`` holds, for each stream, how many pieces of its work are certain to come before.
    """

    stream: int
    address: int
    nbytes: int
    kind: Kind
    number: int = 0
    clock: Clock = dataclasses.field(default_factory=lambda: Clock({}, {}), compare=False)

    def comes_after(self, other: Access) -> bool:
        """Return whether every legal schedule runs this access after ``other``."""
        return other.number < self.number and (self.clock.get(other.stream, 0) >= other.clock.get(other.stream, 0))

    def overlaps(self, other: Access) -> bool:
        """Return whether the two accesses share a byte."""
        return self.address < other.address + other.nbytes and other.address < self.address + self.nbytes


class Race(Struct, frozen=True):
    """Two accesses of the same bytes, one of them a write, in no guaranteed order."""

    first: Access
    second: Access

    def __str__(self) -> str:
        """Describe the race in a sentence."""
        return (
            f"a {self.second.kind} on stream {self.second.stream:#x} does not wait for a {self.first.kind} on stream "
            f"{self.first.stream:#x}"
        )


class Synchronization(Struct, frozen=True):
    """A wait of the host for a stream, for an event (recorded on ``stream``) or, with None, for the device."""

    what: str
    stream: int | None


class Allocation(Struct, frozen=True):
    """An allocation of memory; with ``freed``, the end of one."""

    owner: Owner
    source: Source
    address: int
    nbytes: int
    freed: bool = False


class Damage(Struct, frozen=True):
    """Bytes of a guard band, or of freed memory, that were overwritten.

    ``offset`` is the place of the first of them, counted from the buffer's first byte; ``nbytes`` is their number.
    """

    side: Literal["before", "after", "freed"]
    offset: int
    nbytes: int


class Recording(Struct, eq=False):  # recordings are compared by identity
    """The events on a device during a block of ``recording``; iteration yields the accesses."""

    accesses: list[Access] = field(default_factory=list)
    allocations: list[Allocation] = field(default_factory=list)
    synchronizations: list[Synchronization] = field(default_factory=list)
    queries: list[int] = field(default_factory=list)
    """The handle of the stream in each query whether a stream is idle."""

    def __iter__(self) -> Iterator[Access]:
        return iter(self.accesses)

    def __len__(self) -> int:
        return len(self.accesses)

    def races(self) -> list[Race]:
        """Return each pair of conflicting accesses that no stream, event or wait puts in order."""
        work = [
            (access, access.address, access.address + access.nbytes, access.kind == "write")
            for access in self.accesses
            if access.kind != "view" and access.nbytes
        ]
        return [
            Race(first, second)
            for index, (second, begin, end, writes) in enumerate(work)
            for first, start, stop, wrote in work[:index]
            if begin < stop and start < end and (writes or wrote) and not second.comes_after(first)
        ]
