"""Choose the first shapes of a program's contexts, for the code that writes programs and the code that drives them."""

from __future__ import annotations

#: So many of a program's shapes are in both profiles of an engine, and the profiles.
IN_BOTH = PROFILES = 2


def first_shapes(context: int, profile: int, shapes: int) -> int:
    """Return the index of the shapes with which a context begins: not those of the context before it."""
    return context % (shapes if profile == 0 else IN_BOTH)
