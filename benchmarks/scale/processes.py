"""Watches the processes of a run: what each takes of memory over time, by the part that it plays."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import pathlib
import threading
import time

#: Seconds between two looks.
PERIOD = 0.5
#: Part of a run after which a process counts as warm.
WARM = 0.2
_PROC = pathlib.Path("/proc")


@dataclasses.dataclass(frozen=True)
class Sample:
    """What one process took at one moment: seconds since the start, MiB of its own and its share of what is shared."""

    seconds: float
    rss: float
    pss: float


class Watch(threading.Thread):
    """Looks at a process and all that descends from it until it is told to stop."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._over = threading.Event()
        self._since = time.monotonic()
        self.samples: dict[tuple[str, int], list[Sample]] = collections.defaultdict(list)
        self.together: list[Sample] = []
        self.most_children = 0

    def run(self) -> None:
        """Look."""
        while not self._over.wait(PERIOD):
            self._look()

    def stop(self) -> None:
        """Look no more."""
        self._over.set()
        self.join()

    def _look(self) -> None:
        now = time.monotonic() - self._since
        seen = [(part, pid, *found) for part, pid in _family(self._root) if (found := _memory(pid))]
        for part, pid, rss, pss in seen:
            self.samples[part, pid].append(Sample(now, rss, pss))
        self.together.append(Sample(now, sum(each[2] for each in seen), sum(each[3] for each in seen)))
        self.most_children = max(self.most_children, sum(part == "child" for part, *_ in seen))

    def peak(self, part: str, what: str = "pss") -> float:
        """Return the most that any process of a part took, in MiB."""
        found = [getattr(s, what) for (name, _), samples in self.samples.items() if name == part for s in samples]
        return max(found, default=0.0)

    def growth(self, part: str, plugins: int) -> float:
        """Return by how many KiB a process of a part grows with each further plugin: the steepest line of any."""
        slopes = [
            _slope(samples) * (samples[-1].seconds - samples[0].seconds) * 1024 / plugins
            for (name, _), samples in self.samples.items()
            if name == part and len(samples) > 1 / WARM
        ]
        return max(slopes, default=0.0)


def _slope(samples: list[Sample]) -> float:
    """The least-squares slope of what a process takes once it is warm, in MiB a second."""
    warm = samples[int(len(samples) * WARM) :]
    mean_x = sum(s.seconds for s in warm) / len(warm)
    mean_y = sum(s.pss for s in warm) / len(warm)
    spread = sum((s.seconds - mean_x) ** 2 for s in warm)
    return sum((s.seconds - mean_x) * (s.pss - mean_y) for s in warm) / spread if spread else 0.0


def _family(pid: int) -> list[tuple[str, int]]:
    """The processes of a run: the controller, workers, and the children with their forks and all that these start."""
    found = [("controller", pid)]
    for child in _children(pid):
        role = _role(child)
        found.append((role, child))
        found += [("child" if _role(each) == "child" else "other", each) for each in _descendants(child)]
    return found


def _role(pid: int) -> str:
    with contextlib.suppress(OSError):
        command = (_PROC / str(pid) / "cmdline").read_bytes()
        if b"child.main()" in command:
            return "child"
        if b"sys.stdin.readline" in command:  # how execnet starts the workers of pytest-xdist
            return "worker"
    return "other"


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for child in _children(pid):
        found += [child, *_descendants(child)]
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in (_PROC / str(pid) / "task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (thread / "children").read_text().split())
    return found


def _memory(pid: int) -> tuple[float, float] | None:
    """The memory of a process and its share of what it shares with others, in MiB; None where it is gone."""
    with contextlib.suppress(OSError):
        lines = (_PROC / str(pid) / "smaps_rollup").read_text().splitlines()
        values = dict(line.split()[:2] for line in lines[1:])
        return int(values["Rss:"]) / 1024, int(values["Pss:"]) / 1024
    return None
