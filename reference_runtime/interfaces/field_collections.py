"""The collections of plugin fields: those that user code builds, and those that TensorRT passes to a creator.

Theory. ``PluginFieldCollection`` is a C++ vector: it copies records in and returns references.
``PluginFieldCollection_`` is a pointer to records and their number. It returns copies, and it checks the upper bound of
an index only. TensorRT owns the fields that it passes to ``create_plugin``, and frees them when the call returns. So
`received` makes fields that can be freed. A read after that, or beside the fields, is recorded and returns stray bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import initialise, pybind11_object, state
from reference_runtime.bound.conversions import Mismatch, instance, int32, int64, is_really
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.bound.undefined_use import Misuse, MisuseKind, misuse
from reference_runtime.interfaces.field import (
    FallbackString,
    PluginField,
    assign,
    copy,
    declared_dtype,
    garbage,
    is_alive,
    misuses_of,
    own,
    source_of,
)

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "FallbackString",
    "PluginField",
    "PluginFieldCollection",
    "PluginFieldCollection_",
    "ReceivedFields",
    "declared_dtype",
    "fields_in",
    "is_alive",
    "misuses_of",
    "received",
    "source_of",
    "to_records",
]

_SELF = "self: PluginFieldCollection"
_FIELD = instance(PluginField)


def _iterable(value: Any) -> list[PluginField]:
    """Convert an iterable of fields; like the bindings, raise RuntimeError for an element of another class."""
    if not isinstance(value, Iterable):
        raise Mismatch
    items = list(value)
    for item in items:
        if item is None:
            raise Mismatch
        if not isinstance(item, PluginField):
            raise RuntimeError(  # noqa: TRY004 - the class that was measured
                f"Unable to cast Python instance of type {type(item)} to C++ type '?' "
                f"(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
            )
    return items


def _vector(value: Any) -> PluginFieldCollection:
    if is_really(value, PluginFieldCollection):
        vector: PluginFieldCollection = value
        return vector
    raise Mismatch


class PluginFieldCollection(pybind11_object, bound=True):
    """A vector of field records; it does not keep their buffers alive."""

    @constructor(
        Overload(f"({_SELF}) -> None"),
        Overload(f"({_SELF}, arg0: PluginFieldCollection) -> None", _vector),
        Overload(f"({_SELF}, arg0: collections.abc.Iterable) -> None", _iterable),
    )
    def __init__(self, fields: Iterable[PluginField] = ()) -> None:
        state(self)["items"] = [copy(field) for field in fields]

    @bound(Overload("(self: PluginFieldCollection) -> int"))
    def __len__(self) -> int:
        """Return the number of records."""
        return len(_items(self))

    @bound(Overload("(self: PluginFieldCollection) -> bool"))
    def __bool__(self) -> bool:
        """Say whether there are any."""
        return bool(_items(self))

    @bound(Overload(f"({_SELF}) -> collections.abc.Iterator[nvinfer1::PluginField]"))
    def __iter__(self) -> Iterator[PluginField]:
        """Go through the records."""
        return iter(_items(self))

    @bound(
        Overload(f"({_SELF}, s: slice) -> PluginFieldCollection", instance(slice)),
        Overload(f"({_SELF}, arg0: typing.SupportsInt) -> nvinfer1::PluginField", int64),
    )
    def __getitem__(self, key: Any) -> Any:
        """Return a record, by reference, or a vector of copies."""
        if isinstance(key, slice):
            return PluginFieldCollection(_items(self)[key])
        return _items(self)[_place(self, key)]

    @bound(
        Overload(f"({_SELF}, arg0: typing.SupportsInt, arg1: nvinfer1::PluginField) -> None", int64, _FIELD),
        Overload(f"({_SELF}, arg0: slice, arg1: PluginFieldCollection) -> None", instance(slice), _vector),
    )
    def __setitem__(self, key: Any, value: Any) -> None:
        """Copy a record, or all records of a slice, into place."""
        items = _items(self)
        if not isinstance(key, slice):
            assign(items[_place(self, key)], value)
            return
        places = range(*key.indices(len(items)))
        if len(places) != len(value):
            raise RuntimeError("Left and right hand size of slice assignment have different sizes!")
        for place, source in zip(places, list(value), strict=True):
            assign(items[place], source)

    @bound(
        Overload(f"({_SELF}, arg0: typing.SupportsInt) -> None", int64),
        Overload(f"({_SELF}, arg0: slice) -> None", instance(slice)),
    )
    def __delitem__(self, key: Any) -> None:
        """Remove a record, or all records of a slice."""
        del _items(self)[key if isinstance(key, slice) else _place(self, key)]

    @bound(Overload(f"({_SELF}, x: nvinfer1::PluginField) -> None", _FIELD))
    def append(self, x: PluginField) -> None:
        """Add a copy of a record at the end."""
        _items(self).append(copy(x))

    @bound(Overload(f"({_SELF}) -> None"))
    def clear(self) -> None:
        """Remove all records."""
        _items(self).clear()

    @bound(
        Overload(f"({_SELF}, L: PluginFieldCollection) -> None", _vector),
        Overload(f"({_SELF}, L: collections.abc.Iterable) -> None", _iterable),
    )
    def extend(self, fields: Iterable[PluginField]) -> None:
        """Add copies of records at the end."""
        _items(self).extend([copy(field) for field in fields])

    @bound(Overload(f"({_SELF}, i: typing.SupportsInt, x: nvinfer1::PluginField) -> None", int64, _FIELD))
    def insert(self, i: int, x: PluginField) -> None:
        """Add a copy of a record before a place."""
        place = i + len(self) if i < 0 else i
        if not 0 <= place <= len(self):
            raise IndexError
        _items(self).insert(place, copy(x))

    @bound(
        Overload(f"({_SELF}) -> nvinfer1::PluginField"),
        Overload(f"({_SELF}, i: typing.SupportsInt) -> nvinfer1::PluginField", int64),
    )
    def pop(self, i: int = -1) -> PluginField:
        """Remove a record and return it."""
        return _items(self).pop(_place(self, i))


def _items(vector: PluginFieldCollection) -> list[PluginField]:
    items: list[PluginField] = state(vector)["items"]
    return items


def _place(vector: PluginFieldCollection, index: int) -> int:
    length = len(_items(vector))
    place = index + length if index < 0 else index
    if not 0 <= place < length:
        raise IndexError
    return place


class PluginFieldCollection_(pybind11_object, bound=True):  # noqa: N801 - TensorRT's own spelling
    """A pointer to field records and their number; creators receive and advertise this class."""

    @constructor(Overload("(self: PluginFieldCollection_, arg0: PluginFieldCollection) -> None", _vector))
    def __init__(self, vector: PluginFieldCollection) -> None:
        _point(self, list(_items(vector)), [])

    @bound(Overload("(self: PluginFieldCollection_) -> int"))
    def __len__(self) -> int:
        """Return the number of records at the time of construction."""
        return len(_records(self))

    @bound(Overload("(self: PluginFieldCollection_, arg0: typing.SupportsInt) -> PluginField", int32))
    def __getitem__(self, index: Any) -> PluginField:
        """Return a copy of a record; a negative index returns garbage, since only the upper bound is checked."""
        records = _records(self)
        misuses: list[Misuse] = state(self)["_misuses"]
        if index >= len(records):
            raise IndexError("Out of bounds")
        if index < 0:
            misuses.append(misuse(MisuseKind.NEGATIVE_INDEX, f"field_collection[{index}] was read"))
            return garbage(misuses)
        if state(self)["_freed"]:
            misuses.append(misuse(MisuseKind.FREED_FIELDS, f"field_collection[{index}] was read"))
            return garbage(misuses)
        return copy(records[index])


def _point(target: PluginFieldCollection_, records: list[PluginField], misuses: list[Misuse]) -> None:
    state(target).update(records=records, _misuses=misuses, _freed=False)


def _records(collection: PluginFieldCollection_) -> list[PluginField]:
    records: list[PluginField] = state(collection)["records"]
    return records


class ReceivedFields(PluginFieldCollection_, bound=True, spelled="PluginFieldCollection_"):
    """The fields that TensorRT lends to one call; Python sees a ``PluginFieldCollection_``."""

    def __init__(self, fields: Sequence[PluginField], read_through: type[np.ndarray[Any, Any]] | None) -> None:
        initialise(self, ReceivedFields)
        misuses: list[Misuse] = []
        owned = [own(field, misuses, when_dead=MisuseKind.FREED_FIELDS, read_through=read_through) for field in fields]
        _point(self, [field for field, _loan in owned], misuses)
        state(self)["_loans"] = [loan for _field, loan in owned]

    @property
    def misuses(self) -> list[Misuse]:
        """The recorded uses of these fields that C++ leaves undefined."""
        misuses: list[Misuse] = state(self)["_misuses"]
        return misuses

    def read_through(self, kind: type[np.ndarray[Any, Any]]) -> None:
        """Let ``field.data`` return arrays of the class ``kind``."""
        for field in _records(self):
            state(field)["_read_through"] = kind

    def free(self) -> None:
        """Free the fields, as TensorRT does when the call has returned."""
        state(self)["_freed"] = True
        state(self)["_loans"] = []


def received(
    fields: Sequence[PluginField], *, read_through: type[np.ndarray[Any, Any]] | None = None
) -> ReceivedFields:
    """Return deep copies of fields as a creator receives them; ``free`` them when the call is over.

    ``field.data`` returns arrays of the class ``read_through``, by which an observer can watch accesses.
    """
    return ReceivedFields(fields, read_through)


def to_records(value: Any) -> PluginFieldCollection_:
    """Convert to a pointer to records, as a bound parameter does; a list of fields is not enough."""
    if is_really(value, PluginFieldCollection_):
        records: PluginFieldCollection_ = value
        return records
    return PluginFieldCollection_(_vector(value))


def fields_in(value: Any) -> list[PluginField]:
    """Return the records behind a collection, as C++ reads them; a list of fields is not enough.

    Raises:
        Mismatch: ``value`` is no collection.
    """
    if is_really(value, PluginFieldCollection_):
        return [PluginFieldCollection_.__getitem__(value, place) for place in range(len(_records(value)))]
    return list(_items(_vector(value)))
