"""Handlers of signals that the processor raises: what ``sigaction`` takes, and where the kernel keeps the registers."""

from __future__ import annotations

import ctypes
import platform
from typing import Final

#: The flag of a handler that gets the registers.
WITH_INFORMATION: Final = 4
#: Where in them the address of the instruction is, by the kind of machine.
COUNTER: Final = {"x86_64": 168, "aarch64": 440}.get(platform.machine(), 168)
#: Where in the information of a SIGSEGV the address is that could not be accessed.
PLACE: Final = 16


class Action(ctypes.Structure):
    """``struct sigaction`` of Linux on 64-bit machines."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )
