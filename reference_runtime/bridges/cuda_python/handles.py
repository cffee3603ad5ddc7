"""Convert arguments and results of cuda-python's functions: handles, which are numbers, and host addresses."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from reference_runtime.bridges.cupy.cuda.status import INVALID_VALUE, CUDARuntimeError

__all__ = ["Handle", "as_int", "host_address", "write_to"]


class Handle:
    """A number with a type, as CUDA's handles are."""

    def __init__(self, init_value: Any = 0, _ptr: int = 0) -> None:
        self._value = as_int(init_value)

    def getPtr(self) -> int:
        """Return a number in place of the handle's address, which no code on the host reads."""
        return id(self)

    def __int__(self) -> int:
        return self._value

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        return hasattr(other, "__int__") and int(other) == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._value:#x}>"


def as_int(value: Any) -> int:
    """Return a handle or an address as a number; None is 0, and an array is its first element."""
    if value is None:
        return 0
    return int(value.reshape(-1)[0]) if isinstance(value, np.ndarray) else int(value)


def host_address(value: Any) -> int:
    """Return a host address: of an object with a buffer, of a ctypes object, or the address itself.

    Raises:
        CUDARuntimeError: The value has no address.
    """
    if isinstance(value, (ctypes._SimpleCData, ctypes.Array, ctypes.Structure)):  # noqa: SLF001 - it has no other name
        return ctypes.addressof(value)
    if isinstance(value, (int, np.integer, Handle)):
        return int(value)
    try:
        return int(np.frombuffer(value, np.uint8).__array_interface__["data"][0])
    except (TypeError, ValueError, BufferError) as error:
        raise CUDARuntimeError(INVALID_VALUE) from error


def write_to(target: Any, data: bytes) -> None:
    """Write to a buffer of the host. As in cuda-python, ``bytes`` can be written to, because samples pass them."""
    if len(target) > 1:  # Python keeps one object for each single byte
        ctypes.memmove(host_address(target), data, min(len(target), len(data)))
