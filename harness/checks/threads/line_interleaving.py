"""Let another thread run between two lines of a plugin's code, at each place in turn.

Theory. Threads switch anywhere, and a failure that needs a switch at one place happens once in a million runs. Here the
place is chosen. The work is done once for each line of the plugin's own code that it reaches. There it stops while
another thread does the other work from beginning to end. If that thread waits for a lock which the first thread holds,
the first goes on. Each of these schedules is one that threads may take, so a correct plugin cannot fail. No step
depends on chance, so each takes the same course every time. Most plugins are correct, so all lines are tried in one
course first. Each line is tried alone only if something went wrong in that course.
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

#: Seconds between two looks at the other thread, how many looks in a row must see it asleep, and how many once it is
#: known to wait for locks. One that works as long, and does not end, may wait for a flag.
_TICK, _PATIENCE, _WITH_LOCKS = 0.005, 100, 1
#: How long it may take to end when nothing holds it up any more, in seconds of the process's own.
_LONGEST = 10.0


class Done(msgspec.Struct):
    """The result of some work: its value, or the failure of a callback in words."""

    value: Any = None
    failure: str = ""


class Switch(msgspec.Struct, frozen=True):
    """One schedule: where the first thread stopped, and what came of both works."""

    where: str
    first: Done
    second: Done


class Switches:
    """Threads that switch at chosen lines of one plugin's code."""

    def __init__(self, plugin: Any) -> None:
        self._own = OwnCode(plugin)
        self._patience = _PATIENCE

    def between(self, first: Callable[[], Any], second: Callable[[], Any], *, most: int = 24) -> Iterator[Switch]:
        """Do both works again and again, ``second`` at another line of the plugin's code in ``first`` each time.

        Each line is taken where it is come to first. Where there are more than ``most``, they are spread evenly.
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
        """Yield the same places, each with what went wrong when ``second`` was done there; empty if nothing did.

        ``problems`` say what is wrong with the results of the two works.
        """
        places = self._places(first, most)
        together = _troubles(self._courses(first, second, places), problems)
        alone = []
        if any(problem for _, problem in together):
            switches = (switch for chosen in places for switch in self._course(first, second, [chosen])[0])
            alone = _troubles(switches, problems)
        yield from alone if any(problem for _, problem in alone) else together

    def _places(self, first: Callable[[], Any], most: int) -> list[int]:
        attempted(first)  # what it does once has been done
        lines = _Lines(self._own)
        lines.follow(first)
        places = sorted(lines.first.values())
        return places[:: max(-(-len(places) // most), 1)]

    def _courses(self, first: Callable[[], Any], second: Callable[[], Any], places: list[int]) -> Iterator[Switch]:
        """Do the first work once, and the second at each of the places; once more for those behind a lock."""
        while places:
            done, places = self._course(first, second, places)
            yield from done

    def _course(
        self, first: Callable[[], Any], second: Callable[[], Any], places: list[int]
    ) -> tuple[list[Switch], list[int]]:
        """Do the first work, and the second at its places in turn, until the second has to wait.

        Return the results, and the places after it.
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
    """Return where each switch was and what went wrong; what the first work did is looked at once a course."""
    of_first, of_second = problems
    told: dict[int, str] = {}
    found = []
    for switch in list(switches):
        if id(switch.first) not in told:
            told[id(switch.first)] = of_first(switch.first)
        found.append((switch.where, told[id(switch.first)] or of_second(switch.second)))
    return found


def attempted(work: Callable[[], Any]) -> Done:
    """Do the work; a callback that fails in it is put into words."""
    try:
        return Done(work())
    except CallbackFailedError as error:
        return Done(failure=str(error))


class _Lines:
    """Count the lines of own code that run, and act before chosen lines, without following code called then.

    ``act`` returns whether to act again.
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
        """Do the work."""
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
    """The other thread."""

    def __init__(self, work: Callable[[], Any], patience: int) -> None:
        self._work = work
        self._patience = patience
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.done = Done(failure="it did not return: each thread waits for the other")
        self.waited = False

    def run(self) -> None:
        """Start it, and wait until it has ended, or has shown that it waits itself."""
        self._thread.start()
        sleeper = Sleeper(self._thread.native_id)
        while self._thread.is_alive() and max(sleeper.looks, sleeper.worked / _TICK) < self._patience:
            self._thread.join(_TICK)
            sleeper.look()
        self.waited = self._thread.is_alive()

    def finish(self) -> None:
        """Wait for its end."""
        clock = OwnClock()
        while self._thread.is_alive() and not clock.has_reached(_LONGEST):
            self._thread.join(_TICK)

    def _run(self) -> None:
        self.done = attempted(self._work)
