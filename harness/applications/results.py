"""Find how an application goes on after a call that failed: an execution, a lookup, or adding a layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from harness.applications.trace import EXECUTIONS, Touch, TracedCall

if TYPE_CHECKING:
    from harness.applications.application import Application
    from harness.applications.trace import Trace

LOOKUPS = ("get_creator", "get_plugin_creator")
ADDITIONS = ("add_plugin_v2", "add_plugin_v3", "add_plugin")


class Failure(msgspec.Struct, frozen=True):
    """An execution that failed; ``read`` is the first later read of one of its outputs, or None."""

    call: TracedCall
    output: str = ""
    read: Touch | None = None


class Nothing(msgspec.Struct, frozen=True):
    """A call that returned None; ``ended`` is the error that ended the application because of this, or empty."""

    call: TracedCall
    ended: str


def failures(trace: Trace) -> Iterator[Failure]:
    """Yield each execution that failed."""
    for place, step in enumerate(trace.steps):
        if isinstance(step, TracedCall) and step.member in EXECUTIONS and step.result is False:
            yield _followed(step, trace.steps[place + 1 :])


def _followed(call: TracedCall, later: Sequence[object]) -> Failure:
    outputs = {tensor.name: (tensor.address, tensor.nbytes or 0) for tensor in call.context.outputs if tensor.address}
    for step in later:
        if isinstance(step, TracedCall) and step.member in EXECUTIONS and step.done:
            written = {tensor.address for tensor in step.context.outputs}
            outputs = {name: where for name, where in outputs.items() if where[0] not in written}
        if not isinstance(step, Touch) or step.access.kind == "view":
            continue
        for name, (address, nbytes) in list(outputs.items()):
            access = step.access
            if access.address < address + nbytes and address < access.address + access.nbytes:
                if access.kind == "read":
                    return Failure(call, name, step)
                del outputs[name]  # filled by the application itself
    return Failure(call)


def nothings(application: Application, members: tuple[str, ...], attributes: frozenset[str]) -> Iterator[Nothing]:
    """Yield each call of ``members`` that returned None.

    If an AttributeError of None ended the application, the last call that returned None is its cause. This holds only
    if the missing attribute is one of ``attributes``, which the object would have had.
    """
    empty = [call for call in application.trace.calls(*LOOKUPS, *ADDITIONS) if call.result is None and not call.error]
    ending = application.ending
    is_blamed = ending.owner == "NoneType" and ending.attribute in attributes
    for call in empty:
        if call.member in members:
            yield Nothing(call, ending.error if is_blamed and call is empty[-1] else "")
