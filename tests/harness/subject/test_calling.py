"""Calling back and insisting on an answer."""

import pytest

from harness.contract.finding import CallbackFailedError, CallbackFailure
from harness.subject.calling import attempt


def failing(callback):
    def work():
        raise CallbackFailedError(CallbackFailure(callback, "raised ValueError: no"))

    return work


def test_an_attempt_returns_how_its_callback_failed():
    mishap = attempt("clone", failing("clone"))
    assert mishap is not None
    assert (mishap.callback, mishap.how) == ("clone", "raised ValueError: no")


def test_an_attempt_that_goes_well_returns_nothing():
    assert attempt("clone", lambda: "a clone") is None


def test_the_failure_of_another_callback_is_no_part_of_the_question():
    with pytest.raises(CallbackFailedError, match="get_output_dimensions raised"):
        attempt("configure_plugin", failing("get_output_dimensions"))
