"""Edits go by position, and code is the same where only its lines are others."""

import pytest

from harness.mutation.change import Change, Edit, code_of, diff


def test_edits_of_one_source_do_not_disturb_each_other():
    change = Change("f", (Edit(0, 1, "x", 1), Edit(4, 5, "yy", 2)))
    assert change.applied("a = b\n") == "x = yy\n"
    assert (change.line, change.lines) == (2, (1, 2))


def test_positions_are_those_of_bytes():
    assert Change("f", (Edit(4, 5, "z", 1),)).applied("ä =b") == "ä =z"


def test_a_difference_is_told_by_its_lines_alone():
    assert diff("a\nb\nc\n", "a\nB\nc\n") == ["-b", "+B"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a = 1\n", "\n\na = 1  # here\n", True),
        ("def f():\n    return 2 * 3\n", "def f():\n\n    return 6\n", True),
        ("a = 1\n", "a = 1.0\n", False),
        ("a = True\n", "a = 1\n", False),
        ("def f():\n    return g()\n", "def f():\n    return h()\n", False),
    ],
)
def test_code_is_compared_by_what_it_does(one, other, same):
    assert (code_of(one) == code_of(other)) is same
