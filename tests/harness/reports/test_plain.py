"""Whatever a plugin says, a report can hold it."""

import json
import math

import pytest

from harness.reports.plain import LONGEST, inert, message, presentable


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


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("::error::x\n\t ::group::y", "\\x3a:error::x\n\t \\x3a:group::y"),
        ("a ##[error]b ##vso[c]", "a \\x23#[error]b \\x23#vso[c]"),
        ("std::vector, # ## heading", "std::vector, # ## heading"),
        ("\x1b[31m\u200f\u2028", "\\x1b[31m\\u200f\\u2028"),
        ("x" * LONGEST * 2, "x" * LONGEST * 2),
    ],
)
def test_nothing_in_an_inert_text_is_a_command(said, told):
    assert inert(said) == told
    assert len(message(said)) <= LONGEST
