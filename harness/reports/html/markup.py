"""Build markup by functions that escape all text, so that a plugin's text never becomes markup.

A plugin chooses its name, its messages and its file's name. Characters that a reader cannot see, or that turn the text
around them, are shown as escapes.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

_KEPT: Final = "\n\t"
#: Characters that change the direction of what stands around them.
_TURNING: Final = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_INVISIBLE: Final = {
    number: f"\\x{number:02x}" for number in (*range(0x20), *range(0x7F, 0xA0)) if chr(number) not in _KEPT
} | {number: f"\\u{number:04x}" for number in _TURNING}
_EMPTY_ELEMENTS: Final = ("br", "hr", "input", "meta")


class Html(str):
    """Markup, which is not escaped again."""

    __slots__ = ()


#: What stands where there is nothing to tell.
NOTHING: Final = Html("")


def text(value: object) -> Html:
    """Return any value as text that is no markup; markup as it is."""
    if isinstance(value, Html):
        return value
    readable = str(value).encode("utf-8", "backslashreplace").decode("utf-8").translate(_INVISIBLE)
    return Html(html.escape(readable))


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """Return an element.

    Args:
        name: Its name.
        children: What is in it; None for nothing.
        attributes: Its attributes, with ``_`` for ``-``, and a ``_`` at the end for names that are Python's. True is
            an attribute without a value; None and False leave it out.
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
    """Return one part after the other; None for nothing."""
    return Html("".join(text(part) for part in parts if part is not None))
