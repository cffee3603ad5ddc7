"""Write frozen records as plain data, read them strictly, and describe the plain data by JSON Schema.

A record is a dataclass. Its fields have types of this list:

* ``str``, ``int``, ``float``, ``bool``, an enum, another record
* ``tuple[X, ...]``, ``list[X]``, ``frozenset[X]``, ``dict[str, X]``
* ``dict[an enum, X]``, which has all its members
* ``X | None``, and ``Any`` (any JSON value)

A field with a default may be missing. :func:`said` describes a field, or the record's docstring does under
``Attributes:``.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import Self

    Reader = Callable[[Any], Any]

_PLAIN: dict[Any, tuple[str, tuple[type, ...]]] = {
    str: ("string", (str,)),
    int: ("integer", (int,)),
    float: ("number", (int, float)),
    bool: ("boolean", (bool,)),
}
_LEAVES = frozenset({str, int, float, bool, types.NoneType})
_LISTS: Mapping[Any, Callable[[Iterable[Any]], Any]] = {tuple: tuple, list: list, frozenset: frozenset}
_DICTS = (dict, collections.abc.Mapping)
#: An entry under ``Attributes:`` in a docstring: its name, and its text up to the next one.
_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.*(?:\n {8,}.*)*)", re.MULTILINE)


class FormError(ValueError):
    """The data do not fit the record; the message says where, and shows the value.

    Attributes:
        problem: What is wrong.
        path: The place in the data, innermost part first: each reader of a part adds the part's name.
    """

    def __init__(self, problem: str, *path: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = list(path)

    def __str__(self) -> str:
        return f"{''.join(reversed(self.path)).removeprefix('.') or 'it'} {self.problem}"


class Record:
    """Base class of records, which converts them to plain data and back."""

    def to_plain(self) -> dict[str, Any]:
        """Return the record as JSON can hold it."""
        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_plain(cls, data: Any) -> Self:
        """Return the record that :meth:`to_plain` wrote.

        Raises:
            FormError: The data do not fit the record.
        """
        record: Self = read(cls, data)
        return record


@dataclasses.dataclass(frozen=True)
class Form:
    """The constraints on a text or a number, beyond its type; by default there are none."""

    pattern: str = ""
    only: Any = None
    least: int | None = None

    def insist(self, value: Any) -> None:
        """Raise `FormError` if a value breaks the constraints."""
        if isinstance(self.only, tuple):
            _insist(value in self.only, f"one of {', '.join(map(str, self.only))}", value)
        else:
            _insist(self.only is None or value == self.only, repr(self.only), value)
        _insist(not self.pattern or re.fullmatch(self.pattern, value) is not None, f"text like {self.pattern}", value)
        _insist(self.least is None or value >= self.least, f"{self.least} or more", value)

    @property
    def schema(self) -> dict[str, Any]:
        """Return the constraints as JSON Schema."""
        only = {"enum": list(self.only)} if isinstance(self.only, tuple) else {"const": self.only}
        words = {"pattern": f"^{self.pattern}$" if self.pattern else None, **only, "minimum": self.least}
        return {word: value for word, value in words.items() if value is not None}


#: No constraints.
ANY = Form()


def said(
    meaning: str = "",
    *,
    key: str = "",
    pattern: str = "",
    only: Any = None,
    least: int | None = None,
    optional: bool = False,
    rest: bool = False,
    **default: Any,
) -> Any:
    """Declare a field of a record.

    Args:
        meaning: What it means, for the schema.
        key: Its name in the data, where that is not the field's.
        pattern: The regular expression that its text has to match as a whole; of a list, each of its texts.
        only: The single value that it may have, or a tuple of its possible values.
        least: The least number that it may be; of a list, each of its numbers.
        optional: Whether it is left out where it is None, which is its default then.
        rest: Whether it is a dictionary of all keys that no other field has.
        default: ``default`` or ``default_factory``, as a dataclass has them.
    """
    form = Form(pattern, only, least)
    known = ANY if form == ANY else form
    metadata = {"meaning": meaning, "key": key, "optional": optional, "rest": rest, "form": known}
    return dataclasses.field(metadata=metadata, **({"default": None} if optional else default))


def to_plain(value: Any) -> Any:
    """Return a record, or the value of a field, as JSON can hold it."""
    kind = type(value)
    if kind in _LEAVES:
        return value
    if dataclasses.is_dataclass(kind):
        return _record_as_plain(value)
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, collections.abc.Mapping):
        return {to_plain(key): to_plain(held) for key, held in value.items()}
    if isinstance(value, (list, tuple, frozenset)):
        plain = [to_plain(held) for held in value]
        return sorted(plain) if isinstance(value, frozenset) else plain
    return value


def _record_as_plain(record: Any) -> dict[str, Any]:
    kind: Any = type(record)
    plain: dict[str, Any] = {}
    for name, key, optional, rest in _written(kind):
        held = getattr(record, name)
        if rest:
            plain |= to_plain(held)
        elif held is not None or not optional:
            plain[key] = to_plain(held)
    return plain


def read(kind: Any, value: Any, where: str = "") -> Any:
    """Return the record, or other value of a field's type, that plain data describe.

    Args:
        kind: The class of the record, or the type of a field.
        value: The data.
        where: The name of the data in a message.

    Raises:
        FormError: The data do not fit: a key is missing or unknown, or a value has another type.
    """
    try:
        return _reader(kind)(value)
    except FormError as error:
        error.path.append(where)
        raise


@functools.cache
def _reader(kind: Any, form: Form = ANY) -> Reader:  # noqa: PLR0911 - one for each type
    """Return the function that reads values of a type."""
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return lambda value: value
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    if origin in {types.UnionType, typing.Union}:
        present = _reader(_present(of), form)
        return lambda value: None if value is None else present(value)
    if origin in _LISTS:
        return _list_reader(_LISTS[origin], _reader(of[0], form))
    if origin in _DICTS:
        return _dict_reader(of[0], _reader(of[1], form))
    if _is_enum(kind):
        return _word_reader({member.value: member for member in kind})
    return _plain_reader(*_PLAIN[kind], form)


def _record_reader(kind: Any) -> Reader:
    hints = typing.get_type_hints(kind)
    fields = {_key(field): field for field in dataclasses.fields(kind) if not field.metadata.get("rest")}
    readers = {
        key: (field.name, _reader(_field_type(field, hints[field.name]), field.metadata.get("form", ANY)))
        for key, field in fields.items()
    }
    needed = [key for key, field in fields.items() if not _has_default(field)]
    rest = next((field.name for field in dataclasses.fields(kind) if field.metadata.get("rest")), "")

    def read_record(value: Any) -> Any:
        _insist(isinstance(value, dict), "an object", value)
        held: dict[str, Any] = {rest: {}} if rest else {}
        key = ""
        try:
            for key, each in value.items():
                if key in readers or not rest:
                    name, reader = readers.get(key, ("", _refuse))
                    held[name] = reader(each)
                else:
                    held[rest][key] = each
        except FormError as error:
            error.path.append(f".{key}")
            raise
        for key in needed:
            if key not in value:
                raise FormError("is missing", f".{key}")
        return kind(**held)

    return read_record


def _refuse(_: Any) -> Any:
    raise FormError("is no field of it")


def _parts(parts: Iterable[tuple[Any, Any]], reader: Reader) -> Iterator[tuple[Any, Any]]:
    """Read the parts of a list or a dictionary, each with its index or key."""
    for index, held in parts:
        try:
            yield index, reader(held)
        except FormError as error:  # noqa: PERF203 - it costs nothing where nothing is raised
            error.path.append(f"[{index!r}]")
            raise


def _list_reader(make: Callable[[Iterable[Any]], Any], reader: Reader) -> Reader:
    def read_list(value: Any) -> Any:
        _insist(isinstance(value, list), "a list", value)
        return make([held for _, held in _parts(enumerate(value), reader)]) if value else make(())

    return read_list


def _dict_reader(keys: Any, reader: Reader) -> Reader:
    words = _words(keys) if _is_enum(keys) else []

    def read_dict(value: Any) -> Any:
        _insist(isinstance(value, dict), "an object", value)
        if words:
            _insist(set(value) == set(words), f"an object with {', '.join(words)}", value)
        return {keys(key) if words else key: held for key, held in _parts(value.items(), reader)}

    return read_dict


def _word_reader(words: Mapping[Any, Any]) -> Reader:
    kinds = {type(word) for word in words}

    def read_word(value: Any) -> Any:
        if type(value) not in kinds or value not in words:
            raise _not(f"one of {', '.join(map(str, words))}", value)
        return words[value]

    return read_word


def _plain_reader(name: str, classes: tuple[type, ...], form: Form) -> Reader:
    def read_plain(value: Any) -> Any:
        if type(value) not in classes:
            _insist(isinstance(value, classes) and not isinstance(value, bool), f"a JSON {name}", value)
        if form is not ANY:
            form.insist(value)
        return value

    return read_plain


def schema_of(kind: Any, form: Form = ANY) -> dict[str, Any]:  # noqa: PLR0911 - one for each type
    """Return the JSON Schema of a record or of a field's type, which allows the data that :func:`read` accepts."""
    origin, of = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return {}
    if dataclasses.is_dataclass(kind):
        return _record_schema(kind)
    if origin in {types.UnionType, typing.Union}:
        return {"anyOf": [schema_of(_present(of), form), {"type": "null"}]}
    if origin in _LISTS:
        return {"type": "array", "items": schema_of(of[0], form)}
    if origin in _DICTS and _is_enum(of[0]):
        words = _words(of[0])
        entries = {"properties": {word: schema_of(of[1], form) for word in words}, "required": words}
        return {"type": "object", **entries, "additionalProperties": False}
    if origin in _DICTS:
        return {"type": "object", "additionalProperties": schema_of(of[1], form)}
    if _is_enum(kind):
        return {"enum": _words(kind)}
    return {"type": _PLAIN[kind][0], **form.schema}


def _record_schema(kind: Any) -> dict[str, Any]:
    hints, meanings = typing.get_type_hints(kind), _attributes(kind)
    fields = [field for field in dataclasses.fields(kind) if not field.metadata.get("rest")]
    return {
        "type": "object",
        "description": (kind.__doc__ or "").partition("\n")[0],
        "properties": {
            _key(field): _field_schema(field, hints[field.name], meanings.get(field.name, "")) for field in fields
        },
        "required": [_key(field) for field in fields if not _has_default(field)],
        "additionalProperties": len(fields) < len(dataclasses.fields(kind)),
    }


def _field_schema(field: dataclasses.Field[Any], kind: Any, in_docstring: str) -> dict[str, Any]:
    meaning = field.metadata.get("meaning") or in_docstring
    schema = schema_of(_field_type(field, kind), field.metadata.get("form", ANY))
    return {**schema, **({"description": meaning} if meaning else {})}


def _attributes(kind: Any) -> dict[str, str]:
    """Return the meaning of each field, from the docstrings of a record and its base classes."""
    meanings: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        _, _, listed = (inspect.getdoc(each) or "").partition("Attributes:\n")
        meanings |= {name: " ".join(text.replace("``", "").split()) for name, text in _ATTRIBUTE.findall(listed)}
    return meanings


def _field_type(field: dataclasses.Field[Any], kind: Any) -> Any:
    return _present(typing.get_args(kind)) if field.metadata.get("optional") else kind


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, enum.EnumMeta)


def _words(kind: Any) -> list[Any]:
    return [member.value for member in kind]


def _present(of: tuple[Any, ...]) -> Any:
    """Return the type ``X`` in ``X | None``."""
    (kind,) = (each for each in of if each is not types.NoneType)
    return kind


@functools.cache
def _written(kind: Any) -> tuple[tuple[str, str, bool, bool], ...]:
    """Return each field's name, its key, and its settings ``optional`` and ``rest`` of :func:`said`."""
    return tuple(
        (field.name, _key(field), field.metadata.get("optional", False), field.metadata.get("rest", False))
        for field in dataclasses.fields(kind)
    )


def _key(field: dataclasses.Field[Any]) -> str:
    return field.metadata.get("key") or field.name


def _insist(holds: bool, expected: str, value: Any) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise _not(expected, value)


def _not(expected: str, value: Any) -> FormError:
    shown = repr(value)
    return FormError(f"is {shown[:60]}{'...' if len(shown) > 60 else ''}, not {expected}")  # noqa: PLR2004
