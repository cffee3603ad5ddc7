"""Settings that outlive a call."""

import gc
import os
import pathlib
import random
import sys
import warnings

import numpy as np
import pytest

from harness.checks.observation.global_settings import changed, global_settings


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
}


@pytest.fixture(autouse=True)
def everything_is_put_back(monkeypatch):
    monkeypatch.delenv("A_SETTING", raising=False)
    monkeypatch.chdir(pathlib.Path.cwd())
    limit, state, numpy_state = sys.getrecursionlimit(), random.getstate(), np.random.get_state()  # noqa: NPY002
    with warnings.catch_warnings(), np.errstate(), np.printoptions():
        yield
    sys.setrecursionlimit(limit)
    random.setstate(state)
    np.random.set_state(numpy_state)  # noqa: NPY002
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
