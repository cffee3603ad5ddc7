"""How many examples and seconds are left follows from the budget and from what the search took so far."""

import pytest

from harness.contract.thoroughness import Thoroughness
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.progress import Progress

BY_TIME = Budget.of(Thoroughness.DEFAULT, None, 60.0)


@pytest.mark.parametrize(
    ("progress", "of", "left"),
    [
        (Progress("FUZ-001", 100, 4.0, Budget(1000)), 1000, 36.0),
        (Progress("FUZ-001", 1200, 4.0, Budget(1000)), 1000, 0.0),
        (Progress("FUZ-001", 0, 4.0, Budget(1000)), 1000, None),
        (Progress("FUZ-001", 100, 45.0, BY_TIME), None, 15.0),
        (Progress("FUZ-001", 100, 65.0, BY_TIME), None, 0.0),
        (Progress("FUZ-001", 100, 4.0, Budget(1000, 10.0)), 1000, 6.0),
        (Progress("FUZ-001", 900, 4.5, Budget(1000, 10.0)), 1000, 0.5),
    ],
)
def test_what_is_left(progress, of, left):
    assert (progress.of, progress.left) == (of, left)
