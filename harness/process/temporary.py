"""Create temporary folders and files with names from which abandoned files are recognized.

Each name holds the word that identifies its process (`owners`). A process removes its own files when it is done, but a
killed process cannot. If a worker process was killed, the run removes the worker's leftovers at its end. If the run
itself was killed, the next run removes its leftovers. Files of a running process, or of another user, are not removed.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import tempfile
from typing import TYPE_CHECKING, Final

from harness.process import owners

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PREFIX: Final = "trt-conformance-"
_NAME: Final = re.compile(rf"\.?{_PREFIX}({owners.WORD.pattern})-\w+(\.tmp)?")


@contextlib.contextmanager
def temporary_folder() -> Iterator[str]:
    """Create a folder, yield its path, and remove it after the block."""
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{owners.this_process()}-") as folder:
        yield folder


def hidden_beside(path: Path) -> Path:
    """Return a free name beside a file, for a file that will replace it; remove leftovers in their folder."""
    remove_abandoned(str(path.parent))
    return path.with_name(f".{_PREFIX}{owners.this_process()}-{secrets.token_hex(8)}.tmp")


def remove_abandoned(place: str = "") -> None:
    """Remove leftovers of ended processes from a folder, by default from the system's temporary folder."""
    with contextlib.suppress(OSError), os.scandir(place or tempfile.gettempdir()) as entries:
        for entry in entries:
            if _is_abandoned(entry):
                _remove(entry)


def _is_abandoned(entry: os.DirEntry[str]) -> bool:
    named = _NAME.fullmatch(entry.name)
    if named is None or not owners.is_gone(named[1]):
        return False
    with contextlib.suppress(FileNotFoundError):
        return entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    return False


def _remove(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
        return
    with contextlib.suppress(OSError):
        os.unlink(entry.path)  # noqa: PTH108 - a path of text
