"""Note what C++ did that the interfaces forbid, and raise it when the call ends."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from reference_runtime.bound.errors import NeedsGpu

if TYPE_CHECKING:
    from collections.abc import Callable


class StatusError(RuntimeError):
    """A method of a C++ plugin returned an error code."""


class LibraryMissingError(NeedsGpu):
    """A plugin opened a library of NVIDIA's that this machine does not have: what it does without is not judged."""


class MisuseError(RuntimeError):
    """A C++ plugin did to memory or objects of TensorRT's what it must not."""


class _Noted(threading.local):
    def __init__(self) -> None:
        self.errors: list[BaseException] = []


_NOTED: Final = _Noted()


class _Told:
    """Hold the listener for features that this machine lacks."""

    listener: Callable[[str], None] | None = None


def tell_of_lacks(listener: Callable[[str], None]) -> None:
    """Call a function with what a plugin needs and this machine lacks, and with nothing when the call has returned.

    A plugin may end its process when a function of NVIDIA's fails. Then no caller is left that could raise the error.
    """
    _Told.listener = listener


def note(error: BaseException) -> None:
    """Keep an error that cannot be raised through C++."""
    if _Told.listener is not None and not _NOTED.errors and isinstance(error, NeedsGpu):
        _Told.listener(str(error))
    _NOTED.errors.append(error)


def taken() -> list[BaseException]:
    """Return the errors that were kept in this thread since the last time, and forget them."""
    errors = [*_NOTED.errors]
    _NOTED.errors.clear()
    return errors


def raise_noted() -> None:
    """Raise the first error that was kept in this thread since the last time."""
    if _NOTED.errors:
        error = _NOTED.errors[0]
        _NOTED.errors.clear()
        if _Told.listener is not None:
            _Told.listener("")
        raise error
