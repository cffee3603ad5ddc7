"""IHostMemory: bytes of the runtime that Python reads through the buffer protocol.

Theory. The genuine class has only the buffer protocol, ``nbytes`` and ``dtype``. Since Python 3.12 a class that is
written in Python can have that protocol. Before, only a subclass of ``bytes`` can. That subclass hides everything else
that ``bytes`` has: look-ups, ``dir``, ``len``, indices, loops and operators behave as in the genuine bindings. The
remaining differences are in docs/contributing/fidelity.md.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import attribute, made, pybind11_object, pybind11_type, spelling, state
from reference_runtime.bound.context_managers import make_context_manager
from reference_runtime.values.enums import DataType

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["IHostMemory", "host_memory"]

if sys.version_info >= (3, 12):

    @make_context_manager
    class IHostMemory(pybind11_object, bound=True):
        """A serialized engine."""

        dtype = attribute(lambda _self: DataType.INT8)
        nbytes = attribute(lambda self: len(state(self)["_data"]))

        def __buffer__(self, flags: int, /) -> memoryview:
            """Return a view of the bytes."""
            data: bytes = state(self)["_data"]
            return memoryview(data)

    def host_memory(data: bytes) -> IHostMemory:
        """Return ``data`` as an object for the application."""
        return made(IHostMemory, _data=data)

else:
    _OWN = frozenset({*dir(object), "__module__", "__enter__", "__exit__", "__dict__", "dtype", "nbytes"})
    _HIDDEN = frozenset(dir(bytes)) - _OWN

    class _HidingType(pybind11_type):
        """The metaclass of a class that hides what it inherits."""

        def __dir__(self) -> list[str]:
            """Return the names that the genuine class shows."""
            return sorted(_OWN - {"__dict__"})

        def __getattribute__(self, name: str) -> Any:
            """Return an attribute that the genuine class has; hide all others."""
            if name in _HIDDEN:
                raise AttributeError(f"type object {spelling(self)!r} has no attribute {name!r}")
            return super().__getattribute__(name)

    def _refused(words: str) -> Callable[..., Any]:
        """Return a special method that raises the interpreter's error for a missing method."""

        def refuse(self: object, *_arguments: object) -> Any:
            raise TypeError(words.format(spelling(type(self))))

        return refuse

    def _no_operator(_self: object, _other: object) -> Any:
        return NotImplemented

    @make_context_manager
    class IHostMemory(bytes, metaclass=_HidingType, bound=True):
        """A serialized engine."""

        dtype = attribute(lambda _self: DataType.INT8)
        nbytes = attribute(bytes.__len__)

        def __init__(self, *_arguments: Any) -> None:
            """Raise TypeError: only the runtime makes these objects."""
            raise TypeError(f"{spelling(IHostMemory)}: No constructor defined!")

        def __getattribute__(self, name: str) -> Any:
            """Return an attribute that the genuine class has; hide all others."""
            if name in _HIDDEN:
                raise AttributeError(f"{spelling(type(self))!r} object has no attribute {name!r}")
            return object.__getattribute__(self, name)

        def __dir__(self) -> list[str]:
            """Return the names that the genuine class shows."""
            return dir(type(self))

        def __eq__(self, other: object) -> bool:
            """Return whether it is the very same object: ``bytes`` of the same contents are not equal."""
            return self is other

        def __ne__(self, other: object) -> bool:
            """Return whether it is another object."""
            return self is not other

        def __bool__(self) -> bool:
            """Return True, as Python does for an object without a length."""
            return True

        __reduce_ex__ = _refused("cannot pickle {!r} object")
        __len__ = _refused("object of type {!r} has no len()")
        __getitem__ = _refused("{!r} object is not subscriptable")
        __iter__ = _refused("{!r} object is not iterable")
        __contains__ = _refused("argument of type {!r} is not iterable")
        __add__ = __mul__ = __rmul__ = __mod__ = __rmod__ = _no_operator
        __lt__ = __le__ = __gt__ = __ge__ = _no_operator
        __hash__ = object.__hash__
        __repr__, __str__ = object.__repr__, object.__str__

    def host_memory(data: bytes) -> IHostMemory:
        """Return ``data`` as an object for the application."""
        return bytes.__new__(IHostMemory, data)
