"""Run a C++ plugin repeatedly, let another of its CUDA calls fail each time, and compare the outputs.

A *life* creates a plugin and runs it once. Each life is in a fork, because many plugins end the process when a CUDA
call fails. The proxy of the plugin's creator makes the calls fail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.in_a_fork import ASSERTED, apart
from harness.checks.observation.watching import observing
from harness.checks.running.driver import Driver
from harness.checks.running.single_run import PLAIN
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import CallbackFailedError, NeedsDeviceError, NotApplicable, NotRun
from reference_runtime.instruments import NeedsHost

if TYPE_CHECKING:
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import CallOutcome, Event


class Call(NamedTuple):
    """A CUDA call of a plugin.

    Attributes:
        callback: The callback that made the call.
        function: The name of the CUDA function.
        number: The number of the call among the callback's calls of this function, from 1.
    """

    callback: str
    function: str
    number: int

    def __str__(self) -> str:
        return f"call {self.number} of {self.function} in {self.callback}"


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of a life in which calls failed.

    Attributes:
        where: The calls that failed, in words.
        consequence: The wrong result without an error, or the crash, in words. It is empty if a callback failed, or the
            outputs are right.
    """

    where: str
    consequence: str


_Fails = Callable[[Call], bool]


class _Calls:
    """Numbers the CUDA calls of a life, and decides which of them fail."""

    def __init__(self, fails: _Fails) -> None:
        self.made: list[Call] = []
        self._fails, self._callback, self._counts = fails, "", dict[tuple[str, str], int]()

    def before(self, event: Event) -> None:
        self._callback = event.method

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Do nothing: the next callback replaces the current callback."""

    def decide(self, function: str) -> bool:
        place = self._callback, function
        self._counts[place] = self._counts.get(place, 0) + 1
        self.made.append(Call(*place, self._counts[place]))
        return self._fails(self.made[-1])


def outcomes(subject: Subject) -> list[Outcome]:
    """Return the outcome of each life in which an allocation, copy, fill or kernel launch failed.

    In each life one call fails: the first or the last call of a function in a callback. In the last life all launches
    fail. Lives whose outputs are unknown, because a kernel has no stand-in, are left out.

    Raises:
        NeedsDeviceError: The outputs of all lives are unknown.
        NeedsHost: The device in use is a GPU.
        NotApplicable: The plugin makes none of these calls.
        NotRun: Two lives without a failed call have different outputs.
        CallbackFailedError: A callback failed in a life without a failed call.
    """
    if subject.device.is_asynchronous:
        raise NeedsHost("a CUDA call that fails on purpose")
    usual = _life(subject, lambda _: False)
    calls = [Call(*each) for each in usual["calls"]]
    if not calls and not usual["lacks"]:
        raise NotApplicable("the plugin makes no call of CUDA's runtime that allocates, copies, fills or launches")
    last = set({(each.callback, each.function): each for each in calls}.values())
    trials: dict[str, _Fails] = {str(call): call.__eq__ for call in calls if call.number == 1 or call in last}
    if any(map(_launches, calls)):
        trials["all kernel launches"] = _launches
    consequences = ((where, _consequence(subject, fails, usual)) for where, fails in trials.items())
    known = [Outcome(where, consequence) for where, consequence in consequences if consequence is not None]
    if not known:
        raise NeedsDeviceError(usual["lacks"] or "what the plugin does after a failed call")
    return known


def _launches(call: Call) -> bool:
    return call.function.endswith("LaunchKernel")


def _consequence(subject: Subject, fails: _Fails, usual: dict[str, Any]) -> str | None:
    """Return the consequence of failed calls, as in :class:`Outcome`; None if the outputs are unknown."""
    try:
        seen = _life(subject, fails)
    except CallbackFailedError as error:
        how = error.failure.how
        return f"the process {how}" if how.startswith("died") and how != ASSERTED else ""
    except NeedsDeviceError:  # the fork ended after a kernel without a stand-in
        return None
    if seen["untouched"]:
        return "all callbacks return success, and no output is written"
    if seen["outputs"] is None or usual["outputs"] is None:
        return None
    tolerances = [tolerance_of(subject.case, name) for name in seen["types"]]
    difference = first_difference(seen["outputs"], usual["outputs"], tolerances)
    if difference is None:
        return ""
    again = _life(subject, lambda _: False)["outputs"]
    if first_difference(again, usual["outputs"], tolerances) is not None:
        raise NotRun("two new plugins compute different results from the same inputs: the rule cannot compare")
    return f"all callbacks return success, and {difference}"


def _life(subject: Subject, fails: _Fails) -> dict[str, Any]:
    """Run a life in a fork; return its CUDA calls, and its outputs if they are known.

    Raises:
        CallbackFailedError: A callback failed, or the fork died.
        NotRun: The plugin accepts no combination of types and formats.
    """

    def life() -> dict[str, Any]:
        calls = _Calls(fails)
        seen: dict[str, Any] = {"calls": calls.made, "lacks": "", "outputs": None, "untouched": False}
        try:
            with observing(subject.gate, calls), subject.creator.objects.failing_cuda_calls(calls.decide):
                driver = Driver(subject, subject.create()).prepare()
                run = driver.run(best_shapes(subject.case))
        except NeedsDeviceError as lack:
            return seen | {"lacks": str(lack)}
        written = b"".join(run.raw_outputs)
        untouched = bool(written) and set(written) == {PLAIN.poison}
        return seen | {"types": driver.tensors.output_types, "outputs": run.outputs, "untouched": untouched}

    result: dict[str, Any] = apart(life)
    return result
