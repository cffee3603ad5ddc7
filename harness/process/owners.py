"""Name a process in a word that no other process has: what is named after it can be judged later.

Theory. The number of a process is given to another process sooner or later. Together with the moment of its start, in
ticks since the machine started, it is not. Both have a meaning only in one boot of one machine and in one namespace of
processes. Containers that share a folder do not have these in common. So the word has a third part that names the
place, and a process elsewhere is unknown.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
from pathlib import Path
from typing import Final

#: What a word looks like: number, start, and place.
WORD: Final = re.compile(r"(\d+)-(\d+)-([0-9a-f]{6})")
#: Where ``/proc/<pid>/stat`` has the state and the start of a process, behind the name.
_STATE, _START = 0, 19
_ENDED: Final = frozenset("ZX")


def this_process() -> str:
    """Return the word of this process."""
    return f"{os.getpid()}-{_start(os.getpid())}-{_place()}"


def is_gone(word: str) -> bool:
    """Return whether the process with a word has ended; False for a process elsewhere, and for any other text."""
    found = WORD.fullmatch(word)
    return found is not None and found[3] == _place() and _start(int(found[1])) != int(found[2])


def _start(pid: int) -> int | None:
    """Return when a process was started; None if there is none that runs."""
    try:
        _, _, fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")
    except OSError:
        return None
    state, start = fields.split()[_STATE], fields.split()[_START]
    return None if state in _ENDED else int(start)


@functools.cache
def _place() -> str:
    known = [b"", b""]
    with contextlib.suppress(OSError):
        known[0] = Path("/proc/sys/kernel/random/boot_id").read_bytes()
        known[1] = str(Path("/proc/self/ns/pid").stat().st_ino).encode()
    return hashlib.sha256(b" ".join(known)).hexdigest()[:6]
