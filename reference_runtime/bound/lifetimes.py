"""End builders, networks, engines and contexts: when Python deletes them, or earlier on request.

TensorRT destroys one of these objects with its last reference, together with the plugin objects that it owns. Each
object keeps the objects on which it depends alive, such as a context its engine. So it is destroyed before them.
`close` ends an object at a chosen moment; a second call does nothing.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from reference_runtime.bound.bound_class import state

if TYPE_CHECKING:
    from collections.abc import Callable


def ends_with(bound: object, end: Callable[[], None]) -> None:
    """Call ``end`` once, when ``bound`` is deleted or closed; ``end`` must not refer to ``bound``."""
    state(bound)["_end"] = weakref.finalize(bound, end)


def close(bound: object) -> None:
    """End the life of a builder, network, runtime, engine or context now."""
    state(bound)["_end"]()


def is_open(bound: object) -> bool:
    """Return whether `close` was not called yet for an object."""
    end: weakref.finalize[..., object] = state(bound)["_end"]
    return end.alive
