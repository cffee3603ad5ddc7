"""Contexts of a program begin with other shapes than the one made before them, among those that their profile holds."""

from harness.protocol.program_shapes import IN_BOTH, first_shapes


def test_one_context_after_the_other_begins_with_other_shapes():
    assert [first_shapes(context, 0, 3) for context in range(4)] == [0, 1, 2, 0]


def test_the_smaller_profile_holds_the_first_shapes_alone():
    assert {first_shapes(context, 1, 3) for context in range(4)} == set(range(IN_BOTH))
