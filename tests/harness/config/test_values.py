"""Values as they were given become what they mean, or one line that says what to write."""

from pathlib import Path

import pytest

from harness.config import values
from harness.config.declarations import OPTIONS, Kind
from harness.config.errors import UsageError
from harness.config.options import default_of
from harness.config.values import Given
from harness.contract.thoroughness import Thoroughness

DECLARED = {option.name: option for option in OPTIONS}


def read(name, *texts):
    option = DECLARED[name]
    return values.read(option, Given(texts, "--plugin-x"), default_of(option), Path("/here"))


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_nothing_given_is_the_default(option):
    assert read(option.name) == default_of(option)


@pytest.mark.parametrize(
    ("name", "texts", "meant"),
    [
        ("timeout", ["2.5"], 2.5),
        ("benchmark-fail", ["3%"], 0.03),
        ("fuzz-examples", ["7"], 7),
        ("seed", ["0"], 0),
        ("benchmark", ["Yes"], True),
        ("benchmark", ["off"], False),
        ("select", ["a, b", "c,"], ("a", "b", "c")),
        ("setup", ["m.n:f"], "m.n:f"),
        ("level", ["1"], Thoroughness.SMOKE),
        ("fuzz-database", ["shared"], "/here/shared"),
    ],
)
def test_what_is_given_is_understood(name, texts, meant):
    assert read(name, *texts) == meant


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("timeout", "0"),
        ("timeout", "nan"),
        ("benchmark-fail", "100"),
        ("benchmark", "perhaps"),
        ("fuzz-examples", "0"),
        ("setup", "m"),
        ("level", "6"),
        ("onnx", "none.onnx"),
        ("onnx-dims", "n"),
        ("sanitizer", "memchek"),
        ("report", "jsn:x"),
    ],
)
def test_what_is_not_is_quoted_as_it_was_written(name, text):
    with pytest.raises(UsageError, match=f"^--plugin-x={text}: "):
        read(name, text)


def test_words_are_those_of_the_type_of_the_default():
    words = [option for option in OPTIONS if option.kind in {Kind.LEVEL, Kind.WORD}]
    assert [read(option.name, str(default_of(option).value)) for option in words] == [default_of(o) for o in words]
