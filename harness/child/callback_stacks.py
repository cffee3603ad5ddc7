"""Find where in the user's code a callback raised, for rules that report only that it raised."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from harness.process import stack

if TYPE_CHECKING:
    from reference_runtime.calling.gate.records import Failure


def stack_of(text: str, failures: Iterable[Failure]) -> str:
    """Return the traceback of the first failure that a text quotes, with the user's frames; empty without one."""
    errors = (failure.error for failure in failures if failure.what in text)
    return next((stack.of_error(error) for error in errors if error is not None), "")
