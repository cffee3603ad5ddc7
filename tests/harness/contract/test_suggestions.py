"""The nearest of the known words is suggested, and none where none is near."""

import pytest

from harness.contract.suggestions import nearest, suggestion

KNOWN = ("fail-on", "fuzz-time", "level")


@pytest.mark.parametrize(("word", "near"), [("fail_on", "fail-on"), ("LEVEL", "level"), ("colour", "")])
def test_the_nearest_word_is_found(word, near):
    assert nearest(word, KNOWN) == near


def test_what_is_near_is_asked_and_what_is_not_is_left_out():
    assert suggestion("levle", KNOWN) == " (did you mean 'level'?)"
    assert suggestion("colour", KNOWN) == ""
