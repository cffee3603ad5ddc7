"""Convert addresses as the bindings do for a ``void*`` in C++: null is ``None``, any other address is a capsule."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from reference_runtime.bound.conversions import Mismatch

_new: Any = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_address: Any = ctypes.pythonapi.PyCapsule_GetPointer
_address.restype = ctypes.c_void_p
_address.argtypes = [ctypes.py_object, ctypes.c_char_p]
_name: Any = ctypes.pythonapi.PyCapsule_GetName
_name.restype = ctypes.c_char_p
_name.argtypes = [ctypes.py_object]

_CAPSULE: Final = type(_new(1, None, None))


def capsule(address: int) -> Any:
    """Return an address as a bound method returns it: a capsule, or None for 0."""
    return _new(address, None, None) if address else None


def pointer(value: Any) -> int:
    """Return the address in an argument for a ``void*`` parameter: ``None`` or a capsule, but no integer."""
    if value is None:
        return 0
    if not isinstance(value, _CAPSULE):
        raise Mismatch
    return int(_address(value, _name(value)))
