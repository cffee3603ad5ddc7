"""Notice that a process can never go on, long before its deadline.

Theory. Linux shows in which system call each thread is. A thread that waits for a lock without a time limit waits in
``futex``. If the lock is private to the process, only another thread of it can release the lock. So if all threads wait
like this, none will ever run again. There are two exceptions: a handler of SIGALRM can run, and a child process can
end. Then this module says nothing, and the deadline decides. It decides, too, where Linux hides the system calls.
"""

from __future__ import annotations

import contextlib
import platform
import signal
import time
from pathlib import Path

from harness.process import linux

#: The number of the system call ``futex``.
_FUTEX = {"x86_64": "202", "aarch64": "98"}.get(platform.machine(), "")
#: Bits of its operation: what it does, and whether the lock is private.
_OPERATION, _PRIVATE = 0x7F, 0x80
#: Operations that wait: WAIT, LOCK_PI, WAIT_BITSET, LOCK_PI2.
_WAITS = {0, 6, 9, 13}
_NO_LIMIT = "0x0"
#: Seconds between two looks, which must be alike.
_SECONDS = 0.1


class DeadlockWatch:
    """Looks at a process now and then."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._last = ""
        self._seen_at = time.monotonic()

    def is_stuck(self) -> bool:
        """Return whether the process waits for ever; asked seldom, it needs two calls to be sure."""
        now = time.monotonic()
        if now - self._seen_at < _SECONDS:
            return False
        waits = _endless_waits(self._pid)
        is_same = bool(waits) and waits == self._last
        self._last, self._seen_at = waits, now
        return is_same and not _can_be_woken(self._pid)


def _endless_waits(pid: int) -> str:
    """Return the system calls of all threads, if each waits for ever for a private lock; empty otherwise."""
    calls = []
    try:
        for thread in sorted(Path(f"/proc/{pid}/task").iterdir()):
            number, *arguments = (thread / "syscall").read_text().split()
            if number != _FUTEX or not _is_endless(arguments):
                return ""
            calls.append(f"{thread.name} {arguments} {(thread / 'schedstat').read_text()}")
    except (OSError, ValueError):  # the process ended, or Linux hides its calls
        return ""
    return "\n".join(calls)


def _is_endless(arguments: list[str]) -> bool:
    operation = int(arguments[1], 16)
    return bool(operation & _PRIVATE) and operation & _OPERATION in _WAITS and arguments[3] == _NO_LIMIT


def _can_be_woken(pid: int) -> bool:
    with contextlib.suppress(OSError, ValueError):
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        return bool(linux.children_of(pid)) or bool(int(status["SigCgt"], 16) >> (signal.SIGALRM - 1) & 1)
    return True
