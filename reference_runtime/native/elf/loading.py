"""Load stand-ins into this process under the names of missing libraries, and connect their functions to callbacks."""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
from collections.abc import Mapping
from typing import Any, Final

from reference_runtime.native.abi.slots import address_of_code
from reference_runtime.native.elf.reading import AARCH64, X86_64
from reference_runtime.native.elf.writing import TABLE, pair_name, stand_in

MACHINE: Final = {"x86_64": X86_64, "aarch64": AARCH64}.get(platform.machine(), 0)
_WORD: Final = ctypes.sizeof(ctypes.c_void_p)
_PAIRS: Final = 8


class _Process:
    """The loaded stand-ins with their callbacks and tables, kept because libraries call them until the process ends."""

    kept: Final[list[Any]] = []
    tables: Final[list[tuple[Any, int]]] = []


def load_stand_in(
    soname: str, callbacks: Mapping[str, Any], versions: Mapping[str, str] | None = None, *, pairs: int = 0
) -> ctypes.CDLL:
    """Load a stand-in, which other libraries find by its name; it stays loaded.

    The loader identifies a library by its path, which has the number of a file descriptor. So descriptors stay open,
    and no two libraries have the same path.
    """
    image = stand_in(soname, list(callbacks), machine=MACHINE, versions=versions, pairs=pairs)
    descriptor = os.memfd_create(soname)
    os.write(descriptor, image)
    library = ctypes.CDLL(f"/proc/self/fd/{descriptor}", mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    table = (ctypes.c_void_p * (len(callbacks) + 2 * pairs + 1)).in_dll(library, TABLE)
    for place, callback in enumerate(callbacks.values()):
        table[place] = address_of_code(callback)
    _Process.kept.extend([library, descriptor, *callbacks.values()])
    _Process.tables.append((table, len(callbacks)))
    return library


class Pairs:
    """Functions for the slots ``getInterfaceInfo``: each returns a kind, a major and a minor version."""

    def __init__(self) -> None:
        self._library = load_stand_in("trt_conformance_pairs.so", {}, pairs=_PAIRS)
        self._table = (ctypes.c_void_p * (2 * _PAIRS)).in_dll(self._library, TABLE)
        self._count = 0
        atexit.register(_let_go, address_of_code(getattr(self._library, pair_name(_PAIRS - 1))))

    def function(self, kind: str, major: int, minor: int) -> int:
        """Return the address of a function that returns this kind and version as an ``InterfaceInfo``."""
        text = ctypes.create_string_buffer(kind.encode())
        _Process.kept.append(text)
        number, self._count = self._count, self._count + 1
        self._table[2 * number], self._table[2 * number + 1] = ctypes.addressof(text), major | minor << 32
        return address_of_code(getattr(self._library, pair_name(number)))


def _let_go(nothing: int) -> None:
    """Make all functions of stand-ins do nothing, because libraries still call them when the interpreter is gone."""
    for table, count in _Process.tables:
        for place in range(count):
            table[place] = nothing
