"""Temporary folders and files: the name of each holds the word of its process, which ``owners`` explains.

A process removes its own when it is done. A killed process cannot. If a worker process was killed, the run removes its
leftovers at the end. If the run itself was killed, the next run removes its leftovers. Folders of a running process, or
of another user, are not removed.
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
    """Have a folder while a block runs."""
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{owners.this_process()}-") as folder:
        yield folder


def hidden_beside(path: Path) -> Path:
    """Return a free name for a file that is to replace another file; leftovers beside it are removed."""
    remove_abandoned(str(path.parent))
    return path.with_name(f".{_PREFIX}{owners.this_process()}-{secrets.token_hex(8)}.tmp")


def remove_abandoned(place: str = "") -> None:
    """Remove leftovers of ended processes from a folder, by default from that of temporary files."""
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
