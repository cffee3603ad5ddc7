"""How runtimes, engines, contexts and inspectors say no: each to its recorder, that of what it came from, or the log.

Such an object holds its gate, its logger and, in ``_parent``, the object that it came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from reference_runtime.application.error_recorder import recorder_of
from reference_runtime.bound.bound_class import state
from reference_runtime.values import refusals
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.application.error_recorder import Recorder

__all__ = ["answered", "complain", "granted"]

_R = TypeVar("_R")
_D = TypeVar("_D")


def complain(bound: object, where: str, refused: Refused) -> None:
    """Tell the application what was refused; ``where`` is the C++ name of what it called."""
    refusals.complain(state(bound)["_logger"], where, refused, _nearest(bound))


def granted(bound: object, where: str, work: Callable[[], object]) -> bool:
    """Do ``work``; where that is refused, say so and return False."""
    try:
        work()
    except Refused as refused:
        complain(bound, where, refused)
        return False
    return True


def answered(bound: object, where: str, work: Callable[[], _R], otherwise: _D) -> _R | _D:
    """Return what ``work`` gives; where that is refused, say so and return ``otherwise``."""
    try:
        return work()
    except Refused as refused:
        complain(bound, where, refused)
        return otherwise


def _nearest(bound: object) -> Recorder | None:
    """Return the recorder of an object or, where it has none, of what it came from."""
    held = state(bound)
    own = recorder_of(held["_gate"], bound)
    parent = held.get("_parent")
    return own if own is not None or parent is None else _nearest(parent)
