"""Beside a stored run an answer is given only where chance and another state of the machine cannot have made it."""

import math

import pytest

from harness.controller.latency.shift import ShiftVerdict
from harness.controller.latency.stored_comparison import allowance, since
from harness.controller.latency.stored_run import Reading
from harness.protocol.latency_quantity import Quantity


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
    assert "too little to be told from nothing" in str(found)


def test_it_is_told_with_its_interval():
    text = str(compared(reading(200e-6, spread=0.0), reading(spread=0.0)))
    assert text.startswith("SLOWER: +100.0% (+90.5% to +110.5%), 200.00 us where it was 100.00 us, ")
    assert text.endswith("the calibration takes 1.00 times as long")


def test_what_comes_once_has_more_of_chance():
    assert allowance(Quantity.FIRST_CALL) > allowance(Quantity.HOST_ENQUEUE) == allowance(Quantity.DEVICE_HOT)
