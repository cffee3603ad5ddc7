"""Use Linux to limit a process, and to end it with everything that it started."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import resource
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Our file descriptors lie beyond those that a plugin may close in a sweep.
PRIVATE_DESCRIPTORS = 500
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
#: Rounds of killing after which a plugin that forks faster than we kill is left to its fate.
_ROUNDS = 100
#: Where ``/proc/<pid>/stat`` has the CPU time of a process and of its children that were reaped, behind the name.
_CPU_FIELDS = slice(11, 15)


@functools.cache
def c_library() -> Any:
    """The C library of this process."""
    import ctypes  # noqa: PLC0415 - pytest's process never needs it

    return ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends; exit if it already has."""
    c_library().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def outlive_parent() -> None:
    """Take :func:`die_with_parent` back, in a process that notices by itself and has to tidy up then."""
    c_library().prctl(_PR_SET_PDEATHSIG, 0, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of all descendants whose own parent ends, so that none is lost."""
    c_library().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def bound(memory: int) -> None:
    """Bound this process and its children: bytes of data, no core dumps, first choice when memory runs out.

    ``RLIMIT_DATA`` counts what a process has allocated privately. ``RLIMIT_AS`` would also count what NumPy
    and CUDA only reserve. AddressSanitizer reserves terabytes as private data, so a process that has it is not bounded.
    """
    if not hasattr(c_library(), "__asan_init"):
        _limit(resource.RLIMIT_DATA, memory)
    # One byte, not none: with 0 the kernel still starts a crash reporter where one is set up, with 1 never.
    _limit(resource.RLIMIT_CORE, 1)
    with contextlib.suppress(OSError):  # not writable in some containers, and only a precaution
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value if what == resource.RLIMIT_DATA else hard))


def private(descriptor: int) -> int:
    """Move a file descriptor out of the way of plugins; processes that they start do not inherit it."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, min(PRIVATE_DESCRIPTORS, max(soft - 64, 3)))
    os.close(descriptor)
    return moved


def count_of_threads() -> int:
    """Return the number of threads of this process, native threads included."""
    return len(os.listdir("/proc/self/task"))  # noqa: PTH208 - names are enough


def exit_status(pid: int) -> int | None:
    """The exit status of a child (negative: the signal that killed it), which stays to be reaped.

    None while it runs; 0 if another part of the process reaped it.
    """
    try:
        result = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return 0
    if result is None:
        return None
    return result.si_status if result.si_code == os.CLD_EXITED else -result.si_status


def children_of(pid: int) -> set[int]:
    """The processes whose parent is ``pid``, zombies included."""
    found: set[int] = set()
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:  # any of them may end while we look
            with open(f"{thread.path}/children", "rb") as children:  # noqa: PTH123 - read at each request
                found.update(map(int, children.read().split()))
    return found


def descendants_of(pid: int) -> set[int]:
    """The children of ``pid``, their children, and so on."""
    found: set[int] = set()
    fresh = children_of(pid)
    while fresh:
        found |= fresh
        fresh = set().union(*map(children_of, fresh)) - found
    return found


def cpu_seconds(pid: int) -> float:
    """CPU time that a process, what descends from it, and their children that were reaped have taken."""
    return sum(map(_cpu_seconds, (pid, *descendants_of(pid))))


class ThreadTimes(msgspec.Struct, frozen=True):
    """The CPU time and waiting time of a thread, as Linux counts them.

    Attributes:
        worked: Seconds that it ran.
        waited: Seconds that it was ready and waited for a processor, up to the last time that it got one.
        is_ready: Whether it runs or waits for a processor.
    """

    worked: float
    waited: float
    is_ready: bool


def times_of_threads(pid: int) -> dict[int, ThreadTimes]:
    """The times of each thread of a process, of its descendants, and of the calling thread.

    A thread that ended meanwhile is left out. Where the kernel does not count how long a thread waits, there is none.
    """
    tasks = [f"/proc/{pid}/task", *(f"/proc/{each}/task" for each in descendants_of(pid))]
    threads = {int(thread): f"{task}/{thread}" for task in tasks for thread in _names_in(task)}
    threads[threading.get_native_id()] = f"/proc/self/task/{threading.get_native_id()}"
    times = {number: times_of(folder) for number, folder in threads.items()}
    return {number: each for number, each in times.items() if each is not None}


def times_of(thread: str) -> ThreadTimes | None:
    """The times of a thread, whose folder in ``/proc`` is given; None where the kernel does not count them."""
    try:
        with open(f"{thread}/schedstat") as times, open(f"{thread}/stat") as state:  # noqa: PTH123 - as above
            worked, waited, _ = map(int, times.read().split())
            return ThreadTimes(worked / 1e9, waited / 1e9, state.read().rpartition(") ")[2][:1] == "R")
    except (OSError, ValueError):
        return None


def _names_in(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names are enough
    except OSError:
        return []


@functools.cache
def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


def _cpu_seconds(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123 - as above
            text = file.read()
    except OSError:  # it ended meanwhile
        return 0.0
    _, _, numbers = text.rpartition(") ")  # the name before may hold anything
    return sum(map(int, numbers.split()[_CPU_FIELDS])) / os.sysconf("SC_CLK_TCK")


def end_family(pid: int) -> None:
    """Kill a child that leads a process group, its group, and what descends from it.

    The child must not have been reaped yet, so that its number cannot belong to another process.
    """
    family = descendants_of(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for member in (pid, *family):
        _kill(member)


def end_children(keep: Iterable[int] = ()) -> None:
    """Kill and reap the children of this process, and so one by one all that descends from them."""
    keep = set(keep)
    for _ in range(_ROUNDS):
        victims = children_of(os.getpid()) - keep
        if not victims:
            return
        for victim in victims:
            _kill(victim)
            reap(victim)


def end_those_with(word: str) -> None:
    """Kill the other processes of this user that were started with a word (``NAME=value``) in their environment.

    It finds even the descendants of a process that is gone, which belong to another family now.
    """
    for _ in range(_ROUNDS):
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        found = [pid for pid in pids if _was_given(pid, word.encode()) and pid != os.getpid()]
        if not found:
            return
        for pid in found:
            _kill(pid)


def _was_given(pid: int, word: bytes) -> bool:
    """Return whether the environment of a process has a word; false for a process that has ended."""
    with contextlib.suppress(OSError):
        return word in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def reap(pid: int) -> None:
    """Wait for the end of a child that was killed."""
    with contextlib.suppress(ChildProcessError):  # another part of the process did
        os.waitpid(pid, 0)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
