"""Traces that a test writes down, in place of an application."""

import itertools

from harness.applications.facts import ContextFacts, Room, TensorFacts
from harness.applications.references import Ref, Site
from harness.applications.trace import Callback, Memory, Touch, Trace, TracedCall
from reference_runtime.devices.host_streams import Clock
from reference_runtime.devices.records import Access, Allocation

CONTEXT = Ref("context", 1)
ENGINE = Ref("engine", 1)
X, Y = 0x1000, 0x2000
ENOUGH = Room(16, is_freed=False)


class Script:
    """Adds one step after the other."""

    def __init__(self):
        self.trace = Trace()
        self._numbers = itertools.count(1)

    def _site(self):
        return Site("app.py", len(self.trace.steps) + 1)

    def call(
        self, member, *, target=CONTEXT, owner="IExecutionContext", result=None, error="", facts=None, **arguments
    ):
        """Add a call on a context, or on something else."""
        known = {"context": tensors()} if owner == "IExecutionContext" else {}
        step = TracedCall(
            next(self._numbers),
            self._site(),
            1,
            owner,
            member,
            target,
            arguments,
            result,
            error,
            {**known, **(facts or {})},
        )
        self.trace.steps.append(step)
        return step

    def execute(self, stream=7, *, done=True, target=CONTEXT, context=None, **facts):
        """Add an execution."""
        known = {"overlapping": (), "beside": (), "context": context or tensors(), **facts}
        return self.call("execute_async_v3", target=target, result=done, facts=known, stream_handle=stream)

    def answer(self, call, method, *arguments, result=None, **rest):
        """Add a callback to a call."""
        facts = {"type": type(result).__name__, "is_index": isinstance(result, int), **rest.pop("facts", {})}
        step = Callback(next(self._numbers), self._site(), Ref("Buffers", 1), method, arguments, facts, result, **rest)
        self.trace.steps.append(step)
        call.callbacks.append(step)
        return step

    def touch(self, kind, address, nbytes=16, *, stream=7, clock=None, inside=None):
        """Add an access of memory, by the application or by an execution; ``clock`` is what it comes after."""
        number = next(self._numbers)
        access = Access(stream, address, nbytes, kind, number, Clock({}, clock or {stream: number}))
        step = Touch(number, self._site(), access)
        (inside.touches if inside is not None else self.trace.steps).append(step)
        return step

    def memory(self, address, nbytes=16, *, freed=False, source="malloc", pending=(), inside=None):
        """Add an allocation."""
        allocation = Allocation("plugin", source, address, nbytes, freed)
        step = Memory(next(self._numbers), self._site(), allocation, frozenset(pending), inside)
        self.trace.steps.append(step)
        return step


def tensor(name, address=0, dims=(4,), *, is_input=False, nbytes=16, room=ENOUGH, **rest):
    """Return an output, or an input."""
    known = {"is_host": False, "allocator": None, **rest}
    return TensorFacts(name=name, is_input=is_input, dims=dims, address=address, nbytes=nbytes, room=room, **known)


def tensors(*found, **rest):
    """Return what is known of a context, by default of one with an input x and an output y."""
    known = found or (tensor("x", X, is_input=True), tensor("y", Y))
    facts = {"profile": 0, "profiles": 2, "dynamic": ("x",), "missing": (), "clash": "", "memory": None, "needed": 0}
    return ContextFacts(engine=ENGINE, tensors=known, **{**facts, **rest})
