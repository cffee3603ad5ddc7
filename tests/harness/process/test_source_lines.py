"""Frames of a C++ stack get a source line where there is one, and stay as they are where there is none."""

import shutil

from harness.process import source_lines
from reference_runtime.native.library import crash_report

STACK = "C++ stack (most recent call first):\n  one() in /nowhere/libone.so +0x1234\n  at 0x7f00"


def test_a_library_that_says_nothing_leaves_the_frames_alone():
    assert source_lines.with_source_lines(STACK) == STACK


def test_without_the_tool_the_frames_stay(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    source_lines._places.cache_clear()
    assert source_lines.with_source_lines(STACK) == STACK


def test_the_cause_of_a_crash_is_the_exception_and_the_function_that_failed():
    thrown = "A C++ exception left the plugin, and nothing catches it: std::runtime_error: planted"
    assert source_lines.cause_of(f"a word\n{thrown}\n{STACK}") == f"{thrown}; in one() in /nowhere/libone.so +0x1234"
    assert source_lines.cause_of(STACK) == "in one() in /nowhere/libone.so +0x1234"


def test_a_function_without_a_name_is_no_cause():
    assert (
        source_lines.cause_of(f"{crash_report.HEADING}\n  a function without a name in /nowhere/libone.so +0x1234")
        == ""
    )
