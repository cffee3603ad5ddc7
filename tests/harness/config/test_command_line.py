"""Options as texts for a command line: all that a value holds, and what changes a verdict."""

import pytest
from msgspec import structs

from harness.config.command_line import changed, texts_of
from harness.config.declarations import OPTIONS
from harness.config.options import DeviceChoice, Options

DECLARED = {option.name: option for option in OPTIONS}


@pytest.mark.parametrize(
    ("name", "value", "texts"),
    [
        ("cases", ["a", "b"], ["a", "b"]),
        ("sanitizer", ["memcheck", "racecheck"], ["memcheck,racecheck"]),
        ("sanitizer", [], []),
        ("setup", "", []),
        ("seed", None, []),
        ("seed", 0, ["0"]),
        ("timeout", 5.0, ["5"]),
        ("timeout", 1234567.25, ["1234567.25"]),
    ],
)
def test_a_value_has_a_text_or_several_or_none(name, value, texts):
    assert texts_of(DECLARED[name], value) == texts


def test_what_changes_no_verdict_or_is_as_usual_is_left_out():
    options = Options(("m",), select=("FMT",), device=DeviceChoice.HOST, baseline="b.json")
    usual = structs.replace(options, device=DeviceChoice.AUTO).to_plain()
    assert list(changed({**usual, "seed": None})) == []
    assert list(changed({**options.to_plain(), "seed": None})) == [(DECLARED["device"], "host")]
