"""IErrorRecorder: receives the errors of TensorRT for an application, in place of the logger."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from msgspec import Struct

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import attribute, call_in_messages, pybind11_object, state
from reference_runtime.bound.conversions import boolean, c_string, instance, int32, optional
from reference_runtime.bound.overloads import Overload, accessor, arguments_for, bound, constructor
from reference_runtime.values.enums import ErrorCodeTRT
from reference_runtime.values.refusals import Logged, Refused, complain

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.calling.gate.gate import Gate

_F = TypeVar("_F", bound="Callable[..., Any]")

MAX_DESC_LENGTH: Final = 127
"""The longest description that a recorder must expect, in characters; TensorRT also passes longer ones (measured)."""

_KEY: Final = "_error_recorder"
_CODE, _DESC = instance(ErrorCodeTRT), c_string
_SELF = "(self: IErrorRecorder"
_INDEX = f"{_SELF}, arg0: typing.SupportsInt)"


def _hook(method: str, becomes: str, convert: Any, *, failed: Any) -> Hook:
    return Hook("IErrorRecorder", method, becomes, convert, missing=failed, failed=failed)


_GET_CODE = Hook(
    "IErrorRecorder",
    "get_error_code",
    "TensorRT reads SUCCESS",
    _CODE,
    missing=ErrorCodeTRT.SUCCESS,
    failed=ErrorCodeTRT.SUCCESS,
    by_value=True,
)
_GET_DESC = _hook("get_error_desc", "TensorRT reads a null pointer", _DESC, failed=None)
_GET_NUM = _hook("get_num_errors", "TensorRT reads -1", int32, failed=-1)
_OVERFLOWED = _hook("has_overflowed", "TensorRT reads False", boolean, failed=False)
_REPORT = _hook("report_error", "the error is lost, and the execution goes on", boolean, failed=False)
_CLEAR = Hook("IErrorRecorder", "clear", "the errors stay")


def _max_desc_length(recorder: object) -> int:
    """Raise a TypeError: the genuine getter accepts no argument, not even the recorder."""
    arguments_for("", (Overload("() -> int"),), (), (recorder,), {})
    return MAX_DESC_LENGTH


class IErrorRecorder(pybind11_object, bound=True):
    """The base class of an application's error recorder.

    The method ``num_errors`` calls the override ``get_num_errors``.
    """

    @constructor(Overload("(self: IErrorRecorder) -> None"))
    def __init__(self) -> None:
        state(self)["_references"] = 0

    @bound(Overload(f"{_SELF}) -> int"))
    def num_errors(self) -> int:
        """Call the override as C++ does; -1 without one."""
        return int(_GET_NUM.directly(self))

    @bound(Overload(f"{_INDEX} -> ErrorCodeTRT", int32))
    def get_error_code(self, index: int) -> ErrorCodeTRT:
        """Call the override as C++ does; SUCCESS without one."""
        code: ErrorCodeTRT = _GET_CODE.directly(self, index)
        return code

    @bound(Overload(f"{_INDEX} -> str", int32))
    def get_error_desc(self, index: int) -> str | None:
        """Call the override as C++ does; None without one."""
        text: str | None = _GET_DESC.directly(self, index)
        return text

    @bound(Overload(f"{_SELF}) -> bool"))
    def has_overflowed(self) -> bool:
        """Call the override as C++ does; False without one."""
        return bool(_OVERFLOWED.directly(self))

    @bound(Overload(f"{_SELF}) -> None"))
    def clear(self) -> None:
        """Call the override as C++ does."""
        _CLEAR.directly(self)

    @bound(Overload(f"{_SELF}, arg0: ErrorCodeTRT, arg1: str) -> bool", _CODE, c_string))
    def report_error(self, code: ErrorCodeTRT, text: str | None) -> bool:
        """Call the override as C++ does; False without one."""
        return bool(_REPORT.directly(self, code, text))


type.__setattr__(
    IErrorRecorder, "MAX_DESC_LENGTH", call_in_messages(property(_max_desc_length))
)  # messages do not name it (measured)


class Recorder(Struct, frozen=True):
    """An error recorder, and the gate through which it is called."""

    gate: Gate
    target: object

    def report(self, code: ErrorCodeTRT, text: str) -> bool:
        """Report an error; return whether the recorder says that it is fatal."""
        return bool(_REPORT.through(self.gate, self.target, code, text))


def recorder_of(gate: Gate, holder: object) -> Recorder | None:
    """Return the recorder that was assigned to the property ``error_recorder`` of an object, or None."""
    target = state(holder).get(_KEY)
    return None if target is None else Recorder(gate, target)


class ErrorsOf(Struct, frozen=True):
    """The destination of the errors of a builder, runtime, engine, context or inspector.

    Each reports to its own recorder, else to its parent's, else to its logger. The state of ``bound`` has the gate, the
    logger and, as ``_parent``, the object that created it.
    """

    bound: object

    def report(self, code: ErrorCodeTRT, text: str) -> None:
        """Report an error."""
        to = _nearest(self.bound) or Logged(state(self.bound)["_logger"])
        to.report(code, text)


def _nearest(bound: object) -> Recorder | None:
    held = state(bound)
    own = recorder_of(held["_gate"], bound)
    parent = held.get("_parent")
    return own if own is not None or parent is None else _nearest(parent)


def refusable(owner: str, method: str, otherwise: Callable[[], object] = bool) -> Callable[[_F], _F]:
    """Return a decorator: if a member raises `Refused`, an error is reported, and ``otherwise`` gives the result.

    ``owner`` and ``method`` are the member's names in C++, for the message.
    """

    def decorate(member: _F) -> _F:
        @functools.wraps(member)
        def answered(self: object, *arguments: Any) -> Any:
            try:
                return member(self, *arguments)
            except Refused as refused:
                complain(f"{owner}::{method}", refused, to=ErrorsOf(self))
            return otherwise()

        return cast("_F", answered)

    return decorate


def assign(holder: object, recorder: object | None) -> None:
    """Make an object report to a recorder; None ends that.

    TensorRT's references to recorders are counted, without a call of an override.
    """
    held = state(holder)
    before, held[_KEY] = held.get(_KEY), recorder
    if recorder is not None:
        state(recorder)["_references"] += 1
    if before is not None:
        state(before)["_references"] -= 1


def error_recorder_of(owner: str) -> attribute:
    """Make the property ``error_recorder`` of a bound class."""
    return accessor(
        f"(arg0: {owner}, arg1: IErrorRecorder) -> None",
        lambda self: state(self).get(_KEY),
        assign,
        optional(instance(IErrorRecorder)),
    )


def reference_count(recorder: object) -> int:
    """Return the number of references from TensorRT to a recorder."""
    return int(state(recorder)["_references"])
