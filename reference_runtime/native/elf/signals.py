"""Define what handlers of fatal signals need: ``struct sigaction``, and the places of registers and addresses."""

from __future__ import annotations

import ctypes
import platform
from typing import Final

#: The flag of a handler that receives information about the signal and the registers (``SA_SIGINFO``).
WITH_INFORMATION: Final = 4
#: The offset of the instruction's address in the context (``ucontext_t``) that a handler receives.
COUNTER: Final = {"x86_64": 168, "aarch64": 440}.get(platform.machine(), 168)
#: The offset of the address that could not be accessed in the information (``siginfo_t``) of a SIGSEGV.
PLACE: Final = 16


class Action(ctypes.Structure):
    """``struct sigaction`` of Linux on 64-bit machines."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )
