"""How the runtime says no: one line of severity ERROR to the application's `ILogger`, in TensorRT's form.

Inside the runtime a refusal is the exception `Refused`; the public methods turn it into that line and a None or
False, so that the application sees what TensorRT shows it and no Python exception.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from reference_runtime.logger import ILogger, deliver

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Reason", "Refused", "complain", "granted", "warn"]


class Reason(enum.Enum):
    """Whose fault it is, as TensorRT numbers and names it."""

    SERIALIZATION = (1, "Serialization")
    INTERNAL = (2, "Internal Error")
    USAGE = (3, "API Usage Error")
    NETWORK = (4, "Internal Error")
    NO_IMPLEMENTATION = (10, "Internal Error")


class Refused(Exception):  # noqa: N818 - it is no error until somebody says so
    """What the runtime will not do, and why."""

    def __init__(self, why: str, reason: Reason = Reason.USAGE) -> None:
        super().__init__(why)
        self.reason = reason


def complain(logger: ILogger, where: str, refused: Refused) -> None:
    """Tell the application what was refused; ``where`` is the C++ name of what it called."""
    code, kind = refused.reason.value
    deliver(logger, ILogger.ERROR, f"{where}: Error Code {code}: {kind} ({refused})")


def warn(logger: ILogger, where: str, what: str) -> None:
    """Tell the application of something it should know."""
    deliver(logger, ILogger.WARNING, f"{where}: {what}")


def granted(logger: ILogger, where: str, work: Callable[[], object]) -> bool:
    """Do ``work``; where that is refused, say so and return False."""
    try:
        work()
    except Refused as refused:
        complain(logger, where, refused)
        return False
    return True
