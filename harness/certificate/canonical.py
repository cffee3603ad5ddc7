"""Write the bytes that a digest is computed from, and read JSON in which no key occurs twice.

The canonical form of plain data is JSON in UTF-8. The keys of each object are in the order of their code points. It has
no spaces, and no escapes except those that JSON demands. Integers are in decimal. Other numbers are as Python's
``repr`` writes them: the shortest text that gives the same number. That is RFC 8785, except for two things: numbers
that are no integers below 2**53, and keys beyond U+FFFF. A certificate has these numbers only if an option of the user
has one (``--timeout 0.5``).
"""

from __future__ import annotations

import hashlib
import json
from typing import Any


class NotJsonError(ValueError):
    """A text is no JSON, or is ambiguous because an object has a key twice; the argument says which."""


def canonical(value: Any) -> bytes:
    """Return the canonical form of plain data."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "surrogatepass")


def digest_of(value: Any) -> str:
    """Return the sha256 of the canonical form of plain data, in 64 hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def parse(text: bytes) -> Any:
    """Return the plain data that a JSON text describes.

    Raises:
        NotJsonError: The text is no JSON, an object has a key twice, or a number is ``NaN`` or infinite.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
    except RecursionError as error:
        raise NotJsonError("it is nested too deeply") from error
    except ValueError as error:
        raise NotJsonError(str(error)) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise NotJsonError(f"an object has the key {twice!r} twice")
    return values


def _refuse(word: str) -> Any:
    raise NotJsonError(f"{word} is no number of JSON")


def pretty(value: Any) -> str:
    """Return plain data as indented JSON for a file."""
    return json.dumps(value, indent=1, allow_nan=False) + "\n"
