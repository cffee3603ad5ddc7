"""Call a user's override of a bound method; without an override, give the message and value of the genuine bindings.

The messages go to file descriptor 2, as with the genuine bindings. Redirecting ``sys.stderr`` does not catch them, and
they do not pass through ``ILogger``.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.bound.bound_class import spelling, state_of
from reference_runtime.bound.conversions import Mismatch, string
from reference_runtime.bound.debugger import is_quit
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.frames import is_ours, users_frame
from reference_runtime.bound.overloads import accessor, is_bound_function

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

    from reference_runtime.bound.bound_class import attribute
    from reference_runtime.bound.conversions import Converter


_ABSENT = object()


def write_error(line: str) -> None:
    """Write a line to file descriptor 2."""
    with contextlib.suppress(OSError):  # as in C++, an error is ignored: a plugin may have closed the descriptor
        os.write(2, f"{line}\n".encode(errors="replace"))


def write_unset(name: str) -> None:
    """Print that a native attribute was read before it was set."""
    write_error(f"[ERROR] Exception caught in {name}(): AttributeError: {name} not initialized")


def describe(error: BaseException) -> str:
    """Return the text that pybind11 prints for an exception: class, message, and frames.

    If ``__str__`` of the exception raises, the error that it raises follows.
    """
    message, trouble = _message(error)
    frames = _frames(error.__traceback__)
    described = f"{spelling(type(error))}: {message}{frames}"
    if trouble is None:
        return described
    gap = "\n" if frames else "\n\n"
    reason = f"{spelling(type(trouble))}: {_message(trouble)[0]}{_frames(trouble.__traceback__)}"
    return f"{described}{gap}MESSAGE UNAVAILABLE DUE TO EXCEPTION: {reason}"


def _message(error: BaseException) -> tuple[str, BaseException | None]:
    try:
        return str(error) or "<EMPTY MESSAGE>", None
    except BaseException as trouble:  # noqa: BLE001 - the bindings swallow any exception of __str__, even SystemExit
        return "<MESSAGE UNAVAILABLE DUE TO ANOTHER EXCEPTION>", trouble


def _frames(trace: TracebackType | None) -> str:
    """Return the block of frames, innermost first; empty if no user code ran."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or is_ours(trace.tb_frame):
        return ""
    frame: FrameType | None = trace.tb_frame
    line: int | None = trace.tb_lineno
    lines = []
    while frame is not None:
        if not is_ours(frame):
            lines.append(f"  {frame.f_code.co_filename}({line}): {frame.f_code.co_name}\n")
        frame = frame.f_back
        line = frame.f_lineno if frame is not None else None
    return "\n\nAt:\n" + "".join(lines)


def find_override(target: object, method: str) -> Callable[..., Any] | None:
    """Return the user's method of that name, or ``None`` if C++ would find none.

    Three facts were measured. A missing override is remembered for the class: adding the method later has no effect.
    A base class before a mixin hides the mixin's method. A method that calls its base class's version gets the
    default, and is not called again.
    """
    missing: set[str] = type(target).__dict__.get("_pybind11_not_overridden", set())
    if method in missing:
        return None
    override: Any = getattr(target, method, _ABSENT)
    if override is not _ABSENT and not callable(override):
        raise TypeError(f"Object of type '{type(override).__name__}' is not an instance of 'function'")
    if override is _ABSENT or is_bound_function(override):
        missing.add(method)
        return None
    return None if _is_running(method, target) else override


def _is_running(method: str, target: object) -> bool:
    frame = users_frame()
    if frame is None or frame.f_code.co_name != method or not frame.f_code.co_argcount:
        return False
    return frame.f_locals.get(frame.f_code.co_varnames[0]) is target


class Virtual(Struct, frozen=True):
    """One virtual method in C++, with the result of each failure.

    Attributes:
        method: The name that is looked up on the Python object.
        missing: The result if there is no override.
        failed: The result if the override raises, or returns a value of a wrong type.
        convert: Converts the override's return value.
        type_name: The expected type in the message about a wrong type.
        required: Whether a message says that an override is missing.
        called: The method's name in messages, if it differs.
        thrown: Whether the message about an exception says ``thrown from``, not ``caught in``.
    """

    method: str
    missing: Any = None
    failed: Any = None
    convert: Callable[[Any], Any] = lambda value: value
    type_name: str = ""
    required: bool = True
    called: str = ""
    thrown: bool = False

    def call(self, target: object, *arguments: object) -> Any:
        """Call the override; after an exception, write a line to file descriptor 2 and return ``failed``."""
        shown = f"{self.called or self.method}()"
        try:
            override = find_override(target, self.method)
        except TypeError as error:
            write_error(f"[ERROR] Exception caught in {shown}: {error}")
            return self.failed
        if override is None:
            return self._without(shown)
        try:
            value = override(*arguments)
        except BaseException as error:  # measured: SystemExit and KeyboardInterrupt are swallowed too
            if is_quit(error):
                raise
            where = f"thrown from {shown}" if self.thrown else f"caught in {shown}:"
            write_error(f"[ERROR] Exception {where} {describe(error)}")
            return self.failed
        return self._converted(value)

    def _without(self, shown: str) -> Any:
        if self.required:
            write_error(f"Method: {self.method} was not overriden. Please provide an implementation for this method.")
            reason = f"RuntimeError: no implementation provided for {self.method}()"
            write_error(f"[ERROR] Exception caught in {shown}: {reason}")
        return self.missing

    def _converted(self, value: Any) -> Any:
        try:
            return self.convert(value)
        except Mismatch:
            write_error(f"[ERROR] Return value of {self.method}() could not be interpreted as {self.type_name}")
            return self.failed


def pure_virtual(target: object, interface: str, method: str) -> Callable[..., Any] | None:
    """Return the override of a pure virtual method; without one, print the bindings' message and return None."""
    override = find_override(target, method)
    if override is None:
        reason = f'Tried to call pure virtual function "{interface}::{method}"'
        write_error(f"[ERROR] Exception caught in {method}(): {reason}")
    return override


def owned(
    owner: str,
    name: str,
    convert: Converter,
    *,
    shown: str = "str",
    unset: Any = None,
    required: bool = True,
    key: str = "",
) -> attribute:
    """Make an attribute whose value is in C++. Before an assignment it reads as ``unset``, and warns if ``required``.

    An object may have several bound bases with attributes of the same name: a plugin that is also a creator. Each class
    has a separate value, with a separate ``key``.
    """
    key = key or f"{owner}.{name}"

    def get(self: object) -> Any:
        held = state_of(self, made.owner)
        if required and key not in held:
            write_unset(name)
        value = held.get(key, unset)
        return str(value) if isinstance(value, CutText) else value

    def put(self: object, value: Any) -> None:
        state_of(self, made.owner)[key] = value

    made = accessor(f"(arg0: {owner}, arg1: {shown}) -> None", get, put, convert)
    made.unset, made.key = unset, key
    return made


class CutText(str):
    """A string up to its first NUL, as C++ reads it; ``assigned`` is the whole string. Python gets a plain string."""

    __slots__ = ("assigned",)

    assigned: str

    @classmethod
    def of(cls, assigned: str) -> CutText:
        """Return the part of a string before its first NUL."""
        cut = cls(assigned.partition("\0")[0])
        cut.assigned = assigned
        return cut


def text(value: Any) -> str:
    """Convert to a string as C++ returns it: up to its first NUL."""
    return string(value).partition("\0")[0]


def owned_text(value: Any) -> str:
    """Convert to a string that C++ keeps: up to its first NUL, with the whole string as ``assigned``."""
    whole: str = string(value)
    return CutText.of(whole) if "\0" in whole else whole


def text_or_crash(owner: str, name: str) -> Converter:
    """Return the converter of an attribute; an assignment of ``None``, which crashes the genuine bindings, raises."""

    def convert(value: Any) -> str:
        if value is None:
            raise NativeCrash(
                f"{owner}.{name} = None: the genuine bindings abort here. Assign a string; the default is ''."
            )
        return owned_text(value)

    return convert
