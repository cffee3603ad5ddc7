"""Give the bindings' warnings about deprecated members."""

from __future__ import annotations

import functools
import sys
import warnings
from typing import TYPE_CHECKING, Any, TypeVar

from reference_runtime.bound.frames import is_ours

if TYPE_CHECKING:
    from collections.abc import Callable

_R = TypeVar("_R")


def deprecated(advice: str) -> Callable[[Callable[..., _R]], Callable[..., _R]]:
    """Return a decorator: a call with valid arguments gives the bindings' warning, "Use ``advice`` instead."."""

    def decorate(function: Callable[..., _R]) -> Callable[..., _R]:
        @functools.wraps(function)
        def with_warning(*arguments: Any) -> _R:
            warnings.warn(f"Use {advice} instead.", DeprecationWarning, stacklevel=_depth())
            return function(*arguments)

        return with_warning

    return decorate


def _depth() -> int:
    """Return the ``stacklevel`` of the user's frame, past all frames of this project."""
    frame, depth = sys._getframe(1), 1  # noqa: SLF001 - the documented way to the caller
    while frame.f_back is not None and is_ours(frame):
        frame, depth = frame.f_back, depth + 1
    return depth
