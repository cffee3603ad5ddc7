"""Make every call from the runtime to a plugin or creator: the only way into a user's code.

A gate calls the very object that the user made, never a proxy. An exception of the user's code becomes part of a
`CallOutcome`; only a debugger's request to quit propagates. Errors that the bindings would swallow become a `Failure`
in `Gate.failures`. Observers see each call before and after it happens. They may trace, count and guard, and their own
exceptions do propagate.

A gate also knows the stage of each object and which objects TensorRT owns: it is a `Lives`.
"""

from __future__ import annotations

import itertools
import os
import threading
import traceback
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

from reference_runtime.bound.debugger import is_quit
from reference_runtime.bound.overloads import is_bound_function
from reference_runtime.calling.gate.object_lives import Lives, Owned
from reference_runtime.calling.gate.records import (
    CallOutcome,
    Event,
    Failure,
    FailureKind,
    Observer,
    Part,
    Phase,
)
from reference_runtime.calling.lifecycle.table import V2, Call, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "CallOutcome",
    "Event",
    "Failure",
    "FailureKind",
    "Gate",
    "Observer",
    "Owned",
    "Phase",
    "current_gate",
    "watching",
]


class _Here(threading.local):
    """The current phase of a thread."""

    phase = Phase.CREATION


class Gate(Lives):
    """Calls plugins and creators, and records failures; a ``quiet`` gate does not print the bindings' messages."""

    def __init__(self, *, observers: Sequence[Observer] = (), quiet: bool = False) -> None:
        super().__init__()
        self.observers = list(observers)
        self.quiet = quiet
        self.failures: list[Failure] = []
        self._numbers = itertools.count(1)
        self._here = _Here()

    @property
    def phase(self) -> Phase:
        """The runtime's current phase in this thread."""
        return self._here.phase

    @contextmanager
    def during(self, phase: Phase) -> Iterator[None]:
        """Let the calls in the block belong to ``phase``."""
        before = self.phase
        self._here.phase = phase
        try:
            yield
        finally:
            self._here.phase = before

    def call(self, target: object, method: str, *arguments: object) -> CallOutcome:
        """Call a method of a user's object with positional arguments, and return the outcome."""
        number = next(self._numbers)
        if not self.observers:
            return _perform(target, method, arguments)
        event = Event(number, self.phase, self.name_of(target), method, arguments, target)
        for observer in self.observers:
            observer.before(event)
        outcome = _perform(target, method, arguments)
        for observer in self.observers:
            observer.after(event, outcome)
        return outcome

    def fail(
        self,
        target: object,
        method: str,
        kind: FailureKind,
        what: str,
        becomes: str,
        *,
        outcome: CallOutcome,
        part: Part = Part.PLUGIN,
    ) -> None:
        """Record an error that the bindings swallow."""
        trace = "".join(traceback.format_exception(outcome.error)) if outcome.error else ""
        failure = Failure(self.phase, method, self.name_of(target), what, becomes, outcome.error, trace, kind, part)
        self.failures.append(failure)

    def adopt(self, parent: object | None, child: object, call: Call, table: Table = V2) -> None:
        """Let TensorRT own ``child``, which ``call`` on ``parent`` (a plugin or creator) returned in this phase."""
        self.claim(parent, child, call, self.phase, table)

    def say(self, text: str) -> None:
        """Print a line as the bindings do: to file descriptor 2, past ``sys.stderr`` and any `ILogger`."""
        if not self.quiet:
            with suppress(OSError):  # a plugin may have closed the descriptor; C++'s streams ignore that, too
                os.write(2, f"{text}\n".encode(errors="backslashreplace"))


def _perform(target: object, name: str, arguments: tuple[object, ...]) -> CallOutcome:
    try:
        method = getattr(target, name, None)
        if method is None or is_bound_function(method):
            return CallOutcome(missing=True)
        return CallOutcome(method(*arguments))
    except BaseException as error:  # the bindings swallow SystemExit and KeyboardInterrupt too
        if is_quit(error):
            raise
        return CallOutcome.raised(error)


_CURRENT: ContextVar[Gate | None] = ContextVar("reference_runtime_gate", default=None)


def current_gate() -> Gate:
    """Return the current gate, or create a gate if there is none."""
    return _CURRENT.get() or Gate()


@contextmanager
def watching(gate: Gate) -> Iterator[Gate]:
    """Let builders, runtimes and registries that are created in the block call plugins through ``gate``."""
    token = _CURRENT.set(gate)
    try:
        yield gate
    finally:
        _CURRENT.reset(token)
