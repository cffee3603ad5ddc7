"""Report a refusal: one error to the application's recorder or logger, in TensorRT's form.

If a recorder is set, it gets the error, and the logger does not. "If an error recorder is not set, messages will be
sent to the global log stream" (NvInferRuntime.h).

Inside the runtime a refusal is the exception `Refused`. The public methods report it and return None or False. So the
application sees the same as with TensorRT, and no Python exception.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from reference_runtime.values.enums import ErrorCodeTRT
from reference_runtime.values.logger import ILogger, deliver

if TYPE_CHECKING:
    from collections.abc import Callable


class Reason(enum.Enum):
    """The cause of a refusal, with TensorRT's numbers and names."""

    SERIALIZATION = (1, "Serialization")
    INTERNAL = (2, "Internal Error")
    USAGE = (3, "API Usage Error")
    NETWORK = (4, "Internal Error")
    ALLOCATION = (5, "Failed Allocation")
    NOT_FOUND = (4, "API Usage Error")
    UNAVAILABLE = (6, "API Usage Error")
    NO_IMPLEMENTATION = (10, "Internal Error")


class Refused(Exception):  # noqa: N818 - callers decide whether it is an error
    """An operation was refused; ``reason`` is the kind of error."""

    def __init__(self, why: str, reason: Reason = Reason.USAGE) -> None:
        super().__init__(why)
        self.reason = reason


class ErrorSink(Protocol):
    """Receives errors: an application's error recorder, or `Logged` for a logger."""

    def report(self, code: ErrorCodeTRT, text: str) -> object:
        """Receive an error."""
        ...


class Logged(Struct, frozen=True):
    """A logger as an `ErrorSink`."""

    logger: ILogger

    def report(self, _code: ErrorCodeTRT, text: str) -> None:
        """Log an error."""
        deliver(self.logger, ILogger.ERROR, text)


def complain(where: str, refused: Refused, *, to: ErrorSink) -> None:
    """Report a refusal to the application; ``where`` is the C++ name of its call."""
    code, kind = refused.reason.value
    to.report(ErrorCodeTRT(code), f"{where}: Error Code {code}: {kind} ({refused})")


def granted(where: str, work: Callable[[], object], *, to: ErrorSink) -> bool:
    """Do ``work`` and return True; if it is refused, report that and return False."""
    try:
        work()
    except Refused as refused:
        complain(where, refused, to=to)
        return False
    return True


def warn(where: str, what: str, *, to: ILogger) -> None:
    """Report a warning to the application."""
    deliver(to, ILogger.WARNING, f"{where}: {what}")
