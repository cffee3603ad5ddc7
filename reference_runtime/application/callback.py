"""Call an application's allocators, profilers and recorders, with the effect and message of each failure.

Theory. Overrides of these interfaces are called in two ways. TensorRT and this runtime call them through the gate,
which records the errors that the bindings swallow. Python code may call the bound base class, too:
``IGpuAllocator.allocate(mine, 1, 2, 3)``. pybind11's lookup then finds the same override, and no error is recorded.
The effects and messages are the same both times, so a `Hook` describes them once.

The bindings report a missing override in two forms. A *pure virtual* method throws inside C++, and is reported like any
exception. For any other method the bindings print a separate line.
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
    """Return pybind11's message about a return value that it cannot convert."""
    return (
        f"Unable to cast Python instance of type {type(value)} to C++ type '?' "
        "(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
    )


def _ignored(_value: object) -> None:
    """Ignore the return value of a method that returns ``void`` in C++."""


class Hook(Struct, frozen=True):
    """One virtual method of an interface.

    Attributes:
        interface: The name of the bound class.
        method: The name of the method in Python.
        becomes: TensorRT's reaction to a failure, for messages.
        convert: Converts the return value, or raises `Mismatch`.
        missing: The result in C++ if there is no override.
        failed: The result in C++ if the override raises, or returns a value that ``convert`` does not accept.
        called: The method's name in messages, if it differs.
        type_name: The expected type in messages.
        pure: Whether the method is pure virtual.
        optional: Whether the method may be missing without a message.
        by_value: Whether C++ returns an object of a bound class by value, and not as a pointer.
    """

    interface: str
    method: str
    becomes: str
    convert: Callable[[Any], Any] = _ignored
    missing: Any = None
    failed: Any = None
    called: str = ""
    type_name: str = ""
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
            override = find_override(target, self.method)
        except TypeError as error:
            write_error(f"[ERROR] Exception caught in {self._shown}: {error}")
            return self.failed
        return self._settled(_performed(override, arguments), write_error, _forgotten)

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
            own = f"Return value of {self._shown} could not be interpreted as {self.type_name}"
            # pybind11 prints no message for None in place of an object
            refused = "" if outcome.value is None and self.by_value else cast_error(outcome.value)
            other = f"Exception caught in {self._shown}: {refused}"
            words = str(mismatch) or (own if self.type_name else other)
            say(f"[ERROR] {words}")
            record(FailureKind.RETURNED, f"returned a {type(outcome.value).__name__}, a wrong type or value", outcome)
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


def _performed(override: Callable[..., Any] | None, arguments: tuple[object, ...]) -> CallOutcome:
    if override is None:
        return CallOutcome(missing=True)
    try:
        return CallOutcome(override(*arguments))
    except BaseException as error:  # noqa: BLE001 - the bindings swallow SystemExit and KeyboardInterrupt too
        return CallOutcome.raised(error)


def _forgotten(_kind: FailureKind, _what: str, _outcome: CallOutcome) -> None:
    """Do nothing: if Python calls the method, there is no gate that records errors."""
