"""Load stand-ins into this process under the names of missing libraries, and fill them with callbacks."""

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
    """The loaded libraries and tables, kept until the process ends: code of libraries may call them to the end."""

    kept: Final[list[Any]] = []
    tables: Final[list[tuple[Any, int]]] = []


def load_stand_in(
    soname: str, callbacks: Mapping[str, Any], versions: Mapping[str, str] | None = None, *, pairs: int = 0
) -> ctypes.CDLL:
    """Load a library of callbacks that other libraries find by its name; it stays.

    The loader takes a second library for the first if it is opened by the same number of a descriptor. So descriptors
    stay open, too.
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
    """Functions that return a kind, a major and a minor number as ``InterfaceInfo`` is returned."""

    def __init__(self) -> None:
        self._library = load_stand_in("trt_conformance_pairs.so", {}, pairs=_PAIRS)
        self._table = (ctypes.c_void_p * (2 * _PAIRS)).in_dll(self._library, TABLE)
        self._count = 0
        atexit.register(_let_go, address_of_code(getattr(self._library, pair_name(_PAIRS - 1))))

    def function(self, kind: str, major: int, minor: int) -> int:
        """Return the address of a function that returns them."""
        text = ctypes.create_string_buffer(kind.encode())
        _Process.kept.append(text)
        number, self._count = self._count, self._count + 1
        self._table[2 * number], self._table[2 * number + 1] = ctypes.addressof(text), major | minor << 32
        return address_of_code(getattr(self._library, pair_name(number)))


def _let_go(nothing: int) -> None:
    """Let all stand-ins do nothing: destructors of libraries run when the interpreter is gone."""
    for table, count in _Process.tables:
        for place in range(count):
            table[place] = nothing
