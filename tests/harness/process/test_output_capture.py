"""What is kept of what a process writes."""

import logging
import os
import warnings

import pytest

from harness.process import output_capture
from harness.process.output_capture import Tap, Taps


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    yield Tap(reading), writing
    os.close(reading)


@pytest.fixture
def opened():
    taps, ends = Taps.open()
    yield taps, ends
    ends.close()
    taps.close()


def test_a_short_text_is_kept_whole(pipe):
    tap, writing = pipe
    os.write(writing, "grüße\n".encode())
    assert tap.drain()
    os.close(writing)
    assert not tap.drain()
    assert tap.text == "grüße\n"


def test_of_a_long_text_beginning_and_end_are_kept(pipe):
    tap, writing = pipe
    for letter in (b"a", b"b", b"c"):
        os.write(writing, letter * output_capture.KEPT_BYTES)
        tap.drain()
    os.close(writing)
    a, note, c = tap.text.split("\n")
    assert (set(a), set(c)) == ({"a"}, {"c"})
    assert len(a) == len(c) == output_capture.KEPT_BYTES
    assert note == f"[{output_capture.KEPT_BYTES} bytes left out]"


def test_bytes_that_are_no_text_are_replaced(pipe):
    tap, writing = pipe
    os.write(writing, b"\xff!")
    os.close(writing)
    tap.drain()
    assert tap.text == "\ufffd!"


def test_a_section_begins_anew(pipe):
    tap, writing = pipe
    os.write(writing, b"old")
    tap.drain()
    tap.forget()
    os.write(writing, b"new")
    os.close(writing)
    tap.drain()
    assert tap.text == "new"


def test_log_records_go_to_their_section(opened):
    taps, ends = opened
    logger = logging.getLogger("my.plugin")
    handler = output_capture.LogLines(ends.log)
    logger.addHandler(handler)
    logger.warning("took %d steps", 3)
    logger.removeHandler(handler)
    taps.drain()
    assert taps.captured.log.startswith("WARNING  my.plugin:test_output_capture.py:")
    assert taps.captured.log.endswith(" took 3 steps\n")


def test_warnings_go_to_their_section(opened, monkeypatch):
    taps, ends = opened
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    output_capture.divert_warnings(ends)
    warnings.showwarning("take care", UserWarning, "plugin.py", 3)
    taps.drain()
    assert taps.captured.warnings == "plugin.py:3: UserWarning: take care\n"


def test_stacks_are_no_section_that_a_user_sees(opened):
    taps, ends = opened
    os.write(ends.stack, b"a stack")
    taps.drain()
    assert taps.stack == "a stack"
    assert taps.captured == output_capture.Captured()
