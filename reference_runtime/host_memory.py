"""IHostMemory: bytes that the runtime made and that Python reads through the buffer protocol."""

from __future__ import annotations

from typing import Any

from reference_runtime.context_managers import make_context_manager
from reference_runtime.enums import DataType
from reference_runtime.native import attribute, pybind11_type, spelling

__all__ = ["IHostMemory", "host_memory"]


@make_context_manager
class IHostMemory(bytes, metaclass=pybind11_type, bound=True):
    """A serialized engine.

    It is a kind of ``bytes`` because before Python 3.12 nothing else written in Python has the buffer protocol, which
    applications use (``file.write(memory)``, ``memoryview(memory)``). In the original it has that protocol only.
    """

    dtype = attribute(lambda _self: DataType.INT8)
    nbytes = attribute(bytes.__len__)

    def __init__(self, *_arguments: Any) -> None:
        """Refuse: only the runtime makes one."""
        raise TypeError(f"{spelling(IHostMemory)}: No constructor defined!")

    __repr__ = object.__repr__
    __str__ = object.__repr__


def host_memory(data: bytes) -> IHostMemory:
    """Return ``data`` as the application gets it."""
    return bytes.__new__(IHostMemory, data)
