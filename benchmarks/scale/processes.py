"""Record the memory of a run's processes over time, by their part in the run: controller, worker or child."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import pathlib
import threading
import time

#: Seconds between two samples.
PERIOD = 0.5
#: The share of a process's first samples that do not count for its growth.
WARM = 0.2
_PROC = pathlib.Path("/proc")


@dataclasses.dataclass(frozen=True)
class Sample:
    """The memory of one process: seconds since the start, resident (RSS) and proportional (PSS) memory in MiB."""

    seconds: float
    rss: float
    pss: float


class Watch(threading.Thread):
    """A thread that samples a process and all its descendants until ``stop``.

    Attributes:
        samples: The samples of each process, by part and process id.
        together: The sums over all processes.
        most_children: The most processes of children at one time.
    """

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._over = threading.Event()
        self._since = time.monotonic()
        self.samples: dict[tuple[str, int], list[Sample]] = collections.defaultdict(list)
        self.together: list[Sample] = []
        self.most_children = 0

    def run(self) -> None:
        """Take samples until ``stop`` is called."""
        while not self._over.wait(PERIOD):
            self._look()

    def stop(self) -> None:
        """End the thread, and wait for it."""
        self._over.set()
        self.join()

    def _look(self) -> None:
        now = time.monotonic() - self._since
        seen = [(part, pid, *memory) for part, pid in _family(self._root) if (memory := _memory(pid))]
        for part, pid, rss, pss in seen:
            self.samples[part, pid].append(Sample(now, rss, pss))
        self.together.append(Sample(now, sum(each[2] for each in seen), sum(each[3] for each in seen)))
        self.most_children = max(self.most_children, sum(part == "child" for part, *_ in seen))

    def peak(self, part: str, what: str = "pss") -> float:
        """Return the most memory that any process of a part had, in MiB; ``what`` is ``pss`` or ``rss``."""
        values = [getattr(s, what) for (name, _), samples in self.samples.items() if name == part for s in samples]
        return max(values, default=0.0)

    def growth(self, part: str, plugins: int) -> float:
        """Return the growth of a process of a part for each plugin in KiB: the greatest of all its processes."""
        slopes = [
            _slope(samples) * (samples[-1].seconds - samples[0].seconds) * 1024 / plugins
            for (name, _), samples in self.samples.items()
            if name == part and len(samples) > 1 / WARM
        ]
        return max(slopes, default=0.0)


def _slope(samples: list[Sample]) -> float:
    """Return the least-squares slope of a process's memory without its first samples, in MiB per second."""
    warm = samples[int(len(samples) * WARM) :]
    mean_x = sum(s.seconds for s in warm) / len(warm)
    mean_y = sum(s.pss for s in warm) / len(warm)
    spread = sum((s.seconds - mean_x) ** 2 for s in warm)
    return sum((s.seconds - mean_x) * (s.pss - mean_y) for s in warm) / spread if spread else 0.0


def _family(pid: int) -> list[tuple[str, int]]:
    """Return the part and the process id of each process: controller, workers, children, and all that these start."""
    family = [("controller", pid)]
    for child in _children(pid):
        role = _role(child)
        family.append((role, child))
        family += [("child" if _role(each) == "child" else "other", each) for each in _descendants(child)]
    return family


def _role(pid: int) -> str:
    with contextlib.suppress(OSError):
        command = (_PROC / str(pid) / "cmdline").read_bytes()
        if b"child.main()" in command:
            return "child"
        if b"sys.stdin.readline" in command:  # execnet starts the workers of pytest-xdist with it
            return "worker"
    return "other"


def _descendants(pid: int) -> list[int]:
    return [each for child in _children(pid) for each in (child, *_descendants(child))]


def _children(pid: int) -> list[int]:
    pids: list[int] = []
    with contextlib.suppress(OSError):
        for thread in (_PROC / str(pid) / "task").iterdir():
            with contextlib.suppress(OSError):
                pids += map(int, (thread / "children").read_text().split())
    return pids


def _memory(pid: int) -> tuple[float, float] | None:
    """Return the resident and the proportional memory of a process, in MiB; None if the process has ended."""
    with contextlib.suppress(OSError):
        lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()
        values = dict(line.split()[:2] for line in lines[1:])
        return int(values["Rss:"]) / 1024, int(values["Pss:"]) / 1024
    return None
