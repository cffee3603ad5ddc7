"""Letting another thread run between two lines of a plugin's code, at each place in turn.

Theory. Threads switch anywhere, and what needs a switch at one place goes wrong once in a million runs. Here the place
is chosen: the work is done once for each line of the plugin's own code that it comes to; there it stands still while
another thread does the other work from beginning to end. Where that one waits for a lock which the first thread holds,
the first goes on. Each of these schedules is one that threads may take, so a sound plugin cannot fail; and as nothing
is left to chance, each takes the same course every time.
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys
import threading
from typing import TYPE_CHECKING, Any

from harness.contract.finding import CallbackFailedError
from reference_runtime import instruments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType, FrameType

#: How long the other thread is waited for, in seconds, and how long once it is known to wait for locks.
_PATIENCE, _WITH_LOCKS = 0.5, 0.005
#: How long it may take to end when nothing holds it up any more.
_LONGEST = 10.0


@dataclasses.dataclass
class Done:
    """What came of some work: its value, or in words how a callback failed."""

    value: Any = None
    failure: str = ""


@dataclasses.dataclass(frozen=True)
class Switch:
    """One schedule: where the first thread stood still, and what came of both works."""

    where: str
    first: Done
    second: Done


class Switches:
    """Threads that switch at chosen lines of one plugin's code."""

    def __init__(self, plugin: Any) -> None:
        own = [cls for cls in type(plugin).__mro__ if not instruments.is_bound(cls) and cls is not object]
        files = (getattr(sys.modules.get(cls.__module__), "__file__", None) for cls in own)
        self._files = frozenset(file for file in files if file)  # those of the plugin's own classes
        self._patience = _PATIENCE

    def between(self, first: Callable[[], Any], second: Callable[[], Any], *, most: int = 24) -> Iterator[Switch]:
        """Do both works again and again, ``second`` at another line of the plugin's code in ``first`` each time.

        Each line is taken where it is come to first. Where there are more than ``most``, they are spread evenly.
        """
        attempted(first)  # what it does once has been done
        lines = _Lines(self._files)
        lines.follow(first)
        places = sorted(lines.first.values())
        for chosen in places[:: max(-(-len(places) // most), 1)]:
            other = _Other(second, self._patience)
            stop = _Lines(self._files, chosen, other.run)
            done = stop.follow(first)
            other.finish()
            self._patience = _WITH_LOCKS if other.waited else self._patience
            if other.done is not None:  # else this time there were fewer lines
                yield Switch(stop.where, done, other.done)


def attempted(work: Callable[[], Any]) -> Done:
    """Do the work; a callback that fails in it is put into words."""
    try:
        return Done(work())
    except CallbackFailedError as error:
        return Done(failure=str(error))


class _Lines:
    """Counts the lines of some files that are run, and acts before a chosen one; what comes then it does not follow."""

    def __init__(self, files: frozenset[str], chosen: int = -1, act: Callable[[], None] = lambda: None) -> None:
        self._files = files
        self._chosen = chosen
        self._act = act
        self.seen = 0
        self.first: dict[tuple[CodeType, int], int] = {}
        self.where = ""
        self._before: Any = None

    def follow(self, work: Callable[[], Any]) -> Done:
        """Do the work."""
        self._before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            return attempted(work)
        finally:
            sys.settrace(self._before)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        return self._step if frame.f_code.co_filename in self._files else None

    def _step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            if self.seen == self._chosen:
                name = pathlib.Path(frame.f_code.co_filename).name
                self.where = f"{frame.f_code.co_name}, before line {frame.f_lineno} of {name}"
                self._act()
                sys.settrace(self._before)
            self.first.setdefault((frame.f_code, frame.f_lineno), self.seen)
            self.seen += 1
        return self._step


class _Other:
    """The other thread."""

    def __init__(self, work: Callable[[], Any], patience: float) -> None:
        self._work = work
        self._patience = patience
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.done: Done | None = None
        self.waited = False

    def run(self) -> None:
        """Start it, and wait until it has ended, or has shown that it waits itself."""
        self.done = Done(failure="it did not return: each thread waits for the other")
        self._thread.start()
        self._thread.join(self._patience)
        self.waited = self._thread.is_alive()

    def finish(self) -> None:
        """Wait for its end."""
        if self.waited:
            self._thread.join(_LONGEST)

    def _run(self) -> None:
        self.done = attempted(self._work)
