"""Whether two plugins do the same."""

import itertools

import pytest

import reference_runtime as trt
from harness.checks.lifecycle.equivalence import behaviour, behaviour_or_failure, contradiction, usual_behaviour
from harness.contract.finding import NotRun
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


class Tripler(Doubler):
    factor = 3.0


class Breaking(Doubler):
    def configure_plugin(self, *_):
        raise KeyError("axis")


class Unanswered(Doubler):
    def get_output_dimensions(self, *_):
        raise TypeError("no number")


class OtherwiseBefore(Unanswered):
    def get_output_datatype(self, *_):
        return trt.DataType.HALF


class Huge(Doubler):
    def get_output_dimensions(self, _index, _inputs, builder):
        return trt.DimsExprs([builder.constant(10**12)])


@pytest.fixture
def subject():
    subject = running(Creator(lambda _: Doubler()))
    with use(subject.device):
        yield subject


def test_equal_plugins_have_no_difference(subject):
    assert usual_behaviour(subject).unlike(behaviour(subject, Doubler()), subject) == ""


def test_other_results_are_told_by_the_worst_element(subject):
    difference = usual_behaviour(subject).unlike(behaviour(subject, Tripler()), subject)
    assert difference.startswith("outputs[0][")
    assert " instead of " in difference


def test_a_plugin_that_does_not_run_is_told_by_how_it_failed(subject):
    seen = behaviour_or_failure(subject, Breaking())
    assert usual_behaviour(subject).unlike(seen, subject) == "configure_plugin raised KeyError: 'axis'"
    assert seen.stopped_by.method == "configure_plugin"


@pytest.mark.parametrize("cls", [Doubler, Breaking, Unanswered])
def test_a_failure_is_no_contradiction(subject, cls):
    assert not contradiction(subject, cls(), usual_behaviour(subject))


def test_other_results_and_other_answers_before_a_failure_are_contradictions(subject):
    usual = usual_behaviour(subject)
    told = contradiction(subject, OtherwiseBefore(), usual)
    assert told == "get_output_datatype with inputs of float32: ['HALF'] instead of ['FLOAT']"
    assert contradiction(subject, Tripler(), usual).startswith("outputs[0][")


def test_what_answers_otherwise_is_not_run(subject):
    assert "1000000000000" in contradiction(subject, Huge(), usual_behaviour(subject))


def test_further_work_counts_too(subject):
    def fail(_plugin):
        raise NotRun("no")

    assert behaviour_or_failure(subject, Doubler(), fail).failure == "no"


def test_nothing_is_compared_with_a_plugin_that_does_not_repeat_itself():
    numbers = itertools.count()
    subject = running(Creator(lambda _: type("Drifter", (Doubler,), {"factor": float(next(numbers))})()))
    with use(subject.device), pytest.raises(NotRun, match="do not do the same"):
        usual_behaviour(subject)
