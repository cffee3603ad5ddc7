"""Make a plugin's text fit for any report: printable, of bounded length, with finite numbers.

Names, messages and examples come from code under test. They can hold lone surrogates, escape sequences, NaN, or a
hundred megabytes. Characters are replaced by readable escapes, so that no text is hidden.
"""

from __future__ import annotations

import math
import re
from typing import Any

#: The most characters of one text in a report.
LONGEST = 20_000

#: Characters that XML or UTF-8 cannot hold, that control a terminal, or that change the direction of text. They are all
#: controls but tab and newline, surrogates, U+FFFE, U+FFFF, other ends of lines, and the marks of direction.
_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
#: The beginnings of commands that CI services read from a log. ``::`` must begin a line; ``##[`` and ``##vso[`` may be
#: anywhere in a line.
_COMMAND = re.compile(r"^([^\S\n]*):(?=:)|#(?=#(?:\[|vso\[))", re.MULTILINE)


def presentable(value: Any) -> Any:
    """Return plain data (dicts, lists, strings, numbers, booleans, None) in a form that every format can hold.

    Characters that a format cannot hold are written as Python escapes them in a string (``x1b`` after a backslash). A
    text of more than :data:`LONGEST` characters is cut, and a note at its end says so. A number that JSON does not have
    is written as its name: ``"NaN"``, ``"Infinity"``, ``"-Infinity"``.
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {_text(str(key)): presentable(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [presentable(entry) for entry in value]
    return value


def message(text: str) -> str:
    """Return a text with the changes of :func:`presentable` and of :func:`inert`."""
    return inert(_text(text))


def inert(text: str) -> str:
    """Return text of any length without escape sequences of terminals and without commands of CI services."""
    escaped = _UNFIT.sub(_escaped, text.replace("\r\n", "\n"))
    return _COMMAND.sub(lambda match: f"{match[1]}\\x3a" if match[1] is not None else "\\x23", escaped)


def _text(text: str) -> str:
    escaped = _UNFIT.sub(_escaped, text[: LONGEST + 1].replace("\r\n", "\n"))
    if len(escaped) <= LONGEST:
        return escaped
    cut = f" ... (cut: {len(text):,} characters)"
    return escaped[: LONGEST - len(cut)] + cut


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
