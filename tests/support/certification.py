"""What several tests of the harness share."""

import json
import shutil
import sys
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "support" / "stubs"
HOME = Path(__file__).parents[2]


@pytest.fixture
def certify(pytester, monkeypatch):
    """Run pytest on a module whose answers the test writes down (see ``stub_contract``), as a user would."""
    monkeypatch.setenv("PYTHONPATH", f"{HOME}:{DATA}")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "CI", "FORCE_COLOR", "PY_COLORS"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeini("[pytest]\n")

    def run(*arguments, plugin="", modules=("my_plugin",)):
        # Python takes a file that was written in the same second, as long as the one before, for that one.
        shutil.rmtree(pytester.path / "__pycache__", ignore_errors=True)
        pytester.makepyfile(my_plugin=f"from stub_contract import *\n{plugin}")
        options = ["-p", "pytest_trt_conformance", "-p", "stub_certification"]
        return pytester.runpytest_subprocess(*options, *(f"--plugin-module={name}" for name in modules), *arguments)

    return run


@pytest.fixture
def certify_as_a_user(pytester, monkeypatch):
    """Run pytest as a user would, and return (result, JSON report or None)."""
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("PYTEST_ADDOPTS", "CI", "FORCE_COLOR", "PY_COLORS"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeini("[pytest]\n")

    def run(*arguments, python=()):
        report = pytester.path / "report.json"
        report.unlink(missing_ok=True)
        command = [sys.executable, *python, "-m", "pytest", "-p", "no:randomly", f"--plugin-report=json:{report}"]
        result = pytester.run(*command, *arguments)
        return result, json.loads(report.read_text()) if report.exists() else None

    return run
