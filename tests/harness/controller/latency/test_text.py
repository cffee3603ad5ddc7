"""The section says what bounds the plugin, and how far it is from the floor."""

from harness.controller.latency.text import details, lines_of
from harness.protocol.latency_quantity import Quantity
from harness.protocol.latency_samples import Sampled

FACTS = {"moved_bytes": 8_000_000, "bytes_per_second": 4e12, "launch": 0.7e-6, "machine": "NVIDIA H200"}


def measured(host, hot, **facts):
    series = {
        "host_enqueue": [host] * 40,
        "host_enqueue_net": [host - 5e-6] * 40,
        "device_hot": [hot] * 40,
        "device_hot_net": [hot - 0.7e-6] * 40,
        "first_call": [1e-3, 3e-3, 2e-3],
    }
    return Sampled(series, facts={**FACTS, **facts}, counts={"cuda_calls": 3, "allocations": 0})


def test_a_slow_call_bounds_by_the_host():
    text = "\n".join(lines_of(measured(40e-6, 3e-6)))
    assert "host_enqueue          40.00 us (40.00 us to 40.00 us); 35.00 us net of an empty plugin" in text
    assert "bound by the host: 40.00 us a call, where the device takes 3.00 us" in text
    assert "first_call         2,000.00 us, at most 3,000.00 us in 3 processes" in text
    assert "each call: 3 CUDA calls, 0 allocations" in text


def test_slow_work_bounds_by_the_device_and_is_compared_with_a_copy():
    text = "\n".join(lines_of(measured(10e-6, 20e-6)))
    assert "bound by the device: 20.00 us a call, where the host takes 10.00 us" in text
    assert "floor: 2.00 us (a copy of as many bytes;" in text
    assert "device_hot is 10.0 times that" in text


def test_little_data_is_compared_with_a_launch():
    assert "floor: 0.70 us (one launch;" in "\n".join(lines_of(measured(10e-6, 20e-6, moved_bytes=8)))


def test_a_host_has_no_floor():
    text = "\n".join(lines_of(Sampled({"host_enqueue": [1e-6], "host_enqueue_net": [1e-6]})))
    assert "bound" not in text
    assert "floor" not in text


def test_reasons_are_told_once():
    missing = {"device_hot": "enqueue waits", "device_cold": "enqueue waits"}
    assert list(lines_of(Sampled(missing=missing))) == ["not measured: device_hot, device_cold: enqueue waits"]


def test_details_go_into_the_file_of_pytest_benchmark():
    told = details(Quantity.DEVICE_HOT, measured(40e-6, 3e-6))
    assert (told["quantity"], told["median"], told["mad"]) == ("device_hot", 3e-6, 0.0)
    assert told["counts"] == {"cuda_calls": 3, "allocations": 0}
    assert told["facts"]["machine"] == "NVIDIA H200"


def test_stand_ins_are_named_because_their_time_is_told():
    text = "\n".join(lines_of(measured(10e-6, 20e-6, stand_ins=["softplus"])))
    assert "stand-ins ran for softplus: their time is in it, that of a launch is not" in text
