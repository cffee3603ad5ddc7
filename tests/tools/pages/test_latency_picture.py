"""The picture of latencies is drawn from what was kept of a run."""

import json

from tools.pages import latency_picture

FOUND = {
    "benchmarks": [
        {
            "fullname": f"conformance::/Bar/1::rows::{quantity}",
            "extra_info": {"median": median, "facts": {"machine": "NVIDIA H200"}},
        }
        for quantity, median in {"host_enqueue": 1e-4, "device_hot": 2.8e-6}.items()
    ]
}


def test_medians_are_kept_by_case_and_quantity():
    assert latency_picture.medians(FOUND) == {
        "machine": "NVIDIA H200",
        "cases": {"Bar/1 rows": {"host_enqueue": 1e-4, "device_hot": 2.8e-6}},
    }


def test_each_quantity_has_its_mark():
    drawn = latency_picture.picture(latency_picture.medians(FOUND))
    assert "Bar/1 rows: device_hot 2.80 us" in drawn
    assert "Bar/1 rows: host_enqueue 100.00 us" in drawn
    assert "NVIDIA H200" in drawn


def test_the_picture_in_the_docs_is_that_of_the_kept_run():
    kept = json.loads(latency_picture.KEPT.read_text())
    assert latency_picture.PICTURE.read_text() == latency_picture.picture(kept)
