"""Calling back and insisting on an answer."""

import pytest

from harness.contract.finding import CallbackFailedError, CallbackFailure
from harness.subject.calling import Fault, attempt, callback_failure_of, strictly
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.gate.records import CallOutcome, FailureKind, Part
from reference_runtime.instruments import NativeCrash


def failing(callback):
    def work():
        raise CallbackFailedError(CallbackFailure(callback, "raised ValueError: no"))

    return work


def test_an_attempt_returns_how_its_callback_failed():
    failure = attempt("clone", failing("clone"))
    assert failure is not None
    assert (failure.callback, failure.how) == ("clone", "raised ValueError: no")


def test_an_attempt_that_goes_well_returns_nothing():
    assert attempt("clone", lambda: "a clone") is None


def test_the_failure_of_another_callback_is_no_part_of_the_question():
    with pytest.raises(CallbackFailedError, match="get_output_dimensions raised"):
        attempt("configure_plugin", failing("get_output_dimensions"))


def test_a_callback_that_tensorrt_does_not_survive_is_the_plugins_failure():
    gate = Gate()

    def aborted():
        what = "raised TypeError"
        gate.fail(object(), "clone", FailureKind.RAISED, what, "the bindings abort", outcome=CallOutcome())
        raise NativeCrash("the genuine bindings abort here")

    with pytest.raises(CallbackFailedError, match="raised TypeError"), strictly(gate):
        aborted()


def test_a_crash_without_a_failed_callback_stays_one():
    with pytest.raises(NativeCrash), strictly(Gate()):
        raise NativeCrash("the genuine bindings crash here")


def test_a_failure_of_a_resource_is_named_apart_from_one_of_a_plugin_with_the_same_effect():
    gate = Gate()
    for part in Part:
        gate.fail(object(), "clone", FailureKind.RAISED, "raised", "one effect", outcome=CallOutcome(), part=part)
    names = {failure.part: callback_failure_of(failure).callback for failure in gate.failures}
    assert names == {Part.PLUGIN: "clone", Part.RESOURCE: Fault.OF_A_RESOURCE.of("clone")}
