"""A plugin's answer as a whole number."""

import numpy as np
import pytest

from harness.checks.observation.whole_number import whole_number
from tests.support.nonsense.kinds import Number, misnamed


@pytest.mark.parametrize("value", [7, True, np.uint8(7), Number(7)], ids=lambda value: type(value).__name__)
def test_an_integer_becomes_one_of_python(value):
    read = whole_number(value)
    assert type(read) is int
    assert read in {7, 1}


@pytest.mark.parametrize(
    "value", [7.0, "7", None, misnamed(int), np.float32(7), np.array(7)], ids=lambda value: type(value).__name__
)
def test_anything_else_is_no_whole_number(value):
    assert whole_number(value) is None
