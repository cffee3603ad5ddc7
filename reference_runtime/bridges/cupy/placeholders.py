"""Make replacements for functions that only a GPU can run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.errors import NeedsGpu

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["needs_gpu"]


def needs_gpu(feature: str) -> Callable[..., Any]:
    """Return a function that raises `NeedsGpu` when it is called; ``feature`` is the name in the message."""

    def placeholder(*_args: Any, **_kwargs: Any) -> Any:
        raise NeedsGpu(feature)

    placeholder.__name__ = placeholder.__qualname__ = feature.rpartition(".")[2]
    return placeholder
