"""What a gate tells of the calls it makes: phases, events, outcomes and failures, as records that never change.

What is made at every call is a named tuple, which is made in a third of the time of a frozen dataclass.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

__all__ = ["CallOutcome", "Event", "Failure", "FailureKind", "Observer", "Phase"]


class Phase(enum.Enum):
    """What the runtime was doing; the value is the word for it."""

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
    """What became of a call: a value, what the user's method raised, or that there is no such method."""

    value: Any = None
    error: BaseException | None = None
    missing: bool = False


class FailureKind(enum.Enum):
    """In which way a callback failed."""

    RAISED = "raised"
    RETURNED = "returned something unusable"
    MISSING = "missing"


@dataclass(frozen=True)
class Failure:
    """What the bindings swallow, where it happened.

    ``what`` completes "method ..." ("raised ValueError: no"); ``becomes`` says what TensorRT makes of it.
    """

    phase: Phase
    method: str
    target: str
    what: str
    becomes: str
    error: BaseException | None = field(default=None, compare=False)
    traceback: str = field(default="", compare=False)
    kind: FailureKind = FailureKind.RAISED


class Observer(Protocol):
    """Whoever wants to see the calls."""

    def before(self, event: Event, /) -> None:
        """See a call that is about to be made."""
        ...

    def after(self, event: Event, outcome: CallOutcome, /) -> None:
        """See what became of it."""
        ...
