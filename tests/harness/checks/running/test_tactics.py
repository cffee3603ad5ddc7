"""Rules try the tactics of an offer, and not without a limit."""

import pytest

from harness.checks.running.tactics import Offer


@pytest.mark.parametrize("count", [0, 3, 64])
def test_all_tactics_of_a_usual_plugin_are_tried(count):
    assert Offer(None, tuple(range(1, count + 1))).tried == tuple(range(1, count + 1))


def test_of_a_hundred_thousand_tactics_the_first_and_the_last_are_tried():
    assert Offer(None, tuple(range(100_000))).tried == (*range(32), *range(99_968, 100_000))
