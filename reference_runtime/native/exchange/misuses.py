"""Collect errors during a call into C++, which no exception can pass, and raise them afterwards."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from reference_runtime.bound.errors import NeedsGpu

if TYPE_CHECKING:
    from collections.abc import Callable


class StatusError(RuntimeError):
    """A method of a C++ plugin returned an error code."""


class LibraryMissingError(NeedsGpu):
    """A plugin opened a library of NVIDIA's that this machine does not have, so its later calls prove nothing."""


class MisuseError(RuntimeError):
    """A C++ plugin used memory or objects of TensorRT in a way that the interfaces forbid."""


class _Noted(threading.local):
    def __init__(self) -> None:
        self.errors: list[BaseException] = []


_NOTED: Final = _Noted()


class _Listener:
    """Hold the listener for features that this machine lacks."""

    listener: Callable[[str], None] | None = None


def tell_of_lacks(listener: Callable[[str], None]) -> None:
    """Set the function that receives the message of the first :class:`NeedsGpu` of a call, as soon as it is noted.

    It receives an empty text when the call has returned. A plugin may end its process when a function of NVIDIA's
    fails. Then no caller is left to raise the error.
    """
    _Listener.listener = listener


def note(error: BaseException) -> None:
    """Keep an error that cannot be raised through C++."""
    if _Listener.listener is not None and not _NOTED.errors and isinstance(error, NeedsGpu):
        _Listener.listener(str(error))
    _NOTED.errors.append(error)


def taken() -> list[BaseException]:
    """Return the errors that were noted in this thread since they were last taken or raised, and forget them."""
    errors = [*_NOTED.errors]
    _NOTED.errors.clear()
    return errors


def raise_noted() -> None:
    """Raise the first error that was noted in this thread, if any, and forget all of them."""
    if _NOTED.errors:
        error = _NOTED.errors[0]
        _NOTED.errors.clear()
        if _Listener.listener is not None:
            _Listener.listener("")
        raise error
