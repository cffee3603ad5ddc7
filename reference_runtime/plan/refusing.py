"""Turns the refusals of the rest of the runtime into the one error of plans."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from reference_runtime.bound.errors import ExpressionError
from reference_runtime.values.checked_json import PlanError
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["unless_refused"]

T = TypeVar("T")


def unless_refused(work: Callable[[], T]) -> T:
    """Return the result of ``work``, or raise `PlanError` if it is refused."""
    try:
        return work()
    except (Refused, ExpressionError) as refused:
        raise PlanError(f"the plan cannot be run: {refused}") from refused
