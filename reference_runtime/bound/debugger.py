"""Recognize the exceptions that end a debugger inside a callback, which the bindings do not swallow."""

from __future__ import annotations

from typing import Final

#: ``quit`` raises the first in pdb, and the second in the pdb of pytest.
_QUITS: Final = {("bdb", "BdbQuit"), ("_pytest.outcomes", "Exit")}


def is_quit(error: BaseException) -> bool:
    """Return whether an exception is the user's ``quit`` in a debugger."""
    return (type(error).__module__, type(error).__name__) in _QUITS
