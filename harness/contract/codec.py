"""Frozen records as plain data and back, read strictly, and the JSON Schema that says the same.

A record is a dataclass whose fields have one of these types: ``str``, ``int``, ``float``, ``bool``, an enum, another
record, ``tuple[X, ...]``, ``dict[str, X]``, ``X | None`` and ``Any`` (whatever JSON can hold). Names of fields are
written in camel case, as in-toto has them. :func:`said` describes a field.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import re
import types
import typing
from typing import Any

__all__ = ["FormError", "read", "said", "schema_of", "to_plain"]

_PLAIN: dict[Any, tuple[str, tuple[type, ...]]] = {
    str: ("string", (str,)),
    int: ("integer", (int,)),
    float: ("number", (int, float)),
    bool: ("boolean", (bool,)),
}


class FormError(ValueError):
    """Data are not of the form that a record has; the argument says where, and what is there."""


def said(told: str, *, key: str = "", pattern: str = "", only: str = "", optional: bool = False) -> Any:
    """Declare a field of a record.

    Args:
        told: What it means, for the schema.
        key: Its name in the data, where that is not the field's in camel case.
        pattern: The regular expression that its text has to match as a whole.
        only: The one text that it may have.
        optional: Whether it is left out where it is None.
    """
    metadata = {"told": told, "key": key, "pattern": pattern, "only": only, "optional": optional}
    return dataclasses.field(metadata=metadata)


def to_plain(value: Any) -> Any:
    """Return a record, or what a field of one holds, as JSON can hold it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            _key(field): to_plain(held)
            for field in dataclasses.fields(value)
            if (held := getattr(value, field.name)) is not None or not field.metadata.get("optional")
        }
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, dict):
        return {key: to_plain(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(held) for held in value]
    return value


def read(kind: Any, value: Any, where: str = "") -> Any:
    """Return the record, or other value of a field's type, that plain data describe.

    Args:
        kind: The class of the record, or the type of a field.
        value: The data.
        where: What to call them in a message.

    Raises:
        FormError: They have another form: a key is missing, unknown or of another type.
    """
    if kind is Any or dataclasses.is_dataclass(kind):
        return value if kind is Any else _read_record(kind, value, where)
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin in {types.UnionType, typing.Union}:
        return None if value is None else read(_present(of), value, where)
    if origin is tuple:
        _insist(isinstance(value, list), where, "a list", value)
        return tuple(read(of[0], held, f"{where}[{index}]") for index, held in enumerate(value))
    if origin is dict:
        _insist(isinstance(value, dict), where, "an object", value)
        return {key: read(of[1], held, f"{where}[{key!r}]") for key, held in value.items()}
    return _read_word(kind, value, where) if _is_enum(kind) else _read_plain(kind, value, where)


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a record or of a field's type; :func:`read` takes what it takes."""
    if kind is Any or dataclasses.is_dataclass(kind):
        return {} if kind is Any else _record_schema(kind)
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if origin in {types.UnionType, typing.Union}:
        return {"anyOf": [schema_of(_present(of)), {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": schema_of(of[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(of[1])}
    return {"enum": _words(kind)} if _is_enum(kind) else {"type": _PLAIN[kind][0]}


def _read_word(kind: type[enum.Enum], value: Any, where: str) -> enum.Enum:
    words = _words(kind)
    _insist(isinstance(value, str) and value in words, where, f"one of {', '.join(words)}", value)
    return kind(value)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, enum.EnumMeta)


def _words(kind: type[enum.Enum]) -> list[str]:
    return [member.value for member in kind]


def _read_plain(kind: Any, value: Any, where: str) -> Any:
    name, classes = _PLAIN[kind]
    _insist(type(value) in classes, where, f"a JSON {name}", value)
    return value


def _read_record(kind: Any, value: Any, where: str) -> Any:
    _insist(isinstance(value, dict), where, "an object", value)
    hints, at = _hints(kind), f"{where}." if where else ""
    fields = {_key(field): field for field in dataclasses.fields(kind)}
    for key in value:
        if key not in fields:
            raise FormError(f"{at}{key} is no field of it")
    held: dict[str, Any] = {}
    for key, field in fields.items():
        if key in value:
            held[field.name] = _read_field(field, hints[field.name], value[key], f"{at}{key}")
        elif field.metadata.get("optional"):
            held[field.name] = None
        else:
            raise FormError(f"{at}{key} is missing")
    return kind(**held)


def _read_field(field: dataclasses.Field[Any], kind: Any, value: Any, where: str) -> Any:
    if field.metadata.get("optional"):
        kind = _present(typing.get_args(kind))
    found = read(kind, value, where)
    only, pattern = field.metadata.get("only"), field.metadata.get("pattern")
    _insist(not only or found == only, where, repr(only), value)
    _insist(not pattern or re.fullmatch(pattern, found) is not None, where, f"text like {pattern}", value)
    return found


def _record_schema(kind: Any) -> dict[str, Any]:
    hints, fields = _hints(kind), dataclasses.fields(kind)
    return {
        "type": "object",
        "description": (kind.__doc__ or "").partition("\n")[0],
        "properties": {_key(field): _field_schema(field, hints[field.name]) for field in fields},
        "required": [_key(field) for field in fields if not field.metadata.get("optional")],
        "additionalProperties": False,
    }


def _field_schema(field: dataclasses.Field[Any], kind: Any) -> dict[str, Any]:
    told = field.metadata
    if told.get("optional"):
        kind = _present(typing.get_args(kind))
    more: dict[str, Any] = {"description": told["told"]} if told.get("told") else {}
    if told.get("pattern"):
        more["pattern"] = f"^{told['pattern']}$"
    if told.get("only"):
        more["const"] = told["only"]
    return {**schema_of(kind), **more}


def _present(of: tuple[Any, ...]) -> Any:
    """The type in ``X | None``."""
    (kind,) = (each for each in of if each is not types.NoneType)
    return kind


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _key(field: dataclasses.Field[Any]) -> str:
    first, *others = field.name.split("_")
    return field.metadata.get("key") or first + "".join(map(str.capitalize, others))


def _insist(holds: bool, where: str, wanted: str, value: Any) -> None:  # noqa: FBT001 - reads as the sentence it is
    if not holds:
        shown = repr(value)
        raise FormError(f"{where or 'it'} is {shown[:60]}{'...' if len(shown) > 60 else ''}, not {wanted}")  # noqa: PLR2004
