"""IProgressMonitor: follows the progress of a build, and may cancel it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import pybind11_object
from reference_runtime.bound.conversions import boolean, c_string, int32
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference_runtime.calling.gate.gate import Gate

_SELF = "(self: IProgressMonitor, phase_name: str"
_START = Hook("IProgressMonitor", "phase_start", "the build goes on")
_STEP = Hook("IProgressMonitor", "step_complete", "the build is cancelled", boolean, missing=False, failed=False)
_FINISH = Hook("IProgressMonitor", "phase_finish", "the build goes on")


class IProgressMonitor(pybind11_object, bound=True):
    """The base class of an application's monitor. A phase may contain phases, and has a number of steps."""

    @constructor(Overload("(self: IProgressMonitor) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(
        Overload(
            f"{_SELF}, parent_phase: str, num_steps: typing.SupportsInt) -> None",
            c_string,
            c_string,
            int32,
        )
    )
    def phase_start(self, phase_name: str | None, parent_phase: str | None, num_steps: int) -> None:
        """Call the override as C++ does."""
        _START.directly(self, phase_name, parent_phase, num_steps)

    @bound(Overload(f"{_SELF}, step: typing.SupportsInt) -> bool", c_string, int32))
    def step_complete(self, phase_name: str | None, step: int) -> bool:
        """Call the override as C++ does; False, which cancels the build, without one."""
        return bool(_STEP.directly(self, phase_name, step))

    @bound(Overload(f"{_SELF}) -> None", c_string))
    def phase_finish(self, phase_name: str | None) -> None:
        """Call the override as C++ does."""
        _FINISH.directly(self, phase_name)


def phase_start(gate: Gate, monitor: object, name: str, parent: str | None, steps: int) -> None:
    """Report to a monitor that a phase begins, inside the phase ``parent`` or, with None, at the top."""
    _START.through(gate, monitor, name, parent, steps)


def step_complete(gate: Gate, monitor: object, name: str, step: int) -> bool:
    """Report to a monitor that a step, counted from 0, is done; return False if the monitor cancels the build."""
    return bool(_STEP.through(gate, monitor, name, step))


def phase_finish(gate: Gate, monitor: object, name: str) -> None:
    """Report to a monitor that a phase has ended."""
    _FINISH.through(gate, monitor, name)


@contextmanager
def phase(
    gate: Gate, monitor: object | None, name: str, steps: int, parent: str | None = None
) -> Iterator[Callable[[int], None]]:
    """Report the begin and end of a phase to a monitor, if there is one.

    The function that the block receives reports a step. It raises `Refused` if the monitor cancels the build.
    """

    def done(step: int) -> None:
        if monitor is not None and not step_complete(gate, monitor, name, step):
            raise Refused(f"the progress monitor cancelled the build in step {step} of {name!r}", Reason.INTERNAL)

    if monitor is not None:
        phase_start(gate, monitor, name, parent, steps)
    try:
        yield done
    finally:
        if monitor is not None:
            phase_finish(gate, monitor, name)
