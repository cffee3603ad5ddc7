"""Callbacks of interfaces other than plugins: the effect of each failure of an override, and its message.

Theory. Allocators, profilers and recorders are called in two ways. TensorRT and this runtime call them through the
gate, which records the errors that the bindings swallow. And Python may call the bound base class
(``IGpuAllocator.allocate(mine, 1, 2, 3)``). Then pybind11's lookup finds the same override, and no error is recorded.
The effects and the messages are the same in both, so one value holds them, a `Hook`.

The bindings have two forms. A *pure virtual* method without an override throws inside C++ and is reported like any
exception. A method that is *looked up* prints its own line only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.bound.conversions import Mismatch
from reference_runtime.bound.overrides import describe, find_override, write_error
from reference_runtime.calling.gate.records import CallOutcome, FailureKind

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Gate

_Say = Callable[[str], None]
_Record = Callable[[FailureKind, str, CallOutcome], None]


def cast_error(value: object) -> str:
    """Return pybind11's message about a result that it cannot convert."""
    return (
        f"Unable to cast Python instance of type {type(value)} to C++ type '?' "
        "(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
    )


def _ignored(_value: object) -> None:
    """Ignore the result: the method returns nothing."""


class Hook(Struct, frozen=True):
    """One virtual method of an interface.

    ``becomes`` maps a failure to TensorRT's reaction. C++ gets ``missing`` without an override, and ``failed`` from an
    override that raises or returns a value that ``convert`` refuses. ``called`` is the name in messages if it is not
    the method's. ``wanted`` is the bindings' word for the expected type. ``optional`` methods may be missing.
    ``by_value`` means that the result is an object of a bound class, and no pointer.
    """

    interface: str
    method: str
    becomes: str
    convert: Callable[[Any], Any] = _ignored
    missing: Any = None
    failed: Any = None
    called: str = ""
    wanted: str = ""
    pure: bool = True
    optional: bool = False
    by_value: bool = False

    def through(self, gate: Gate, target: object, *arguments: object) -> Any:
        """Call the override as TensorRT does; the gate records errors."""

        def record(kind: FailureKind, what: str, outcome: CallOutcome) -> None:
            gate.fail(target, self.method, kind, what, self.becomes, outcome=outcome)

        return self._settled(gate.call(target, self.method, *arguments), gate.say, record)

    def directly(self, target: object, *arguments: object) -> Any:
        """Call the override as the bound method of the base class does."""
        try:
            found = find_override(target, self.method)
        except TypeError as error:
            write_error(f"[ERROR] Exception caught in {self._shown}: {error}")
            return self.failed
        return self._settled(_performed(found, arguments), write_error, _forgotten)

    @property
    def _shown(self) -> str:
        return f"{self.called or self.method}()"

    def _settled(self, outcome: CallOutcome, say: _Say, record: _Record) -> Any:
        if outcome.missing:
            return self._without(outcome, say, record)
        if outcome.error is not None:
            described = describe(outcome.error)
            say(f"[ERROR] Exception caught in {self._shown}: {described}")
            record(FailureKind.RAISED, f"raised {described.partition(chr(10))[0]}", outcome)
            return self.failed
        try:
            return self.convert(outcome.value)
        except Mismatch as mismatch:
            own = f"Return value of {self._shown} could not be interpreted as {self.wanted}"
            # pybind11 prints no message for None in place of an object
            refused = "" if outcome.value is None and self.by_value else cast_error(outcome.value)
            other = f"Exception caught in {self._shown}: {refused}"
            words = str(mismatch) or (own if self.wanted else other)
            say(f"[ERROR] {words}")
            record(FailureKind.RETURNED, f"returned a {type(outcome.value).__name__} that is of no use", outcome)
            return self.failed

    def _without(self, outcome: CallOutcome, say: _Say, record: _Record) -> Any:
        if self.optional:
            return self.missing
        if self.pure:
            virtual = f"{self.interface}::{self.method}"
            say(f'[ERROR] Exception caught in {self._shown}: Tried to call pure virtual function "{virtual}"')
        else:
            say(f"Method: {self.method} was not overriden. Please provide an implementation for this method.")
        record(FailureKind.MISSING, "is not overridden", outcome)
        return self.missing


def _performed(found: Callable[..., Any] | None, arguments: tuple[object, ...]) -> CallOutcome:
    if found is None:
        return CallOutcome(missing=True)
    try:
        return CallOutcome(found(*arguments))
    except BaseException as error:  # noqa: BLE001 - the bindings swallow SystemExit and KeyboardInterrupt too
        return CallOutcome.raised(error)


def _forgotten(_kind: FailureKind, _what: str, _outcome: CallOutcome) -> None:
    """Record nothing: no gate is involved if Python calls the method."""
