"""Blocks are timed by a clock that the test holds."""

import gc

import pytest

from harness.child.latency.blocks import Budget, Pairs, block, without_garbage_collection


class Clock:
    """Goes on by what is done."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now

    def spend(self, nanoseconds):
        self.now += nanoseconds


def test_a_block_is_shared_among_its_calls():
    clock = Clock()
    assert block(lambda: clock.spend(300), 4, clock) == pytest.approx(300e-9)


def test_two_subjects_are_timed_in_the_order_first_second_second_first():
    clock, order = Clock(), []

    def subject(name, seconds):
        def timed():
            order.append(name)
            clock.spend(int(seconds * 1e9))
            return seconds

        return timed

    pairs = Pairs.taken(subject("a", 0.01), subject("b", 0.002), Budget(least=4, least_seconds=0.0), clock)
    assert "".join(order) == "abba" * 2
    assert pairs.first == [0.01] * 4
    assert pairs.differences == [pytest.approx(0.008)] * 4


def test_drift_does_not_show_in_the_difference():
    slope = [place * 0.1 for place in range(60)]
    pairs = Pairs([10.0 + each for each in slope], [7.0 + each for each in slope])
    assert all(abs(each - 3.0) < 0.51 for each in pairs.differences)


def test_an_interrupted_block_beside_does_not_show_in_the_difference():
    pairs = Pairs([5.0] * 12, [2.0] * 5 + [900.0] + [2.0] * 6)
    assert pairs.differences == [3.0] * 12


@pytest.mark.parametrize(
    ("samples", "seconds", "enough"),
    [
        ([1.0] * 10, 9.0, True),  # out of time
        ([1.0] * 2, 9.0, False),  # out of time, and too few
        ([1.0] * 30, 0.5, True),
        ([1.0] * 31, 0.5, False),  # looked at from time to time alone: looking costs time
        ([1.0] * 30, 0.05, False),  # too early
        ([1.0, 2.0] * 15, 0.5, False),  # too wide
    ],
)
def test_when_enough_was_sampled(samples, seconds, enough):
    assert Budget().is_enough(samples, seconds) is enough


def test_the_garbage_collector_waits():
    with without_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled()
