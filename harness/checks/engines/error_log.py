"""Record the errors that TensorRT logs, which say why it makes no plan or engine."""

from __future__ import annotations

from typing import Any

from reference_runtime.values.logger import ILogger


class ErrorLog(ILogger):
    """A logger that records the texts of errors, and prints nothing."""

    def __init__(self) -> None:
        ILogger.__init__(self)
        self.texts: list[str] = []

    def log(self, severity: Any, msg: str | None) -> None:
        """Record the text if it is an error; TensorRT calls this."""
        if int(severity) <= int(ILogger.ERROR):
            self.texts.append(str(msg))

    def nothing_made(self, what: str) -> str:
        """Return the message that TensorRT made no ``what``, such as a plan, with the last error that it logged."""
        return ": ".join([f"TensorRT made no {what}", *self.texts[-1:]])
