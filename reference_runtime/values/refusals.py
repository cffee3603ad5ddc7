"""How the runtime says no: one error to the application's recorder or logger, in TensorRT's form.

Inside the runtime a refusal is the exception `Refused`; the public methods turn it into that line and a None or
False, so that the application sees what TensorRT shows it and no Python exception.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Protocol

from reference_runtime.values.enums import ErrorCodeTRT
from reference_runtime.values.logger import ILogger, deliver

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Reason", "Refused", "complain", "granted", "warn"]


class Reason(enum.Enum):
    """Whose fault it is, as TensorRT numbers and names it."""

    SERIALIZATION = (1, "Serialization")
    INTERNAL = (2, "Internal Error")
    USAGE = (3, "API Usage Error")
    NETWORK = (4, "Internal Error")
    ALLOCATION = (5, "Failed Allocation")
    NOT_FOUND = (4, "API Usage Error")
    UNAVAILABLE = (6, "API Usage Error")
    NO_IMPLEMENTATION = (10, "Internal Error")


class Refused(Exception):  # noqa: N818 - it is no error until somebody says so
    """What the runtime will not do, and why."""

    def __init__(self, why: str, reason: Reason = Reason.USAGE) -> None:
        super().__init__(why)
        self.reason = reason


class Recorder(Protocol):
    """What errors are reported to where the application set a recorder."""

    def report(self, code: ErrorCodeTRT, text: str) -> bool:
        """Send an error; True where the recorder says that it is fatal."""
        ...


def complain(logger: ILogger, where: str, refused: Refused, recorder: Recorder | None = None) -> None:
    """Tell the application what was refused; ``where`` is the C++ name of what it called.

    Where a recorder is set it hears of it, and the logger does not: "If an error recorder is not set, messages will be
    sent to the global log stream" (NvInferRuntime.h).
    """
    code, kind = refused.reason.value
    text = f"{where}: Error Code {code}: {kind} ({refused})"
    if recorder is None:
        deliver(logger, ILogger.ERROR, text)
    else:
        recorder.report(ErrorCodeTRT(code), text)


def warn(logger: ILogger, where: str, what: str) -> None:
    """Tell the application of something it should know."""
    deliver(logger, ILogger.WARNING, f"{where}: {what}")


def granted(logger: ILogger, where: str, work: Callable[[], object], recorder: Recorder | None = None) -> bool:
    """Do ``work``; where that is refused, say so and return False."""
    try:
        work()
    except Refused as refused:
        complain(logger, where, refused, recorder)
        return False
    return True
