"""Identify a process by a word that no other process has, to find out later whether it has ended.

Theory. Linux gives the id of a process to another process sooner or later. The id together with the time of the start,
in ticks since the machine started, is unique. Both have a meaning only in one boot of one machine and in one namespace
of processes. Containers that share a folder differ in these. So the word has a third part, which identifies boot and
namespace. It is not known whether a process elsewhere has ended, so it counts as running.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
from pathlib import Path
from typing import Final

#: The form of a word: process id, start, and place.
WORD: Final = re.compile(r"(\d+)-(\d+)-([0-9a-f]{6})")
#: Where ``/proc/<pid>/stat`` has the state and the start of a process, behind the name.
_STATE, _START = 0, 19
_ENDED: Final = frozenset("ZX")


def this_process() -> str:
    """Return the word of this process."""
    return f"{os.getpid()}-{_start(os.getpid())}-{_place()}"


def is_gone(word: str) -> bool:
    """Return whether the process with a word has ended; False for a process elsewhere, and for any other text."""
    parts = WORD.fullmatch(word)
    return parts is not None and parts[3] == _place() and _start(int(parts[1])) != int(parts[2])


def _start(pid: int) -> int | None:
    """Return the start of a process in ticks since boot; None if no process with this id runs."""
    try:
        _, _, fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")
    except OSError:
        return None
    state, start = fields.split()[_STATE], fields.split()[_START]
    return None if state in _ENDED else int(start)


@functools.cache
def _place() -> str:
    """Return a hash of the boot and the namespace of processes."""
    parts = [b"", b""]
    with contextlib.suppress(OSError):
        parts[0] = Path("/proc/sys/kernel/random/boot_id").read_bytes()
        parts[1] = str(Path("/proc/self/ns/pid").stat().st_ino).encode()
    return hashlib.sha256(b" ".join(parts)).hexdigest()[:6]
