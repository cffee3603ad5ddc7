"""Exceptions that are raised on purpose."""

import json

import numpy as np
import pytest

from harness.checks.observation.intent import is_deliberate


def on_purpose():
    raise ValueError("the width must be odd")


def by_assertion():
    width = 4
    assert width % 2, "the width must be odd"


def by_a_helper():
    on_purpose()


def by_a_subscript():
    return {}["missing"]


def by_numpy():
    return np.zeros((-1, 2))


def by_a_library_in_python():
    return json.loads("{")


def by_a_name():
    return missing  # noqa: F821


@pytest.mark.parametrize(
    ("raises", "deliberate"),
    [
        (on_purpose, True),
        (by_assertion, True),
        (by_a_helper, True),
        (by_a_subscript, False),
        (by_numpy, False),
        (by_a_library_in_python, False),
        (by_a_name, False),
    ],
)
def test_only_statements_of_the_users_own_code_are_deliberate(raises, deliberate):
    with pytest.raises(Exception) as raised:  # noqa: PT011 - each raises its own
        raises()
    assert is_deliberate(raised.value) is deliberate


def test_an_exception_that_was_never_raised_is_nobodys_intent():
    assert not is_deliberate(ValueError("made, not raised"))
