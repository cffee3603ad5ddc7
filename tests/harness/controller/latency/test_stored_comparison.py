"""What was stored and what was measured are compared, or it is told which of the two is missing."""

import math
from pathlib import Path

import pytest

from harness.controller.latency.measure import LatencyFailedError, LatencyUnknownError
from harness.controller.latency.shift import ShiftVerdict
from harness.controller.latency.stored_comparison import REVIEWED, Review, allowance, since
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
    return str(review(then, quantity=quantity, **more).compare(place, quantity, now, missing))


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


def reading(median=100e-6, calibration=15e-6, spread=0.01, whole=None):
    low, high = sorted((median * (1 - spread), median * (1 + spread)))
    return Reading(low, median, high, median if whole is None else whole, calibration, [[2, 3]], "")


def compared(now, then=None, margin=0.1, chance=0.05):
    return since(now, then or reading(), margin, chance)


@pytest.mark.parametrize(
    ("factor", "outcome"),
    [
        (1.0, ShiftVerdict.SAME),
        (1.02, ShiftVerdict.SAME),
        (1.08, ShiftVerdict.AMBIGUOUS),
        (1.15, ShiftVerdict.AMBIGUOUS),
        (1.25, ShiftVerdict.SLOWER),
        (0.75, ShiftVerdict.FASTER),
    ],
)
def test_what_has_changed_by_much_is_told(factor, outcome):
    found = compared(reading(100e-6 * factor))
    assert found.outcome is outcome
    assert found.change.middle == pytest.approx(factor - 1)
    assert found.change.low < factor - 1 < found.change.high


def test_a_margin_below_what_chance_does_leaves_nothing_the_same():
    assert compared(reading(), margin=0.03).outcome is ShiftVerdict.AMBIGUOUS
    assert compared(reading(120e-6), margin=0.03).outcome is ShiftVerdict.SLOWER


def test_the_calibration_scales_what_is_expected():
    found = compared(reading(130e-6, calibration=19.5e-6))
    assert found.change.middle == pytest.approx(0)
    assert found.scale == pytest.approx(1.3)


@pytest.mark.parametrize(("median", "calibration"), [(130e-6, 19.5e-6), (100e-6, 19.5e-6), (100e-6, 10e-6)])
def test_a_calibration_that_changed_much_proves_nothing(median, calibration):
    assert compared(reading(median, calibration)).outcome is ShiftVerdict.AMBIGUOUS


def test_what_is_slower_with_and_without_the_scale_is_slower():
    assert compared(reading(200e-6, calibration=19.5e-6)).outcome is ShiftVerdict.SLOWER


def test_chance_is_a_share_of_the_whole_call():
    then = reading(10e-6, whole=100e-6)
    assert compared(reading(14e-6, whole=104e-6), then).outcome is ShiftVerdict.AMBIGUOUS
    assert compared(reading(20e-6, whole=110e-6), then).outcome is ShiftVerdict.SLOWER


@pytest.mark.parametrize("net", [1e-6, 0.0, -0.5e-6])
def test_what_was_next_to_nothing_is_compared_with_nothing(net):
    found = compared(reading(5e-6, whole=100e-6), reading(net, whole=100e-6))
    assert found.outcome is ShiftVerdict.AMBIGUOUS
    assert math.isinf(found.change.high)
    assert "too short to be measured" in str(found)


def test_it_is_told_with_its_interval():
    text = str(compared(reading(200e-6, spread=0.0), reading(spread=0.0)))
    assert text.startswith("SLOWER: +100.0% (+90.5% to +110.5%), 200.00 us where it was 100.00 us, ")
    assert text.endswith("the calibration takes 1.00 times as long")


def test_what_comes_once_has_more_of_chance():
    assert allowance(Quantity.FIRST_CALL) > allowance(Quantity.HOST_ENQUEUE) == allowance(Quantity.DEVICE_HOT)
