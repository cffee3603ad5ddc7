"""A copy of a module writes down which lines are executed, and does what the module does."""

import pytest

from harness.mutation import reach

SOURCE = '''\
"""Text."""
from __future__ import annotations


def pick(number):
    """Pick."""
    if number > 2:
        return "many"
    for each in range(number):
        number += each
    return [pick_inside() for pick_inside in (lambda: "few",)]


class Kept:
    value = 3

    def method(self):
        try:
            raise ValueError
        except ValueError:
            return self.value
'''


@pytest.fixture
def seen(tmp_path):
    notes = tmp_path / "lines"
    names = {}
    exec(compile(reach.watching(SOURCE, notes), "watched", "exec"), names)  # noqa: S102 - ours
    assert reach.reached(notes) == frozenset()
    assert names["pick"](1) == ["few"]
    assert names["Kept"]().method() == 3
    return reach.reached(notes)


def test_lines_that_are_executed_are_written_down(seen):
    assert {7, 9, 10, 11, 19, 21} <= seen
    assert 8 not in seen


@pytest.mark.parametrize(
    ("lines", "is_reached"), [([8], False), ([10], True), ([8, 11], True), ([15], True), ([2], True)]
)
def test_a_line_is_reached_with_its_innermost_statement(seen, lines, is_reached):
    assert reach.is_reached(SOURCE, lines, seen) is is_reached
