"""Make field values for ``create_plugin`` from a case, and keep them valid for one call, as TensorRT does."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec import structs

from reference_runtime.interfaces.field_collections import declared_dtype, received

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    import numpy.typing as npt

    from harness.cases.case import Case

#: The byte that overwrites a buffer when the call is over, so that a plugin that still reads it gets wrong values.
POISON = 0xA5
#: Characters of a field that are shown, at most.
MOST_SHOWN = 60


class FieldValue(msgspec.Struct, frozen=True, eq=False):
    """One field to offer: its name, its data (one-dimensional) and its declared type."""

    name: str
    data: npt.NDArray[Any]
    type: Any

    def __str__(self) -> str:
        """Return ``factor=[1.5]:FLOAT32``, shortened where it is long."""
        text = self.data.tobytes() if self.type.name == "CHAR" else self.data.tolist()
        shown = f"{self.name}={text!r}:{self.type.name}"
        return shown if len(shown) <= MOST_SHOWN else f"{shown[: MOST_SHOWN - 3]}..."

    def replaced(self, **changes: Any) -> FieldValue:
        """Return the field with some attributes changed."""
        return structs.replace(self, **changes)


def case_fields(trt: ModuleType, creator: Any, case: Case) -> list[FieldValue]:
    """Return the case's fields, in its order.

    Without an explicit type a field has the type that the creator advertises, if the data fit it. Otherwise it has the
    type that the data suggest.
    """
    advertised = {field.name: field.type for field in advertised_fields(creator)}
    return [_field_value(trt, name, value, advertised.get(name)) for name, value in case.fields.items()]


def advertised_fields(creator: Any) -> list[Any]:
    """Return the creator's ``field_names`` as a list; empty where it advertises none."""
    return list(creator.field_names or ())


def unset_fields(creator: Any, values: Sequence[FieldValue]) -> list[FieldValue]:
    """Return the fields that the creator advertises and ``values`` lacks, each without elements."""
    names = {value.name for value in values}
    rest = [field for field in advertised_fields(creator) if field.name not in names]
    return [FieldValue(field.name, np.zeros(0, np.uint8), field.type) for field in rest]


@contextlib.contextmanager
def lend(
    trt: ModuleType, values: Sequence[FieldValue], *, read_through: type[npt.NDArray[Any]] | None = None
) -> Iterator[Any]:
    """Yield a collection of the values for the block; afterwards its buffers are overwritten and freed.

    ``read_through`` is the class of the array that ``field.data`` returns; by default, it is NumPy's.
    """
    buffers = [np.array(value.data, copy=True).ravel() for value in values]
    fields = [trt.PluginField(v.name, buffer, v.type) for v, buffer in zip(values, buffers, strict=True)]
    collection = received(fields, read_through=read_through)
    try:
        yield collection
    finally:
        collection.free()
        for buffer in buffers:
            buffer.view(np.uint8).fill(POISON)


def text_field(trt: ModuleType, name: str, text: str | bytes) -> FieldValue:
    """Return a CHAR field."""
    raw = text.encode() if isinstance(text, str) else text
    return FieldValue(name, np.frombuffer(raw, np.int8), trt.PluginFieldType.CHAR)


def _field_value(trt: ModuleType, name: str, value: Any, advertised: Any) -> FieldValue:
    if isinstance(value, (str, bytes)):
        return text_field(trt, name, value)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], trt.PluginFieldType):  # noqa: PLR2004
        return FieldValue(name, np.atleast_1d(np.asarray(value[0])), value[1])
    data = np.atleast_1d(np.asarray(value))
    if advertised is not None and advertised.name != "UNKNOWN":  # UNKNOWN: the creator declares no type
        dtype = declared_dtype(advertised)
        if dtype is not None and np.array_equal(data.astype(dtype), data):
            return FieldValue(name, data.astype(dtype), advertised)
    return FieldValue(name, _plain(data), _type_of(trt, _plain(data).dtype))


def _plain(data: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return data.astype(np.int32) if data.dtype == np.bool_ else data


def _type_of(trt: ModuleType, dtype: np.dtype[Any]) -> Any:
    names = {
        "f8": "FLOAT64",
        "f4": "FLOAT32",
        "f2": "FLOAT16",
        "i8": "INT64",
        "i4": "INT32",
        "i2": "INT16",
        "i1": "INT8",
    }
    name = names.get(dtype.str.lstrip("<>|="), "")
    return trt.PluginFieldType.__members__.get(name, trt.PluginFieldType.UNKNOWN)
