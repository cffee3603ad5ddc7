"""Run threads in turns: one runs at a time, and a schedule says after how many points they switch.

Theory. A failure that needs a thread switch at a certain place happens once in a million runs. Here one thread has the
baton, and the others wait. It passes *points*: the beginning and end of a callback, each line of user code, and each
device call there. After the number of points in its turn, it hands the baton on. So the same schedule takes the same
course each time, and threads may take each course by themselves.

A thread that waits for a lock passes no points, and the lock's owner waits for the baton. It sleeps, and the kernel
says so. After several looks that see it asleep, it loses its turn. It gets the next turn when no other thread can run.
A thread that comes to the same line again and again may be waiting, too, and hands the baton on. If all wait for each
other, that is a deadlock, and the controller sees the process hang.

Longer than most, because who has the baton is decided in one place.
"""

from __future__ import annotations

import contextlib
import contextvars
import enum
import gc
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.observation.own_code import CodeOrigin, OwnCode
from harness.checks.threads.line_interleaving import Done, attempted
from harness.process.own_clock import Sleeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType, FrameType

    from reference_runtime.calling.gate.gate import CallOutcome, Event, Gate

    #: Where a thread stands: before a line, or before or after a callback.
    Place = tuple[CodeType | str, int]

__all__ = ["Course", "Done", "OwnCode", "Schedule", "in_turns"]

#: Seconds between two looks at the thread that runs, and how many in a row see it asleep that waits for a lock,
_TICK, _LOOKS = 0.005, 40
#: or after a place where some thread has been found waiting.
_LOOKS_WHERE_IT_WAITED = 2
#: One that works so many seconds and comes to no point may go round where nothing is followed.
_WORKS_AT_MOST = 1.0
#: So often a thread comes to one line in one turn.
_ROUNDS = 20
#: Switches that are put into words.
_TOLD = 4


class Schedule(msgspec.Struct, frozen=True):
    """A schedule that says after how many points each thread hands over to the next thread.

    Attributes:
        steps: The points of one turn after the other; after the last, the first again.
        turns: After this number of turns threads are not interrupted any more.
    """

    steps: tuple[int, ...]
    turns: int

    def length(self, turn: int) -> float:
        """Return how many points a turn has."""
        return self.steps[turn % len(self.steps)] if self.steps and turn < self.turns else float("inf")


class Course(msgspec.Struct, frozen=True):
    """The results of all threads' work, and the places where threads switched."""

    done: list[Done]
    switches: list[str]

    def __str__(self) -> str:
        """Describe the last switches: the most important if there are few."""
        told = "; ".join(self.switches[-_TOLD:]) or "none"
        earlier = len(self.switches) - _TOLD
        return f"{told} (and {earlier} earlier)" if earlier > 0 else told


def in_turns(
    works: Sequence[Callable[[], Any]],
    gate: Gate,
    own: OwnCode,
    schedule: Schedule,
    waited_at: set[Place],
    look: Callable[[], None] = lambda: None,
) -> Course:
    """Do each of the works in a separate thread, by turns.

    ``waited_at`` remembers from call to call where threads were found waiting; ``look`` is called at each line.
    """
    table = _Table(works, own, schedule, waited_at)
    table.look = look
    gate.observers.append(table)
    try:
        with _uncollected():
            table.run()
    finally:
        gate.observers.remove(table)
    return Course([each.done for each in table.threads], table.switches)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Turn the garbage collection off: finalizers would run at arbitrary places."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _State(enum.Enum):
    """The state of a thread: STUCK if it blocked during its turn, LATE if it reached a point after that."""

    READY = enum.auto()
    LATE = enum.auto()
    STUCK = enum.auto()
    ENDED = enum.auto()


class _Thread:
    """One of the threads; it traces itself while it is in a callback, and leaves the baton to the table."""

    def __init__(self, number: int, work: Callable[[], Any], table: _Table, own: OwnCode) -> None:
        self.number = number
        self.done = Done()
        self.error: BaseException | None = None
        self.state = _State.READY
        self.place: Place = ("its work", 0)
        self.baton = threading.Lock()
        self.baton.acquire()
        self._work = work
        self._table = table
        self._own = own
        self._tracers: list[Any] = []
        context = contextvars.copy_context()
        self.thread = threading.Thread(target=context.run, args=(self._run,), daemon=True)

    def enter(self, method: str) -> None:
        """Begin a callback: a point, and from now on lines are."""
        self._table.come_to(self, (f"{method} begins", 0))
        self._tracers.append(sys.gettrace())
        sys.settrace(self._enter)

    def leave(self, method: str) -> None:
        """End a callback; who traced the thread before goes on."""
        sys.settrace(self._tracers.pop())
        self._table.come_to(self, (f"{method} ends", 0))

    def _run(self) -> None:
        self.baton.acquire()
        try:
            self.done = attempted(self._work)
        except BaseException as error:  # noqa: BLE001 - it is raised again where the work was ordered
            self.error = error
        finally:
            self._table.end(self)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        origin = self._own.origin(frame)
        if origin is CodeOrigin.OWN:
            return self._step
        caller = frame.f_back
        if origin is CodeOrigin.DEVICE and caller is not None and self._own.origin(caller) is CodeOrigin.OWN:
            self._table.come_to(self, (caller.f_code, caller.f_lineno))
        return None

    def _step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            self._table.look()
            self._table.come_to(self, (frame.f_code, frame.f_lineno))
        return self._step


class _Table:
    """Decides who has the baton; as an observer of the gate it hears of callbacks."""

    def __init__(
        self, works: Sequence[Callable[[], Any]], own: OwnCode, schedule: Schedule, waited_at: set[Place]
    ) -> None:
        self.threads = [_Thread(number, work, self, own) for number, work in enumerate(works)]
        self.switches: list[str] = []
        self.look: Callable[[], None] = lambda: None
        self._schedule = schedule
        self._waited_at = waited_at
        self._mutex = threading.Lock()
        self._over = threading.Event()
        self._by_ident: dict[int, _Thread] = {}
        self._holder = self.threads[0]
        self._turn = 0
        self._left = schedule.length(0) - 1
        self._rounds: Counter[Place] = Counter()
        self._points = 0

    def run(self) -> None:
        """Start all threads, and return when they have ended."""
        for each in self.threads:
            each.thread.start()
            self._by_ident[each.thread.ident or 0] = each
        self._holder.baton.release()
        self._watch()
        for each in self.threads:
            each.thread.join()
        for each in self.threads:
            if each.error is not None:
                raise each.error

    def before(self, event: Event) -> None:
        """Take the beginning of a callback for a point of its thread."""
        if thread := self._by_ident.get(threading.get_ident()):
            thread.enter(event.method)

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - an observer's signature
        """Take the end of a callback for a point of its thread."""
        if thread := self._by_ident.get(threading.get_ident()):
            thread.leave(event.method)

    def come_to(self, thread: _Thread, place: Place) -> None:
        """Let a thread go on from a point, at once or when it gets the baton."""
        with self._mutex:
            self._points += 1
            thread.place = place
            if thread is not self._holder:
                thread.state = _State.LATE
            else:
                self._left -= 1
                self._rounds[place] += 1
                goes_round = self._rounds[place] >= _ROUNDS
                if self._left >= 0 and not goes_round:
                    return
                if not self._hand_on(thread, late=goes_round):
                    self._begin_turn()
                    return
        thread.baton.acquire()

    def end(self, thread: _Thread) -> None:
        """Hand the baton on for good."""
        with self._mutex:
            thread.state = _State.ENDED
            if self._holder is thread and not self._hand_on(thread, late=True):
                self._over.set()

    def _hand_on(self, thread: _Thread, *, late: bool) -> bool:
        """Give the baton to the next thread that may run; with ``late``, else to one that was passed over."""
        count = len(self.threads)
        others = [self.threads[(thread.number + step) % count] for step in range(1, count)]
        wanted = (_State.READY, _State.LATE, _State.STUCK) if late else (_State.READY,)
        for state in wanted:
            for other in others:
                if other.state is state:
                    self.switches.append(f"thread {thread.number + 1} stopped {_shown(thread)}")
                    self._give(other)
                    return True
        return False

    def _give(self, thread: _Thread) -> None:
        self._begin_turn()
        self._holder = thread
        if thread.state is not _State.STUCK:  # else it goes on when it comes to a point
            thread.baton.release()
        thread.state = _State.READY

    def _begin_turn(self) -> None:
        self._turn += 1
        self._left = self._schedule.length(self._turn) - 1  # where it stands is the first of them
        self._rounds.clear()

    def _watch(self) -> None:
        """Pass over a thread that comes to no point."""
        seen, sleeper = (self._holder, -1), Sleeper(self._holder.thread.native_id)
        while not self._over.wait(_TICK):
            with self._mutex:
                if seen != (self._holder, self._points):
                    seen, sleeper = (self._holder, self._points), Sleeper(self._holder.thread.native_id)
                sleeper.look()
                if self._waits(self._holder, sleeper):
                    self._pass_over(self._holder)
                    seen = (self._holder, -1)

    def _waits(self, thread: _Thread, sleeper: Sleeper) -> bool:
        looks = _LOOKS_WHERE_IT_WAITED if thread.place in self._waited_at else _LOOKS
        return sleeper.looks >= looks or sleeper.worked >= _WORKS_AT_MOST

    def _pass_over(self, thread: _Thread) -> None:
        if self._hand_on(thread, late=True):
            thread.state = _State.STUCK
            self._waited_at.add(thread.place)


def _shown(thread: _Thread) -> str:
    """Describe where a thread is, or that it has ended."""
    where, line = thread.place
    if thread.state is _State.ENDED:
        return "at its end"
    if isinstance(where, str):
        return f"where {where}"
    return f"in {where.co_name}, line {line} of {Path(where.co_filename).name}"
