"""Each number is as likely as any other, in ranges where Hypothesis prefers some."""

import collections

import pytest

from harness.strategies import hypothesis_settings
from harness.strategies.numbers import numbers_below


@pytest.mark.parametrize("bound", [1, 2, 41, 4801, 30000])
def test_numbers_lie_below_their_bounds(bound):
    drawn = hypothesis_settings.drawn(numbers_below([bound, bound + 5]), 200, seeded=1)
    assert all(0 <= one < bound and 0 <= other < bound + 5 for one, other in drawn)


@pytest.mark.parametrize("bound", [41, 4801, 30000])
def test_no_part_of_a_range_is_rare(bound):
    found = collections.Counter()
    for seed in range(5):
        for numbers in hypothesis_settings.drawn(numbers_below([bound] * 8), 65, seeded=seed):
            found.update(number * 8 // bound for number in numbers)
    assert set(found) == set(range(8))
    assert max(found.values()) < 4 * min(found.values())
