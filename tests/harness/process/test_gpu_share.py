"""Workers take turns over the GPUs that the run may use."""

import pytest

from harness.process.gpu_share import VARIABLE, share_of


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
