"""The level says how far a fuzz rule looks, unless the user does."""

import sys

import pytest

from harness.contract.thoroughness import Thoroughness
from harness.controller.fuzz.budget import Budget


@pytest.mark.parametrize(
    ("level", "examples", "seconds", "number", "patience"),
    [
        (Thoroughness.SMOKE, None, None, 50, 1),
        (Thoroughness.DEFAULT, None, None, 50, 1),
        (Thoroughness.EXHAUSTIVE, None, None, 1000, 10),
        (Thoroughness.EXHAUSTIVE, 7, None, 7, None),
        (Thoroughness.DEFAULT, 7, 2.0, 7, None),
        (Thoroughness.DEFAULT, None, 2.0, sys.maxsize, None),
    ],
)
def test_only_what_the_user_limits_is_spent_to_the_end(level, examples, seconds, number, patience):
    assert Budget.of(level, examples, seconds) == Budget(number, seconds, patience=patience)
