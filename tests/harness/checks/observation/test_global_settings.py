"""Settings that outlive a call."""

import gc
import io
import logging
import os
import pathlib
import random
import signal
import subprocess
import sys
import types
import warnings

import numpy as np
import pytest

from harness.checks.observation.global_settings import SettingsWatch, changed, global_settings, unusual_settings

ROOT = pathlib.Path(__file__).parents[4]


def test_nothing_changes_by_itself():
    assert changed(global_settings(), global_settings()) == []


def set_print_options():
    np.set_printoptions(precision=3)


CHANGES = {
    "os.environ": lambda: os.environ.update(A_SETTING="1"),
    "random's state": random.random,
    "NumPy's random state": np.random.random,
    "NumPy's error handling": lambda: np.seterr(divide="raise"),
    "NumPy's print options": set_print_options,
    "the recursion limit": lambda: sys.setrecursionlimit(sys.getrecursionlimit() + 1),
    "garbage collection": gc.disable,
    "the filters of warnings": lambda: warnings.simplefilter("ignore"),
    "the working folder": lambda: os.chdir("/"),
    "the root logger": lambda: logging.root.setLevel(logging.CRITICAL),
    "the handlers of signals": lambda: signal.signal(signal.SIGUSR2, signal.SIG_IGN),
    "sys.excepthook": lambda: setattr(sys, "excepthook", print),
    "sys.stderr": lambda: setattr(sys, "stderr", io.StringIO()),
}


@pytest.fixture(autouse=True)
def everything_is_put_back(monkeypatch):
    monkeypatch.delenv("A_SETTING", raising=False)
    monkeypatch.chdir(pathlib.Path.cwd())
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    level, handler = logging.root.level, signal.getsignal(signal.SIGUSR2)
    limit, state, numpy_state = sys.getrecursionlimit(), random.getstate(), np.random.get_state()  # noqa: NPY002
    with warnings.catch_warnings(), np.errstate(), np.printoptions():
        yield
    sys.setrecursionlimit(limit)
    random.setstate(state)
    np.random.set_state(numpy_state)  # noqa: NPY002
    logging.root.setLevel(level)
    signal.signal(signal.SIGUSR2, handler)
    gc.enable()


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_seen_by_its_name(name):
    before = global_settings()
    CHANGES[name]()
    assert changed(before, global_settings()) == [name]


def test_a_change_that_is_restored_is_none():
    before = global_settings()
    with np.errstate(all="raise"):
        assert changed(before, global_settings()) == ["NumPy's error handling"]
    assert changed(before, global_settings()) == []


def test_a_folder_that_was_removed_can_be_compared(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert changed(global_settings(), global_settings()) == []


def test_no_codec_is_loaded_in_a_folder_that_was_removed(tmp_path):
    """Python 3.13.0 ends with a SystemError there; it came only if no test before had read a file as ASCII."""
    source = (
        "import os, sys; from harness.checks.observation.global_settings import global_settings\n"
        "os.rmdir(os.getcwd()); before = {*sys.modules}; global_settings()\n"
        "print([name for name in {*sys.modules} - before if name.startswith('encodings')])"
    )
    told = subprocess.run(  # noqa: PLW1510, S603 - a test's own text
        [sys.executable, "-c", source], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True
    )
    assert told.stdout.split() == [b"[]"], told.stderr


def event(method):
    return types.SimpleNamespace(method=method)


def test_a_watch_names_the_callback_that_changed_a_setting():
    watch = SettingsWatch()
    for method, work in (("clone", lambda: None), ("enqueue", random.random), ("destroy", random.random)):
        watch.before(event(method))
        work()
        watch.after(event(method), None)
    assert watch.changes == {"random's state": "enqueue"}


def test_libraries_may_filter_warnings_when_they_are_loaded_and_plugins_may_not():
    watch, loaded = SettingsWatch(), []

    def load():
        if not loaded:
            loaded.append(warnings.simplefilter("ignore"))

    for method, work in (("clone", load), ("enqueue", lambda: warnings.simplefilter("once"))) * 2:
        watch.before(event(method))
        work()
        watch.after(event(method), None)
    assert watch.changes == {"the filters of warnings": "enqueue"}


def test_who_sets_what_is_usual_is_seen_among_unusual_settings():
    before = global_settings()
    with unusual_settings():
        unusual = global_settings()
        np.random.seed(0)  # noqa: NPY002
        np.seterr(all="warn")
        sys.setrecursionlimit(int(before["the recursion limit"]))
        differs = ["NumPy's error handling", "the recursion limit", "NumPy's random state"]
        assert changed(unusual, global_settings()) == differs
    assert changed(before, global_settings()) == []
