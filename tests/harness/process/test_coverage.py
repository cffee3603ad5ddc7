"""Coverage of the plugin, measured where it runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import coverage
import pytest

from harness.process import coverage as measurement

pytestmark = pytest.mark.real_processes

DATA = Path(__file__).parents[2] / "support" / "stubs"
ROOT = Path(__file__).parents[3]

PLUGIN = """\
IMPORTED = True


def called():
    return 1


def dies():
    import os
    os._exit(0)


def never_called():
    return 2
"""

TEST = """\
from harness.controller.children import child_process
from harness.controller.children.isolation import ProcessIsolation
from harness.process import coverage as measurement
from harness.protocol.messages import ChildSettings, Request
from tests.support import stub_judges


def test_it():
    child_process.BOOT = stub_judges.boot("stub_judging")
    measurement.expect_nothing_here()
    isolation = ProcessIsolation(
        ChildSettings("measured_plugin", coverage=measurement.coverage_settings())
    )
    assert isolation.ask(Request("called", "/Bar/1", "case")).reason == "1"
    assert isolation.ask(Request("dies", "/Bar/1", "case")).mishap.callback == "dies"
    isolation.close()
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "measured_plugin.py").write_text(PLUGIN)
    (tmp_path / "test_it.py").write_text(TEST)
    return tmp_path


def run(folder, *command):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{DATA}:{folder}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "-m", *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("workers", [[], ["-p", "xdist", "-n", "1"]], ids=["alone", "xdist"])
def test_pytest_cov_shows_the_lines_that_ran_in_the_child(folder, workers):
    report = ["--cov=measured_plugin", "--cov-report=json", "--cov-branch"]
    output = run(folder, "pytest", "-q", "-W", "error", "-p", "pytest_cov", *report, *workers)
    assert "never imported" not in output
    lines = json.loads((folder / "coverage.json").read_text())["files"]["measured_plugin.py"]
    assert lines["executed_lines"] == [1, 4, 5, 8, 13]
    assert not list(folder.glob(".coverage.*"))


def test_coverage_run_is_continued_in_the_child(folder):
    run(folder, "coverage", "run", "--source=.", "-m", "pytest", "-q")
    run(folder, "coverage", "combine", "--append")
    run(folder, "coverage", "json")
    lines = json.loads((folder / "coverage.json").read_text())["files"]["measured_plugin.py"]
    assert lines["executed_lines"] == [1, 4, 5, 8, 13]


def test_where_nothing_measures_nothing_is_handed_over(monkeypatch):
    monkeypatch.setattr(coverage.Coverage, "current", lambda: None)
    assert measurement.coverage_settings() == ""
    measurement.Measurement("").save()


def test_data_that_cannot_be_saved_costs_no_answer(capfd):
    measured = measurement.Measurement("")
    measured._coverage = type("Failing", (), {"stop": lambda _: 1 / 0})()
    measured.save()
    assert "the coverage of this process is lost: division by zero" in capfd.readouterr().err
