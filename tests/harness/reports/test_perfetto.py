"""The trace has the form that viewers of Chrome's trace events read."""

import collections
import json

import pytest

from harness.reports.perfetto import render
from tests.harness.controller.tracing.test_read import call, end
from tests.support.html_documents import ID, document, trace

#: What an event of each phase must have beside ph, pid, tid and name.
REQUIRED = {
    "X": {"ts", "dur", "cat", "args"},
    "i": {"ts", "s"},
    "s": {"ts", "id", "cat"},
    "f": {"ts", "id", "cat", "bp"},
    "M": {"args"},
}


def rendered(*traces):
    named = {f"{ID}{number}": each for number, each in enumerate(traces)}
    return json.loads(render(document(traces=named)))


def events(*traces):
    return rendered(*traces)["traceEvents"]


def insist_on_form(found):
    """Insist on the keys of each phase, on order of time, and on slices that stand in each other on a track."""
    for event in found:
        assert {"ph", "pid", "tid", "name", *REQUIRED[event["ph"]]} <= event.keys()
        assert event.get("dur", 0) >= 0
    times = [(event["pid"], event["ts"]) for event in found if "ts" in event]
    assert times == sorted(times)
    tracks = collections.defaultdict(list)
    for event in found:
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for spans in tracks.values():
        open_ends = []
        for begin, finish in spans:
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            assert not open_ends or finish <= open_ends[-1] + 1e-9
            open_ends.append(finish)
    named = {(event["pid"], event["tid"]) for event in found if event["name"] == "thread_name"}
    assert tracks.keys() <= named
    flows = collections.Counter((event["id"], event["ph"]) for event in found if event["ph"] in "sf")
    assert set(flows.values()) <= {1}
    assert {flow for flow, phase in flows if phase == "s"} == {flow for flow, phase in flows if phase == "f"}


def test_events_have_the_form_that_viewers_want():
    insist_on_form(events(trace(), trace()))


def test_a_case_is_a_process_and_an_object_a_thread():
    names = [event for event in events(trace()) if event["ph"] == "M"]
    assert [event["args"]["name"] for event in names if event["name"] == "process_name"] == [f"{ID}0"]
    assert [event["args"]["name"] for event in names if event["name"] == "thread_name"] == [
        "MainThread (what the application and TensorRT do)",
        "Creator#1",
        "P#1 (create_plugin of Creator#1)",
        "P#2 (clone of P#1)",
    ]


def test_every_call_stands_with_its_object_and_with_its_thread():
    slices = [event for event in events(trace()) if event["ph"] == "X"]
    assert [event["name"] for event in slices].count("destroy") == 1
    assert [event["name"] for event in slices].count("P#2.destroy") == 1
    assert [event["name"] for event in slices].count("builder 1.build") == 1
    assert {event["ts"] for event in slices if event["name"].endswith("destroy")} == {0.505}


def test_arrows_lead_to_what_a_call_made_and_destruction_is_marked():
    found = events(trace())
    assert [(event["ph"], event["name"]) for event in found if event["ph"] in "sf"] == [
        ("s", "create_plugin"),
        ("f", "create_plugin"),
        ("s", "clone"),
        ("f", "clone"),
    ]
    assert [event["name"] for event in found if event["ph"] == "i"] == ["destroyed"]


@pytest.mark.parametrize("status", ["partial", "missing"])
def test_a_trace_that_is_not_complete_says_why(status):
    calls = (call(1, method="clone"), end(1), call(2, method="enqueue")) if status == "partial" else (call(1),)
    told = rendered(trace(*calls, status=status, note="enqueue died by SIGSEGV"))
    assert told["otherData"]["incomplete"] == {f"{ID}0": "enqueue died by SIGSEGV"}
    assert "did not return" in [event["name"] for event in told["traceEvents"]]
    insist_on_form(told["traceEvents"])


def test_calls_of_two_threads_on_one_object_have_tracks_of_their_own():
    other = {"thread": 8, "thread_name": "Worker"}
    calls = [call(1), call(2, **other), end(1, duration=500), end(2, duration=500)]
    found = events(trace(*calls))
    insist_on_form(found)
    tracks = [event["tid"] for event in found if event["ph"] == "X" and event["name"] == "clone"]
    assert len(set(tracks)) == 2


def test_without_traces_there_are_no_events():
    assert json.loads(render(document()))["traceEvents"] == []
