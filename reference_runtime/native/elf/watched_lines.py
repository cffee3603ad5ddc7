"""Record which source lines of a loaded library run: each has a breakpoint, which is removed when it is reached.

Theory. The line table says where statements begin. A breakpoint instruction is written over the first byte of each
statement. The handler of its signal notes the line, restores the byte and lets the original instruction run. So each
place costs one signal, and repeated code costs nothing. This works on x86-64 only.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import signal
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.native.abi.slots import address_of_code
from reference_runtime.native.elf.imports import base_of, protect
from reference_runtime.native.elf.line_table import rows_of
from reference_runtime.native.elf.signals import COUNTER, WITH_INFORMATION, Action

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

#: The breakpoint instruction ``int3``, which is one byte long.
_STOP: Final = 0xCC
#: A line table of more bytes takes too long to read.
_MOST_BYTES: Final = 1 << 18
#: A library that calls one of these may block or handle the breakpoints' signal. They would then end the process.
_DANGERS: Final = {"pthread_sigmask", "sigprocmask", "pthread_attr_setsigmask_np", "sigaction", "signal", "sigaltstack"}
_CODE, _OPEN = mmap.PROT_READ | mmap.PROT_EXEC, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
_C: Final[Any] = ctypes.CDLL(None)


class WatchedLines:
    """The lines of one library; without debug information there are none."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lines: dict[int, str] = {}
        self._code: list[tuple[int, bytes, bytes]] = []
        self._fresh: list[int] = []
        self._before = Action()
        kind = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self._callback = kind(self._stopped)

    def know(self) -> None:
        """Read the library's lines, once before the process forks; find none where breakpoints are not possible."""
        library = self._library
        is_dangerous = not _DANGERS.isdisjoint(name for name, _ in library.imports())
        if platform.machine() != "x86_64" or is_dangerous or len(library.section(".debug_line")) > _MOST_BYTES:
            return
        base = base_of(library.path.resolve())
        rows = [row for row in rows_of(library) if row.line and row.begins]
        for code in library.code:
            plain = ctypes.string_at(base + code.start, len(code))
            inside = [row for row in rows if row.address in code and plain[row.address - code.start] != _STOP]
            lines = {base + row.address: f"{row.file}:{row.line}" for row in inside}
            watched = bytearray(plain)
            for address in lines:
                watched[address - base - code.start] = _STOP
            self._lines.update(lines)
            self._code.append((base + code.start, plain, bytes(watched)))

    def begin(self) -> bool:
        """Watch all lines of this process from now on; return False if there are none, or code cannot be changed."""
        if not self._lines or not self._open(_OPEN):
            return False
        action = Action(address_of_code(self._callback), flags=WITH_INFORMATION)
        _C.sigaction(int(signal.SIGTRAP), ctypes.byref(action), ctypes.byref(self._before))
        for place, _, watched in self._code:
            ctypes.memmove(place, watched, len(watched))
        return True

    def end(self) -> None:
        """Remove all breakpoints, and restore the previous handler of their signal."""
        for place, plain, _ in self._code:
            ctypes.memmove(place, plain, len(plain))
        self._open(_CODE)
        _C.sigaction(int(signal.SIGTRAP), ctypes.byref(self._before), None)

    def taken(self) -> list[str]:
        """Return the lines that were reached since the last call of ``taken`` or ``forget``, as ``file:line``."""
        fresh, self._fresh = self._fresh, []
        return [self._lines[address] for address in fresh]

    def forget(self) -> None:
        """Set again the breakpoints that were reached since the last call of ``taken`` or ``forget``."""
        fresh, self._fresh = self._fresh, []
        for address in fresh:
            ctypes.c_ubyte.from_address(address).value = _STOP

    def _open(self, rights: int) -> bool:
        return all(protect(place, len(plain), rights) for place, plain, _ in self._code)

    def _stopped(self, number: int, _information: int, context: int) -> None:
        counter = ctypes.c_uint64.from_address(context + COUNTER)
        address = counter.value - 1
        if address not in self._lines:  # a breakpoint of the plugin's own
            _C.sigaction(number, ctypes.byref(self._before), None)
            getattr(_C, "raise")(number)
            return
        place, plain, _ = next(each for each in self._code if each[0] <= address < each[0] + len(each[1]))
        ctypes.c_ubyte.from_address(address).value = plain[address - place]
        counter.value = address
        self._fresh.append(address)
