"""Show a user's objects and exceptions in messages, even if their ``__repr__`` or ``__str__`` raises."""

from __future__ import annotations

import re
from typing import Final

_WIDTH: Final = 80
#: The memory address of an object, which differs in each process.
_ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]+")


def shown(value: object) -> str:
    """Return the ``repr`` of an object, shortened and without its address; if that raises, the name of its class."""
    try:
        text = _ADDRESS.sub("", repr(value))
    except Exception:  # noqa: BLE001 - a message must not fail because a value's repr does
        return f"a {type(value).__name__}"
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


def text_of(error: BaseException | None) -> str:
    """Return the text of an exception, or a note if its ``__str__`` raises; empty for None."""
    try:
        return "" if error is None else str(error)
    except BaseException:  # noqa: BLE001 - any exception of __str__, even SystemExit
        return "its text cannot be read"
