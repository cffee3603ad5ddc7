"""What the import of a user's module can do to its child, and what becomes of children without a parent."""

import contextlib
import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from harness.contract.verdict import Kind
from harness.controller.children import child_process
from harness.controller.children.child_process import environment
from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings, Request
from tests.support import stub_judges

DATA = Path(__file__).parents[2] / "support" / "stubs"
ROOT = Path(__file__).parents[3]
#: Seconds that only a hang takes, on a busy machine too.
HANG = 300


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Load a module with the given text, and return how that went; it is closed at the end."""
    monkeypatch.setenv("PYTHONPATH", str(DATA))
    monkeypatch.setattr(child_process, "BOOT", stub_judges.boot("stub_judging"))
    made = []

    def load_text(text, **settings):
        (tmp_path / "user_plugin.py").write_text(text)
        given = {"module": "user_plugin", "path": (str(tmp_path),), **settings}
        made.append(ProcessIsolation(ChildSettings(**given)))
        return made[-1].load()

    load_text.isolation = lambda: made[-1]
    yield load_text
    for isolation in made:
        isolation.close()


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("import ctypes; ctypes.string_at(0)", "died by SIGSEGV"),
        ("import os; os.abort()", "died by SIGABRT"),
        ("import os; os._exit(0)", "ended the process with exit status 0"),
        ("raise SystemExit(3)", "raised SystemExit: 3"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt"),
        ("import no_such_dependency", "raised ModuleNotFoundError: No module named 'no_such_dependency'"),
        ("def f(:", "raised SyntaxError: invalid syntax (user_plugin.py, line 1)"),
    ],
)
def test_a_failed_import_is_an_answer(load, text, how):
    loaded = load(f"print('importing')\n{text}\n" if "def" not in text else text)
    assert (loaded.ok, loaded.exists) == (False, True)
    assert (loaded.answer.kind, loaded.answer.mishap.callback) == (Kind.MET, "import")
    assert loaded.answer.mishap.how == how
    assert loaded.captured.stdout == ("importing\n" if "def" not in text else "")


@pytest.mark.parametrize(
    "hang",
    [
        pytest.param("while True: pass", marks=pytest.mark.nightly),  # it works until its time is over
        "import ctypes; ctypes.PyDLL(None).sleep(3600)",
    ],
)
def test_an_import_that_hangs_is_an_answer_with_its_stack(load, hang):
    loaded = load(f"def hang():\n    {hang}\nhang()", import_timeout=5.0)
    assert loaded.answer.mishap.how == "did not return within 5 s"
    assert "line 2 in hang" in loaded.answer.mishap.stack
    assert 'harness/child/user_module.py"' not in loaded.answer.mishap.stack


def test_the_traceback_of_an_import_is_the_users(load, tmp_path):
    stack = load("def check():\n    raise ValueError('odd')\ncheck()").answer.mishap.stack
    assert stack.splitlines()[1] == f'  File "{tmp_path}/user_plugin.py", line 3, in <module>'
    assert stack.splitlines()[-1] == "ValueError: odd"
    assert str(ROOT / "harness") not in stack


def test_a_death_while_the_module_is_prepared_is_told_apart_from_the_import(load):
    mishap = load("import os\ndef on_prepare(): os._exit(1)").answer.mishap
    assert (mishap.callback, mishap.how) == ("setup", "ended the process with exit status 1")


@pytest.mark.parametrize("module", ["no_such_module", "user_plugin.no_such_part", "./no_such_file.py"])
def test_a_module_that_does_not_exist_is_not_found(load, module):
    loaded = load("", module=module)
    assert (loaded.ok, loaded.exists) == (False, False)
    assert loaded.answer.reason.startswith("there is no ")


def test_a_judge_that_cannot_be_imported_is_no_fault_of_the_module(load, monkeypatch):
    monkeypatch.setattr(child_process, "BOOT", stub_judges.boot("no_such_judging"))
    loaded = load("")
    assert loaded.answer.kind is Kind.BROKEN
    assert "no_such_judging" in loaded.answer.reason


def test_after_a_failed_import_every_request_tries_again(load, tmp_path):
    assert not load("1 / 0").ok
    request = Request("fine", "/Bar/1", "case")
    assert load.isolation().ask(request).mishap.how == "raised ZeroDivisionError: division by zero"
    (tmp_path / "user_plugin.py").write_text("def fine(): return 'now'  # longer than before")
    assert load.isolation().ask(request).reason == "'now'"


@pytest.mark.usefixtures("load")
def test_a_child_that_described_the_rules_can_be_asked_at_once(tmp_path):
    (tmp_path / "user_plugin.py").write_text("print('importing')\ndef fine(): return 1")
    child = ProcessIsolation(ChildSettings("user_plugin", path=(str(tmp_path),)))
    with contextlib.closing(child):
        assert child.rules() == {}
        assert child.ask(Request("fine", "/Bar/1", "case")).reason == "1"


def test_what_an_import_writes_is_captured(load):
    text = "import logging, sys, warnings\nprint('out')\nprint('err', file=sys.stderr)\nwarnings.warn('old')\n"
    captured = load(text).captured
    assert (captured.stdout, captured.stderr) == ("out\n", "err\n")
    assert "UserWarning: old" in captured.warnings


def test_a_module_can_configure_logging(load):
    text = "import logging\nlogging.basicConfig(level=logging.DEBUG)\ndef level(): return logging.root.level"
    assert load(text).ok
    assert load.isolation().ask(Request("level", "/Bar/1", "case")).reason == "10"


def test_a_module_that_forks_on_import_is_loaded_once(load):
    assert load("import os\nos.fork()\nprint('imported')\ndef fine(): return 1").ok
    assert load.isolation().ask(Request("fine", "/Bar/1", "case")).reason == "1"


def test_neither_the_working_directory_nor_the_users_folders_hide_our_packages(load, tmp_path, monkeypatch):
    for name in ("harness", "stub_judging"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('the wrong one')")
    monkeypatch.chdir(tmp_path)
    assert load("").ok


def test_the_childs_environment_is_cleared_of_what_changes_verdicts():
    ours = {"PYTHONOPTIMIZE": "1", "COV_CORE_SOURCE": "x", "COVERAGE_PROCESS_START": "x", "PYTHONHASHSEED": "7"}
    theirs = environment({**ours, "HOME": "/home/me", "PYTHONWARNINGS": "error"})
    assert ours.keys() & theirs.keys() == {"PYTHONHASHSEED"}
    assert (theirs["PYTHONHASHSEED"], theirs["HOME"], theirs["PYTHONWARNINGS"]) == ("0", "/home/me", "error")


def test_what_is_added_to_the_environment_reaches_the_module_and_this_process_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(child_process, "BOOT", stub_judges.boot("stub_judging"))
    (tmp_path / "wants.py").write_text("import os\nif os.environ['A_GPU'] != '1': raise ValueError\n")
    settings = ChildSettings("wants", path=(str(tmp_path), str(DATA)))
    with contextlib.closing(ProcessIsolation(settings, {"A_GPU": "1", "PYTHONPATH": str(DATA)})) as child:
        loaded = child.load()
    assert loaded.ok, loaded.answer
    assert "A_GPU" not in os.environ


REPORTING = """
import json, os, pathlib, subprocess, time
def report(*more):
    pids = [os.getpid(), *more]
    pathlib.Path(os.environ["FIFO"]).write_text(json.dumps(pids))
    time.sleep(3600)
"""
HANGING_REQUEST = (
    REPORTING
    + """
def hang():
    sleeping = ["sleep", "3600"]
    daemon = subprocess.Popen(sleeping, start_new_session=True)
    report(os.getppid(), subprocess.Popen(sleeping).pid, daemon.pid)
"""
)


@pytest.mark.parametrize("text", [REPORTING + "report()", HANGING_REQUEST], ids=["import", "request"])
def test_nothing_outlives_a_controller_that_is_killed(tmp_path, text):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    listening = os.open(fifo, os.O_RDWR)  # for writing too: it never ends, and waiting needs no retry
    (tmp_path / "user_plugin.py").write_text(text)
    controller = subprocess.Popen(  # noqa: S603 - a script of ours
        [sys.executable, DATA / "controller.py", "user_plugin", "hang"],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{DATA}:{tmp_path}", "FIFO": str(fifo)},
    )
    try:
        assert select.select([listening], [], [], HANG)[0], "the module never ran"
        watched = [os.pidfd_open(pid) for pid in json.loads(os.read(listening, 4096))]
    finally:
        controller.kill()
        controller.wait()
        os.close(listening)
    for file in watched:
        assert select.select([file], [], [], HANG)[0], "a process outlives its controller"
        os.close(file)
