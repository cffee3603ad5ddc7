"""Recognize addresses on this thread's stack: the local variables there end when their function returns."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Final

#: How many bytes ``pthread_attr_t`` takes on machines of 64 bits, at most.
_ATTRIBUTES: Final = 128
_C: Final[Any] = ctypes.CDLL(None)
_C.pthread_self.restype = ctypes.c_void_p


class _Stack(threading.local):
    """The range of addresses of this thread's stack."""

    def __init__(self) -> None:
        attributes, begin, size = ctypes.create_string_buffer(_ATTRIBUTES), ctypes.c_size_t(), ctypes.c_size_t()
        _C.pthread_getattr_np(ctypes.c_void_p(_C.pthread_self()), attributes)
        _C.pthread_attr_getstack(attributes, ctypes.byref(begin), ctypes.byref(size))
        _C.pthread_attr_destroy(attributes)
        self.addresses = range(begin.value, begin.value + size.value)


_STACK: Final = _Stack()


def is_on_stack(address: int) -> bool:
    """Return whether an address is on this thread's stack."""
    return address in _STACK.addresses
