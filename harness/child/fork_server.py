"""Run the fork server: the process that imported the user's module, and that forks itself for tasks.

After the import, the fork server runs no code of the user: signals are blocked, the garbage collector is off. So the
server can always read a fork's output, end an overdue fork, and notice that its parent has ended. If a fork leaves
processes behind, the server becomes their parent, and kills them before the next fork.

A fork that its task left unchanged does the next task, too. The reply says whether its fork had done other tasks. If
the caller needs a new process, it sends the task again, to be done alone. Then a new fork does only this task. If a
plugin with another value of a field ends its process, the task is done again without this value. For several tasks at
the same time, the server forks twins of itself on request.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import os
import select
import signal
import socket
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
from msgspec import structs

from harness.child import task as tasks
from harness.child.handed import recorder, sections
from harness.contract.verdict import Captured
from harness.process import failures, linux, own_clock
from harness.process.handover import Delivery, InterferenceError, insist_on_silence
from harness.process.output_capture import Taps
from harness.process.wait import ChildHandle, Lifeline, watch
from harness.protocol import messages
from harness.protocol.messages import ExchangeError, Reply

if TYPE_CHECKING:
    from harness.child.task import ChildState

#: Milliseconds between two looks whether the parent lives; the channel may stay open, if another process inherited it.
_LOOK_MILLISECONDS = 1000
#: Seconds by its own clock that a fork gets to end after its last answer.
_END_SECONDS = 1.0


class SignalState(msgspec.Struct, frozen=True):
    """The state of signals and of the garbage collector after the import, which each fork restores."""

    mask: set[int]
    on_child: Any
    collects: bool

    @classmethod
    def taken(cls) -> SignalState:
        """Return the present state, and keep signals and the garbage collector from running user code from now on."""
        collects = gc.isenabled()
        gc.collect()
        gc.freeze()
        gc.disable()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        return cls(mask, signal.signal(signal.SIGCHLD, signal.SIG_DFL), collects)

    def restore(self) -> None:
        """Restore the state, in a fork."""
        if self.on_child is not None:  # None: native code has set the handler, and Python cannot set it again
            signal.signal(signal.SIGCHLD, self.on_child)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)
        if self.collects:
            gc.enable()


class ForkServer:
    """Serves the tasks that come through the channel of ``delivery``, each in a fork."""

    def __init__(self, delivery: Delivery, state: ChildState) -> None:
        from harness.child.process_state import ProcessState  # noqa: PLC0415 - it needs the runtime at its level

        self._delivery = delivery
        self._state = state
        self._lifeline = Lifeline(delivery.channel, os.getppid())
        tasks.settle_chance(0)  # NumPy loads its generators for this, here and not in every fork
        self._process = ProcessState(state.settings.module, state.settings.device)
        self._signals = SignalState.taken()
        self._older = linux.children_of(os.getpid())
        self._fork: ChildHandle | None = None

    def serve(self) -> NoReturn:
        """Serve until the parent closes the channel or ends."""
        linux.outlive_parent()
        while True:
            task = self._next_task()
            reply = self._forked_twin(task["descriptors"]) if task["do"] == "twin" else self._tried(task)
            self._delivery.hand_in(reply.to_plain())

    def _next_task(self) -> dict[str, Any]:
        poll = select.poll()
        poll.register(self._delivery.channel, select.POLLIN)
        while not poll.poll(_LOOK_MILLISECONDS):
            if os.getppid() != self._lifeline.parent:
                leave()
        try:
            task: dict[str, Any] = messages.receive(self._delivery.channel)
        except (ExchangeError, OSError):
            leave()
        return task

    def _forked_twin(self, names: list[str]) -> Reply:
        """Fork a second server, which takes over the descriptors with these names; there, this never returns."""
        self._end_fork()
        with socket.socket(fileno=os.dup(self._delivery.channel)) as channel:
            _, descriptors, *_ = socket.recv_fds(channel, 1, len(names))
        handed = dict(zip(names, descriptors, strict=True))
        pid = os.fork()
        if pid:
            self._older.add(pid)
            for descriptor in descriptors:
                os.close(descriptor)
            return Reply(pid)
        try:
            os.close(self._delivery.channel)
            self._become(handed)
            self.serve()
        finally:
            tasks.give_up()

    def _become(self, handed: dict[str, int]) -> None:
        """Become an independent server, with separate descriptors and a separate flight recorder."""
        os.setsid()
        linux.adopt_orphans()
        os.dup2(handed["stdout"], 1)
        os.dup2(handed["stderr"], 2)
        sections(handed)
        box = recorder(handed["box"])
        self._delivery = Delivery(linux.private(handed["channel"]), box)
        self._state = structs.replace(self._state, box=box)
        self._lifeline = Lifeline(self._delivery.channel, os.getppid())
        self._older = set()

    def _tried(self, task: dict[str, Any]) -> Reply:
        """Have a task done, without the values of fields with which the plugin does not run."""
        reply = self._done(task)
        value, request = self._state.box.trial, task.get("request", {})
        if not value or value in (unsupported := request.get("unsupported", [])):
            return reply
        return self._tried({**task, "request": {**request, "unsupported": [*unsupported, value]}})

    def _done(self, task: dict[str, Any]) -> Reply:
        """Have a task done, by the existing fork if there is one and the task need not be done alone."""
        alone = task.get("alone", False)
        if alone:
            self._end_fork()
        shared = self._fork is not None
        try:
            if self._fork is None:
                self._fork = self._forked(task)
            else:
                self._hand_over(task, self._fork)
            reply = self._watched(self._fork, task.get("timeout") or self._state.settings.timeout)
            if self._fork is not None and (alone or not reply.unchanged):
                _insist_on_end(self._fork)
                self._end_fork()
        except InterferenceError as error:
            captured = self._fork.taps.captured if self._fork else Captured()
            self._end_fork()
            reply = Reply(failed=failures.of_interference(str(error), self._state.box.trail()), captured=captured)
        return dataclasses.replace(reply, shared=shared)

    def _forked(self, task: dict[str, Any]) -> ChildHandle:
        """Return a new fork, which works on its first task."""
        taps, ends = Taps.open()
        ours, theirs = (linux.private(each.detach()) for each in socket.socketpair())
        self._state.box.take_over()
        server = os.getpid()
        pid = os.fork()
        if not pid:
            linux.die_with_parent(server)
            os.close(self._delivery.channel)
            os.close(ours)
            taps.close()
            self._signals.restore()
            tasks.work_in_fork(task, self._state, self._process, ends, theirs)
        os.close(theirs)
        ends.close()
        return ChildHandle(pid, ours, taps, self._state.box)

    def _hand_over(self, task: dict[str, Any], fork: ChildHandle) -> None:
        """Send a further task to a fork that has finished a task.

        Raises:
            InterferenceError: The fork has sent bytes since it finished.
        """
        insist_on_silence(fork.channel)
        fork.taps.forget()
        self._state.box.take_over()
        with contextlib.suppress(OSError):  # the fork died: `_watched` reports how
            messages.send(fork.channel, task)

    def _watched(self, fork: ChildHandle, timeout: float) -> Reply:
        ending = watch(fork, timeout=timeout, lifeline=self._lifeline)
        if ending.abandoned:
            leave()
        if ending.message is None:
            self._end_fork()
        return failures.reply_of(ending, fork.taps, timeout)

    def _end_fork(self) -> None:
        fork, self._fork = self._fork, None
        if fork is None:
            return
        linux.end_family(fork.pid)
        linux.reap(fork.pid)
        linux.end_children(keep=self._older)
        fork.taps.drain()
        fork.taps.close()
        os.close(fork.channel)


def leave() -> NoReturn:
    """End this process, and kill all processes that it or the user's module started."""
    linux.end_children()
    os._exit(0)


def _insist_on_end(fork: ChildHandle) -> None:
    """Make sure that a fork sends no bytes after its last answer, and ends by itself with exit status 0.

    It is no interference if the fork does not end within a second: a driver may hold it. The caller then kills it.

    Raises:
        InterferenceError: The fork sends bytes, or ends with another status.
    """
    own_clock.await_end(fork.pid, _END_SECONDS)
    insist_on_silence(fork.channel)
    status = linux.exit_status(fork.pid)
    if status not in {None, 0, -signal.SIGKILL}:
        raise InterferenceError(f"after its answer the process {failures.death(status)}")
