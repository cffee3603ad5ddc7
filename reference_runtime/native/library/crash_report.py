"""Report the C++ stack of a crash: the library's running functions, and the exception that ended the process.

Theory. A handler for each fatal signal runs on a separate stack, as the normal stack may have overflowed. It restores
the previous handler, writes its report to a file descriptor, and raises the signal again. The handler is Python code in
a process that is about to end. If it fails, there is no report, and the process ends without one. Only an access that
`lent_memory.forgiven` allows does not end the process.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import signal
from collections.abc import Iterator
from typing import Any, Final

from reference_runtime.native.abi.slots import address_of_code
from reference_runtime.native.abi.type_names import current_exception
from reference_runtime.native.elf.places import frames, place_of
from reference_runtime.native.elf.signals import COUNTER, PLACE, WITH_INFORMATION, Action
from reference_runtime.native.exchange.lent_memory import forgiven
from reference_runtime.native.heap import address_sanitizer

#: How a report begins.
HEADING: Final = "C++ stack (most recent call first):"
_SIGNALS: Final = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
_ON_OWN_STACK: Final = 0x08000000
_SHOWN: Final = 24
_STACK_BYTES: Final = 1 << 20
_OURS: Final = ("libpython", "python", "_ctypes", "libffi")
#: Libraries whose functions only lead to the end of the process.
_LAST: Final = ("libc.so", "libstdc++.so", "libgcc_s.so", "libasan.so")


class _Stack(ctypes.Structure):
    _fields_ = (("begin", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


class _Handler:
    """The handler of this process, and the handlers that it replaced."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._c: Any = ctypes.CDLL(None)
        frames(1)  # the first call loads libgcc, which must not happen while the process ends
        self._stack = ctypes.create_string_buffer(_STACK_BYTES)
        self._before = {number: Action() for number in _SIGNALS}
        kind = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        self._callback = kind(self._report)

    def install(self) -> None:
        """Handle all fatal signals from now on, in this process and in processes that it forks."""
        stack = _Stack(ctypes.addressof(self._stack), 0, _STACK_BYTES)
        self._c.sigaltstack(ctypes.byref(stack), None)
        action = Action(address_of_code(self._callback), flags=_ON_OWN_STACK | WITH_INFORMATION)
        for number, before in self._before.items():
            self._c.sigaction(int(number), ctypes.byref(action), ctypes.byref(before))

    def _report(self, number: int, information: int, context: int) -> None:
        if number == signal.SIGSEGV and forgiven(_word(information + PLACE)):
            return
        before = self._before[signal.Signals(number)]
        self._c.sigaction(number, ctypes.byref(before), None)
        failed_at = _word(context + COUNTER)
        lines = [*self._reason(number), HEADING, *self._shown(failed_at)]
        os.write(self._descriptor, "".join(f"{line}\n" for line in lines).encode())
        getattr(self._c, "raise")(number)  # the previous handler is next

    @staticmethod
    def _reason(number: int) -> Iterator[str]:
        if sanitizer_error := address_sanitizer.finding():
            yield f"AddressSanitizer ended the process: {sanitizer_error}"
        thrown = current_exception() if number == signal.SIGABRT and not sanitizer_error else ""
        if thrown:
            yield f"A C++ exception left the plugin, and nothing catches it: {thrown}"

    def _shown(self, failed_at: int) -> Iterator[str]:
        """Yield the frames from the frame that failed to the frame that Python called."""
        addresses = frames()
        begin = addresses.index(failed_at) if failed_at in addresses else 0
        calls = [address - 1 for address in addresses[begin + 1 :]]  # a return address may be the next function's
        places = [place_of(address) for address in (*addresses[begin : begin + 1], *calls)]
        places = list(itertools.takewhile(lambda place: not place[0].startswith(_OURS), places))
        later = list(itertools.dropwhile(lambda place: place[0].startswith(_LAST), places))
        for _, text in (later or places)[:_SHOWN]:
            yield f"  {text}"


def _word(address: int) -> int:
    return ctypes.c_void_p.from_address(address).value or 0


class _Process:
    handler: _Handler | None = None


def install(descriptor: int) -> None:
    """Report crashes of this process to a file descriptor from now on."""
    _Process.handler = _Handler(descriptor)
    _Process.handler.install()
