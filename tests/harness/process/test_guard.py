"""A guard kills what a process leaves running, and nothing while that one lives."""

import os
import select
import signal
import subprocess

import pytest

from harness.process import guard, linux

MARK = "mark-of-a-test"


@pytest.fixture
def guarded(monkeypatch):
    """A process with a guard, which has started another one that left its session."""
    monkeypatch.setenv(guard.MARK, MARK)
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        guard.post()
        started = subprocess.Popen(["/bin/sleep", "3600"], start_new_session=True)
        os.write(writing, f"{started.pid}".encode())
        signal.pause()
    orphan = os.pidfd_open(int(os.read(reading, 20)))
    yield pid, orphan
    for descriptor in (reading, writing, orphan):
        os.close(descriptor)


def has_ended(orphan, seconds):
    return bool(select.select([orphan], [], [], seconds)[0])


def test_what_a_killed_process_started_is_killed(guarded):
    pid, orphan = guarded
    assert not has_ended(orphan, 0)
    os.kill(pid, signal.SIGKILL)
    linux.reap(pid)
    assert has_ended(orphan, 10)


def test_a_guard_is_no_child_and_has_no_file_but_one(monkeypatch):
    monkeypatch.setattr(guard.os, "_exit", lambda _: None)
    monkeypatch.setattr(guard.os, "setsid", lambda: None)
    closed = []
    monkeypatch.setattr(guard.os, "closerange", lambda *ends: closed.append(ends))
    monkeypatch.setattr(guard.select, "select", lambda files, *_: closed.append(files))
    monkeypatch.setattr(guard, "end_marked", closed.append)
    guard._wait_and_kill(7, MARK)
    assert closed == [(0, 7), (8, os.sysconf("SC_OPEN_MAX")), [7], MARK]


def test_without_a_mark_there_is_no_guard(monkeypatch):
    monkeypatch.delenv(guard.MARK, raising=False)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("it forked"))
    guard.post()
