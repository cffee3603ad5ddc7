"""Suggest the known word that a user probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def nearest(word: str, known: Iterable[str], *, alike: float = 0.5) -> str:
    """Return the most similar known word; empty if the similarity is below ``alike`` (of 1)."""
    import difflib  # noqa: PLC0415 - only a user's mistake needs it

    words = sorted(known)
    same = next((other for other in words if other.casefold() == word.casefold()), "")
    return same or next(iter(difflib.get_close_matches(word, words, n=1, cutoff=alike)), "")


def suggestion(word: str, known: Iterable[str], *, alike: float = 0.5) -> str:
    """Return ``" (did you mean 'x'?)"`` for the nearest known word, or nothing."""
    near = nearest(word, known, alike=alike)
    return f" (did you mean {near!r}?)" if near else ""


def hint(word: str, known: Collection[str]) -> str:
    """Return the suggestion of :func:`suggestion` for a very similar word; without one, the list of known words."""
    return suggestion(word, known, alike=0.6) or f"; known are {', '.join(known)}"
