"""Provide `ILogger` and `ILoggerFinder` for C++: errors go to a listener, other messages are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_runtime.native.abi.tables import Table, Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.native.abi.slots import Abi
    from reference_runtime.native.elf.loading import Pairs

_ERROR: Final = 1
"""``ILogger::Severity::kERROR``; an internal error is 0, and messages that are less severe have larger numbers."""


class _Listener:
    """Hold the listener for errors that libraries log."""

    listener: Callable[[bytes], object] | None = None


def tell_of_errors(listener: Callable[[bytes], object] | None) -> None:
    """Set the function that receives each error that a library logs, as a line; None drops the errors."""
    _Listener.listener = listener


class Loggers:
    """The logger of a library, and the finder that returns it, as C++ objects."""

    def __init__(self, abi: Abi, pairs: Pairs) -> None:
        info = pairs.function("ILogger", 1, 0)
        self._tables = [Table(abi, "ILogger", {"log": _log}, info=info)]
        self.logger = Words(self._tables[0].address)
        methods = {"findLogger": lambda _: self.logger.address}
        self._tables.append(Table(abi, "ILoggerFinder", methods, info=pairs.function("ILoggerFinder", 1, 0)))
        self.finder = Words(self._tables[1].address)


def _log(_: int, severity: int, message: bytes | None) -> None:
    if _Listener.listener is not None and severity <= _ERROR and message:
        _Listener.listener(message + b"\n")
