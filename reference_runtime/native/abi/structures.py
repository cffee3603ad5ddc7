"""Define TensorRT's C++ structures as ctypes types, and check their layout against the table of facts."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from reference_runtime.native.abi.facts import Epoch, Record

_NUMBERS: Final = {
    "void": None,
    "bool": ctypes.c_bool,
    "float": ctypes.c_float,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "AllocatorFlags": ctypes.c_uint32,
    "cudaStream_t": ctypes.c_void_p,
    "IErrorRecorder::RefCount": ctypes.c_int32,
    "IPluginRegistry::PluginLibraryHandle": ctypes.c_void_p,
    "PluginFormat": ctypes.c_int32,
}
_TEXTS: Final = ("AsciiChar const*", "InterfaceKind", "char const*", "IErrorRecorder::ErrorDesc")
_ARRAYS: Final = {"Dims": "d", "DimsExprs": "d"}
_MOST_DIMS: Final = 8


class Structures:
    """The types of one epoch, by their names in C++."""

    def __init__(self, epoch: Epoch) -> None:
        self._epoch = epoch
        self._made: dict[str, Any] = {}
        for name in epoch.records:
            self.type_named(name)

    def type_named(self, name: str) -> Any:
        """Return the ctypes type of a type in C++; None for ``void``."""
        if name in _TEXTS:
            return ctypes.c_char_p
        if name.endswith(("*", "&")):
            return ctypes.c_void_p
        if name in _NUMBERS:
            return _NUMBERS[name]
        if name in self._epoch.records:
            if name not in self._made:
                self._made[name] = self._laid_out(name, self._epoch.records[name])
            return self._made[name]
        return ctypes.c_int32  # an enumeration

    def _laid_out(self, name: str, record: Record) -> Any:
        fields = []
        for member, (_, kind) in record.members.items():
            made = self.type_named(kind)
            fields.append((member, made * _MOST_DIMS if _ARRAYS.get(name) == member else made))
        structure = type(name, (ctypes.Structure,), {"_fields_": fields})
        offsets = {member: getattr(structure, member).offset for member in record.members}
        expected = {member: offset for member, (offset, _) in record.members.items()}
        if ctypes.sizeof(structure) != record.size or offsets != expected:
            raise ValueError(f"{name} of TensorRT {self._epoch.version} cannot be laid out on this machine")
        return structure

    @property
    def field(self) -> Any:
        """``PluginField``: a field of a creator."""
        return self.type_named("PluginField")

    @property
    def field_collection(self) -> Any:
        """``PluginFieldCollection``: a pointer to fields and their number."""
        return self.type_named("PluginFieldCollection")
