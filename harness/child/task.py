"""Do tasks in a process that has imported the user's module."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import os
import random
import sys
import time
import traceback
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import msgspec

from harness.child.integrity.judging_code import part_of
from harness.contract.verdict import Answer, Kind
from harness.process import coverage, failures, linux, output_capture, stack
from harness.process.handover import Delivery, InterferenceError
from harness.protocol import messages
from harness.protocol.messages import Reply
from harness.protocol.requests import RequestKind

if TYPE_CHECKING:
    from types import ModuleType

    from harness.child.integrity.judging_code import Insist
    from harness.child.process_state import ProcessState
    from harness.contract.rule import Rule
    from harness.process.flight_recorder import FlightRecorder
    from harness.process.output_capture import Ends
    from harness.protocol.messages import ChildSettings

#: Bound early, because a plugin may replace the function in its module.
_exit = os._exit
#: After these requests, all the code that judges is compared, and not only a part of it.
_COMPARED_ENTIRELY = {RequestKind.PREFLIGHT.value, RequestKind.APPLICATION.value}


class Judge(Protocol):
    """The part of a child that judges: the module `harness.child.judge`, or a substitute in tests."""

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules by id."""

    def record(self, settings: ChildSettings) -> ModuleType:
        """Run the program of the settings, and return its module; the plugins that it uses are judged afterwards."""

    def prepare(self, settings: ChildSettings) -> None:
        """Read the cases and run the user's setup; called once, after the import and before the first fork."""

    def discover(self, settings: ChildSettings, shunned: dict[str, str], *, careful: bool = False) -> dict[str, Any]:
        """Return the module's plugins and cases as plain data, without calling the callbacks in ``shunned``."""

    def judge(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; both as plain data."""


class ChildState(msgspec.Struct, frozen=True):
    """The judge, the settings and the flight recorder of a child, and its check of the judging code (``insist``)."""

    judge: Judge
    settings: ChildSettings
    box: FlightRecorder
    insist: Insist | None = None


def work_in_fork(task: dict[str, Any], state: ChildState, process: ProcessState, ends: Ends, channel: int) -> NoReturn:
    """Do a task in this new fork, and further tasks as long as they leave the process unchanged; then end."""
    try:
        delivery = Delivery(channel, state.box)
        os.setsid()
        output_capture.divert_output(ends)
        output_capture.divert_warnings(ends)
        output_capture.divert_log(ends)
        stack.arm(ends.stack)
        work_on(task, state, delivery, coverage.Measurement(state.settings.coverage), process)
        _exit(0)
    finally:  # in any case, never return into the fork server's loop
        give_up()


def work_on(
    task: dict[str, Any],
    state: ChildState,
    delivery: Delivery,
    measured: coverage.Measurement,
    process: ProcessState,
) -> None:
    """Do a task in this process, and further tasks as long as they leave the process unchanged."""
    keeps = not (task.get("alone") or state.settings.coverage)  # coverage is saved once, so after one task
    if keeps:
        process.note()
    while work(task, state, delivery, measured, process if keeps else None):
        task = messages.receive(delivery.channel)


def work(
    task: dict[str, Any],
    state: ChildState,
    delivery: Delivery,
    measured: coverage.Measurement,
    before: ProcessState | None = None,
) -> bool:
    """Do one task and send the reply.

    Returns:
        Whether this process is as it was ``before``, and may do another task. If not, the caller must end it.
    """
    myself = os.getpid()
    settle_chance(task.get("request", {}).get("seed", 0))
    state.box.take_over()
    reply = _served(task, state)
    if os.getpid() != myself:  # the plugin has forked: this is the fork, which must not reply
        _exit(0)
    unchanged = before is not None and reply.failed is None and before.is_unchanged()
    linux.c_library().fflush(None)
    measured.save()
    _send(delivery, dataclasses.replace(reply, unchanged=unchanged))
    return unchanged


def give_up() -> NoReturn:
    """End this process, which failed to answer, with the exception in flight on standard error."""
    with contextlib.suppress(Exception):  # the exit status reports the failure, too
        os.write(2, traceback.format_exc().encode(errors="replace"))
    _exit(failures.ANSWER_FAILED)


def settle_chance(seed: int) -> None:
    """Seed the global generators of Python and NumPy, so that a plugin draws the same numbers in every process."""
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)


def _served(task: dict[str, Any], state: ChildState) -> Reply:
    try:
        reply = _answered(task, state)
        if state.insist is not None:
            state.insist(_part(task))
    except InterferenceError as error:
        return Reply(failed=failures.of_interference(error, state.box.trail()))
    return reply


def _part(task: dict[str, Any]) -> int | None:
    """Return the part of the judging code that is checked after a task; None for all parts.

    All parts are checked after tasks that are not requests, and after requests that run all callbacks.
    """
    request = task.get("request")
    if request is None or request["kind"] in _COMPARED_ENTIRELY:
        return None
    return part_of(request["rule"], request["seed"])


def _answered(task: dict[str, Any], state: ChildState) -> Reply:
    try:
        if task["do"] == "discover":
            shunned, careful = task.get("shunned", {}), task.get("careful", False)
            return Reply(state.judge.discover(state.settings, shunned, careful=careful))
        return Reply(timed(state.judge, task["request"]))
    except InterferenceError:
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit too is an answer here
        return Reply(failed=failures.of_escape(error, state.box.trail()))


def timed(judge: Judge, request: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request as plain data, with the seconds that it took."""
    begun = time.perf_counter()
    answer: dict[str, Any] = judge.judge(request)
    return {**answer, "seconds": time.perf_counter() - begun}


def _send(delivery: Delivery, reply: Reply) -> None:
    plain = reply.to_plain()
    try:
        try:
            delivery.hand_in(plain)
        except messages.TooLongError:
            delivery.hand_in(messages.shortened(plain))
    except (TypeError, ValueError, messages.ExchangeError) as error:
        broken = Answer(Kind.BROKEN, reason=f"the judge's answer cannot be sent: {error}")
        delivery.hand_in(Reply(failed=broken).to_plain())
    except OSError as error:
        _exit(failures.CHANNEL_CLOSED if error.errno == errno.EBADF else failures.ANSWER_FAILED)
