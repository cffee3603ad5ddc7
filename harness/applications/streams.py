"""Find executions that may overlap, executions after a switch of the profile, and wrong auxiliary streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from harness.applications.shapes import executions
from harness.applications.trace import EXECUTIONS

if TYPE_CHECKING:
    from harness.applications.trace import Trace, TracedCall

#: The handles of the default stream, of the legacy default stream, and of the per-thread default stream.
_DEFAULT = (0, 1, 2)


class Again(msgspec.Struct, frozen=True):
    """An execution of a context that was executed before; ``beside`` says why the two may overlap, or is empty."""

    call: TracedCall
    earlier: TracedCall
    beside: str


def after_a_switch(trace: Trace) -> Iterator[TracedCall]:
    """Yield each execution that is the first after a change of the profile."""
    for execution in executions(trace):
        is_first = execution.switch is not None and execution.switch.moves
        if is_first and execution.call.context.has_switched_before is not None:
            yield execution.call


def repetitions(trace: Trace) -> Iterator[Again]:
    """Yield each execution of a context after its first."""
    for context in trace.contexts():
        before: list[TracedCall] = []
        for call in trace.on(context):
            if call.member not in EXECUTIONS:
                continue
            if before:
                yield _again(call, before)
            before.append(call)


def _again(call: TracedCall, before: list[TracedCall]) -> Again:
    meanwhile = set(call.facts.get("beside", ()))
    late = set(call.facts.get("overlapping", ()))
    for earlier in reversed(before):
        if earlier.number in meanwhile:
            return Again(call, earlier, "two threads execute it at once")
        if earlier.number in late and earlier.done:
            return Again(call, earlier, f"streams {earlier.stream:#x} and {call.stream:#x}, and neither waits")
    return Again(call, before[-1], "")


def wrong_with_aux_streams(call: TracedCall) -> str:
    """Return the error in the streams of ``set_aux_streams``; empty if there is none."""
    streams = call.arguments.get("aux_streams", ())
    handles = [each for each in streams if isinstance(each, int)]
    default = [handle for handle in handles if handle in _DEFAULT]
    if default:
        return f"{default[0]} is the default stream"
    return "one stream is given twice" if len(set(handles)) != len(handles) else ""
