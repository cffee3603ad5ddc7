"""Values that a case may hold come back as they are used; those of another kind are told what to write."""

import numpy as np
import pytest

from harness.cases import validation as values


def test_what_is_right_comes_back():
    assert values.text("k", "a") == "a"
    assert values.switch("k", value=False) is False
    assert values.function("k", abs) is abs
    assert values.mapping("k", {"a": 1}, "numbers") == {"a": 1}
    assert values.entries("k", [1, 2], "numbers") == (1, 2)
    assert values.whole_numbers("k", [1, np.int64(-2)]) == (1, -2)
    assert values.extents("k", ("N", 3)) == ("N", 3)
    assert values.extents("k", "N") == ("N",)
    assert values.names("k", "a", ("a", "b")) == ("a",)
    assert values.positive("k", 0.5) == 0.5
    assert values.at_least_zero("k", 0) == 0
    assert values.interval("k", [0, 1]) == (0, 1)
    assert values.interval("k", abs) is abs


def test_nothing_is_nothing():
    for take in (values.function, values.whole_numbers, values.extents, values.positive, values.interval):
        assert take("k", None) is None


@pytest.mark.parametrize(
    "value",
    ["text", b"bytes", 1, 0.5, True, [1, 2], np.zeros((2, 2), np.float16), np.zeros(0)],
)
def test_fields_hold_text_or_numbers(value):
    values.field("k", value)


@pytest.mark.parametrize("value", [None, {}, ["a"], [[1], [1, 2]], object(), ([1], "INT32"), 1j])
def test_other_values_of_fields_are_told(value):
    with pytest.raises(values.CaseError, match=r"^k is .*: write an array of numbers, bytes or str for CHAR, or "):
        values.field("k", value)


def test_a_field_may_say_its_type():
    kind = type("PluginFieldType", (), {})()
    values.field("k", (np.zeros(2), kind))
    with pytest.raises(values.CaseError):
        values.field("k", ("text", kind))


@pytest.mark.parametrize(
    ("take", "value", "told"),
    [
        (values.text, 10, "k is 10: write a text, such as '10'"),
        (values.switch, 0, "k is 0: write True or False"),
        (values.function, "abs", "k is 'abs': write a function"),
        (values.whole_numbers, "12", "k is '12': write a tuple of whole numbers"),
        (values.whole_numbers, (1, [2]), r"k\[1\] is \[2\]: write a whole number"),
        (values.extents, {"N": 1}, "k is {'N': 1}: write a tuple of dimensions"),
        (values.positive, -1, "k is -1: write a number above 0"),
        (values.at_least_zero, "0", "k is '0': write a number from 0 up"),
        (values.interval, "01", "k is '01': write .low, high., two numbers, or a function"),
    ],
)
def test_other_values_are_told_what_to_write(take, value, told):
    with pytest.raises(values.CaseError, match=f"^{told}"):
        take("k", value)


def test_a_long_value_is_shortened():
    with pytest.raises(values.CaseError) as caught:
        values.switch("k", "x" * 1000)
    assert len(str(caught.value)) < 80
