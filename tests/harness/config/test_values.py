"""Values as they were given become what they mean, or one line that says what to write."""

import pytest

from harness.config import values as given
from harness.config.values import Given
from harness.contract.thoroughness import Thoroughness


def told(*values):
    return Given(values, "--plugin-x")


def test_nothing_given_is_nothing_or_the_default():
    made = (given.seconds(told()), given.share(told()), given.number(told(), least=1), given.switch(told()))
    assert made == (None, None, None, False)
    assert given.choice(told(), Thoroughness, Thoroughness.DEFAULT) is Thoroughness.DEFAULT


def test_what_is_given_is_understood():
    assert (given.seconds(told("2.5")), given.share(told("3%")), given.number(told("7"), least=1)) == (2.5, 0.03, 7)
    assert given.switch(told("Yes"))
    assert given.split(["a, b", "c,"]) == ("a", "b", "c")
    assert given.function(told("m.n:f"), "m.n:f") == "m.n:f"


@pytest.mark.parametrize(
    ("make", "value"),
    [
        (given.seconds, "0"),
        (given.seconds, "nan"),
        (given.share, "100"),
        (given.switch, "perhaps"),
        (lambda each: given.number(each, least=1), "0"),
        (lambda each: given.function(each, each.values[0]), "m"),
        (lambda each: given.choice(each, Thoroughness, Thoroughness.DEFAULT), "6"),
    ],
)
def test_what_is_not_is_quoted_as_it_was_written(make, value):
    with pytest.raises(pytest.UsageError, match=f"^--plugin-x={value}: "):
        make(told(value))
