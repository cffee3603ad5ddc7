"""Write numbers and names as words of a sentence, and names as parts of ids."""

from __future__ import annotations

import re
from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """Return ``1 rule`` or ``2,310 rules``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def named(names: Sequence[str], most: int = 6) -> str:
    """Return some names, or the first few names and how many more follow."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def in_brackets(text: str) -> str:
    """Return `` (text)``, or the empty text for an empty text."""
    return f" ({text})" if text else ""


def encoded(name: str) -> str:
    """Return a name as ids can hold it: all characters except ``A-Za-z0-9_.-`` are percent-encoded."""

    def percent(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode(errors="backslashreplace"))

    return re.sub(r"[^A-Za-z0-9_.-]", percent, name)
