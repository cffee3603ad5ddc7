"""What a test leaves open: the file descriptors, threads and processes that were not there when it began.

Theory. What a test leaves open fails whichever test the garbage collector runs in. So who opened it is asked at its
end. A test that uses a fixture of its module, class or session may open what that fixture keeps for the next one: such
tests are asked together, when their module ends. To ask costs less than a millisecond where nothing was left.
"""

import contextlib
import dataclasses
import gc
import os
import pathlib
import re
import threading

#: Seconds for what is ending already; not an expectation of the clock.
PATIENCE = 30.0
#: How Linux shows a file that was opened without a name.
_NAMELESS = re.compile(r".*/#\d+ \(deleted\)")


@dataclasses.dataclass
class Open:
    """What is open in this process; ``pids`` are those of all processes of the machine."""

    files: set[tuple[int, str]]
    threads: set[threading.Thread]
    pids: set[int]


def seen():
    """Return what is open now."""
    return Open(set(_files()), set(threading.enumerate()), set(_pids()))


def since(before, lasting):
    """Return what was opened since and is still open, in words; ``lasting`` are numbers of files and processes."""
    if _left(before, lasting):
        gc.collect()  # what nobody holds any more warns of itself, in the test that runs now
        for thread in _threads(before):
            thread.join(PATIENCE)
    return _left(before, lasting)


def _left(before, lasting):
    numbers, pids = lasting
    files = [
        f"file descriptor {number}: {what}"
        for number, what in sorted(set(_files()) - before.files)
        if number not in numbers
    ]
    threads = [f"thread {each.name}" for each in _threads(before)]
    return [*files, *threads, *(f"process {pid}: {_command(pid)}" for pid in _children(before.pids | pids))]


def _files():
    """Yield the open files, but for those that never had a name: libffi keeps one for good."""
    for entry in _entries("/proc/self/fd"):
        with contextlib.suppress(OSError):  # that of the listing itself
            name = str(pathlib.Path(entry).readlink())
            if not _NAMELESS.fullmatch(name):
                yield int(entry.name), name


def _threads(before):
    return [each for each in threading.enumerate() if each not in before.threads]


def _children(others):
    pids = set(_pids()) - others if _has_children() else ()
    return sorted(pid for pid in pids if _parent(pid) == os.getpid())


def _pids():
    return (int(entry.name) for entry in _entries("/proc") if entry.name.isdigit())


def _entries(folder):
    with os.scandir(folder) as entries:
        return list(entries)


def _has_children():
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _parent(pid):
    with contextlib.suppress(OSError):
        return int(pathlib.Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])
    return 0


def _command(pid):
    with contextlib.suppress(OSError):
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        return words or "it has ended, and nobody waited for it"
    return "it has ended"
