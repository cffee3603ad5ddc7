"""GPUs are named as the driver's files name them."""

from harness.latency.machine import gpus


def test_gpus_are_named(tmp_path):
    for number, model in enumerate(("NVIDIA H200", "NVIDIA L4")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "information").write_text(f"Model: \t\t {model}\nIRQ: 1\n")
    assert gpus(tmp_path) == ["NVIDIA H200", "NVIDIA L4"]


def test_without_a_driver_there_are_none(tmp_path):
    assert gpus(tmp_path / "nothing") == []
