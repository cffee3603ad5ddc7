"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["nearest", "suggestion"]


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like this one; empty if none is."""
    words = sorted(known)
    same = next((other for other in words if other.casefold() == word.casefold()), "")
    return same or next(iter(difflib.get_close_matches(word, words, n=1, cutoff=0.5)), "")


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the nearest known word, or nothing."""
    near = nearest(word, known)
    return f" (did you mean {near!r}?)" if near else ""
