"""What belongs together is asked once; what a child cannot say is told as that."""

import dataclasses

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Kind
from harness.controller.latency.measure import ONE_SHOTS, LatencyFailedError, LatencyUnknownError, Measuring
from harness.protocol.latency_quantity import Quantity
from harness.protocol.requests import RequestKind
from harness.results.run_plan import CasePlan

CASE = CasePlan("rows")
STEADY = {"host_enqueue": [1.0, 2.0], "host_enqueue_net": [0.5, 1.5]}


def sampled(series=None, counts=None, missing=None):
    found = {"series": series or {}, "methods": {}, "missing": missing or {}, "facts": {}, "counts": counts or {}}
    return Answer(Kind.JUDGED, evidence=1, payload=found)


class Child:
    def __init__(self, **answers):
        self.asked = []
        self.answers = {"counts": sampled(counts={"allocations": 2}), "steady": sampled(STEADY), **answers}

    def ask(self, request):
        self.asked.append((request.kind, request.plugin, request.case, *request.arguments))
        what = request.arguments[0]
        return self.answers.get(what) or sampled({what: [float(len(self.asked))]})

    def times(self, what):
        return sum(asked[-1] == what for asked in self.asked)


def samples(child, quantity, device="host"):
    return Measuring(child, device).samples("/Bar/1", CASE, quantity, 0)


def test_steady_quantities_are_asked_for_once():
    child = Child()
    measuring = Measuring(child, "host")
    found = [measuring.samples("/Bar/1", CASE, each, 0) for each in (Quantity.HOST_ENQUEUE, Quantity.HOST_ENQUEUE_NET)]
    assert found == list(STEADY.values())
    assert child.asked == [(RequestKind.LATENCY, "/Bar/1", "rows", what) for what in ("counts", "steady")]
    assert measuring.measured["/Bar/1", "rows"].counts == {"allocations": 2}


@pytest.mark.parametrize("device", ["host", "cuda"])
def test_what_comes_once_is_taken_in_many_processes(device):
    child = Child()
    found = samples(child, Quantity.FIRST_CALL, device)
    assert child.times("first_call") == ONE_SHOTS[device] == len(set(found))


def test_what_comes_once_is_asked_for_after_what_it_is_scaled_by():
    child = Child()
    samples(child, Quantity.FIRST_CALL)
    assert [asked[-1] for asked in child.asked[:3]] == ["counts", "steady", "first_call"]


def test_what_comes_once_is_known_where_the_long_run_fails():
    child = Child(steady=Answer(Kind.MET, mishap=CallbackFailure("enqueue", "raised ValueError: no")))
    assert samples(child, Quantity.FIRST_CALL)


def test_a_host_knows_nothing_of_a_device():
    with pytest.raises(LatencyUnknownError, match="no GPU"):
        samples(Child(), Quantity.DEVICE_HOT)


def test_what_was_not_measured_says_why():
    child = Child(steady=sampled(STEADY, missing={"device_hot": "enqueue waits"}))
    with pytest.raises(LatencyUnknownError, match="enqueue waits"):
        samples(child, Quantity.DEVICE_HOT, "cuda")


def test_a_case_that_does_not_have_it_says_why_and_is_asked_once():
    child = Child(shape_switch=Answer(Kind.NOT_RUN, reason="the case has one shape alone"))
    measuring = Measuring(child, "host")
    for _ in range(2):
        with pytest.raises(LatencyUnknownError, match="one shape alone"):
            measuring.samples("/Bar/1", CASE, Quantity.SHAPE_SWITCH, 0)
    assert child.times("shape_switch") == 1


def test_counts_that_cannot_be_known_keep_nothing_from_being_measured():
    child = Child(counts=Answer(Kind.NOT_RUN, reason="CUPTI is not installed"))
    assert samples(child, Quantity.HOST_ENQUEUE) == [1.0, 2.0]


def test_a_plugin_that_fails_has_no_latency():
    child = Child(steady=Answer(Kind.MET, mishap=CallbackFailure("enqueue", "raised ValueError: no")))
    with pytest.raises(LatencyFailedError, match="enqueue raised ValueError: no"):
        samples(child, Quantity.HOST_ENQUEUE)


def test_one_process_of_many_that_fails_is_not_left_out():
    child = Child()
    taken, died = child.ask, Answer(Kind.MET, mishap=CallbackFailure("enqueue", "died by SIGSEGV"))
    child.ask = lambda request: died if child.times("first_call") > 2 else taken(request)
    with pytest.raises(LatencyFailedError, match="enqueue died by SIGSEGV"):
        samples(child, Quantity.FIRST_CALL)


def test_stand_ins_that_ran_are_kept():
    child = Child(steady=dataclasses.replace(sampled(STEADY), stand_ins=("softplus",)))
    measuring = Measuring(child, "host")
    measuring.samples("/Bar/1", CASE, Quantity.HOST_ENQUEUE, 0)
    assert measuring.measured["/Bar/1", "rows"].facts == {"stand_ins": ["softplus"]}
