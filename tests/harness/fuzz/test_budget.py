"""The level says how far a fuzz rule looks, unless the user does."""

import sys

import pytest

from harness.fuzz.budget import Budget
from harness.level import Level


@pytest.mark.parametrize(
    ("level", "examples", "seconds", "number"),
    [
        (Level.SMOKE, None, None, 50),
        (Level.DEFAULT, None, None, 50),
        (Level.EXHAUSTIVE, None, None, 1000),
        (Level.EXHAUSTIVE, 7, None, 7),
        (Level.DEFAULT, 7, 2.0, 7),
        (Level.DEFAULT, None, 2.0, sys.maxsize),
    ],
)
def test_examples(level, examples, seconds, number):
    assert Budget.of(level, examples, seconds, 20.0) == Budget(number, seconds, 20.0)
