"""Observe the callbacks that a gate makes: their outcomes, and changes of their arguments."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Any

import msgspec

from reference_runtime import instruments
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc, watch_reads
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType, TensorFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference_runtime.calling.gate.gate import CallOutcome, Event, Gate, Observer


class Change(msgspec.Struct, frozen=True):
    """A value in an argument that a callback modified.

    Attributes:
        event: The call.
        path: The value's place: ``arguments[1][0].format``.
        before: The value before the call, as text.
        after: The value after the call, as text.
    """

    event: Event
    path: str
    before: str
    after: str


class OutcomeLog:
    """Records the calls of some methods, or of all if none is named, with their outcomes."""

    def __init__(self, *methods: str) -> None:
        self._methods = methods
        self.calls: list[tuple[Event, CallOutcome]] = []

    def before(self, event: Event) -> None:
        """Do nothing: the outcome is not known yet."""

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Record the call."""
        if not self._methods or event.method in self._methods:
            self.calls.append((event, outcome))


class ArgumentWatch:
    """Records which arguments the calls of some methods modify. TensorRT ignores changes of lists and descriptors."""

    def __init__(self, *methods: str) -> None:
        self._methods = methods
        self._before: dict[int, tuple[Any, ...]] = {}
        self.changes: list[Change] = []
        self.seen = 0

    def before(self, event: Event) -> None:
        """Take a snapshot of the arguments."""
        if event.method in self._methods:
            self._before[event.number] = tuple(_frozen(argument) for argument in event.arguments)

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - an observer's signature
        """Compare the arguments with the snapshot."""
        before = self._before.pop(event.number, None)
        if before is None:
            return
        self.seen += 1
        after = tuple(_frozen(argument) for argument in event.arguments)
        if after != before:
            names = [f"arguments[{index}]" for index in range(len(after))]
            path, *values = next(each for each in map(_difference, names, before, after) if each)
            self.changes.append(Change(event, path, *values))


class ArgumentSpoiler:
    """Overwrites the descriptors that a callback received as soon as it returns: they are valid only in the call.

    It does so for some methods, or for all if none is named.

    Attributes:
        late_reads: Pairs: a callback that received a descriptor, and a later callback that read a shape from it.
    """

    def __init__(self, *methods: str) -> None:
        self._methods = methods
        self._running: list[str] = []
        self.late_reads: list[tuple[str, str]] = []

    def before(self, event: Event) -> None:
        """Record which callback runs."""
        self._running.append(event.method)

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - an observer's signature
        """Change the dimensions, ranks and types of all descriptors."""
        if event.method in self._running:
            self._running.remove(event.method)
        if not self._methods or event.method in self._methods:
            for argument in event.arguments:
                for item in argument if isinstance(argument, list) else ():
                    _spoil(item)
                    if isinstance(item, (PluginTensorDesc, DynamicPluginTensorDesc)):
                        watch_reads(item, functools.partial(self._read, event.method))

    def _read(self, given_to: str) -> None:
        self.late_reads.extend((given_to, method) for method in self._running[-1:])


class _Interlude:
    """Does some work before each callback, except before callbacks that the work itself causes."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._busy = False

    def before(self, event: Event) -> None:  # noqa: ARG002 - an observer's signature
        """Do the work, unless this callback is part of it."""
        if not self._busy:
            self._busy = True
            try:
                self._work()
            finally:
                self._busy = False

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Do nothing."""


@contextlib.contextmanager
def between_calls(gate: Gate, work: Callable[[], object]) -> Iterator[None]:
    """Do the work before each callback in the block."""
    with observing(gate, _Interlude(work)):
        yield


@contextlib.contextmanager
def observing(gate: Gate, *observers: Observer) -> Iterator[None]:
    """Let the observers see the callbacks in the block."""
    gate.observers.extend(observers)
    try:
        yield
    finally:
        for observer in observers:
            gate.observers.remove(observer)


def _spoil(value: Any) -> None:
    if isinstance(value, Dims):
        instruments.state(value)["extents"][:] = instruments.state(_other_extents(value))["extents"]
    elif hasattr(value, "desc"):
        _spoil(value.desc)
        for name in {"min", "opt", "max"} & set(dir(value)):
            setattr(value, name, _other_extents(getattr(value, name)))
    elif hasattr(value, "format") and hasattr(value, "dims"):
        value.dims = _other_extents(value.dims, 2)
        value.type = DataType.INT32 if value.type != DataType.INT32 else DataType.FLOAT


def _other_extents(dims: Any, *more: int) -> Dims:
    return Dims([*(extent - 1 if extent > 1 else extent + 1 for extent in dims), *more][: Dims.MAX_DIMS])


def _frozen(value: Any) -> Any:
    """Return a copy that can be compared: lists as tuples, descriptors as dicts of their values in C++."""
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, Dims):
        return tuple(instruments.state(value)["extents"][: len(value)])
    if isinstance(value, (PluginTensorDesc, DynamicPluginTensorDesc)):
        held = instruments.state(value)
        return {name: _frozen(held[name]) for name in held if not name.startswith("_")}
    return value if isinstance(value, (int, str, float)) else None


def _difference(path: str, before: Any, after: Any) -> tuple[str, str, str] | None:
    """Return the first difference between two copies: its path, the old and the new value; None if they are equal."""
    if before == after or (before != before and after != after):  # noqa: PLR0124 - a scale may be NaN
        return None
    if isinstance(before, dict) and isinstance(after, dict):
        inner = ((f"{path}.{name}", before[name], after.get(name)) for name in before)
    elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after) and not _flat(before):
        inner = ((f"{path}[{index}]", old, new) for index, (old, new) in enumerate(zip(before, after, strict=True)))
    elif isinstance(before, tuple) and isinstance(after, tuple) and not _flat(before):
        return f"len({path})", str(len(before)), str(len(after))
    else:
        return path, _shown(path, before), _shown(path, after)
    return next((difference for each in inner if (difference := _difference(*each))), None)


def _flat(values: tuple[Any, ...]) -> bool:
    return bool(values) and not any(isinstance(value, (dict, tuple)) for value in values)


def _shown(path: str, value: Any) -> str:
    if path.endswith(".type"):
        return str(DataType(value))
    if path.endswith(".format"):
        return str(TensorFormat(value))
    return str(list(value)) if isinstance(value, tuple) else repr(value)
