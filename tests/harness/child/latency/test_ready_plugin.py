"""A stand calls ``enqueue`` as an engine does, and leaves nothing behind."""

import pytest

from harness.cases.case import Case
from harness.checks.running.driver import fresh_driver
from harness.child.latency.empty import empty_driver
from harness.child.latency.ready_plugin import standing, unobserved
from harness.contract.finding import CallbackFailedError
from tests.support.latency_subjects import subject_of
from tests.support.workbench import Creator, Doubler

SHAPES = ((2, 3),)
CASE = Case("P", inputs=({"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)},))


class Failing(Doubler):
    def enqueue(self, *_):
        raise ValueError("no")


def test_memory_is_given_back():
    with subject_of(Creator(lambda _: Doubler()), CASE) as subject:
        driver = fresh_driver(subject).configure(SHAPES)
        with standing(driver, SHAPES) as stand:
            stand.call_and_wait()
            assert stand.moved_bytes == 2 * 24
        assert subject.device.buffers == []


def test_a_failing_call_is_told():
    with subject_of(Creator(lambda _: Failing()), CASE) as subject:
        driver = fresh_driver(subject).configure(SHAPES)
        with standing(driver, SHAPES) as stand, pytest.raises(CallbackFailedError, match="enqueue raised"):
            stand.call_and_wait()


def test_an_empty_plugin_stands_on_the_same_memory():
    with subject_of(Creator(lambda _: Doubler()), CASE) as subject:
        driver = fresh_driver(subject).configure(SHAPES)
        with standing(driver, SHAPES) as stand, subject.device.recording() as log:
            stand.of(empty_driver(driver).configure(SHAPES)).call_and_wait()
        assert log.accesses == []


def test_nobody_observes_while_time_is_taken():
    with subject_of(Creator(lambda _: Doubler()), CASE) as subject:
        subject.gate.observers.append(object())
        with unobserved(subject.gate):
            assert subject.gate.observers == []
        assert len(subject.gate.observers) == 1
