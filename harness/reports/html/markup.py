"""Build markup by functions that escape all text, so that a plugin's text never becomes markup.

A plugin chooses its name, its messages and its file's name. Characters that are invisible, or that change the direction
of the text around them, are shown as escapes.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

_KEPT: Final = "\n\t"
#: Characters that change the direction of the text around them.
_TURNING: Final = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_INVISIBLE: Final = {
    number: f"\\x{number:02x}" for number in (*range(0x20), *range(0x7F, 0xA0)) if chr(number) not in _KEPT
} | {number: f"\\u{number:04x}" for number in _TURNING}
_EMPTY_ELEMENTS: Final = ("br", "hr", "input", "meta")


class Html(str):
    """A text that is markup already, and is not escaped again."""

    __slots__ = ()


#: Markup without content.
NOTHING: Final = Html("")


def text(value: object) -> Html:
    """Return a value as escaped text; markup is returned unchanged."""
    if isinstance(value, Html):
        return value
    readable = str(value).encode("utf-8", "backslashreplace").decode("utf-8").translate(_INVISIBLE)
    return Html(html.escape(readable))


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """Return an element.

    Args:
        name: The name of the element.
        children: Its contents in order; a child that is None is left out.
        attributes: Its attributes, with ``_`` for ``-``, and a ``_`` at the end of names that are Python keywords. True
            is an attribute without a value; None and False leave it out.
    """
    opened = f"<{name}"
    for attribute, value in attributes.items():
        if value is not None and value is not False:
            spelled = attribute.rstrip("_").replace("_", "-")
            opened += f" {spelled}" if value is True else f' {spelled}="{text(value)}"'
    opened += ">"
    if name in _EMPTY_ELEMENTS:
        return Html(opened)
    return Html(f"{opened}{joined(children)}</{name}>")


def joined(parts: Iterable[object]) -> Html:
    """Return the parts one after the other; a part that is None is left out."""
    return Html("".join(text(part) for part in parts if part is not None))
