"""Whether two plugins do the same."""

import itertools

import pytest

from harness.checks.likeness import behaviour, behaviour_or_failure, usual_behaviour
from harness.finding import NotRun
from reference_runtime.backends.host import use
from tests.harness.checks.workbench import Creator, Doubler, running


class Tripler(Doubler):
    factor = 3.0


class Breaking(Doubler):
    def configure_plugin(self, *_):
        raise KeyError("axis")


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


def test_further_work_counts_too(subject):
    def fail(_plugin):
        raise NotRun("no")

    assert behaviour_or_failure(subject, Doubler(), fail).failure == "no"


def test_nothing_is_compared_with_a_plugin_that_does_not_repeat_itself():
    numbers = itertools.count()
    subject = running(Creator(lambda _: type("Drifter", (Doubler,), {"factor": float(next(numbers))})()))
    with use(subject.device), pytest.raises(NotRun, match="do not do the same"):
        usual_behaviour(subject)
