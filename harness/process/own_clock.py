"""Measure the own time of a process: wall time, less the time that its threads waited for a processor.

Theory. The wall clock does not show whether a process hangs. On a busy machine, a process may be ready and get no
processor. The kernel counts how long each thread waited for a processor. So the process is read now and then. From one
reading to the next, its clock advances by the wall time, less the longest wait of a thread. The threads are those of
the process and of its descendants, and the reading thread. So a deadline by this clock stops a process that sleeps, and
not a process that gets no processor.

* A process that keeps all processors busy makes its own threads wait. So its clock advances at least by its CPU time,
  divided by the number of processors.
* The wait of a thread that began or ended since the last reading is unknown. Some kernels count no waiting at all. In
  both cases the clock advances by the CPU time, but at least by a tenth of the wall time.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time
from typing import TYPE_CHECKING, Any

import msgspec

from harness.process import linux

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness.process.linux import ThreadTimes

#: Seconds between two readings of a process.
TICK = 0.1
#: Seconds between two counts of the threads.
_SHORT = 0.001
#: Seconds by which the clock advances at most from one reading to the next: the reader may be stopped in between.
_LONGEST = 10 * TICK
#: If the wait is unknown, the clock advances by this part of the wall time at the least.
_AT_LEAST = 0.1


class Reading(msgspec.Struct, frozen=True):
    """The times of a process and its descendants at one moment.

    Attributes:
        wall: The wall clock, in seconds.
        threads: The times of each thread by id; empty if the kernel does not count how long threads wait.
        waited: Seconds that each thread has waited for a processor, by id; a wait that is not over counts.
        worked: Seconds of CPU time of all together.
    """

    wall: float
    threads: Mapping[int, ThreadTimes]
    waited: Mapping[int, float]
    worked: float

    @classmethod
    def of(cls, pid: int, last: Reading | None = None) -> Reading:
        """Read a process, with the thread that reads; ``last`` is the previous reading."""
        wall, threads = time.monotonic(), linux.times_of_threads(pid)
        waited = {number: _waited(number, times, wall, last) for number, times in threads.items()}
        return cls(wall, threads, waited, linux.cpu_seconds(pid))

    def own_seconds_until(self, later: Reading) -> float:
        """Return the seconds by which the process's clock advances from this reading to a later reading."""
        wall, worked = later.wall - self.wall, later.worked - self.worked
        if not self.waited or self.waited.keys() != later.waited.keys():
            own = max(worked, wall * _AT_LEAST)
        else:
            starved = max(waited - self.waited[thread] for thread, waited in later.waited.items())
            own = max(wall - starved, worked / linux.processors())
        return min(own, wall, _LONGEST)


def _waited(thread: int, times: ThreadTimes, wall: float, last: Reading | None) -> float:
    """Return how long a thread has waited. The kernel counts a wait when it is over, so a present wait is added."""
    before = last.threads.get(thread) if last else None
    if last and before and times.is_ready and times.worked == before.worked:
        return last.waited[thread] + wall - last.wall
    return times.waited


class OwnClock:
    """Clock of a process and its descendants, which starts with the first reading.

    Attributes:
        seconds: The own time of the process since the first reading or the last restart.
    """

    def __init__(self, pid: int | None = None) -> None:
        """Make the clock of a process; without a number, of the calling process."""
        self.seconds = 0.0
        self._pid = pid or os.getpid()
        self._next = time.monotonic() + TICK
        self._last: Reading | None = None

    def restart(self) -> None:
        """Set the clock to 0 seconds."""
        self.seconds = 0.0

    def has_reached(self, seconds: float) -> bool:
        """Return whether the clock has reached so many seconds; read the process, at most once in ``TICK`` seconds."""
        if time.monotonic() >= self._next:
            now = Reading.of(self._pid, self._last)
            self.seconds += self._last.own_seconds_until(now) if self._last else 0.0
            self._last, self._next = now, now.wall + TICK
        return self._last is not None and self.seconds >= seconds


class Sleeper:
    """Shows whether a thread of this process sleeps: it is not ready, and has not worked since the last look.

    Attributes:
        looks: The number of looks in a row that saw it asleep; if the kernel counts no times, of all looks.
        worked: Seconds of CPU time that the thread has taken since the first look.
    """

    def __init__(self, thread: int | None) -> None:
        """Look at the thread with this native id for the first time."""
        self.looks, self.worked = 0, 0.0
        self._folder = f"/proc/self/task/{thread}"
        self._first = self._last = linux.times_of(self._folder)

    def look(self) -> None:
        """Look at the thread once more."""
        before, now = self._last, linux.times_of(self._folder)
        self._last = now
        if now is None or before is None or self._first is None:
            self.looks += 1
            return
        self.worked = now.worked - self._first.worked
        self.looks = 0 if now.is_ready or now.worked != before.worked else self.looks + 1


def await_end(pid: int, seconds: float) -> None:
    """Wait until a process ends, at most for so many seconds by its clock."""
    clock, descriptor = OwnClock(pid), os.pidfd_open(pid)
    try:
        while not select.select([descriptor], [], [], TICK)[0] and not clock.has_reached(seconds):
            pass
    finally:
        os.close(descriptor)


def run(command: Sequence[str], *, seconds: float, **how: Any) -> subprocess.CompletedProcess[Any]:
    """Do as `subprocess.run` with ``check=False``, with a limit in the command's own time.

    Raises:
        subprocess.TimeoutExpired: The command has used up ``seconds`` and has not ended.
        OSError: The command cannot be started.
    """
    return run_in_steps(command, lambda: (0, seconds), **how)


def run_in_steps(
    command: Sequence[str], limit: Callable[[], tuple[int, float]], **how: Any
) -> subprocess.CompletedProcess[Any]:
    """Do as :func:`run`, with a limit for each step; ``limit`` returns the present step and its seconds.

    Raises:
        subprocess.TimeoutExpired: The command has used up the seconds of a step.
        OSError: The command cannot be started.
    """
    with subprocess.Popen(command, **how) as process:  # noqa: S603 - the caller chooses the command
        try:
            stdout, stderr = _output(process, limit)
        finally:
            if process.poll() is None:
                process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def output_of(command: Sequence[str], *, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a command as :func:`run` does, and capture its standard output and error as text."""
    return run(command, seconds=seconds, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _output(process: subprocess.Popen[Any], limit: Callable[[], tuple[int, float]]) -> tuple[Any, Any]:
    clock, last = OwnClock(process.pid), limit()[0]
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=TICK)
        step, seconds = limit()
        if step != last:
            clock.restart()
        elif clock.has_reached(seconds):
            raise subprocess.TimeoutExpired(process.args, seconds)
        last = step


def has_threads(patience: float = TICK, *, beyond: int = 1) -> bool:
    """Return whether this process has more than ``beyond`` threads, native threads included.

    A thread that was joined a moment ago can still be listed: it gets ``patience`` seconds to vanish.
    """
    clock = OwnClock()
    while linux.count_of_threads() > beyond:
        if clock.has_reached(patience):
            return True
        time.sleep(_SHORT)
    return False
