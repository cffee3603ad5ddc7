"""Runs that are compared with each other."""

import numpy as np
import pytest
from msgspec import structs

from harness.checks.running.driver import fresh_driver
from harness.checks.running.runs import LENIENT, deviation
from harness.contract.finding import CallbackFailedError, NotRun
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running

SHAPES = ((2, 3),)


class Tripler(Doubler):
    factor = 3.0


class Refuser(Doubler):
    def enqueue(self, *_):
        raise RuntimeError("no")


def run_of(plugin_class, conditions=LENIENT):
    subject = running(Creator(lambda _: plugin_class()))
    with use(subject.device):
        driver = fresh_driver(subject)
        return driver, driver.run(SHAPES, conditions=conditions)


def test_runs_with_the_same_outputs_do_not_deviate():
    driver, run = run_of(Doubler)
    nearly = structs.replace(run, outputs=[run.outputs[0] * np.float32(1 + 1e-7)])
    assert deviation(driver, nearly, run) == ""


def test_other_outputs_are_told_with_place_and_values():
    driver, doubled = run_of(Doubler)
    _, tripled = run_of(Tripler)
    assert deviation(driver, tripled, doubled).startswith("outputs[0][")


def test_a_failed_run_deviates_by_its_failure():
    _, wanted = run_of(Doubler)
    driver, refused = run_of(Refuser)
    assert deviation(driver, refused, wanted) == "enqueue raised RuntimeError: no"


def test_a_failure_that_is_not_the_question_stops_the_rule():
    with pytest.raises(CallbackFailedError, match="enqueue raised RuntimeError: no"):
        run_of(Refuser)[1].insist()


def test_outputs_alone_can_be_wanted():
    driver, run = run_of(Doubler)
    assert deviation(driver, run, run.outputs) == ""
    assert deviation(driver, run, [run.outputs[0] + 1]).startswith("outputs[0][")


def test_a_plugin_that_never_computes_the_same_cannot_be_compared():
    class Random(Doubler):
        drawn = 0

        def enqueue(self, *arguments):
            Random.drawn += 1
            self.factor = Random.drawn
            super().enqueue(*arguments)

    subject = running(Creator(lambda _: Random()))
    with use(subject.device):
        driver = fresh_driver(subject)
        one, other = (driver.run(SHAPES) for _ in range(2))
        with pytest.raises(NotRun, match="compute different results from the same inputs"):
            deviation(driver, one, other)
