"""Wait for the message, the death or the deadline of one process, and read its output meanwhile."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
from typing import TYPE_CHECKING, Any

import msgspec

from harness.process import linux, own_clock, stack
from harness.process.deadlock import DeadlockWatch
from harness.process.handover import InterferenceError, Receipt
from harness.process.own_clock import OwnClock
from harness.protocol.messages import ExchangeError

if TYPE_CHECKING:
    from harness.process.flight_recorder import CallbackTrail, FlightRecorder
    from harness.process.output_capture import Taps

#: Seconds between looks for a death that closed no pipe, because another process still holds the pipes open.
_TICK = own_clock.TICK
#: The first and the longest of these intervals once the process has closed its channel and should end.
_ENDING_TICKS = (0.0005, 0.05)
#: Seconds of its own time that an overdue process gets to dump its stack.
_DUMP_SECONDS = 0.5
#: Reads that empty a full pipe.
_LAST_READS = 32


class ChildHandle(msgspec.Struct, frozen=True):
    """A child process: the channel of its message, its output, and its record of callbacks.

    Attributes:
        is_ours: Whether it is a child of this process. If not, its channel closes when it ends.
    """

    pid: int
    channel: int
    taps: Taps
    box: FlightRecorder
    is_ours: bool = True


class Lifeline(msgspec.Struct, frozen=True):
    """The signs that a watcher's parent has ended: the channel to it closes, or the parent's id changes."""

    channel: int
    parent: int


class WaitResult(msgspec.Struct, frozen=True):
    """The end of a wait; the process may still live, and the caller must end it.

    Attributes:
        trail: The callbacks so far, and the callback that was running.
        message: The message, if one came.
        status: The exit status, if the process ended without a message; negative for a signal.
        overdue: The deadline passed.
        damaged: The channel had data that are no message.
        interfered: The evidence that the plugin wrote an answer in place of the judge.
        abandoned: The watcher's parent has ended.
    """

    trail: CallbackTrail
    message: Any = None
    status: int | None = None
    overdue: bool = False
    damaged: bool = False
    interfered: str = ""
    abandoned: bool = False


def watch(watched: ChildHandle, *, timeout: float, lifeline: Lifeline | None = None) -> WaitResult:
    """Wait for the message of a process, its death, its deadline, or the end of this process's parent.

    The deadline is in own time of the process (`own_clock`). Each step that the process records restarts the clock.
    """
    with selectors.PollSelector() as selector:
        waiting = _Wait(watched, selector, lifeline)
        try:
            ending = waiting.wait(timeout)
        except ExchangeError:
            ending = waiting.ending(damaged=True)
        except InterferenceError as error:
            ending = waiting.ending(interfered=str(error))
        if ending.overdue:
            waiting.collect_stack()
    watched.taps.drain()
    return ending


class _Wait:
    """One wait, with what it has seen so far."""

    def __init__(self, watched: ChildHandle, selector: selectors.BaseSelector, lifeline: Lifeline | None) -> None:
        self._watched = watched
        self._selector = selector
        self._lifeline = lifeline
        self._receipt = Receipt(watched.channel, watched.box)
        self._tick = _TICK
        self._lost: int | None = None
        self._abandoned = False
        self._clock = OwnClock(watched.pid)
        self._deadlock = DeadlockWatch(watched.pid)
        self._steps = watched.box.steps
        selector.register(watched.channel, selectors.EVENT_READ, self._read_channel)
        for tap in watched.taps.taps.values():
            selector.register(tap.descriptor, selectors.EVENT_READ, tap.drain)
        if lifeline is not None:
            selector.register(lifeline.channel, selectors.EVENT_READ, self._lose_lifeline)

    def wait(self, timeout: float) -> WaitResult:
        """Wait until the wait ends in one of the ways that `WaitResult` lists."""
        while not self._is_overdue(timeout):
            self._listen(self._tick)
            status = linux.exit_status(self._watched.pid) if self._watched.is_ours else self._lost
            if status is not None:
                self._read_the_rest()
            if self._receipt.reply is not None:
                return self.ending(message=self._receipt.reply)
            if status is not None:
                return self.ending(status=status)
            if self._is_abandoned():
                return self.ending(abandoned=True)
        return self.ending(overdue=True)

    def _is_overdue(self, timeout: float) -> bool:
        """Return whether a step took longer than ``timeout``, or would; a task that has ended gets twice as long."""
        steps = self._watched.box.steps
        if steps != self._steps:
            self._steps = steps
            self._clock.restart()
        if not (self._clock.has_reached(timeout) or self._deadlock.is_stuck()):
            return False
        self._read_the_rest()  # data that have arrived are in time
        has_ended = self._receipt.reply is not None or self._watched.box.has_ended
        return not has_ended or self._clock.has_reached(2 * timeout)

    def ending(self, **how: Any) -> WaitResult:
        """Return a result with the callbacks recorded up to now."""
        return WaitResult(self._watched.box.trail(), **how)

    def collect_stack(self) -> None:
        """Have the overdue process dump its stack, and read it."""
        with contextlib.suppress(ProcessLookupError):
            for _ in range(2):  # the beginning of the second dump is the end of the first
                os.kill(self._watched.pid, stack.DUMP_SIGNAL)
            os.kill(self._watched.pid, signal.SIGCONT)  # the process may have stopped itself
        self._clock.restart()
        while not stack.is_dumped(self._watched.taps.stack) and not self._clock.has_reached(_DUMP_SECONDS):
            self._listen(_TICK)

    def _listen(self, seconds: float) -> None:
        events = self._selector.select(seconds)
        for key, _ in events:
            if not key.data():
                self._selector.unregister(key.fileobj)

    def _read_the_rest(self) -> None:
        """Read all that has arrived; a dead process sends no more."""
        for _ in range(_LAST_READS):
            if self._receipt.reply is not None:
                return
            self._listen(0)

    def _read_channel(self) -> bool:
        """Read a piece of the message; return whether more can come."""
        if not self._receipt.missing:
            return False
        with contextlib.suppress(ConnectionResetError):  # a socket whose other end died with unread data
            data = os.read(self._watched.channel, self._receipt.missing)
            if data:
                self._receipt.feed(data)
                return True
        self._tick = _ENDING_TICKS[0]
        self._lost = -signal.SIGKILL
        return False

    def _lose_lifeline(self) -> bool:
        self._abandoned = True
        return False

    def _is_abandoned(self) -> bool:
        if self._tick < _TICK:
            self._tick = min(self._tick * 2, _ENDING_TICKS[1])
        if self._lifeline is not None and os.getppid() != self._lifeline.parent:
            self._abandoned = True
        return self._abandoned
