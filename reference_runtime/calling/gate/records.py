"""A gate's records of its calls: phases, events, outcomes and failures. Records never change.

The records of every call are named tuples: making one takes a third of the time of a frozen dataclass.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol


class Phase(enum.Enum):
    """The runtime's phase; the value is its word in messages."""

    CREATION = "creation"
    NETWORK = "network"
    ANALYSIS = "analysis"
    NEGOTIATION = "negotiation"
    CONFIGURATION = "configuration"
    WORKSPACE = "workspace"
    TIMING = "timing"
    SERIALIZATION = "serialization"
    DESERIALIZATION = "deserialization"
    ENGINE = "engine"
    CONTEXT = "context"
    EXECUTION = "execution"
    DESTRUCTION = "destruction"


class Event(NamedTuple):
    """One call, as an observer sees it; ``receiver`` and ``arguments`` are the very objects."""

    number: int
    phase: Phase
    target: str
    method: str
    arguments: tuple[Any, ...]
    receiver: object = None


class CallOutcome(NamedTuple):
    """The outcome of a call: a value, the exception of the user's method, or a missing method."""

    value: Any = None
    error: BaseException | None = None
    missing: bool = False

    @classmethod
    def raised(cls, error: BaseException) -> CallOutcome:
        """Return the outcome of a call that raised ``error``, which the caller of this method has just caught.

        If an exception object is raised several times, its traceback has the frames of all times. Here it is cut to the
        frames of the last time.
        """
        last = error.__traceback__
        caller = last.tb_frame.f_code if last else None
        while last and last.tb_next:
            if last.tb_next.tb_frame.f_code is caller:
                last.tb_next = None
            last = last.tb_next
        return cls(error=error)


class FailureKind(enum.Enum):
    """The way in which a callback failed."""

    RAISED = "raised"
    RETURNED = "returned something unusable"
    NULL = "returned None in place of an object"
    MISSING = "missing"


class Part(enum.Enum):
    """The kind of object that a callback belongs to."""

    PLUGIN = "plugin"
    RESOURCE = "resource"


@dataclass(frozen=True)
class Failure:
    """An error that the bindings swallow, with its place.

    ``what`` completes "method ..." ("raised ValueError: no"); ``becomes`` is TensorRT's reaction.
    """

    phase: Phase
    method: str
    target: str
    what: str
    becomes: str
    error: BaseException | None = field(default=None, compare=False)
    traceback: str = field(default="", compare=False)
    kind: FailureKind = FailureKind.RAISED
    part: Part = Part.PLUGIN


class Observer(Protocol):
    """Receives each call of a gate, before and after it runs."""

    def before(self, event: Event, /) -> None:
        """Receive a call before it runs."""
        ...

    def after(self, event: Event, outcome: CallOutcome, /) -> None:
        """Receive the outcome of a call."""
        ...
