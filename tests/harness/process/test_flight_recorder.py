"""The last callbacks of a process, read by another."""

import os
import subprocess
import sys

from harness.process import flight_recorder
from harness.process.flight_recorder import CallbackTrail, Entry, FlightRecorder


def test_an_empty_box_has_no_trail(box):
    assert box.trail() == CallbackTrail(None, ())


def test_a_callback_runs_until_it_returned(box):
    box.record("Bar#1", "clone", "context")
    assert box.trail().running == Entry("Bar#1", "clone", "context")
    box.returned()
    assert box.trail() == CallbackTrail(None, ("Bar#1.clone(), during context",))


def test_after_a_nested_callback_the_outer_one_runs(box):
    box.record("Creator#1", "create_plugin", "creation", "name='x'")
    box.record("Bar#1", "clone", "creation")
    box.returned()
    assert str(box.trail().running) == "Creator#1.create_plugin(name='x'), during creation"


def test_what_is_lacking_is_known_until_it_is_taken_or_another_process_writes(box):
    box.lacking("f needs a GPU")
    assert box.trail().lack == "f needs a GPU"
    assert box.taken_lack() == "f needs a GPU"
    assert box.trail().lack == box.taken_lack() == ""
    box.lacking("x" * 2000)
    assert set(box.trail().lack) == {"x"}
    box.take_over()
    assert box.trail().lack == ""


def test_an_interpreter_is_known_until_another_process_writes(box):
    box.interpreting("Triton's interpreter")
    box.record("Bar#1", "clone", "context")
    assert box.trail().interpreter == "Triton's interpreter"
    box.take_over()
    assert box.trail().interpreter == ""


def test_more_calls_than_fit_leave_the_last_ten(box):
    box.record("Bar#1", "outer", "execution")
    for number in range(25):
        box.record("Bar#1", f"call_{number}", "execution")
        box.returned()
    assert [call.split("(")[0] for call in box.trail().calls] == [f"Bar#1.call_{n}" for n in range(15, 25)]
    assert box.trail().running == Entry("Bar#1", "outer", "execution")


def test_deeper_nesting_than_fits_is_unwound(box):
    for _ in range(flight_recorder.DEPTH + 5):
        box.record("Bar#1", "clone", "context")
    for _ in range(flight_recorder.DEPTH + 4):
        box.returned()
    assert box.trail().running is not None
    box.returned()
    assert box.trail().running is None


def test_long_arguments_are_cut(box):
    box.record("Bar#1", "clone", "context", "π" * 1000)
    assert box.trail().running.method == "clone"
    assert 100 < len(box.trail().running.detail) < 1000


WRITER = """
import os, signal, sys
from harness.process.flight_recorder import FlightRecorder
box = FlightRecorder.on(int(sys.argv[1]))
box.take_over()
box.record("Bar#1", "enqueue", "execution")
"""


def written_by_another_process(script):
    """Return the trail that a process of its own leaves; a test process with threads should not fork."""
    file = os.memfd_create("box")
    box = FlightRecorder.on(file)
    subprocess.run(  # noqa: S603 - a script of ours
        [sys.executable, "-c", WRITER + script, str(file)], pass_fds=[file], timeout=600, check=False
    )
    os.close(file)
    trail = box.trail()
    box.close()
    return trail


def test_the_trail_outlives_the_process_that_left_it():
    trail = written_by_another_process("os.kill(os.getpid(), signal.SIGKILL)")
    assert trail.running == Entry("Bar#1", "enqueue", "execution")


def test_a_forked_copy_of_the_writer_writes_nothing():
    copy = """if not os.fork():
    box.record("Bar#2", "clone", "context")
    box.returned()
    box.returned()
    os._exit(0)
os.wait()"""
    trail = written_by_another_process(copy)
    assert trail.running == Entry("Bar#1", "enqueue", "execution")
    assert len(trail.calls) == 1


def test_recording_goes_to_the_installed_box(box, monkeypatch):
    monkeypatch.setattr(flight_recorder._Installed, "box", None)
    flight_recorder.record("Bar#1", "ignored", "context")
    flight_recorder.install(box)
    flight_recorder.record("Bar#1", "clone", "context")
    assert box.trail().calls == ("Bar#1.clone(), during context",)
    flight_recorder.returned()
    assert box.trail().running is None


def test_which_example_is_judged_is_known_until_another_process_takes_over(box, monkeypatch):
    monkeypatch.setattr(flight_recorder._Installed, "box", None)
    flight_recorder.begin(3)
    flight_recorder.install(box)
    flight_recorder.begin(7)
    box.record("Bar#1", "clone", "context")
    assert (box.trail().example, len(box.trail().calls)) == (7, 1)
    box.take_over()
    assert box.trail() == CallbackTrail(None, (), 0)
