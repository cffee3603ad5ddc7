"""Keep the errors that TensorRT logs: the reason why it makes no plan or engine."""

from __future__ import annotations

from typing import Any

from reference_runtime.values.logger import ILogger


class ErrorLog(ILogger):
    """Keeps what is logged as an error, and prints nothing."""

    def __init__(self) -> None:
        ILogger.__init__(self)
        self.texts: list[str] = []

    def log(self, severity: Any, msg: str | None) -> None:
        """Keep the text of an error; TensorRT calls this."""
        if int(severity) <= int(ILogger.ERROR):
            self.texts.append(str(msg))

    def nothing_made(self, what: str) -> str:
        """Say that TensorRT made no plan, for example, and the last error that it logged."""
        return ": ".join([f"TensorRT made no {what}", *self.texts[-1:]])
