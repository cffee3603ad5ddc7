"""A reading is what one run says of a quantity; it survives being stored, and a damaged one is refused."""

import json

import pytest

from harness.controller.latency.stored_run import Reading
from harness.protocol.latency_quantity import Quantity
from harness.protocol.latency_samples import Sampled

MEASURED = Sampled(
    series={
        "host_enqueue": [5e-6] * 40,
        "host_enqueue_net": [3e-6] * 40,
        "device_hot": [4e-6] * 40,
        "device_hot_net": [2e-6] * 40,
        "first_call": [1e-3, 3e-3, 2e-3],
    },
    methods={"device_hot": "graph of 20 calls"},
    facts={"shapes": [[2, 3]], "empty_plugin": 2e-6, "launch": 0.7e-6},
)


def test_what_is_net_knows_the_whole_and_its_calibration():
    found = Reading.of(Quantity.HOST_ENQUEUE_NET, MEASURED)
    assert (found.low, found.median, found.high, found.whole) == (3e-6, 3e-6, 3e-6, 5e-6)
    assert (found.calibration, found.shapes, found.method) == (2e-6, [[2, 3]], "")


def test_a_device_is_calibrated_by_an_empty_kernel():
    found = Reading.of(Quantity.DEVICE_HOT_NET, MEASURED)
    assert (found.whole, found.calibration, found.method) == (4e-6, 0.7e-6, "graph")


def test_what_comes_once_is_calibrated_by_the_empty_plugin():
    found = Reading.of(Quantity.FIRST_CALL, MEASURED)
    assert (found.low, found.median, found.high, found.calibration) == (1e-3, 2e-3, 3e-3, 2e-6)


def test_a_run_without_a_calibration_says_so():
    assert Reading.of(Quantity.FIRST_CALL, Sampled(series={"first_call": [1e-3]})).calibration == 0


def test_it_can_be_stored():
    found = Reading.of(Quantity.HOST_ENQUEUE, MEASURED)
    assert Reading.from_plain(json.loads(json.dumps(found.to_plain()))) == found


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"median": "5 us"}, "median: expected a number of seconds, found '5 us'"),
        ({"high": float("nan")}, "high: expected a number"),
        ({"calibration": None}, "calibration: expected a number"),
        ({"low": 9.0}, "low, median, high: expected them in this order"),
        ({"shapes": None}, "shapes, method: expected a list and a text"),
    ],
)
def test_a_damaged_one_is_refused(change, told):
    plain = {**Reading.of(Quantity.HOST_ENQUEUE, MEASURED).to_plain(), **change}
    with pytest.raises(ValueError, match=told):
        Reading.from_plain(plain)


def test_what_is_none_is_refused():
    with pytest.raises(ValueError, match="low: expected a number of seconds, found None"):
        Reading.from_plain([])
