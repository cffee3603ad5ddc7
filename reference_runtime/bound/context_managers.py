"""Support the deprecated ``with trt.Logger() as logger``, which TensorRT's Python package adds to old classes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from types import TracebackType

_T = TypeVar("_T")


def common_enter(this: _T) -> _T:
    """Return the object itself, with a warning."""
    warnings.warn(
        "Context managers for TensorRT types are deprecated. "
        "Memory will be freed automatically when the reference count reaches 0.",
        DeprecationWarning,
        stacklevel=2,
    )
    return this


def common_exit(
    this: object,
    exc_type: type[BaseException] | None,
    exc_value: BaseException | None,
    traceback: TracebackType | None,
) -> None:
    """Do nothing: the object lives as long as there are references to it."""


def make_context_manager(cls: type[_T]) -> type[_T]:
    """Add ``__enter__`` and ``__exit__`` to a bound class, and return it."""
    type.__setattr__(cls, "__enter__", common_enter)
    type.__setattr__(cls, "__exit__", common_exit)
    return cls
