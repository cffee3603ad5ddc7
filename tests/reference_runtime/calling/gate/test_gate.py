from __future__ import annotations

import gc
import os
import threading
import traceback
import weakref

import pytest

from reference_runtime.calling.gate.gate import CallOutcome, Gate, Phase, current_gate, watching
from reference_runtime.calling.lifecycle.table import Call, LifecycleError, Stage
from reference_runtime.calling.trampolines import v2
from tests.support.runtime.recording import Recorder, Tape


class Watcher:
    def __init__(self):
        self.seen = []

    def before(self, event):
        self.seen.append(("before", event))

    def after(self, event, outcome):
        self.seen.append(("after", event, outcome))


class Speaker:
    def say(self, *words):
        return " ".join(words)

    def fail(self):
        raise SystemExit(3)


@pytest.fixture
def plugin():
    return Recorder(Tape())


def test_observers_see_each_call_before_and_after_it_happens():
    watcher = Watcher()
    gate = Gate(observers=[watcher])
    word = "yes"
    with gate.during(Phase.TIMING):
        outcome = gate.call(Speaker(), "say", word)
    (_, event), (_, same, seen) = watcher.seen
    assert event is same
    assert seen is outcome
    assert (event.number, event.phase, event.target, event.method) == (1, Phase.TIMING, "Speaker#1", "say")
    assert event.arguments[0] is word
    assert outcome == CallOutcome("yes")


def test_what_the_user_raises_is_an_outcome_and_never_gets_through():
    outcome = Gate().call(Speaker(), "fail")
    assert isinstance(outcome.error, SystemExit)


def test_an_exception_that_is_raised_again_has_the_frames_of_its_last_time():
    class Obstinate:
        error = ValueError("no")

        def refuse(self):
            raise self.error

    lengths = [len(traceback.extract_tb(Gate().call(Obstinate(), "refuse").error.__traceback__)) for _ in range(3)]
    assert lengths == [2, 2, 2]


def test_a_method_of_tensorrts_own_counts_as_missing(plugin):
    gate = Gate()
    assert gate.call(Speaker(), "sing").missing
    assert not gate.call(plugin, "destroy").missing
    assert gate.call(plugin, "get_serialization_size").missing


def test_an_observers_own_exception_does_get_through():
    class Strict(Watcher):
        def after(self, _event, _outcome):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Gate(observers=[Strict()]).call(Speaker(), "say", "yes")


def test_objects_are_named_by_class_in_order_of_first_sight(plugin):
    gate, speakers = Gate(), [Speaker(), Speaker()]
    assert [gate.name_of(each) for each in (*speakers, plugin, speakers[0])] == [
        "Speaker#1",
        "Speaker#2",
        "Recorder#1",
        "Speaker#1",
    ]


def test_phases_nest_and_belong_to_a_thread():
    gate, elsewhere = Gate(), []
    with gate.during(Phase.NETWORK):
        with gate.during(Phase.TIMING):
            thread = threading.Thread(target=lambda: elsewhere.append(gate.phase))
            thread.start()
            thread.join()
            assert gate.phase is Phase.TIMING
        assert gate.phase is Phase.NETWORK
    assert elsewhere == [Phase.CREATION] == [gate.phase]


def test_the_stage_of_an_object_follows_its_calls_and_no_illegal_one(plugin):
    gate = Gate()
    gate.advance(plugin, Call.CONFIGURE_PLUGIN)
    with pytest.raises(LifecycleError):
        gate.advance(plugin, Call.ENQUEUE)
    assert gate.stage_of(plugin) is Stage.CONFIGURED


def test_a_gate_keeps_alive_only_what_tensorrt_owns():
    gate = Gate(quiet=True)
    user = Recorder(Tape())
    copy = v2.clone(gate, user)
    dropped, kept = weakref.ref(user), weakref.ref(copy)
    del user, copy
    gc.collect()
    assert dropped() is None
    assert kept() is not None
    v2.destroy(gate, kept())
    gc.collect()
    assert kept() is None


def test_a_new_object_at_the_place_of_a_dead_one_is_a_new_object():
    gate = Gate()
    names = set()
    for _ in range(5):
        names.add(gate.name_of(Speaker()))
        gc.collect()
    assert len(names) == 5


def test_a_quiet_gate_writes_nothing(plugin, capfd):
    plugin.serialize = lambda: 1 / 0
    v2.serialize(Gate(quiet=True), plugin, 0)
    assert capfd.readouterr().err == ""
    v2.serialize(Gate(), plugin, 0)
    assert "[ERROR] Exception caught in serialize(): ZeroDivisionError" in capfd.readouterr().err


def test_the_gate_in_force_is_the_innermost_one_that_watches():
    with watching(Gate()) as outer:
        with watching(Gate()) as inner:
            assert current_gate() is inner
        assert current_gate() is outer
    assert current_gate() not in (outer, inner)


def test_an_object_that_is_returned_as_newly_made_twice_is_known(plugin):
    gate = Gate(quiet=True)
    other = plugin.clone()
    plugin.clone = lambda: other
    v2.clone(gate, plugin)
    assert not gate.is_handed_out_again(other)
    v2.clone(gate, plugin)
    assert gate.is_handed_out_again(other)
    assert not gate.is_handed_out_again(plugin)


def test_what_is_said_after_a_plugin_closed_standard_error_is_lost_and_nothing_else():
    kept = os.dup(2)
    try:
        os.close(2)
        Gate().say("[ERROR] nobody reads this")
    finally:
        os.dup2(kept, 2)
        os.close(kept)
