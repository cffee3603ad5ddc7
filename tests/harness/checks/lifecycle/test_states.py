"""Objects in every state of their life."""

import pytest

from harness.checks.lifecycle.states import in_every_state, states
from harness.contract.finding import CallbackFailedError
from reference_runtime.calling.lifecycle.table import Stage
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


class Loader(Creator):
    def deserialize_plugin(self, _name, _data):
        return Doubler()


class Unclonable(Doubler):
    def clone(self):
        raise RuntimeError("no")


@pytest.fixture(name="subject")
def a_subject():
    subject = running(Loader(lambda _: Doubler()))
    with use(subject.device):
        yield subject


def test_each_state_is_the_stage_that_its_name_says(subject):
    stages = {state: subject.gate.stage_of(make().plugin) for state, make in states(subject).items()}
    assert stages == {
        "fresh": Stage.CREATED,
        "deserialized": Stage.CREATED,
        "configured": Stage.CONFIGURED,
        "initialized": Stage.INITIALIZED,
        "after enqueue": Stage.READY,
        "terminated": Stage.TERMINATED,
        "a clone": Stage.CREATED,
        "a clone of a clone": Stage.CREATED,
        "in a context": Stage.RUNNING,
    }


def test_each_object_is_a_new_one(subject):
    made = [*in_every_state(subject), *in_every_state(subject)]
    assert len({id(plugin) for _, plugin in made}) == len(made)


def test_the_plainest_objects_come_before_one_that_cannot_be_made():
    subject = running(Loader(lambda _: Unclonable()))
    seen = []
    with use(subject.device), pytest.raises(CallbackFailedError, match="clone raised RuntimeError: no"):
        seen.extend(state for state, _ in in_every_state(subject))
    assert seen == ["fresh", "configured", "deserialized", "initialized", "after enqueue"]


def test_a_fresh_object_needs_no_answer_to_any_query():
    class Mute(Doubler):
        def supports_format_combination(self, *_):
            raise RuntimeError("no")

    subject = running(Loader(lambda _: Mute()))
    with use(subject.device):
        assert next(in_every_state(subject))[0] == "fresh"
