"""Where a class defines what: its own classes, apart from those of TensorRT that it derives from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime import native

if TYPE_CHECKING:
    from collections.abc import Iterable


def own_definitions(thing: Any, names: Iterable[str]) -> dict[str, str]:
    """Return which of the names the user's classes define before TensorRT's does, and in which class."""
    found: dict[str, str] = {}
    for cls in type(thing).__mro__:
        if native.is_bound(cls):
            break
        found.update({name: cls.__name__ for name in names if name in vars(cls) and name not in found})
    return found
