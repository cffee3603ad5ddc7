"""Convert descriptions of tensors to and from bytes in the layout of C++, which the table of facts gives."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.bound_class import native
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType, TensorFormat

if TYPE_CHECKING:
    from reference_runtime.native.abi.facts import Epoch

_MOST_DIMS: Final = 8
_NUMBERS: Final = {"int32_t": "i", "int64_t": "q", "float": "f"}
_PAD: Final = {"int32_t": "", "int64_t": "4x"}


class Tensors:
    """Converts the descriptions of one epoch."""

    def __init__(self, epoch: Epoch) -> None:
        kind = epoch.records["Dims"].members["d"][1]
        extents = f"i{_PAD[kind]}{_MOST_DIMS}{_NUMBERS[kind]}"
        desc = f"{extents}iif"
        desc += f"{epoch.records['PluginTensorDesc'].size - struct.calcsize(f'<{desc}')}x"
        self._dims = struct.Struct(f"<{extents}")
        self._desc = struct.Struct(f"<{desc}")
        members = epoch.records["DynamicPluginTensorDesc"].members
        self._bounds = tuple(sorted(members.keys() - {"desc"}, key=lambda name: members[name][0]))

    def dims(self, shapes: Iterable[Any]) -> bytes:
        """Return shapes as the bytes of an array of ``Dims``."""
        return b"".join(map(self._one_shape, shapes))

    def descs(self, tensors: Iterable[Any]) -> bytes:
        """Return descriptions as the bytes of an array of ``PluginTensorDesc``."""
        return b"".join(map(self._one, tensors))

    def dynamic_descs(self, tensors: Iterable[Any]) -> bytes:
        """Return descriptions as the bytes of an array of ``DynamicPluginTensorDesc``."""
        parts = []
        for tensor in tensors:
            held = native(tensor)
            parts.append(self._one(held["desc"]))
            parts += [self._one_shape(held[bound]) for bound in self._bounds]
        return b"".join(parts)

    def read_dynamic_descs(self, address: int | None, count: int) -> list[DynamicPluginTensorDesc]:
        """Return the ``count`` descriptions of an array of ``DynamicPluginTensorDesc``; none for a null pointer."""
        size = self._desc.size + len(self._bounds) * self._dims.size
        memory = ctypes.string_at(address, size * count) if address else b""
        return [self._read(memory[begin:]) for begin in range(0, len(memory), size)]

    def _read(self, memory: bytes) -> DynamicPluginTensorDesc:
        length, *numbers = self._desc.unpack_from(memory)
        read, desc = DynamicPluginTensorDesc(), PluginTensorDesc()
        *extents, kind, layout, desc.scale = numbers
        desc.dims, desc.type, desc.format = Dims(extents[: max(length, 0)]), DataType(kind), TensorFormat(layout)
        read.desc = desc
        for number, bound in enumerate(self._bounds):
            length, *extents = self._dims.unpack_from(memory, self._desc.size + number * self._dims.size)
            setattr(read, bound, Dims(extents[: max(length, 0)]))
        return read

    def _one_shape(self, shape: Any) -> bytes:
        held = native(shape)
        return self._dims.pack(held["length"], *held["extents"])

    def _one(self, tensor: Any) -> bytes:
        held = native(tensor)
        if type(tensor) is not PluginTensorDesc:  # an observed description records reads: C++ may read every attribute
            held = {"dims": tensor.dims, "type": tensor.type, "format": tensor.format, "scale": tensor.scale}
            held |= {name: int(held[name]) for name in ("type", "format")}
        dims = native(held["dims"])
        return self._desc.pack(dims["length"], *dims["extents"], held["type"], held["format"], held["scale"])


def numbers(values: Sequence[Any]) -> bytes:
    """Return integers or enumerators as the bytes of an array of ``int32_t``."""
    return struct.pack(f"<{len(values)}i", *map(int, values))


def flags(values: Sequence[bool]) -> bytes:
    """Return truth values as the bytes of an array of ``bool``."""
    return struct.pack(f"<{len(values)}?", *values)


def addresses(values: Sequence[int]) -> bytes:
    """Return addresses as the bytes of an array of pointers."""
    return struct.pack(f"<{len(values)}Q", *values)
