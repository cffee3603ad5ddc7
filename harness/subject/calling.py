"""Stop a rule if a callback whose answer it needs fails, even if the bindings would swallow the failure."""

from __future__ import annotations

import contextlib
import enum
from typing import TYPE_CHECKING, Any, NoReturn

from harness.contract.finding import CallbackFailedError, CallbackFailure, NeedsDeviceError, NotRun
from harness.subject.missing import missing_package
from reference_runtime.calling.gate.records import FailureKind, Part
from reference_runtime.instruments import NativeCrash, NeedsGpu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference_runtime.calling.gate.gate import Failure, Gate


class Fault(enum.Enum):
    """A kind of failure with a separate rule; another rule owns the other failures of the same callback."""

    REPEATED = "again"
    RETURNED_ITSELF = "of itself"
    STATUS = "status"
    OF_ANOTHER_KIND = "of another kind"
    PAST_POS = "past pos"
    OF_A_CLONE = "of a clone"
    OF_A_RESOURCE = "of a resource"
    IN_THE_RUNTIME_PHASE = "in the runtime phase"

    def of(self, callback: str) -> str:
        """Return the name under which a rule owns this failure of a callback."""
        return f"{callback} {self.value}"


@contextlib.contextmanager
def strictly(gate: Gate) -> Iterator[None]:
    """Raise :class:`CallbackFailedError` for the first callback that fails in the block.

    Rules use it for callbacks whose failure another rule reports.
    """
    before = len(gate.failures)
    try:
        yield
    except NativeCrash:  # a failure that would end TensorRT's process
        if len(gate.failures) == before:
            raise
    if len(gate.failures) > before:
        raise_for(gate.failures[before])


@contextlib.contextmanager
def leniently(gate: Gate) -> Iterator[list[Failure]]:
    """Yield a list that holds the failures of callbacks in the block once the block has ended.

    Rules use it to find out whether a callback fails.
    """
    before = len(gate.failures)
    failures: list[Failure] = []
    yield failures
    failures.extend(gate.failures[before:])


def attempt(callback: str, work: Callable[[], object]) -> CallbackFailure | None:
    """Do the work and return how the given callback failed, or None; another callback's failure stops the rule.

    Rules use it to find out whether one step of a run fails.
    """
    try:
        work()
    except CallbackFailedError as error:
        if error.failure.callback != callback:
            raise
        return error.failure
    return None


def raise_for(failure: Failure) -> NoReturn:
    """Stop the rule because of a failure; the rule is NOT-RUN if this machine lacks a package or a GPU."""
    stop_for_want_of_a_gpu(failure)
    raise CallbackFailedError(callback_failure_of(failure))


def stop_for_want_of_a_gpu(failure: Failure) -> None:
    """Stop the rule as NOT-RUN if a callback failed because the machine lacks a package or a GPU."""
    stop_for_want(failure.error)


def stop_for_want(error: BaseException | None) -> None:
    """Stop the rule as NOT-RUN if user code raised this because the machine lacks a package or a GPU."""
    if reason := missing_package(error):
        raise NotRun(reason)
    if isinstance(error, NeedsGpu):
        raise NeedsDeviceError(str(error))


def is_for_want(error: BaseException | None) -> bool:
    """Return whether user code raised the exception because the machine lacks a package or a GPU."""
    return isinstance(error, NeedsGpu) or bool(missing_package(error))


def insist_on_a_new_object(gate: Gate, made: Any, callback: str) -> None:
    """Stop the rule if a callback that must make a new object returned one that it had returned before.

    The rule that owns `Fault.REPEATED` of the callback reports it.
    """
    if made is not None and gate.is_handed_out_again(made):
        how = f"returned an object that it had returned before, {gate.name_of(made)}"
        raise CallbackFailedError(CallbackFailure(Fault.REPEATED.of(callback), how, "two calls"))


def callback_failure_of(failure: Failure) -> CallbackFailure:
    """Return a failure in the form in which a rule that needed the answer reports it."""
    callback = failure.method
    if failure.part is Part.RESOURCE:
        callback = Fault.OF_A_RESOURCE.of(callback)
    elif callback == "execute_async" and failure.kind is FailureKind.RETURNED:
        callback = Fault.STATUS.of(callback)
    return CallbackFailure(
        callback=callback,
        how=failure.what,
        where=f"{failure.target}.{failure.method}, phase {failure.phase.value}",
        becomes=failure.becomes,
        stack=failure.traceback,
    )
