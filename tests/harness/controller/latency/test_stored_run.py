"""A stored run is read whole or refused with the reason; nothing that cannot be compared gets further."""

import json

import pytest

from harness.controller.latency.stored_run import StoredRun, StoredRunError
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
