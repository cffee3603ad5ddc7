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
def locked(folder: str = ".") -> Iterator[None]:
    """Wait until no other thread or process has locked the folder, and lock it, if its file system has locks.

    The lock ends with the process at the latest.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        with contextlib.suppress(OSError):  # as above; a fork may have the descriptor, so closing is not enough
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)
