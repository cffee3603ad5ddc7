"""A recorder writes each call before it is made, and a gate with one tells stages and births."""

import json
import os

import pytest

from harness.child.tracing.recorder import Recorder, RecordingGate
from reference_runtime.calling.gate.gate import CallOutcome
from reference_runtime.calling.gate.records import FailureKind, Phase
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from tests.support.workbench import Doubler


@pytest.fixture(name="file")
def a_file(tmp_path):
    return tmp_path / "trace.jsonl"


@pytest.fixture(name="gate")
def a_gate(file):
    return RecordingGate(Recorder(file), [])


def written(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


class Looker(Doubler):
    file = None

    def initialize(self):
        self.seen = written(self.file)

    def terminate(self):
        raise ValueError("\ud800 no")


def test_a_call_is_written_before_it_is_made(gate, file):
    plugin = Looker()
    plugin.file = file
    gate.call(plugin, "initialize")
    assert [record["is"] for record in plugin.seen] == ["call"]
    assert [record["is"] for record in written(file)] == ["call", "end"]


def test_what_was_raised_is_told_whatever_its_text(gate, file):
    gate.call(Looker(), "terminate")
    assert written(file)[-1]["outcome"] == "raised"
    assert written(file)[-1]["value"] == "ValueError: \ud800 no"


def test_new_objects_are_named_and_their_stages_told(gate, file):
    plugin = Doubler()
    clone = gate.call(plugin, "clone").value
    gate.adopt(plugin, clone, Call.CLONE)
    gate.advance(clone, Call.CONFIGURE_PLUGIN)
    _, ended, claimed, moved = written(file)
    assert (ended["value"], ended["made"]) == ("Doubler#2", True)
    assert (claimed["object"], claimed["stage"]) == ("Doubler#2", "created")
    assert (moved["before"], moved["after"]) == ("created", "configured")


def test_failures_are_written_when_the_runtime_has_gone_on(gate, file):
    plugin = Doubler()
    with gate.during(Phase.NETWORK):
        gate.fail(plugin, "clone", FailureKind.RETURNED, "returned None", "there is no layer", outcome=CallOutcome())
    gate.settle()
    gate.settle()
    (told,) = written(file)
    assert (told["what"], told["becomes"]) == ("returned None", "there is no layer")


def test_a_process_that_the_plugin_forked_writes_nothing(gate, file):
    gate.call(Doubler(), "get_output_dimensions")
    before = file.read_bytes()
    pid = os.fork()
    if not pid:
        gate.call(Doubler(), "get_output_dimensions")
        os._exit(0)
    os.waitpid(pid, 0)
    assert file.read_bytes() == before


def test_the_memory_of_the_device_after_a_call_is_told(gate, file):
    device = HostDevice()
    with use(device):
        device.allocate(100, label="input")
        gate.call(Doubler(), "initialize")
    assert written(file)[-1]["memory"] == [100, 0]
