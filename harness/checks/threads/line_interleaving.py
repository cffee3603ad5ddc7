"""Let another thread run between two lines of a plugin's code, at each line in turn.

Theory. Threads switch anywhere, and a failure that needs a switch at one place happens once in a million runs. Here the
place is chosen. A first thread stops before a line of the plugin's own code. Meanwhile a second thread does other work
from beginning to end. If the second thread waits for a lock that the first holds, the first goes on. This is repeated
for each line. Threads can run in each of these orders without help, too, so a correct plugin does not fail. No step
depends on chance, so each repetition has the same result. Most plugins are correct. So the first attempt stops at all
lines in one run. Each line is tried alone only if that run shows a problem.
"""

from __future__ import annotations

import pathlib
import sys
import threading
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.observation.own_code import CodeOrigin, OwnCode
from harness.contract.finding import CallbackFailedError
from harness.process.own_clock import OwnClock, Sleeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import CodeType, FrameType

#: Seconds between two looks at the second thread, and the looks in a row that must see it asleep before it counts as
#: waiting. A thread that works for as long may be waiting for a flag. The last number is for a plugin that uses locks.
_TICK, _PATIENCE, _WITH_LOCKS = 0.005, 100, 1
#: Seconds on the process's own clock that the second thread may take to end after the first.
_LONGEST = 10.0


class Done(msgspec.Struct):
    """The result of some work: its value, or the failure of a callback in words."""

    value: Any = None
    failure: str = ""


class Switch(msgspec.Struct, frozen=True):
    """One thread switch: the line before which the first thread stopped, and the results of both threads."""

    where: str
    first: Done
    second: Done


class Switches:
    """Runs pairs of threads that switch at chosen lines of one plugin's code."""

    def __init__(self, plugin: Any) -> None:
        self._own = OwnCode(plugin)
        self._patience = _PATIENCE

    def between(self, first: Callable[[], Any], second: Callable[[], Any], *, most: int = 24) -> Iterator[Switch]:
        """Do ``first`` for each line of the plugin's code that it runs, and ``second`` when it reaches that line.

        Each line counts where it runs first. If there are more than ``most`` lines, evenly spaced lines are chosen.
        """
        for chosen in self._places(first, most):
            yield from self._course(first, second, [chosen])[0]

    def disturbances(
        self,
        first: Callable[[], Any],
        second: Callable[[], Any],
        problems: tuple[Callable[[Done], str], Callable[[Done], str]],
        *,
        most: int = 24,
    ) -> Iterator[tuple[str, str]]:
        """Yield the lines that :meth:`between` chooses, each with the problem of a switch there; empty if none.

        ``problems`` has a function for the results of each work, which returns the problem in words.
        """
        places = self._places(first, most)
        together = _troubles(self._courses(first, second, places), problems)
        alone = []
        if any(problem for _, problem in together):
            switches = (switch for chosen in places for switch in self._course(first, second, [chosen])[0])
            alone = _troubles(switches, problems)
        yield from alone if any(problem for _, problem in alone) else together

    def _places(self, first: Callable[[], Any], most: int) -> list[int]:
        attempted(first)  # so that preparations of a first call are not traced
        lines = _Lines(self._own)
        lines.follow(first)
        places = sorted(lines.first.values())
        return places[:: max(-(-len(places) // most), 1)]

    def _courses(self, first: Callable[[], Any], second: Callable[[], Any], places: list[int]) -> Iterator[Switch]:
        """Do the first work once, and the second at each place. If the second has to wait, repeat for later places."""
        while places:
            done, places = self._course(first, second, places)
            yield from done

    def _course(
        self, first: Callable[[], Any], second: Callable[[], Any], places: list[int]
    ) -> tuple[list[Switch], list[int]]:
        """Do the first work, and the second at its places in turn, until the second has to wait.

        Return the switches, and the places that were not reached; empty if the second never had to wait.
        """
        others: list[_Other] = []

        def act() -> bool:
            others.append(_Other(second, self._patience))
            others[-1].run()
            return not others[-1].waited

        stop = _Lines(self._own, places, act)
        done = stop.follow(first)
        for other in others:
            other.finish()
        waited = bool(others) and others[-1].waited
        self._patience = _WITH_LOCKS if waited else self._patience
        switches = [Switch(where, done, other.done) for where, other in zip(stop.where, others, strict=True)]
        return switches, [place for place in places if place > stop.last] if waited else []


def _troubles(
    switches: Iterable[Switch], problems: tuple[Callable[[Done], str], Callable[[Done], str]]
) -> list[tuple[str, str]]:
    """Return the place and the problem of each switch. A result that several switches share is judged once."""
    of_first, of_second = problems
    known: dict[int, str] = {}
    troubles = []
    for switch in list(switches):
        if id(switch.first) not in known:
            known[id(switch.first)] = of_first(switch.first)
        troubles.append((switch.where, known[id(switch.first)] or of_second(switch.second)))
    return troubles


def attempted(work: Callable[[], Any]) -> Done:
    """Do the work, and return its value or the failure of a callback in words."""
    try:
        return Done(work())
    except CallbackFailedError as error:
        return Done(failure=str(error))


class _Lines:
    """Counts the lines of the user's code that run, and calls ``act`` before chosen lines.

    ``chosen`` has the numbers of these lines in the order in which lines run. ``act`` returns whether to call it again.
    """

    def __init__(self, own: OwnCode, chosen: Iterable[int] = (), act: Callable[[], bool] = lambda: False) -> None:
        self._own = own
        self._chosen = frozenset(chosen)
        self._act = act
        self.seen = 0
        self.last = -1
        self.first: dict[tuple[CodeType, int], int] = {}
        self.where: list[str] = []
        self._before: Any = None

    def follow(self, work: Callable[[], Any]) -> Done:
        """Do the work, and return its result."""
        self._before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            return attempted(work)
        finally:
            sys.settrace(self._before)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        return self._step if self._own.origin(frame) is CodeOrigin.OWN else None

    def _step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            if self.seen in self._chosen:
                self.last = self.seen
                name = pathlib.Path(frame.f_code.co_filename).name
                self.where.append(f"{frame.f_code.co_name}, before line {frame.f_lineno} of {name}")
                if not self._act():
                    self._chosen = frozenset()
                    sys.settrace(self._before)
            self.first.setdefault((frame.f_code, frame.f_lineno), self.seen)
            self.seen += 1
        return self._step


class _Other:
    """The second thread, at one line of the first."""

    def __init__(self, work: Callable[[], Any], patience: int) -> None:
        self._work = work
        self._patience = patience
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.done = Done(failure="it did not return: each thread waits for the other")
        self.waited = False

    def run(self) -> None:
        """Start the thread, and wait until it has ended, or seems to wait for the first thread."""
        self._thread.start()
        sleeper = Sleeper(self._thread.native_id)
        while self._thread.is_alive() and max(sleeper.looks, sleeper.worked / _TICK) < self._patience:
            self._thread.join(_TICK)
            sleeper.look()
        self.waited = self._thread.is_alive()

    def finish(self) -> None:
        """Wait until the thread has ended, but not longer than `_LONGEST`."""
        clock = OwnClock()
        while self._thread.is_alive() and not clock.has_reached(_LONGEST):
            self._thread.join(_TICK)

    def _run(self) -> None:
        self.done = attempted(self._work)
