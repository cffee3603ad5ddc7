"""Edit lists of fields: leave fields out, repeat, move or empty them, change their type or value.

Theory. An edit is plain data, for example ``{"edit": "value", "field": "shift", "value": "most", "at": 0}``, so that it
can be generated, stored and reported. Edits are applied in order, each to the result of the edit before. An edit that
cannot be applied, such as a new value of a text, changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from harness.contract.finding import NotRun
from harness.subject.fields import FieldValue
from reference_runtime.interfaces.field_collections import declared_dtype

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    import numpy.typing as npt

    Fields = list[FieldValue]
    Edit = dict[str, Any]
    Elements = npt.NDArray[Any]

#: Types of fields that hold bytes.
_RAW = ("CHAR", "UNKNOWN")
#: The number of elements of a field that is much longer than usual.
_LONG = 1000


def edited(trt: ModuleType, fields: Sequence[FieldValue], edits: Sequence[Edit]) -> Fields:
    """Return the fields after the edits.

    Raises:
        NotRun: An edit concerns a field that is not among ``fields``.
    """
    result = list(fields)
    known = {field.name for field in fields}
    for edit in edits:
        if edit.get("field", next(iter(known), "")) not in known:
            raise NotRun(f"the case has no field {edit['field']!r}")
        result = _EDITS[edit["edit"]](trt, result, edit)
    return result


def described(edits: Sequence[Edit]) -> str:
    """Return edits in words, for messages."""
    return "; ".join(_WORDS[edit["edit"]].format(**edit) for edit in edits) or "as they are"


def _moved(_trt: ModuleType, fields: Fields, edit: Edit) -> Fields:
    moved = [field for field in fields if field.name == edit["field"]]
    others = [field for field in fields if field.name != edit["field"]]
    place = edit["to"] % (len(others) + 1)
    return others[:place] + moved + others[place:]


def _unknown(trt: ModuleType, fields: Fields, edit: Edit) -> Fields:
    """Return the fields with one more, unless a field of that name exists."""
    if any(field.name == edit["name"] for field in fields):
        return fields
    kind = trt.PluginFieldType.__members__[edit["type"]]
    entry = FieldValue(edit["name"], np.array(edit["data"], declared_dtype(kind)), kind)
    place = edit["to"] % (len(fields) + 1)
    return [*fields[:place], entry, *fields[place:]]


def _typed(trt: ModuleType, fields: Fields, edit: Edit) -> Fields:
    kind = trt.PluginFieldType.__members__.get(edit["type"])  # TensorRT 8.6 has no INT64
    dtype = None if kind is None else declared_dtype(kind)
    if kind is None or dtype is None:
        return fields
    return _each(fields, edit, lambda field: field.replaced(data=_converted(field.data, kind.name, dtype), type=kind))


def _converted(data: Elements, kind: str, dtype: np.dtype[Any]) -> Elements:
    """Return the elements converted to another type; for types of bytes, the same bytes."""
    if kind in _RAW:
        return np.frombuffer(data.tobytes(), dtype)
    with np.errstate(all="ignore"):
        numbers: Elements = data.astype(dtype)
    return numbers


def _filled(data: Elements, value: Any, at: int) -> Elements:
    """Return numbers with a value in place of element ``at``, counted from 1, or of all if ``at`` is 0."""
    filled: Elements = data.copy()
    if data.size and data.dtype.kind in "iuf":
        filled[slice(None) if at == 0 else (at - 1) % data.size] = _number(data.dtype, value)
    return filled


def _number(dtype: np.dtype[Any], value: Any) -> Any:
    """Return the number of a type that a word such as ``most`` means, or that is nearest to a number."""
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        words = {"least": limits.min, "most": limits.max, "denormal": limits.smallest_subnormal}
        with np.errstate(over="ignore"):
            return dtype.type(words.get(value, value))  # NumPy itself reads "inf", "-inf" and "nan"
    bounds = np.iinfo(dtype)
    words = {"least": bounds.min, "most": bounds.max, "inf": bounds.max, "-inf": bounds.min, "nan": 0, "denormal": 1}
    return max(bounds.min, min(bounds.max, words.get(value, value)))


def _each(fields: Fields, edit: Edit, change: Callable[[FieldValue], FieldValue]) -> Fields:
    return [change(field) if field.name == edit["field"] else field for field in fields]


_EDITS: dict[str, Callable[[ModuleType, Fields, Edit], Fields]] = {
    "left out": lambda _, fields, edit: [field for field in fields if field.name != edit["field"]],
    "again": lambda _, fields, edit: fields + [field for field in fields if field.name == edit["field"]][:1],
    "moved": _moved,
    "unknown": _unknown,
    "emptied": lambda _, fields, edit: _each(fields, edit, lambda field: field.replaced(data=field.data[:0])),
    "repeated": lambda _, fields, edit: _each(
        fields, edit, lambda field: field.replaced(data=np.resize(field.data, _LONG))
    ),
    "type": _typed,
    "value": lambda _, fields, edit: _each(
        fields, edit, lambda field: field.replaced(data=_filled(field.data, edit["value"], edit["at"]))
    ),
}
_WORDS = {
    "left out": "{field!r} left out",
    "again": "{field!r} given twice",
    "moved": "{field!r} moved to place {to}",
    "unknown": "a field {name!r} of type {type} that the creator does not know",
    "emptied": "{field!r} without elements",
    "repeated": f"{{field!r}} with {_LONG} elements",
    "type": "{field!r} as {type}",
    "value": "{field!r} with the value {value}",
}
