"""What a recorder wrote becomes one trace, however the recording ended."""

import json

from harness.controller.tracing import read as reading
from harness.controller.tracing.read import NO_RETURN, read


def call(number, target="P#1", method="clone", **more):
    return {"is": "call", "number": number, "at": number * 100, "thread": 7, "thread_name": "MainThread",
            "object": target, "kind": "P", "method": method, "phase": "network", "arguments": [], **more}  # fmt: skip


def end(number, **more):
    told = {"outcome": "returned", "value": "None", "made": False}
    return {"is": "end", "number": number, "at": number * 100 + 5, "duration": 10, **told, **more}


def move(before, after, method="clone", target="P#1"):
    return {"is": "move", "object": target, "method": method, "before": before, "after": after}


def traced(*records):
    return read(json.dumps(record) for record in records)


def test_a_call_is_told_with_what_became_of_it():
    (told,) = traced(call(1), end(1, value="P#2", made=True))["calls"]
    assert {name: told[name] for name in ("begun", "duration", "outcome", "value", "thread")} == {
        "begun": 5,
        "duration": 10,
        "outcome": "returned",
        "value": "P#2",
        "thread": 1,
    }


def test_a_call_that_never_returned_says_so():
    (told,) = traced(call(1, method="enqueue"))["calls"]
    assert (told["outcome"], told["duration"]) == (NO_RETURN, None)


def test_what_is_half_written_or_strange_is_left_out():
    lines = [json.dumps(call(1)), '{"is":"end","number"', "[1]", '{"is":"call"}', '{"is":["call"]}', json.dumps(end(1))]
    assert [each["outcome"] for each in read(lines)["calls"]] == ["returned"]


def test_a_change_of_stage_before_or_after_its_call_is_the_calls():
    early = traced(move("created", "configured", "configure_plugin"), call(1, method="configure_plugin"), end(1))
    late = traced(call(1, method="initialize"), end(1), move("configured", "initialized", "initialize"))
    stages = [(each["before"], each["after"]) for trace in (early, late) for each in trace["calls"]]
    assert stages == [("created", "configured"), ("configured", "initialized")]


def test_a_call_that_changes_no_stage_is_told_the_objects():
    trace = traced(move("created", "created", "serialize"), call(1, method="serialize"), end(1),
                   call(2, method="serialize"), end(2))  # fmt: skip
    assert [each["after"] for each in trace["calls"]] == ["created", "created"]


def test_objects_know_what_made_and_what_destroyed_them():
    trace = traced(
        call(1),
        end(1, value="P#2", made=True),
        {"is": "claim", "object": "P#2", "stage": "attached to a context"},
        move("attached to a context", "destroyed", "destroy", "P#2"),
        call(2, "P#2", "destroy"),
        end(2),
    )
    first, clone = trace["objects"]
    assert (first["by"], first["destroyed"]) == ("", 0)
    assert (clone["by"], clone["parent"], clone["call"]) == ("clone", "P#1", 1)
    assert (clone["born"], clone["destroyed"]) == ("attached to a context", 2)


def test_an_object_that_is_handed_out_again_is_not_born_again():
    trace = traced(call(1), end(1, value="P#1", made=True))
    assert [(each["name"], each["by"]) for each in trace["objects"]] == [("P#1", "")]


def test_what_tensorrt_makes_of_a_failure_stands_with_the_call():
    failure = {"is": "failure", "object": "P#1", "method": "clone", "what": "raised ValueError", "becomes": "no clone"}
    (told,) = traced(call(1), end(1, outcome="raised"), failure)["calls"]
    assert told["failure"] == {"what": "raised ValueError", "becomes": "no clone"}


def test_a_step_that_did_not_come_to_its_end_has_no_duration():
    step = {"is": "step", "number": 1, "at": 50, "thread": 7, "object": "builder 1", "method": "m", "arguments": []}
    done = {"is": "done", "number": 1, "duration": 9, "error": ""}
    durations = [[each["duration"] for each in traced(*records)["steps"]] for records in ([step], [step, done])]
    assert durations == [[None], [9]]


def test_calls_beyond_the_limit_are_counted(monkeypatch):
    monkeypatch.setattr(reading, "MOST_CALLS", 2)
    trace = traced(call(1), call(2), call(3))
    assert (len(trace["calls"]), trace["left_out"]) == (2, 1)


def test_memory_is_told_where_it_is_known():
    calls = traced(call(1), end(1, memory=[64, 0]), call(2), end(2))["calls"]
    assert [each["memory"] for each in calls] == [[64, 0], None]
