"""Choose the first shapes of a program's contexts, for the code that writes programs and the code that drives them."""

from __future__ import annotations

#: The number of a program's shapes that are in both profiles of an engine, and the number of profiles.
IN_BOTH = PROFILES = 2


def first_shapes(context: int, profile: int, shapes: int) -> int:
    """Return the index of a context's first shapes, which differs from that of the context before it."""
    return context % (shapes if profile == 0 else IN_BOTH)
