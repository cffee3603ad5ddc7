"""Where a GPU shows a part, the host is asked for the rest; on the host nothing is handed over."""

import types

import pytest

from harness.checks.observation.host_fallback import ACCESSES, hand_over
from reference_runtime.bound.errors import HostShowsMore


def subject_on(*, asynchronous):
    return types.SimpleNamespace(device=types.SimpleNamespace(is_asynchronous=asynchronous))


def test_a_gpu_hands_over():
    with pytest.raises(HostShowsMore, match="which bytes a kernel reads and writes: a GPU does not record this"):
        hand_over(subject_on(asynchronous=True), ACCESSES)


def test_the_host_goes_on():
    hand_over(subject_on(asynchronous=False), ACCESSES)
