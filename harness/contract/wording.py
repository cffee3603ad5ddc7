"""Numbers and lists of names in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """Return ``1 rule`` or ``2,310 rules``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def named(names: Sequence[str], most: int = 6) -> str:
    """Return some names, or the first ones and how many more there are."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"
