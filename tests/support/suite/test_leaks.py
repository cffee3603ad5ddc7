"""The test that leaves something open is the one that fails, and says what it left."""

import gc
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.suite import leaks

HOME = Path(__file__).parents[3]
LEAKING = """
import os, socket, subprocess
import pytest

KEPT = []

@pytest.fixture(scope="module")
def shared():
    yield KEPT

def test_file(): KEPT.append(open("kept.txt", "w"))
def test_descriptor(): os.memfd_create("kept")
def test_socket():
    cycle = [socket.socket()]
    cycle.append(cycle)
def test_process(): KEPT.append(subprocess.Popen(["true"]))
def test_nothing(): open("closed.txt", "w").close()
def test_what_is_shared(shared): os.memfd_create("shared")
def test_what_shares_it(shared): pass
def test_end():
    KEPT.pop().wait()
    KEPT.pop().close()
"""


@pytest.mark.real_processes
def test_who_leaves_something_open_fails_and_no_other(tmp_path):
    folder = tmp_path / "sub"
    folder.mkdir()
    (folder / "test_leaking.py").write_text(LEAKING)
    (folder / "conftest.py").write_text((HOME / "tests" / "conftest.py").read_text())
    command = [sys.executable, "-m", "pytest", "-rE", "-Werror", "-p", "no:randomly", "-p", "no:cacheprovider", "sub"]
    run = subprocess.run(  # noqa: S603 - our own tests
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(HOME)}, capture_output=True, text=True, check=False
    )
    told = re.findall(r"^ERROR sub/test_leaking.py::test_(\w+)", run.stdout, re.MULTILINE)
    assert told == ["file", "descriptor", "socket", "process", "end"]
    assert re.search(r"left open: file descriptor \d+: \S+/kept.txt$", run.stdout, re.MULTILINE)
    assert re.search(r"left open: process \d+: ", run.stdout)
    assert re.search(r"left open: file descriptor \d+: /memfd:shared", run.stdout)


def test_a_thread_that_goes_on_is_named_and_one_that_ends_is_waited_for(monkeypatch):
    before, end = leaks.seen(), threading.Event()
    thread = threading.Thread(target=end.wait, name="patient")
    thread.start()
    with monkeypatch.context() as patch:
        patch.setattr(leaks, "PATIENCE", 0.0)
        assert leaks.since(before, (set(), set())) == ["thread patient"]
    end.set()
    assert leaks.since(before, (set(), set())) == []


def test_what_lasts_as_long_as_the_session_is_no_leak(tmp_path):
    before = leaks.seen()
    with (tmp_path / "kept.txt").open("w") as file, subprocess.Popen(["sleep", "600"]) as process:  # noqa: S607
        assert leaks.since(before, ({file.fileno()}, {process.pid})) == []
        process.kill()


def test_what_was_collected_is_no_part_of_a_search_for_garbage(request):
    assert gc.get_freeze_count()
    assert not any(each is request.session for each in gc.get_objects())
