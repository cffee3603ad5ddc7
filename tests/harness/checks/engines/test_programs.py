"""Programs are driven as they stand; what no application may do stops the rule."""

import numpy as np
import pytest

from harness.cases.case import Case, Input
from harness.checks.engines.programs import lived
from harness.contract.finding import CallbackFailedError, NotRun
from reference_runtime import get_plugin_registry
from reference_runtime.calling.gate.gate import watching
from reference_runtime.devices import host
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

CASE = Case(plugin="P", inputs=(Input(dims=("N", 3), min=(0, 3), opt=(2, 3), max=(4, 3)),))
SHAPES = [[[4, 3]], [[1, 3]], [[2, 3]]]
BEGIN = [["network"], ["build", 0], ["deserialize", 0], ["context", 0, 0]]


class Loader(Creator):
    def deserialize_plugin(self, _name, _data):
        return self.create(None)


@pytest.fixture(name="live")
def lives_of_a_plugin():
    registered = []

    def live(plugin_class, *steps, schedule=0, shapes=SHAPES):
        creator = Loader(lambda _: plugin_class())
        registered.append(creator)
        get_plugin_registry().register_creator(creator, "")
        live.subject = subject = subject_of(creator, CASE)
        with watching(subject.gate), use(subject.device):
            return lived(subject, {"schedule": schedule, "shapes": shapes, "program": [*BEGIN, *steps]})

    yield live
    for creator in registered:
        get_plugin_registry().deregister_creator(creator)


@pytest.mark.parametrize("schedule", range(4))
def test_every_verb_is_driven_and_everything_is_given_back(live, schedule):
    story = live(
        Doubler,
        ["context", 0, 1],
        ["run", 0, 1],
        ["move", 0],
        ["launch", 0, 1, 0],
        ["launch", 0, 2, 0],
        ["launch", 1, 2, 1],
        ["wait", 0],
        ["serialize", 0],
        ["deserialize", 1],
        ["context", 1, 0],
        ["run", 1, 0],
        ["profile", 1, 0],
        ["destroy", "context", 0],
        ["build", 0],
        ["destroy", "network", 0],
        schedule=schedule,
    )
    assert [each.shapes[0][0] for each in story.executions] == [1, 1, 2, 2, 4, 1, 2]
    assert all((each.outputs[0] == each.inputs[0] * 2).all() for each in story.executions)
    assert (story.races, story.trespasses, story.again) == ([], [], [])
    assert all(owned.destroyed for owned in live.subject.gate.owned)
    assert live.subject.device.buffers == []


def test_executions_have_data_of_their_own(live):
    first, second, *_ = live(Doubler, ["run", 0, 0], ["run", 0, 0]).executions
    assert (first.inputs[0] != second.inputs[0]).any()


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([["run", 1, 0]], "does not exist any more"),
        ([["run", 0, 3]], "no shapes 3"),
        ([["profile", 0, 2]], "did not take the profile"),
        ([["profile", 0, 1], ["run", 0, 2]], "outside the profile"),
        ([["launch", 0, 0, 0], ["launch", 0, 0, 1]], "another stream"),
        ([["launch", 0, 0, 0], ["destroy", "context", 0]], "still being executed"),
        ([["destroy", "engine", 0]], "before their engine"),
        ([["destroy", "plan", 0]], "no 'plan' to destroy"),
        ([["wait", 0]], "no work on this stream"),
        ([["destroy", "network", 0], ["build", 0]], "does not exist any more"),
        ([["dance"]], "no verb 'dance'"),
    ],
)
def test_what_no_application_may_do_is_not_run(live, steps, why):
    with pytest.raises(NotRun, match=why):
        live(Doubler, *steps, shapes=[[[4, 3]], [[3, 3]], [[2, 3]]])
    assert live.subject.device.buffers == []


def test_a_callback_that_fails_stops_it(live):
    class Failing(Doubler):
        def clone(self):
            raise RuntimeError("no")

    with pytest.raises(CallbackFailedError, match="clone"):
        live(Failing)


class Spilling(Doubler):
    def enqueue(self, input_desc, output_desc, inputs, outputs, *others):
        super().enqueue(input_desc, output_desc, inputs, outputs, *others)
        np.frombuffer(host.view(inputs[0], 4), np.float32)[0] = 0.0


def test_an_input_that_is_written_is_seen(live):
    story = live(Spilling)
    assert len(story.trespasses) == len(story.executions)
    assert "input_0, which is no output, was written" in story.trespasses[0]


SHARED, SPARE = [], []


@pytest.fixture(autouse=True)
def nothing_is_left_of_other_tests():
    SHARED.clear()
    SPARE.clear()


class Sharing(Doubler):
    def enqueue(self, input_desc, output_desc, inputs, outputs, _workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs)
        if not SHARED:
            SHARED.append(host.current_device().allocate(4))
        host.access(SHARED[0].address, 4, "write", stream=stream)


def test_streams_that_do_not_wait_are_seen(live):
    assert live(Sharing).races == []
    SHARED.clear()
    assert "does not wait for a write" in live(Sharing, ["context", 0, 0]).races[0]


class Recycling(Doubler):
    def clone(self):
        return SPARE.pop() if SPARE and SPARE[0] is not self else super().clone()

    def destroy(self):
        SPARE.append(self)


def test_what_is_handed_out_again_is_seen(live):
    assert any("Recycling" in each for each in live(Recycling, ["destroy", "context", 0], ["context", 0, 0]).again)
