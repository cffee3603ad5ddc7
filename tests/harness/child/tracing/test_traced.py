"""The child drives a plugin once, and writes down its whole life."""

import pytest

from harness.cases.case import Case, Input
from harness.child.tracing.traced import traced
from harness.controller.tracing.read import read
from reference_runtime import get_plugin_registry
from reference_runtime.calling.gate.gate import watching
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

CASE = Case(plugin="P", inputs=(Input(dims=("N", 3), min=(0, 3), opt=(2, 3), max=(4, 3)),))


class Loader(Creator):
    def deserialize_plugin(self, _name, _data):
        return self.create(None)


class Shapeless(Doubler):
    def get_output_dimensions(self, _index, _inputs, _builder):
        raise RuntimeError("no shapes")


class Uncloned(Doubler):
    def clone(self):
        raise RuntimeError("no")


@pytest.fixture(name="trace_of")
def a_trace_of_a_plugin_class(tmp_path):
    def trace_of(plugin_class):
        creator = Loader(lambda _: plugin_class())
        get_plugin_registry().register_creator(creator, "")
        subject = subject_of(creator, CASE)
        try:
            with watching(subject.gate), use(subject.device):
                answer = traced(subject, str(tmp_path / "trace"))
        finally:
            get_plugin_registry().deregister_creator(creator)
        return answer, read((tmp_path / "trace").read_text().splitlines())

    return trace_of


def test_the_whole_life_is_written_down(trace_of):
    answer, trace = trace_of(Doubler)
    assert answer.reason == ""
    objects = {each["name"]: each for each in trace["objects"]}
    assert objects["Doubler#1"]["by"] == "create_plugin"
    assert {each["by"] for each in objects.values()} == {"", "create_plugin", "clone", "deserialize_plugin"}
    assert all(each["destroyed"] for name, each in objects.items() if name.startswith("Doubler"))
    assert [call["number"] for call in trace["calls"]] == list(range(1, len(trace["calls"]) + 1))


def test_stages_follow_the_lifecycle(trace_of):
    _, trace = trace_of(Doubler)
    stages = {}
    for call in trace["calls"]:
        if call["after"]:
            assert stages.get(call["object"], call["before"]) == call["before"]
            stages[call["object"]] = call["after"]
    ran = [call for call in trace["calls"] if call["method"] == "enqueue"]
    assert {call["before"] for call in ran} == {"ready to run", "running in a context"}


def test_steps_of_the_application_hold_the_calls_that_they_lead_to(trace_of):
    _, trace = trace_of(Doubler)
    build = next(step for step in trace["steps"] if step["method"] == "build_serialized_network")
    inside = [call for call in trace["calls"] if 0 < call["begun"] - build["begun"] < build["duration"]]
    assert {"supports_format_combination", "configure_plugin", "serialize"} <= {call["method"] for call in inside}
    runs = [step["object"] for step in trace["steps"] if step["method"] == "execute_async_v3"]
    assert runs == ["context 1", "context 2", "context 1", "context 1"]


def test_what_keeps_the_drive_from_beginning_is_written_down(trace_of):
    answer, trace = trace_of(Shapeless)
    assert "no shapes" in answer.payload
    (failed,) = (call for call in trace["calls"] if call["outcome"] == "raised")
    assert failed["method"] == "get_output_dimensions"


def test_a_drive_that_stops_says_why(trace_of):
    answer, trace = trace_of(Uncloned)
    assert answer.payload
    assert trace["calls"][-1]["outcome"] == "raised"
