"""How contexts of a program begin, as both sides know it: the one that writes programs and the one that drives them."""

from __future__ import annotations

#: So many of a program's shapes are in both profiles of an engine, and the profiles.
IN_BOTH = PROFILES = 2


def first_shapes(context: int, profile: int, shapes: int) -> int:
    """Return with which of a program's shapes a context begins: with others than the one that was made before it."""
    return context % (shapes if profile == 0 else IN_BOTH)
