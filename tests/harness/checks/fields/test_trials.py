"""Which fields a plugin is tried with is known after its process has ended."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from harness.checks.fields.trials import no_trial, trial
from harness.contract.finding import CallbackFailedError, CallbackFailure, NotRun
from harness.process import flight_recorder
from reference_runtime.devices.records import KernelFailedError
from tests.support.workbench import Creator, Doubler, subject_of


@pytest.fixture
def box(box):
    """The recorder of this process."""
    flight_recorder.install(box)
    yield box
    flight_recorder.install(None)


@pytest.fixture
def subject():
    return subject_of(Creator(lambda _: Doubler()))


def changed(subject, data):
    return [subject.fields[0].replaced(data=data), *subject.fields[1:]]


@pytest.mark.parametrize("data", [np.float32([7]), np.arange(5000, dtype=np.float32)], ids=["short", "long"])
def test_fields_that_ended_a_process_are_not_tried_again(box, subject, data):
    fields, others = changed(subject, data), changed(subject, np.append(data, data.dtype.type(1)))
    with trial(subject, fields):
        digest = box.trial
    assert digest
    assert box.trial == ""
    again = dataclasses.replace(subject, task=SimpleNamespace(request=SimpleNamespace(unsupported=[digest])))
    with pytest.raises(NotRun), trial(again, fields):
        pass
    with trial(again, others):
        assert box.trial not in {"", digest}


def test_the_fields_of_the_case_are_no_trial(box, subject):
    with trial(subject, subject.fields):
        assert box.trial == ""


def test_within_a_trial_other_things_may_be_no_trial(box, subject):
    with trial(subject, changed(subject, np.float32([7]))):
        tried = box.trial
        with no_trial():
            assert box.trial == ""
        assert box.trial == tried


@pytest.mark.parametrize(
    ("error", "stays"),
    [(KernelFailedError("illegal"), True), (CallbackFailedError(CallbackFailure("enqueue", "raised")), False)],
)
def test_only_a_failed_kernel_leaves_its_fields_recorded(box, subject, error, stays):
    with pytest.raises(type(error)), trial(subject, changed(subject, np.float32([7]))):
        raise error
    assert bool(box.trial) is stays
