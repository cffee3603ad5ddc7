"""A process is stuck if each of its threads waits for the others, and for nothing else."""

import os
import signal
import subprocess
import sys
import time

import pytest

from harness.process import deadlock
from harness.process.deadlock import DeadlockWatch

BEGIN = """
import signal, subprocess, sys, threading, time
lock = threading.Lock()
lock.acquire()
print(flush=True)
"""
STUCK = {
    "one thread": "lock.acquire()",
    "two threads": "threading.Thread(target=lock.acquire).start(); "
    "other = threading.Lock(); other.acquire(); other.acquire()",
    "a queue": "import queue; queue.Queue().get()",
}
FREE = {
    "a limit": "lock.acquire(timeout=60)",
    "sleep": "time.sleep(60)",
    "a thread that sleeps": "threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); lock.acquire()",
    "an alarm": "signal.signal(signal.SIGALRM, print); lock.acquire()",
    "a child": "subprocess.Popen(['sleep', '60']); lock.acquire()",
    "work": "while True: pass",
    "input": "sys.stdin.read()",
}


@pytest.fixture
def stuck():
    """Return whether a process that runs a line is found stuck within so many looks."""
    begun = []

    def look(line, looks):
        process = subprocess.Popen(  # noqa: S603 - a test's own text
            [sys.executable, "-c", f"{BEGIN}\n{line}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        begun.append(process)
        process.stdout.readline()
        watch = DeadlockWatch(process.pid)
        for _ in range(looks):
            time.sleep(deadlock._SECONDS)
            if watch.is_stuck():
                return True
        return False

    yield look
    for process in begun:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize("line", STUCK.values(), ids=STUCK.keys())
def test_threads_that_wait_for_each_other_are_stuck(stuck, line):
    assert stuck(line, looks=600)


@pytest.mark.parametrize("line", FREE.values(), ids=FREE.keys())
def test_a_process_that_may_go_on_is_not(stuck, line):
    assert not stuck(line, looks=5)


def test_a_process_that_has_ended_is_not_stuck(monkeypatch):
    monkeypatch.setattr(deadlock, "_SECONDS", 0.0)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    watch = DeadlockWatch(ended.pid)
    assert [watch.is_stuck() for _ in range(3)] == [False] * 3
