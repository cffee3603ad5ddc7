"""Frames of a C++ stack get a source line where there is one, and stay as they are where there is none."""

import shutil

from harness.process import source_lines

STACK = "C++ stack (most recent call first):\n  one() in /nowhere/libone.so +0x1234\n  at 0x7f00"


def test_a_library_that_says_nothing_leaves_the_frames_alone():
    assert source_lines.with_source_lines(STACK) == STACK


def test_without_the_tool_the_frames_stay(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    source_lines._places.cache_clear()
    assert source_lines.with_source_lines(STACK) == STACK
