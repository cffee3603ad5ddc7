"""The published schema of the JSON report, and what is wrong with a document by it.

It is a JSON Schema (2020-12) that any validator reads. Ours knows the words that it is made of and refuses others, so
that reading a stored report needs no further package; a test holds the two against one another.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.reports.document import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["load", "problems_of", "text_of"]

_FOLDER = Path(__file__).with_name("schemas")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
#: Words of a schema that judge nothing.
_TOLD = {"$schema", "$id", "$defs", "title", "description"}
_MOST_WORDS = 60


def text_of(number: int = SCHEMA) -> str:
    """Return the schema of a number as it is published."""
    return (_FOLDER / f"report-{number}.json").read_text(encoding="utf-8")


def load(number: int = SCHEMA) -> dict[str, Any]:
    """Return the schema of a number."""
    found: dict[str, Any] = json.loads(text_of(number))
    return found


def problems_of(value: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a value by a schema, each with the place: ``plugins[0].case: ...``."""
    return (f"{where or 'the document'}: {what}" for where, what in _problems(value, schema, schema, ""))


def _problems(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    for word, wanted in schema.items():
        if word in _TOLD or word in {"required", "additionalProperties"}:
            continue
        if word == "$ref":
            yield from _problems(value, root["$defs"][wanted.rpartition("/")[2]], root, where)
        elif word == "anyOf":
            if all(any(True for _ in _problems(value, each, root, where)) for each in wanted):
                yield where, f"{_shown(value)} is none of what is allowed there"
        elif word == "items":
            for index, entry in enumerate(value if isinstance(value, list) else ()):
                yield from _problems(entry, wanted, root, f"{where}[{index}]")
        elif word == "properties":
            continue
        else:
            yield from ((where, what) for what in _simple(word, wanted, value))
    if isinstance(value, dict):
        yield from _of_object(value, schema, root, where)


def _simple(word: str, wanted: Any, value: Any) -> Iterator[str]:
    """Judge by a word that looks at one value alone."""
    if word == "type":
        names = wanted if isinstance(wanted, list) else [wanted]
        if not any(_is(value, name) for name in names):
            yield f"{_shown(value)} is no {' or '.join(names)}"
    elif word in {"const", "enum"}:
        allowed = wanted if word == "enum" else [wanted]
        if not any(each == value and isinstance(each, bool) == isinstance(value, bool) for each in allowed):
            yield f"{_shown(value)} is none of {', '.join(map(str, allowed))}"
    elif word == "minimum":
        if _is(value, "number") and value < wanted:
            yield f"{value} is less than {wanted}"
    elif word == "pattern":
        if isinstance(value, str) and not re.search(wanted, value):
            yield f"{_shown(value)} is not of the form {wanted}"
    else:
        raise ValueError(f"the schema says {word!r}, which nothing here judges")


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _of_object(
    value: Mapping[str, Any], schema: Mapping[str, Any], root: Mapping[str, Any], where: str
) -> Iterator[tuple[str, str]]:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    yield from ((where, f"it has no {name!r}") for name in schema.get("required", ()) if name not in value)
    for name, entry in value.items():
        place = f"{where}.{name}" if where else name
        if name in known:
            yield from _problems(entry, known[name], root, place)
        elif others is False:
            yield where, f"it has {name!r}, which the schema does not know"
        elif others is not True:
            yield from _problems(entry, others, root, place)


def _shown(value: Any) -> str:
    words = json.dumps(value)
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]}..."
