"""Send TensorRT's messages: ILogger, Logger and their severities."""

from __future__ import annotations

import os
import time
from typing import Any, ClassVar

from reference_runtime.bound.bound_class import pybind11_object, state
from reference_runtime.bound.conversions import c_string, instance
from reference_runtime.bound.enumeration import Enumeration, enumeration
from reference_runtime.bound.overloads import Overload, accessor, bound, constructor
from reference_runtime.bound.overrides import describe, pure_virtual, write_error


@enumeration(ordered=True, INTERNAL_ERROR=0, ERROR=1, WARNING=2, INFO=3, VERBOSE=4)
class Severity(Enumeration, bound=True):
    """The severity of a message: the smaller the number, the more severe."""


type.__setattr__(Severity, "__qualname__", "ILogger.Severity")

_LETTERS = "FEWIV"


def _log_of(owner: str) -> Overload:
    text = f"(self: {owner}, severity: ILogger.Severity, msg: str) -> None"
    return Overload(text, instance(Severity), c_string)


class ILogger(pybind11_object, bound=True):
    """The base class of a user's own logger: TensorRT calls its ``log(severity, msg)``."""

    Severity: ClassVar = Severity
    INTERNAL_ERROR: ClassVar = Severity.INTERNAL_ERROR
    ERROR: ClassVar = Severity.ERROR
    WARNING: ClassVar = Severity.WARNING
    INFO: ClassVar = Severity.INFO
    VERBOSE: ClassVar = Severity.VERBOSE

    @constructor(Overload("(self: ILogger) -> None"))
    def __init__(self) -> None:
        """Construct a logger without any state."""

    @bound(_log_of("ILogger"))
    def log(self, severity: Any, msg: str | None) -> None:
        """Pass a message to the override, as C++ does."""
        deliver(self, severity, msg)


class Logger(ILogger, bound=True):
    """The logger that prints to the standard output; it skips messages less severe than ``min_severity``."""

    @constructor(
        Overload(
            "(self: Logger, min_severity: ILogger.Severity = <Severity.WARNING: 2>) -> None",
            instance(Severity),
            defaults=[Severity.WARNING],
        )
    )
    def __init__(self, min_severity: Any = None) -> None:
        state(self)["min_severity"] = int(min_severity)

    @bound(_log_of("Logger"))
    def log(self, severity: Any, msg: str | None) -> None:
        """Print a message that is severe enough; C++ never calls an override of a `Logger` subclass (measured)."""
        deliver(self, severity, msg)

    min_severity = accessor(
        "(self: Logger, arg0: ILogger.Severity) -> None",
        lambda self: Severity(state(self)["min_severity"]),
        lambda self, severity: state(self).update(min_severity=int(severity)),
        instance(Severity),
    )


for _name in ("Severity", *Severity.__members__):  # the genuine bindings give them to the derived class, too
    type.__setattr__(Logger, _name, getattr(ILogger, _name))


def deliver(logger: ILogger, severity: Any, message: str | None) -> None:
    """Send a message as TensorRT sends it: a `Logger` prints it, any other logger's override receives it."""
    if isinstance(logger, Logger):
        _print(state(logger)["min_severity"], int(severity), message)
        return
    override = pure_virtual(logger, "ILogger", "log")
    if override is None:
        return
    try:
        override(severity, message)
    except BaseException as error:  # noqa: BLE001 - the genuine bindings swallow every exception of a logger
        write_error(f"[ERROR] Exception caught in log(): {describe(error)}")


def _print(threshold: int, severity: int, message: str | None) -> None:
    if severity <= threshold:
        stamp = time.strftime("%m/%d/%Y-%H:%M:%S")
        letter = _LETTERS[severity] if 0 <= severity < len(_LETTERS) else "?"
        os.write(1, f"[{stamp}] [TRT] [{letter}] {message or ''}\n".encode(errors="replace"))
