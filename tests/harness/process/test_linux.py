"""Processes: how they end, and everything they started with them."""

import fcntl
import os
import select
import signal
import subprocess
import threading

import pytest

from harness.process import linux


@pytest.fixture
def start():
    """Start a shell of its own process group that says a line when it is ready; the line is returned too."""
    started = []

    def start_shell(script):
        command = ["/bin/sh", "-c", script]
        shell = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
        started.append(shell)
        return shell, shell.stdout.readline().strip()

    yield start_shell
    for shell in started:
        linux.end_family(shell.pid)
        shell.wait()
        shell.stdout.close()


def has_ended(pid_file):
    return bool(select.select([pid_file], [], [], 5)[0])


def test_the_status_is_there_when_the_process_ended_and_can_still_be_reaped(start):
    shell, _ = start("exit 7")
    os.waitid(os.P_PID, shell.pid, os.WEXITED | os.WNOWAIT)
    assert linux.exit_status(shell.pid) == 7
    assert shell.wait() == 7


def test_the_status_of_a_killed_process_is_the_signal(start):
    shell, _ = start("kill -9 $$")
    os.waitid(os.P_PID, shell.pid, os.WEXITED | os.WNOWAIT)
    assert linux.exit_status(shell.pid) == -signal.SIGKILL


def test_a_running_process_has_no_status(start):
    shell, _ = start("echo; sleep 3600")
    assert linux.exit_status(shell.pid) is None


def test_a_family_ends_with_those_who_left_the_group(start):
    shell, grandchild = start("setsid sleep 3600 & echo $!; wait")
    file = os.pidfd_open(int(grandchild))
    assert linux.descendants_of(shell.pid) >= {int(grandchild)}
    linux.end_family(shell.pid)
    assert has_ended(file)
    os.close(file)


def test_who_was_given_a_word_ends_whatever_became_of_its_parents(start):
    shell, orphan = start("exec env WORD_OF_A_TEST=1 sh -c 'setsid sleep 3600 & echo $!'")
    shell.wait()
    file = os.pidfd_open(int(orphan))
    linux.end_those_with("WORD_OF_A_TEST=")
    assert not select.select([file], [], [], 0)[0]
    linux.end_those_with("WORD_OF_A_TEST=1")
    assert has_ended(file)
    os.close(file)


def test_children_end_but_for_those_to_keep(start):
    kept, _ = start("echo; sleep 3600")
    ended, _ = start("echo; sleep 3600")
    others = linux.children_of(os.getpid()) - {kept.pid, ended.pid}
    linux.end_children(keep={kept.pid, *others})
    assert ended.pid not in linux.children_of(os.getpid())
    assert kept.poll() is None


def test_a_private_descriptor_is_far_from_the_plugins_and_not_inherited():
    reading, writing = os.pipe()
    moved = linux.private(reading)
    os.write(writing, b"x")
    assert os.read(moved, 1) == b"x"
    assert moved >= 100
    assert fcntl.fcntl(moved, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
    os.close(moved)
    os.close(writing)


def test_the_cpu_time_of_a_process_and_of_what_it_started_is_told():
    before = linux.cpu_seconds(os.getpid())
    while linux.cpu_seconds(os.getpid()) <= before:
        sum(range(10_000))
    assert linux.cpu_seconds(2**22 + 1) == 0.0  # there is no such process


def test_the_times_of_all_threads_are_told_and_those_of_who_asks(start):
    shell, grandchild = start("sleep 3600 & echo $!; wait")
    times = linux.times_of_threads(shell.pid)
    assert {shell.pid, int(grandchild), threading.get_native_id()} == times.keys()
    assert times[threading.get_native_id()].is_ready
