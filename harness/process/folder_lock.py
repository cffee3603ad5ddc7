"""Lock a folder, so that programs run there one after the other: they may write and read the same files."""

from __future__ import annotations

import contextlib
import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def locked(folder: str = ".", *, needed: bool = True) -> Iterator[None]:
    """Wait until no other thread or process has locked the folder, and lock it, where that is ``needed`` and possible.

    A folder that this user may not read cannot be locked, and some file systems have no locks. The lock ends with the
    process at the latest.
    """
    with contextlib.ExitStack() as stack:
        if needed:
            with contextlib.suppress(OSError):
                _lock(folder, stack)
        yield


def _lock(folder: str, stack: contextlib.ExitStack) -> None:
    """Lock a folder until the stack ends.

    Raises:
        OSError: It cannot be opened or locked.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    stack.callback(os.close, descriptor)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    stack.callback(fcntl.flock, descriptor, fcntl.LOCK_UN)  # a fork may have the descriptor: closing is not enough
