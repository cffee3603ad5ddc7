"""Turn the end of a process, or an exception that left the judge, into an answer.

It says who failed, how, and after which calls.
"""

from __future__ import annotations

import dataclasses
import signal
import traceback
from typing import TYPE_CHECKING

from msgspec import structs

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Captured, Kind
from harness.process import stack
from harness.protocol.messages import Reply

if TYPE_CHECKING:
    from harness.process.flight_recorder import CallbackTrail
    from harness.process.output_capture import Taps
    from harness.process.wait import WaitResult

#: The name of the failed callback if none was running.
NO_CALLBACK = "the plugin"
#: How the report of a plugin that interfered with its judge begins.
INTERFERED = "interfered with its judge"
#: The exit status of a process that cannot answer, because its private file descriptors were closed.
CHANNEL_CLOSED = 121
#: The exit status of a process whose answer could not be written for another reason.
ANSWER_FAILED = 122

_HARM = "the process that runs TensorRT ends with it"
_WAIT = "TensorRT waits for ever"


def reply_of(ending: WaitResult, taps: Taps, timeout: float) -> Reply:
    """Return the reply of a watched process with its output; without a reply, an answer that says how it ended.

    The reply of a fork server already holds its fork's output.
    """
    if ending.message is None:
        return Reply(failed=of_ending(ending, taps, timeout), captured=taps.captured)
    reply = Reply.from_plain(ending.message)
    return dataclasses.replace(reply, captured=taps.captured) if reply.captured == Captured() else reply


def of_ending(ending: WaitResult, taps: Taps, timeout: float) -> Answer:
    """Return the answer for a process that ended, or reached its deadline, without an answer."""
    if ending.interfered:
        return of_interference(ending.interfered, ending.trail)
    becomes = _WAIT if ending.overdue else _HARM
    if ending.overdue:
        how = f"did not return within {timeout:g} s"
    elif ending.status is None:
        how = "wrote to a file descriptor that it had not opened"
    else:
        how = death(ending.status)
    answer = _met(ending.trail, how, becomes=becomes, text=stack.of_dump(taps.stack, taps.captured.stderr))
    slow = ending.trail.interpreter if ending.overdue else ""
    return dataclasses.replace(answer, overdue=ending.overdue, interpreter=slow, lack=ending.trail.lack)


def of_interference(how: object, trail: CallbackTrail) -> Answer:
    """Return the answer for a plugin that interfered with its judge; it names no callback, so each rule fails."""
    return _met(structs.replace(trail, running=None), f"{INTERFERED}: {how}", text="")


def interfered(answer: Answer) -> bool:
    """Return whether an answer says that the plugin interfered with its judge."""
    return answer.mishap is not None and answer.mishap.how.startswith(INTERFERED)


def of_escape(error: BaseException, trail: CallbackTrail) -> Answer:
    """Return the answer for an exception that left the judge.

    If no callback was running, an ordinary exception is a defect of the rule or of the harness.
    """
    if trail.running is None and isinstance(error, Exception):
        return Answer(Kind.BROKEN, reason="".join(traceback.format_exception(error)), done=trail.example)
    return _met(trail, f"raised {named(error)}", text=stack.of_error(error))


def _met(trail: CallbackTrail, how: str, *, text: str, becomes: str = "") -> Answer:
    running = trail.running
    outside = f"outside any callback, after {trail.calls[-1]}" if trail.calls else "before the first callback"
    failure = CallbackFailure(
        callback=running.method if running else NO_CALLBACK,
        how=how,
        where=str(running) if running else outside,
        becomes=becomes,
        stack=text,
        calls=trail.calls,
    )
    return Answer(Kind.MET, mishap=failure, done=trail.example)


def death(status: int) -> str:
    """Return how a process ended, from its exit status or the negative number of its signal."""
    if status == CHANNEL_CLOSED:
        return "closed file descriptors that it had not opened"
    if status == ANSWER_FAILED:
        return "left its process unable to answer; standard error says more"
    if status >= 0:
        return f"ended the process with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:  # a real-time signal
        name = f"signal {-status}"
    reason = " (what Linux does when memory runs out)" if -status == signal.SIGKILL else ""
    return f"died by {name}{reason}"


def named(error: BaseException) -> str:
    """Return an exception's class and text."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - the user's exception class may be broken as well
        text = "its text cannot be had"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
