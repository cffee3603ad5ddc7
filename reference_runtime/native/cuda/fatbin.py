"""Find the GPU architectures that a library's kernels were compiled for, in the headers of nvcc's fat binaries.

Theory. The section ``.nv_fatbin`` holds fat binaries one after the other. Each begins with a header: a magic number, a
version, its own size, and the size of its entries. Then come entries: machine code or PTX, each for one architecture.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

_MAGIC: Final = 0xBA55ED50
_HEADER: Final = struct.Struct("<IHHQ")
_ENTRY: Final = struct.Struct("<HHIQ12xI")
_KINDS: Final = {1: "compute", 2: "sm"}
_ALIGN: Final = 8


def architectures(library: Library) -> list[str]:
    """Return a library's GPU architectures, sorted: ``sm_90`` is machine code, ``compute_90`` is PTX."""
    return architectures_in(library.section(".nv_fatbin"))


def architectures_in(data: bytes) -> list[str]:
    """Return the GPU architectures in the content of a section ``.nv_fatbin``; bytes of no fat binary are skipped."""
    return sorted({f"{_KINDS[kind]}_{number}" for kind, number in _entries(data) if kind in _KINDS})


def need_compilation(kernels: Collection[str], capability: str) -> bool:
    """Return whether the driver must compile kernels for a GPU: they have PTX, and no machine code that it runs.

    Args:
        kernels: Their architectures, as `architectures` returns them.
        capability: The GPU's compute capability as CuPy writes it: ``90`` for 9.0.
    """
    numbers = [int(each.removeprefix("sm_")) for each in kernels if each.startswith("sm_")]
    gpu = int(capability)
    return bool(kernels) and not any(each // 10 == gpu // 10 and each <= gpu for each in numbers)


def _entries(data: bytes) -> Iterator[tuple[int, int]]:
    place = 0
    while place + _HEADER.size <= len(data):
        magic, _, header, size = _HEADER.unpack_from(data, place)
        if magic != _MAGIC:
            place += _ALIGN
            continue
        end = min(place + header + size, len(data))
        place += header
        while place + _ENTRY.size <= end:
            kind, _, before, length, number = _ENTRY.unpack_from(data, place)
            yield kind, number
            place += max(before + length, _ALIGN)
        place = (end + _ALIGN - 1) // _ALIGN * _ALIGN
