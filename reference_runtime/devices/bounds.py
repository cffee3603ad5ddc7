"""Describe an invalid access to device memory: the kind of fault, and a sentence for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.devices.records import FaultKind

if TYPE_CHECKING:
    from reference_runtime.devices.host_buffers import HostBuffer


def nowhere(address: int, nbytes: int) -> tuple[FaultKind, str]:
    """Return the fault of an access to ``nbytes`` bytes at an address without device memory."""
    if address == 0:
        return FaultKind.NULL, f"{nbytes} bytes at the null address were requested"
    return FaultKind.UNKNOWN, f"{nbytes} bytes at {address:#x} were requested, where no device memory is"


def misuse(buffer: HostBuffer, address: int, nbytes: int, alignment: int) -> tuple[FaultKind, str] | None:
    """Return the fault of an access to ``nbytes`` bytes in or around ``buffer``; None if the access is valid."""
    if buffer.freed:
        what = f"{nbytes} bytes at {address:#x} were requested, in {buffer!r}, which was freed"
        return FaultKind.USE_AFTER_FREE, what
    before = max(buffer.address - address, 0)
    past = max(address + nbytes - buffer.address - buffer.nbytes, 0)
    if nbytes < 0 or before or past:
        where = f"{before} bytes before its beginning" if before else f"{past} bytes past its end"
        what = f"{nbytes} bytes at {address:#x} were requested, not all of them in {buffer!r}: {where}"
        return FaultKind.OUT_OF_BOUNDS, what
    if address % alignment:
        return FaultKind.MISALIGNED, f"{address:#x} is not a multiple of the element size, {alignment}"
    return None
