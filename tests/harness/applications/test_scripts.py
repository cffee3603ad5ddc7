"""A script runs as Python runs it."""

import inspect
import sys

import pytest

from harness.applications import scripts


@pytest.fixture(autouse=True)
def nothing_stays(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, scripts.SCRIPT, sys.modules[scripts.SCRIPT])


@pytest.mark.parametrize(("first_line", "annotation"), [("", int), ("from __future__ import annotations", "int")])
def test_only_features_that_a_script_imports_are_on(tmp_path, first_line, annotation):
    """TensorRT reads the annotations of decorated functions: a text in place of a class is refused."""
    file = tmp_path / "script.py"
    file.write_text(f"{first_line}\ndef f(a: int): ...\n")
    module = scripts.script_module(file)
    scripts.run_script(module)
    assert inspect.signature(module.f).parameters["a"].annotation == annotation
