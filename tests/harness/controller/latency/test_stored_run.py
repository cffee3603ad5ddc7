"""A stored run is read whole or refused with the reason; nothing that cannot be compared gets further."""

import json

import pytest

from harness.controller.latency.stored_run import Reading, StoredRun, StoredRunError
from harness.protocol.latency_quantity import Quantity
from harness.protocol.latency_samples import Sampled
from harness.results.run_plan import ItemId

HERE = {"cpu": "A", "numpy": "2.4"}
READING = {"low": 1.0, "median": 1.0, "high": 1.0, "whole": 1.0, "calibration": 0.1, "shapes": [], "method": ""}
ROWS = ItemId("/Bar/1", "rows", "host_enqueue")


def benchmark(case="rows", **change):
    more = {"reading": READING, "counts": {"allocations": 1}, **change}
    return {"fullname": f"conformance::/Bar/1::{case}::host_enqueue", "extra_info": more}


def stored(*benchmarks, **change):
    return {"machine_info": {"trt_conformance": HERE}, "benchmarks": list(benchmarks), "datetime": "today", **change}


@pytest.fixture
def read(tmp_path):
    def read_file(found):
        file = tmp_path / "stored.json"
        file.write_text(found if isinstance(found, str) else json.dumps(found))
        return StoredRun.read(file, HERE)

    return read_file


def test_what_was_measured_is_found_by_its_place(read):
    run = read(stored(benchmark(), {"fullname": "tests/test_mine.py::test_speed", "extra_info": {}}))
    assert run.entry(ROWS).reading.median == 1.0
    assert run.counts(ROWS) == {"allocations": 1}
    assert run.entry(ItemId("/Bar/1", "images", "host_enqueue")) is None
    assert run.title == "stored.json, stored today"


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ("{", "it is no JSON"),
        ("\x00", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[]", "pytest-benchmark has not written it"),
        ({"benchmarks": {}}, "pytest-benchmark has not written it"),
        (stored(), "it has no latency of ours"),
        (stored({"fullname": "test_mine.py::test_speed", "extra_info": {}}), "it has no latency of ours"),
        (stored({"name": "no full name"}), "it is damaged: a benchmark has no name"),
        (stored(benchmark(reading={**READING, "median": "x"})), "it is damaged: .*host_enqueue: median: expected"),
        (stored(benchmark(reading={**READING, "median": 10**400})), "it is damaged"),
        (stored(benchmark(counts=None)), "it is damaged: .*counts: expected whole numbers"),
        (stored(benchmark(counts={"allocations": 1.5})), "it is damaged: .*counts: expected whole numbers"),
        (stored(benchmark(), machine_info={}), "it does not say which machine it is from"),
        (stored(benchmark(), machine_info=None), "it does not say which machine it is from"),
        (
            stored(benchmark(), machine_info={"trt_conformance": {"cpu": "B", "numpy": "2.4"}}),
            "another machine, software or options: cpu: 'B' there, 'A' here;",
        ),
    ],
)
def test_any_other_file_is_refused(read, found, told):
    with pytest.raises(StoredRunError, match=told):
        read(found)


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(StoredRunError, match="cannot be read: Is a directory"):
        StoredRun.read(tmp_path, HERE)


def places(*cases):
    return [ItemId("/Bar/1", case, "host_enqueue_compare") for case in cases]


def test_the_same_cases_can_be_compared(read):
    run = read(stored(benchmark("rows"), benchmark("images")))
    run.insist_on_the_same_cases(places("rows", "images"), places("rows"))


def test_a_case_that_was_not_stored_is_an_error(read):
    with pytest.raises(StoredRunError, match="it has nothing of conformance::/Bar/1::images"):
        read(stored(benchmark())).insist_on_the_same_cases(places("rows", "images"), places("rows", "images"))


def test_a_case_that_is_no_more_is_an_error(read):
    run = read(stored(benchmark("rows"), benchmark("images")))
    with pytest.raises(StoredRunError, match="it has conformance::/Bar/1::images, which this run does not have"):
        run.insist_on_the_same_cases(places("rows"), places("rows"))


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
