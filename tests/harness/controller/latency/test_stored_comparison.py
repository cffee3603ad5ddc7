"""What was stored and what was measured are compared, or it is told which of the two is missing."""

from pathlib import Path

import pytest

from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError
from harness.controller.latency.stored_comparison import REVIEWED, Review
from harness.controller.latency.stored_run import Entry, Reading, StoredRun
from harness.protocol.latency_quantity import Quantity
from harness.protocol.latency_samples import Sampled
from harness.results.run_plan import ItemId

PLACE = ItemId("/Bar/1", "rows", "host_enqueue")


def measured(seconds=100e-6, method="graph of 8 calls", **facts):
    series = {"host_enqueue": [seconds] * 40, "device_hot": [seconds] * 40}
    known = {"shapes": [[2, 3]], "empty_plugin": 15e-6, "launch": 1e-6, **facts}
    return Sampled(series, methods={"device_hot": method}, facts=known)


def review(then=None, counts=None, fail=None, quantity=Quantity.HOST_ENQUEUE):
    reading = Reading.of(quantity, then or measured())
    place = ItemId("/Bar/1", "rows", quantity.value)
    return Review(StoredRun(Path("stored.json"), "", {place.nodeid: Entry(reading, counts or {})}), fail)


def compare(now, then=None, missing="", quantity=Quantity.HOST_ENQUEUE, **more):
    place = ItemId("/Bar/1", "rows", quantity.value)
    return review(then, quantity=quantity, **more).compare(place, quantity, now, missing)


def test_the_same_is_told():
    assert compare(measured()).startswith("SAME: +0.0%")


def test_slower_is_told_and_fails_only_on_request():
    assert compare(measured(200e-6)).startswith("SLOWER: +100.0%")
    with pytest.raises(LatencyFailedError, match=r"SLOWER: \+100.0%"):
        compare(measured(200e-6), fail=0.2)


def test_faster_never_fails():
    assert compare(measured(50e-6), fail=0.2).startswith("FASTER: -50.0%")


def test_what_is_ambiguous_is_no_pass():
    with pytest.raises(LatencyUnknownError, match="AMBIGUOUS"):
        compare(measured(110e-6))


@pytest.mark.parametrize(
    ("now", "then", "told"),
    [
        (measured(shapes=[[4, 3]]), None, r"another shapes: \[\[2, 3\]\] there, \[\[4, 3\]\] here"),
        (measured(method="batches of 8"), None, "another method: graph there, batches here"),
        (measured(launch=0), None, "this run has no calibration"),
        (measured(), measured(launch=0), "the stored run has no calibration"),
    ],
)
def test_other_work_cannot_be_compared(now, then, told):
    with pytest.raises(LatencyFailedError, match=told):
        compare(now, then, quantity=Quantity.DEVICE_HOT)


def test_a_quantity_that_is_no_more_is_an_error():
    with pytest.raises(LatencyFailedError, match="has host_enqueue, and this one does not: enqueue waits"):
        compare(Sampled(), missing="enqueue waits")


def test_a_quantity_that_was_not_stored_is_an_error():
    place = ItemId("/Bar/1", "rows", "first_call")
    with pytest.raises(LatencyFailedError, match="the stored run has no first_call"):
        review().compare(place, Quantity.FIRST_CALL, measured(), "")


def test_what_neither_has_is_unknown():
    place = ItemId("/Bar/1", "rows", "device_hot")
    with pytest.raises(LatencyUnknownError, match="there is no GPU"):
        review().compare(place, Quantity.DEVICE_HOT, Sampled(), "there is no GPU")


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({"allocations": 1}, "SAME: allocations 1"),
        ({"allocations": 0}, "FEWER: allocations: 0, where it was 1"),
        ({"allocations": 2}, "MORE: allocations: 2, where it was 1"),
    ],
)
def test_counts_are_compared_exactly(now, said):
    assert review(counts={"allocations": 1}).count(PLACE, now, "") == said


def test_one_allocation_more_fails_on_request():
    with pytest.raises(LatencyFailedError, match="MORE: allocations: 2, where it was 1"):
        review(counts={"allocations": 1}, fail=0.5).count(PLACE, {"allocations": 2}, "")


@pytest.mark.parametrize(("now", "then"), [({}, {"allocations": 1}), ({"allocations": 1}, {})])
def test_counts_that_one_run_lacks_are_an_error(now, then):
    with pytest.raises(LatencyFailedError, match="one of the two runs does not have: allocations; CUPTI is missing"):
        review(counts=then).count(PLACE, now, "CUPTI is missing")


def test_counts_that_neither_has_are_unknown():
    with pytest.raises(LatencyUnknownError, match="CUPTI is missing"):
        review().count(PLACE, {}, "CUPTI is missing")


def test_there_is_an_item_for_each_quantity_and_the_counts():
    names = {each.value for each in REVIEWED}
    assert names == {f"{quantity.value}_compare" for quantity in Quantity} | {"counts_compare"}
