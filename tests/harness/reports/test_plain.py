"""Whatever a plugin says, a report can hold it."""

import json
import math

import pytest

from harness.reports.plain import LONGEST, presentable


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb", "a\nb"),
        ("\x1b[31m\x00\x7f\x9b\r", "\\x1b[31m\\x00\\x7f\\x9b\\r"),
        ("\udc80\ud83d", "\\udc80\\ud83d"),
        ("\ufffe\uffff\u202e", "\\ufffe\\uffff\\u202e"),
        ("ünïcödé \U0001f600", "ünïcödé \U0001f600"),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
        ((1, 2.5, True, None), [1, 2.5, True, None]),
        ({1: ["\x00"]}, {"1": ["\\x00"]}),
    ],
)
def test_what_no_format_can_hold_is_written_out(said, told):
    assert presentable(said) == told


@pytest.mark.parametrize("text", ["x" * 10_000_000, "\x00" * LONGEST, "x" * (LONGEST + 1)])
def test_a_long_text_is_cut_and_says_so(text):
    told = presentable(text)
    assert len(told) == LONGEST
    assert told.endswith(f" ... (cut: {len(text):,} characters)")


@pytest.mark.parametrize("said", ["x" * LONGEST, "\x00" * LONGEST, "\ud800\r\n", {"a": [math.nan]}])
def test_what_is_presentable_stays_as_it_is(said):
    once = presentable(said)
    assert presentable(once) == once
    assert json.loads(json.dumps(once, allow_nan=False)) == once
