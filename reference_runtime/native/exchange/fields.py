"""Pass plugin fields to C++ and read them back: names, types, and the data behind pointers."""

from __future__ import annotations

import collections
import contextlib
import ctypes
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.bound.bound_class import state
from reference_runtime.interfaces.field import PluginField, content, declared_dtype, size_in_bytes
from reference_runtime.interfaces.field_collections import PluginFieldCollection
from reference_runtime.native.abi.slots import text
from reference_runtime.native.exchange.misuses import MisuseError
from reference_runtime.native.exchange.thread_stack import is_on_stack
from reference_runtime.values.enums import PluginFieldType

if TYPE_CHECKING:
    from reference_runtime.native.abi.structures import Structures
    from reference_runtime.native.exchange.lent_memory import LentMemory

_RECORD: Final = struct.Struct("<QQii")
_COLLECTION: Final = struct.Struct("<i4xQ")
_TEXT: Final = {int(PluginFieldType.CHAR), int(PluginFieldType.UNKNOWN)}
_KEPT: Final[collections.deque[Any]] = collections.deque(maxlen=64)
"""The fields that were read last. A collection does not own the data of its fields, so the data are kept alive here."""


@contextmanager
def lent_fields(memory: LentMemory, fields: Any) -> Iterator[int]:
    """Lend a collection to C++ within the block, and give its address; 0 for None."""
    if fields is None:
        yield 0
        return
    with contextlib.ExitStack() as stack:
        records = []
        for number in range(len(fields)):
            field = fields[number]
            held = state(field)
            data, _ = content(field)
            if int(held["type"]) in _TEXT:
                data += b"\0"  # TensorRT's parser ends texts with a zero byte that their length does not count
            name, place = stack.enter_context(memory.lend(str(held["name"]).encode() + b"\0", data))
            records.append(_RECORD.pack(name, place if held["_pointer"] is not None else 0, held["type"], held["size"]))
        (array,) = stack.enter_context(memory.lend(b"".join(records)))
        (collection,) = stack.enter_context(memory.lend(_COLLECTION.pack(len(records), array if records else 0)))
        yield collection


def spans(address: int) -> Iterator[tuple[str, int, int]]:
    """Yield each part of a collection in memory: its name for messages, address and size in bytes.

    Raises:
        MisuseError: A part of the collection is missing.
    """
    yield "the collection", address, _COLLECTION.size
    count, array = _COLLECTION.unpack(ctypes.string_at(address, _COLLECTION.size))
    if count < 0 or (count and not array):
        raise MisuseError(f"the collection has {count} fields at the address {array:#x}")
    yield "the array of fields", array, _RECORD.size * count
    for number in range(count):
        name, data, kind, length = _RECORD.unpack(ctypes.string_at(array + _RECORD.size * number, _RECORD.size))
        if not name:
            raise MisuseError(f"the name of field {number} is a null pointer")
        yield f"the name of field {number}", name, 1
        if data:
            yield f"field {number}, whose length is {length},", data, _nbytes(PluginFieldType(kind), length)


def insist_on_lasting(address: int, wrong_with: Callable[[int, int], str]) -> None:
    """Make sure that a collection can be read after the call that returned it.

    Raises:
        MisuseError: A part of it is missing or a local variable, or ``wrong_with`` returns a fault of its memory.
    """
    for what, begin, size in spans(address):
        if size and is_on_stack(begin):
            raise MisuseError(f"{what} is on the stack: a local variable of a function that has returned")
        if wrong := wrong_with(begin, size):
            raise MisuseError(f"{what} {wrong}")


def read_fields(structures: Structures, address: int | None, *, advertised: bool = False) -> Any:
    """Return a collection with copies of the fields at an address; None for a null pointer.

    With ``advertised`` the fields are those that a creator lists. Without data their length is ignored, and is 0.
    """
    if not address:
        return None
    collection = structures.field_collection.from_address(address)
    size = ctypes.sizeof(structures.field)
    return PluginFieldCollection(
        [
            _read(structures.field.from_address(collection.fields + size * number), advertised=advertised)
            for number in range(collection.nbFields)
        ]
    )


def declared_lengths(structures: Structures, address: int | None) -> dict[str, int]:
    """Return the length that each field of a creator's collection declares, in elements, by the field's name."""
    if not address:
        return {}
    collection, size = structures.field_collection.from_address(address), ctypes.sizeof(structures.field)
    records = (structures.field.from_address(collection.fields + size * n) for n in range(collection.nbFields))
    return {text(record.name) or "": int(record.length) for record in records}


def _read(record: Any, *, advertised: bool) -> PluginField:
    kind = PluginFieldType(record.type)
    name = text(record.name) or ""
    field = PluginField(name)
    if record.data and record.length >= 0:
        held = ctypes.string_at(record.data, _nbytes(kind, record.length))
        data = np.frombuffer(bytearray(held), declared_dtype(kind) or np.uint8)
        field = PluginField(name, data, kind)
    field.type = kind
    field.size = 0 if advertised and not record.data else record.length
    _KEPT.append(field)
    return field


def _nbytes(kind: PluginFieldType, length: int) -> int:
    measured = size_in_bytes(kind, length)
    return length if measured is None else measured
