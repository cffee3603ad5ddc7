"""Workers take turns over the GPUs that the run may use."""

import inspect

import pytest

from harness.process import gpus
from harness.process.gpus import VARIABLE, share_of


def usable():
    """Count anew: the suite keeps the number of GPUs."""
    return inspect.unwrap(gpus.usable)()


def never():
    raise AssertionError("GPUs were counted though the environment names them")


def shares(workers, environment, count=never):
    return [share_of(f"gw{number}", environment, count).get(VARIABLE) for number in range(workers)]


def test_workers_take_turns_over_all_gpus():
    assert shares(5, {}, lambda: 2) == ["0", "1", "0", "1", "0"]


def test_more_gpus_than_workers_leave_some_idle():
    assert shares(2, {}, lambda: 8) == ["0", "1"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("3,1", ["3", "1", "3"]),
        (" 2 , 0 ", ["2", "0", "2"]),
        ("GPU-8f2e,MIG-77aa", ["GPU-8f2e", "MIG-77aa", "GPU-8f2e"]),
        ("1,-1,0", ["1", "1", "1"]),  # CUDA reads the list up to the first that is none
        ("", [None, None, None]),
        ("-1", [None, None, None]),
    ],
)
def test_what_the_user_gave_is_shared_and_nothing_else(given, expected):
    assert shares(3, {VARIABLE: given}) == expected


def test_without_workers_or_gpus_there_is_nothing_to_share():
    assert share_of("", {}, never) == {}
    assert share_of("gw1", {}, lambda: 0) == {}


def test_gpus_are_named_by_their_models(tmp_path):
    for number, model in enumerate(("NVIDIA H200", "NVIDIA L4")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "information").write_text(f"Model: \t\t {model}\nIRQ: 1\n")
    assert gpus.models(tmp_path) == ["NVIDIA H200", "NVIDIA L4"]
    assert gpus.models(tmp_path / "nothing") == []


def test_without_a_device_no_gpu_is_looked_for(monkeypatch):
    monkeypatch.setattr(gpus.Path, "glob", lambda *_: iter(()))
    monkeypatch.setattr(gpus.own_clock, "output_of", None)
    assert usable() == 0


@pytest.mark.parametrize(("count", "number"), [("2", 2), ("0", 0), ("1 / 0", 0)])
def test_a_device_is_usable_where_cupy_counts_it(monkeypatch, tmp_path, count, number):
    (tmp_path / "cupy.py").write_text(
        f"class cuda:\n    class runtime:\n        getDeviceCount = staticmethod(lambda: {count})\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(gpus.Path, "glob", lambda *_: iter([gpus.Path("/dev/nvidia0")]))
    assert usable() == number
