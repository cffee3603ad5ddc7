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

#: The harness's file descriptors have this number or higher, if the limit allows it: a plugin may close low numbers.
PRIVATE_DESCRIPTORS = 500
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
#: Rounds of killing, at most: a plugin may fork faster than it is killed.
_ROUNDS = 100
#: The fields of ``/proc/<pid>/stat``, counted behind the name, with the CPU time of a process and its reaped children.
_CPU_FIELDS = slice(11, 15)


@functools.cache
def c_library() -> Any:
    """Return the C library of this process."""
    import ctypes  # noqa: PLC0415 - pytest's process never needs it

    return ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that started it ends; exit if it already has."""
    c_library().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def outlive_parent() -> None:
    """Undo :func:`die_with_parent`: this process notices its parent's end by itself, and then tidies up."""
    c_library().prctl(_PR_SET_PDEATHSIG, 0, 0, 0, 0)


def adopt_orphans() -> None:
    """Make this process the parent of each descendant whose parent ends, so that it can kill them all."""
    c_library().prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def bound(memory: int) -> None:
    """Limit this process and its children to ``memory`` bytes of data each, without core dumps.

    If the machine runs out of memory, Linux kills them first. ``RLIMIT_DATA`` counts what a process has allocated
    privately. ``RLIMIT_AS`` would also count what NumPy and CUDA only reserve. AddressSanitizer reserves terabytes as
    private data, so a process with AddressSanitizer has no limit.
    """
    if not hasattr(c_library(), "__asan_init"):
        _limit(resource.RLIMIT_DATA, memory)
    # With 0 bytes, the kernel would still start a crash reporter, if one is configured; with 1 it does not.
    _limit(resource.RLIMIT_CORE, 1)
    with contextlib.suppress(OSError):  # not writable in some containers, and only a precaution
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def _limit(what: int, value: int) -> None:
    _, hard = resource.getrlimit(what)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (value, value if what == resource.RLIMIT_DATA else hard))


def private(descriptor: int) -> int:
    """Move a file descriptor out of the plugin's way and return its new number; started programs do not inherit it."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, min(PRIVATE_DESCRIPTORS, max(soft - 64, 3)))
    os.close(descriptor)
    return moved


def count_of_threads() -> int:
    """Return the number of threads of this process, native threads included."""
    return len(os.listdir("/proc/self/task"))  # noqa: PTH208 - names are enough


def exit_status(pid: int) -> int | None:
    """Return the exit status of a child (negative: the signal that killed it), without reaping the child.

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
    """Return the ids of the processes whose parent is ``pid``, zombies included."""
    pids: set[int] = set()
    with contextlib.suppress(OSError), os.scandir(f"/proc/{pid}/task") as threads:
        for thread in threads:  # each may end meanwhile
            with open(f"{thread.path}/children", "rb") as children:  # noqa: PTH123 - read at each request
                pids.update(map(int, children.read().split()))
    return pids


def descendants_of(pid: int) -> set[int]:
    """Return the ids of the children of ``pid``, their children, and so on."""
    pids: set[int] = set()
    fresh = children_of(pid)
    while fresh:
        pids |= fresh
        fresh = set().union(*map(children_of, fresh)) - pids
    return pids


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, of its descendants, and of their reaped children."""
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
    """Return the times of threads by id: those of a process, of its descendants, and the calling thread.

    A thread that ended meanwhile is left out. If the kernel does not count how long threads wait, all are left out.
    """
    tasks = [f"/proc/{pid}/task", *(f"/proc/{each}/task" for each in descendants_of(pid))]
    threads = {int(thread): f"{task}/{thread}" for task in tasks for thread in _names_in(task)}
    threads[threading.get_native_id()] = f"/proc/self/task/{threading.get_native_id()}"
    times = {number: times_of(folder) for number, folder in threads.items()}
    return {number: each for number, each in times.items() if each is not None}


def times_of(folder: str) -> ThreadTimes | None:
    """Return the times of the thread with this folder in ``/proc``.

    None if the thread has ended, or if the kernel does not count how long threads wait.
    """
    try:
        with open(f"{folder}/schedstat") as times, open(f"{folder}/stat") as state:  # noqa: PTH123 - as above
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
    """Kill a child that leads a process group, with its group and its descendants.

    Call it before the child is reaped: afterwards its id can belong to another process.
    """
    family = descendants_of(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for member in (pid, *family):
        _kill(member)


def end_children(keep: Iterable[int] = ()) -> None:
    """Kill and reap the children of this process, except those in ``keep``.

    After :func:`adopt_orphans`, their own children become children of this process, and are killed in the next round.
    """
    keep = set(keep)
    for _ in range(_ROUNDS):
        victims = children_of(os.getpid()) - keep
        if not victims:
            return
        for victim in victims:
            _kill(victim)
            reap(victim)


def end_those_with(variable: str) -> None:
    """Kill the other processes of this user that were started with a variable (``NAME=value``) in their environment.

    These can also be descendants of a process that has ended.
    """
    for _ in range(_ROUNDS):
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        victims = [pid for pid in pids if _has_variable(pid, variable.encode()) and pid != os.getpid()]
        if not victims:
            return
        for victim in victims:
            _kill(victim)


def _has_variable(pid: int, variable: bytes) -> bool:
    """Return whether a process was started with a variable; false for a process that has ended."""
    with contextlib.suppress(OSError):
        return variable in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def reap(pid: int) -> None:
    """Wait for the end of a child that was killed."""
    with contextlib.suppress(ChildProcessError):  # another part of the process has reaped it
        os.waitpid(pid, 0)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
