"""The end of builders, networks, engines and contexts: when Python drops them, or earlier on request.

TensorRT destroys one of these objects when its last reference goes, together with the plugin objects that it owns. Each
bound object keeps the objects that it depends on alive, so children always end before their parents. `close` does the
same at a chosen moment; it ends children first and may be called twice.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from reference_runtime.bound.bound_class import state

if TYPE_CHECKING:
    from collections.abc import Callable


def ends_with(bound: object, end: Callable[[], None]) -> None:
    """Let ``end`` run once when ``bound`` goes; it must not refer to ``bound``."""
    state(bound)["_end"] = weakref.finalize(bound, end)


def close(bound: object) -> None:
    """End the life of a builder, network, runtime, engine or context now."""
    state(bound)["_end"]()


def is_open(bound: object) -> bool:
    """Say whether an object is still open."""
    end: weakref.finalize[..., object] = state(bound)["_end"]
    return end.alive
