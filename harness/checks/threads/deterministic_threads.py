"""Run threads in turns: one runs at a time, and a schedule says after how many points they switch.

Theory. A failure that needs a thread switch at a certain place happens once in a million runs. Here only the thread
that has the baton runs. It passes *points*: callbacks begin and end, lines of the user's code run, and this code calls
the device. After the number of points of its turn, it gives the baton to the next thread. So one schedule always gives
the same order of events. Each order is possible without schedules, too.

A thread that waits for a lock passes no points, while the lock's owner waits for the baton. The kernel reports that the
thread sleeps. After several reports in a row, it loses its turn. It gets the baton again when no other thread can run.
A thread that reaches one line many times may be waiting, too, and gives the baton away. If all threads wait for each
other, that is a deadlock: the process hangs, and its controller ends it.

The module is long because all decisions about the baton are in one place.
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

    #: The place of a thread: a line (code and number), or the beginning or end of a callback (text and 0).
    Place = tuple[CodeType | str, int]

__all__ = ["Course", "Done", "OwnCode", "Schedule", "in_turns"]

#: Seconds between two looks at the running thread, and the looks in a row that must see it asleep before it counts as
#: waiting for a lock.
_TICK, _LOOKS = 0.005, 40
#: The number of these looks if a thread has waited at the same place before.
_LOOKS_WHERE_IT_WAITED = 2
#: A thread that works for so many seconds without a point may be waiting in a loop of code that is not traced.
_WORKS_AT_MOST = 1.0
#: A thread that reaches one place so often in a turn may be waiting in a loop.
_ROUNDS = 20
#: The number of switches that a message names.
_SHOWN = 4


class Schedule(msgspec.Struct, frozen=True):
    """A schedule that says after how many points each thread gives the baton to the next.

    Attributes:
        steps: The number of points of each turn; after the last entry, the first is used again.
        turns: The number of turns after which threads are not interrupted any more.
    """

    steps: tuple[int, ...]
    turns: int

    def length(self, turn: int) -> float:
        """Return the number of points of a turn; infinity after the last turn."""
        return self.steps[turn % len(self.steps)] if self.steps and turn < self.turns else float("inf")


class Course(msgspec.Struct, frozen=True):
    """The record of one run.

    Attributes:
        done: The result of each thread.
        switches: The place of each thread switch, in words.
    """

    done: list[Done]
    switches: list[str]

    def __str__(self) -> str:
        """Return the last switches as text, and the number of earlier switches."""
        last = "; ".join(self.switches[-_SHOWN:]) or "none"
        earlier = len(self.switches) - _SHOWN
        return f"{last} (and {earlier} earlier)" if earlier > 0 else last


def in_turns(
    works: Sequence[Callable[[], Any]],
    gate: Gate,
    own: OwnCode,
    schedule: Schedule,
    waited_at: set[Place],
    look: Callable[[], None] = lambda: None,
) -> Course:
    """Call each function in a separate thread, in turns, and return the record.

    Args:
        works: The function of each thread.
        gate: The gate that makes the plugin's callbacks.
        own: The user's code, whose lines are points.
        schedule: The number of points of each turn.
        waited_at: Places where threads waited in earlier calls; new places are added.
        look: A function that is called before each line of the user's code.
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
    """Turn the garbage collection off in the block, because finalisers would run at arbitrary places."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _State(enum.Enum):
    """The state of a thread. It is STUCK if it lost its turn because it waited, and LATE after its next point."""

    READY = enum.auto()
    LATE = enum.auto()
    STUCK = enum.auto()
    ENDED = enum.auto()


class _Thread:
    """One of the threads. It traces itself while it is in a callback, and reports its points to the table."""

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
        """Begin a callback: pass a point, and trace lines from now on."""
        self._table.come_to(self, (f"{method} begins", 0))
        self._tracers.append(sys.gettrace())
        sys.settrace(self._enter)

    def leave(self, method: str) -> None:
        """End a callback: restore the tracer from before it, and pass a point."""
        sys.settrace(self._tracers.pop())
        self._table.come_to(self, (f"{method} ends", 0))

    def _run(self) -> None:
        self.baton.acquire()
        try:
            self.done = attempted(self._work)
        except BaseException as error:  # noqa: BLE001 - the main thread raises it again
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
    """Decides which thread has the baton. As an observer of the gate, it sees the callbacks."""

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
        """Start all threads, and wait until they have ended. Raise an exception that is no failure of a callback."""
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
        """Let the thread of a callback pass the point at its beginning."""
        if thread := self._by_ident.get(threading.get_ident()):
            thread.enter(event.method)

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - an observer's signature
        """Let the thread of a callback pass the point at its end."""
        if thread := self._by_ident.get(threading.get_ident()):
            thread.leave(event.method)

    def come_to(self, thread: _Thread, place: Place) -> None:
        """Let a thread pass a point, at once or when it gets the baton."""
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
        """Give the baton away, because the thread has ended."""
        with self._mutex:
            thread.state = _State.ENDED
            if self._holder is thread and not self._hand_on(thread, late=True):
                self._over.set()

    def _hand_on(self, thread: _Thread, *, late: bool) -> bool:
        """Give the baton to the next READY thread; with ``late``, if there is none, to a LATE or STUCK thread.

        Return False if no other thread can take it.
        """
        count = len(self.threads)
        others = [self.threads[(thread.number + step) % count] for step in range(1, count)]
        states = (_State.READY, _State.LATE, _State.STUCK) if late else (_State.READY,)
        for state in states:
            for other in others:
                if other.state is state:
                    self.switches.append(f"thread {thread.number + 1} stopped {_shown(thread)}")
                    self._give(other)
                    return True
        return False

    def _give(self, thread: _Thread) -> None:
        self._begin_turn()
        self._holder = thread
        if thread.state is not _State.STUCK:  # a stuck thread does not wait for the baton: it is in its code
            thread.baton.release()
        thread.state = _State.READY

    def _begin_turn(self) -> None:
        self._turn += 1
        self._left = self._schedule.length(self._turn) - 1  # the thread's place is the first point
        self._rounds.clear()

    def _watch(self) -> None:
        """Give the baton of a thread that reaches no point to another thread, until all threads have ended."""
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
    """Return a thread's place in words, or that it has ended."""
    where, line = thread.place
    if thread.state is _State.ENDED:
        return "at its end"
    if isinstance(where, str):
        return f"where {where}"
    return f"in {where.co_name}, line {line} of {Path(where.co_filename).name}"
