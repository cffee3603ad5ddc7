"""The one way from the runtime into a user's code: every call to a plugin or creator is made, seen and kept here.

A gate calls the very object that the user made, never a proxy, and never lets the user's exceptions through: it
returns an `Outcome`, and what the bindings would swallow becomes a `Failure` in `Gate.failures`. Observers see each
call before and after it happens; they may trace, count and guard, and their own exceptions do propagate.

A gate also knows the stage of each object (`lifecycle`) and which objects TensorRT owns. It refers to a plugin weakly
unless TensorRT owns it, so that a gate keeps nothing alive that TensorRT would not.
"""

from __future__ import annotations

import itertools
import os
import threading
import traceback
import weakref
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reference_runtime import lifecycle
from reference_runtime.calls import Event, Failure, FailureKind, Observer, Outcome, Phase, SwallowedFailure
from reference_runtime.lifecycle import Call, Stage
from reference_runtime.signatures import is_bound_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "Event",
    "Failure",
    "FailureKind",
    "Gate",
    "Observer",
    "Outcome",
    "Owned",
    "Phase",
    "SwallowedFailure",
    "current_gate",
    "watching",
]


@dataclass
class Owned:
    """An object that TensorRT came to own: held until it is released, and the account of its life.

    ``claims`` counts the places that own it: more than one where a ``clone`` returned an object that was owned
    already. It gets one ``destroy``, when the last of them lets go. ``target`` stays where ``destroy`` raised,
    for the bindings then never release the object.
    """

    target: object | None
    name: str
    born: Call
    parent: str
    phase: Phase
    claims: int = 1
    destroyed: bool = False


@dataclass
class _Life:
    """What a gate knows of one object."""

    ref: Callable[[], object | None]
    name: str
    stage: Stage = Stage.CREATED
    num_inputs: int = 0
    times_returned: int = 0
    owned: Owned | None = None


class Gate:
    """Calls plugins and creators, and remembers what that led to."""

    def __init__(
        self,
        *,
        observers: Sequence[Observer] = (),
        quiet: bool = False,
        on_failure: Literal["record", "raise"] = "record",
    ) -> None:
        self.observers = list(observers)
        self.quiet = quiet
        self.on_failure = on_failure
        self.failures: list[Failure] = []
        self.owned: list[Owned] = []
        self._numbers = itertools.count(1)
        self._lives: dict[int, _Life] = {}
        self._named: dict[str, int] = {}
        self._lock = threading.RLock()
        self._here = threading.local()

    @property
    def phase(self) -> Phase:
        """What the runtime is doing in this thread."""
        phase: Phase = getattr(self._here, "phase", Phase.CREATION)
        return phase

    @contextmanager
    def during(self, phase: Phase) -> Iterator[None]:
        """Let calls made inside belong to ``phase``."""
        before = self.phase
        self._here.phase = phase
        try:
            yield
        finally:
            self._here.phase = before

    def call(self, target: object, method: str, *arguments: object) -> Outcome:
        """Call a method of the user's, positionally, and return what became of it."""
        event = Event(next(self._numbers), self.phase, self.name_of(target), method, arguments, target)
        for observer in self.observers:
            observer.before(event)
        outcome = _perform(target, method, arguments)
        for observer in self.observers:
            observer.after(event, outcome)
        return outcome

    def fail(
        self, target: object, method: str, kind: FailureKind, what: str, becomes: str, *, outcome: Outcome
    ) -> None:
        """Record what the bindings swallow."""
        trace = "".join(traceback.format_exception(outcome.error)) if outcome.error else ""
        failure = Failure(self.phase, method, self.name_of(target), what, becomes, outcome.error, trace, kind)
        self.failures.append(failure)
        if self.on_failure == "raise":
            raise SwallowedFailure(failure) from outcome.error

    def say(self, text: str) -> None:
        """Print a line where the bindings do: file descriptor 2, past ``sys.stderr`` and any `ILogger`."""
        if not self.quiet:
            os.write(2, f"{text}\n".encode(errors="backslashreplace"))

    def name_of(self, target: object) -> str:
        """Return what events call an object: its class and its number among that class, in order of first sight."""
        return self._life(target).name

    def stage_of(self, target: object) -> Stage:
        """Return where in its life an object is."""
        return self._life(target).stage

    def advance(self, target: object, call: Call) -> None:
        """Move an object to the stage that follows ``call``; an illegal call raises and changes nothing."""
        life = self._life(target)
        life.stage = lifecycle.step(life.stage, call)

    def configured_inputs(self, target: object) -> int:
        """Return how many inputs the last ``configure_plugin`` on this very object had, as the bindings count."""
        return self._life(target).num_inputs

    def count_inputs(self, target: object, number: int) -> None:
        """Remember how many inputs ``configure_plugin`` was given."""
        self._life(target).num_inputs = number

    def count_return(self, target: object) -> None:
        """Count that a callback returned an object as newly made."""
        self._life(target).times_returned += 1

    def is_handed_out_again(self, target: object) -> bool:
        """Say whether callbacks have returned an object as newly made more than once."""
        return self._life(target).times_returned > 1

    def adopt(self, parent: object | None, child: object, call: Call) -> None:
        """Let TensorRT own ``child``, which ``call`` on ``parent`` (a plugin or creator) returned.

        Where it is owned already, because a plugin returned itself or an object twice, only the claim is counted.
        """
        source = self.stage_of(parent) if call is Call.CLONE else None
        stage = lifecycle.birth(call, source)
        life = self._life(child)
        if life.owned is not None and not life.owned.destroyed:
            life.owned.claims += 1
            return
        life.stage = stage
        life.num_inputs = 0
        life.owned = Owned(child, life.name, call, self.name_of(parent), self.phase)
        self.owned.append(life.owned)

    def let_go(self, target: object) -> bool:
        """Give up one claim on an object; return whether it was the last, so that ``destroy`` is due."""
        owned = self._life(target).owned
        if owned is None or owned.destroyed:
            return True
        owned.claims -= 1
        return owned.claims == 0

    def disown(self, target: object, *, released: bool) -> None:
        """Note that an owned object got its ``destroy``, and drop it if it was ``released``."""
        owned = self._life(target).owned
        if owned is not None:
            owned.destroyed = True
            owned.target = None if released else target

    def _life(self, target: object) -> _Life:
        with self._lock:
            life = self._lives.get(id(target))
            if life is None or life.ref() is not target:
                life = self._lives[id(target)] = _Life(self._refer(target), self._new_name(target))
            return life

    def _new_name(self, target: object) -> str:
        kind = type(target).__name__
        self._named[kind] = self._named.get(kind, 0) + 1
        return f"{kind}#{self._named[kind]}"

    def _refer(self, target: object) -> Callable[[], object | None]:
        lives, key = self._lives, id(target)
        try:
            return weakref.ref(target, lambda ref: _forget(lives, key, ref))
        except TypeError:  # a class with __slots__ and without __weakref__
            return lambda: target


def _forget(lives: dict[int, _Life], key: int, ref: object) -> None:
    if key in lives and lives[key].ref is ref:
        del lives[key]


def _perform(target: object, name: str, arguments: tuple[object, ...]) -> Outcome:
    try:
        method = getattr(target, name, None)
        if method is None or is_bound_function(method):
            return Outcome(missing=True)
        return Outcome(method(*arguments))
    except BaseException as error:  # noqa: BLE001 - the bindings swallow SystemExit and KeyboardInterrupt too
        return Outcome(error=error)


_CURRENT: ContextVar[Gate | None] = ContextVar("reference_runtime_gate", default=None)


def current_gate() -> Gate:
    """Return the gate in force; where nobody is watching, a new one."""
    return _CURRENT.get() or Gate()


@contextmanager
def watching(gate: Gate) -> Iterator[Gate]:
    """Let builders, runtimes and registries that are made inside call plugins through ``gate``."""
    token = _CURRENT.set(gate)
    try:
        yield gate
    finally:
        _CURRENT.reset(token)
