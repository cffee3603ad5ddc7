"""The process that has just imported the user's module, and forks itself for every task.

Theory: from the end of the import on, the fork server runs none of the user's code: signals are blocked, the garbage
collector is off. So it is always there to read what a fork writes, to end one that is overdue, and to notice
that its own parent is gone. Whatever a fork leaves behind (orphans come to it) is killed before the next.
"""

from __future__ import annotations

import dataclasses
import gc
import os
import select
import signal
from typing import TYPE_CHECKING, Any, NoReturn

from harness.child import task as tasks
from harness.process import failures, linux
from harness.process.output_capture import Taps
from harness.process.wait import ChildHandle, Lifeline, watch
from harness.protocol import messages
from harness.protocol.messages import ExchangeError

if TYPE_CHECKING:
    from harness.child.task import ChildState
    from harness.protocol.messages import Reply

#: Time between two looks whether the parent still lives, in case its end of the channel was inherited.
_LOOK_MILLISECONDS = 1000


@dataclasses.dataclass(frozen=True)
class SignalState:
    """How the user's module left signals and the garbage collector; a fork is given it back."""

    mask: set[int]
    on_child: Any
    collects: bool

    @classmethod
    def taken(cls) -> SignalState:
        """Note it, and from now on let nothing of the user's interrupt this process."""
        collects = gc.isenabled()
        gc.collect()
        gc.freeze()
        gc.disable()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        return cls(mask, signal.signal(signal.SIGCHLD, signal.SIG_DFL), collects)

    def restore(self) -> None:
        """Give it back, in a fork."""
        if self.on_child is not None:  # None: set by native code, and out of reach
            signal.signal(signal.SIGCHLD, self.on_child)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
        if self.collects:
            gc.enable()


class ForkServer:
    """Serves the tasks that come through ``channel``, each in a fork."""

    def __init__(self, channel: int, state: ChildState) -> None:
        self._channel = channel
        self._state = state
        self._lifeline = Lifeline(channel, os.getppid())
        tasks.settle_chance(0)  # it makes NumPy load its generators here, once, and not in every fork
        self._signals = SignalState.taken()
        self._older = linux.children_of(os.getpid())

    def serve(self) -> NoReturn:
        """Serve until the parent closes the channel or is gone."""
        linux.outlive_parent()
        while True:
            messages.send(self._channel, self._in_a_fork(self._next_task()).to_plain())

    def _next_task(self) -> dict[str, Any]:
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        while not poll.poll(_LOOK_MILLISECONDS):
            if os.getppid() != self._lifeline.parent:
                leave()
        try:
            task: dict[str, Any] = messages.receive(self._channel)
        except (ExchangeError, OSError):
            leave()
        return task

    def _in_a_fork(self, task: dict[str, Any]) -> Reply:
        taps, ends = Taps.open()
        reading, writing = os.pipe()
        writing = linux.private(writing)
        self._state.box.take_over()
        server = os.getpid()
        pid = os.fork()
        if not pid:
            linux.die_with_parent(server)
            self._shed(taps, reading)
            tasks.work_in_fork(task, self._state, ends, writing)
        os.close(writing)
        ends.close()
        watched = ChildHandle(pid, reading, taps, self._state.box)
        reply = self._watched(watched, task.get("timeout") or self._state.settings.timeout)
        os.close(reading)
        taps.close()
        return reply

    def _shed(self, taps: Taps, reading: int) -> None:
        """Give up in the fork what is the server's."""
        os.close(self._channel)
        os.close(reading)
        taps.close()
        self._signals.restore()

    def _watched(self, watched: ChildHandle, timeout: float) -> Reply:
        ending = watch(watched, timeout=timeout, lifeline=self._lifeline)
        linux.end_family(watched.pid)
        linux.reap(watched.pid)
        linux.end_children(keep=self._older)
        watched.taps.drain()
        if ending.abandoned:
            leave()
        return failures.reply_of(ending, watched.taps, timeout)


def leave() -> NoReturn:
    """End this process and everything that it or the user's module started."""
    linux.end_children()
    os._exit(0)
