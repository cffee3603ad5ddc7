"""What is told before a run begins."""

import pytest

from harness.contract import catalogue
from harness.controller.begin import _option_for

RULES = catalogue.load_rules()


@pytest.mark.parametrize(
    ("word", "option"),
    [
        ("SAN-003", " without --plugin-sanitizer=racecheck"),
        ("SAN", " without --plugin-sanitizer=initcheck,memcheck,racecheck,synccheck"),
        ("SUN", ""),
    ],
)
def test_a_rule_that_takes_an_option_is_told_with_it(word, option):
    assert _option_for(word, RULES) == option
