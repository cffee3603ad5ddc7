"""The nearest of the known words is suggested, and none where none is near."""

import pytest

from harness.contract.suggestions import hint, nearest, suggestion

KNOWN = ("fail-on", "fuzz-time", "level")


@pytest.mark.parametrize(("word", "near"), [("fail_on", "fail-on"), ("LEVEL", "level"), ("colour", "")])
def test_the_nearest_word_is_found(word, near):
    assert nearest(word, KNOWN) == near


def test_what_is_near_is_asked_and_what_is_not_is_left_out():
    assert suggestion("levle", KNOWN) == " (did you mean 'level'?)"
    assert suggestion("colour", KNOWN) == ""


def test_where_none_is_near_all_that_are_known_can_be_told():
    assert hint("levle", KNOWN) == " (did you mean 'level'?)"
    assert hint("colour", KNOWN) == "; known are fail-on, fuzz-time, level"


def test_how_much_alike_they_must_be_can_be_said():
    assert (nearest("leve", KNOWN, alike=0.5), nearest("leve", KNOWN, alike=0.9)) == ("level", "")
