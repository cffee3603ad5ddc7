"""Mark fields or inputs of a case as unknown: the user wrote none, and the harness cannot infer them."""

from __future__ import annotations

from typing import Any, NoReturn

from harness.contract.finding import NotRun


class Unknown:
    """A placeholder for the fields or the inputs of a case. A rule that reads it is NOT-RUN, with the reason.

    Attributes:
        reason: What is unknown, and why.
        count: How many inputs the best guess had.
    """

    def __init__(self, reason: str, count: int = 1) -> None:
        self.reason = reason
        self.count = count

    def __repr__(self) -> str:
        return f"Unknown({self.reason!r})"

    def _stop(self, *_: Any, **__: Any) -> NoReturn:
        raise NotRun(self.reason)

    __iter__ = __len__ = __getitem__ = __contains__ = _stop
    get = keys = items = values = _stop


def unknown(reason: str, count: int = 1) -> Any:
    """Return a placeholder for the fields or the inputs of a case."""
    return Unknown(reason, count)
