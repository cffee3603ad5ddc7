"""Doing something in a fork, and getting its result."""

import contextlib
import os
import signal
import sys
import tempfile

import numpy as np
import pytest

from harness.checks.observation.in_a_fork import apart
from harness.contract.finding import CallbackFailedError, CallbackFailure, NeedsDeviceError, NotRun
from harness.process import flight_recorder
from harness.process.flight_recorder import FlightRecorder


def test_the_result_comes_back_with_bytes_and_arrays():
    arrays = [np.arange(6, dtype=np.float16).reshape(2, 3), np.zeros((0, 4), np.int64)]
    result = apart(lambda: {"blob": b"\0\xff", "outputs": arrays, "none": None})
    assert result["blob"] == b"\0\xff"
    assert result["none"] is None
    for got, sent in zip(result["outputs"], arrays, strict=True):
        assert got.dtype == sent.dtype
        assert np.array_equal(got, sent)


def test_it_is_done_in_another_process_and_leaves_nothing_here():
    done = []
    assert apart(lambda: [done.append(1), os.getpid()][1]) != os.getpid()
    assert done == []


def test_a_result_larger_than_a_pipe_comes_back_whole():
    assert len(apart(lambda: bytes(1 << 20))) == 1 << 20


def test_a_callback_that_failed_there_fails_here():
    def work():
        raise CallbackFailedError(CallbackFailure("enqueue", "raised ValueError: no", "here", calls=("clone",)))

    with pytest.raises(CallbackFailedError, match="enqueue raised ValueError: no") as caught:
        apart(work)
    assert caught.value.failure == CallbackFailure("enqueue", "raised ValueError: no", "here", calls=("clone",))


def test_what_could_not_be_run_there_is_not_run():
    def work():
        raise NotRun("needs a GPU")

    with pytest.raises(NotRun, match="needs a GPU"):
        apart(work)


def test_memory_that_a_fork_does_not_get_is_for_a_machine_that_has_it():
    def work():
        raise MemoryError("2 GiB")

    with pytest.raises(NeedsDeviceError, match="2 GiB"):
        apart(work)


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "died by SIGKILL"),
        (lambda: os._exit(3), "ended without a result"),
    ],
)
def test_a_fork_that_dies_has_failed(end, words):
    with pytest.raises(CallbackFailedError, match=words):
        apart(end)


def test_an_error_of_ours_is_raised_with_its_traceback():
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        apart(lambda: 1 / 0)


def test_what_cannot_leave_a_process_is_an_error():
    with pytest.raises(RuntimeError, match="a object cannot leave a process apart"):
        apart(object)


def test_output_is_written_once(capfd):
    sys.stdout.write("before ")
    apart(lambda: sys.stdout.write("within "))
    sys.stdout.write("after")
    sys.stdout.flush()
    assert capfd.readouterr().out.split() == ["before", "within", "after"]


@pytest.mark.parametrize(("lack", "failure"), [("f needs a GPU", NeedsDeviceError), ("", CallbackFailedError)])
def test_a_fork_that_dies_for_what_this_machine_lacks_has_done_nothing_wrong(monkeypatch, lack, failure):
    with tempfile.TemporaryFile() as file, contextlib.closing(FlightRecorder.on(file.fileno())) as box:
        monkeypatch.setattr(flight_recorder._Installed, "box", box)

        def work():
            flight_recorder.lacking(lack)
            os.kill(os.getpid(), signal.SIGKILL)

        with pytest.raises(failure):
            apart(work)
        assert flight_recorder.taken_lack() == ""
