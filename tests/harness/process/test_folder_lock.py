"""Programs that run in one folder wait for each other."""

import fcntl
import os
import threading

import pytest

from harness.process.folder_lock import locked


def test_a_second_program_waits_until_the_first_is_done(tmp_path):
    order = []

    def second():
        with locked(str(tmp_path)):
            order.append("second")

    thread = threading.Thread(target=second)
    with locked(str(tmp_path)):
        thread.start()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_a_folder_is_locked_within_the_block_alone(tmp_path):
    other = os.open(tmp_path, os.O_RDONLY)
    try:
        with locked(str(tmp_path)), pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(other)


@pytest.mark.parametrize("call", ["open", "flock"])
def test_a_folder_that_cannot_be_locked_keeps_no_program_from_running(tmp_path, monkeypatch, call):
    def refused(*_):
        raise OSError

    monkeypatch.setattr(fcntl if call == "flock" else os, call, refused)
    with locked(str(tmp_path)):
        pass


def test_where_no_lock_is_needed_none_is_taken(tmp_path):
    with locked(str(tmp_path), needed=False), locked(str(tmp_path)):
        pass
