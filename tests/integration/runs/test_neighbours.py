"""Beside other plugins of pytest: verdicts and exit code are the usual ones, and each neighbour does its work.

``nox -s neighbours`` and CI run these tests with all neighbours installed: some would change how all other tests run.
"""

import importlib.metadata
import itertools
import json
import os
import re
import subprocess
import sys

import pytest

from tests.support.witnesses import EXAMPLES

pytestmark = [pytest.mark.nightly, pytest.mark.real_processes]

ROOT = EXAMPLES.parent
RULES = "FMT-001,FMT-003"
USUAL = {"FMT-001": "FAIL", "FMT-003": "PASS"}
NEIGHBOURS = [
    f"pytest-{name}"
    for name in (
        "xdist",
        "asyncio",
        "benchmark",
        "cov",
        "html",
        "instafail",
        "randomly",
        "rerunfailures",
        "sugar",
        "timeout",
    )
]


@pytest.fixture(name="run")
def runs_with_neighbours(tmp_path):
    """Judge a faulty plugin beside neighbours, with warnings as errors; return what pytest printed."""
    faulty = EXAMPLES / "faulty" / "formats" / "format_peeks_ahead.py"
    (tmp_path / "my_plugin.py").write_text(faulty.read_text())
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "TRT_"))}
    environment = {**kept, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(*neighbours, more=()):
        plugins = ["-ppytest_trt_conformance", *itertools.chain(*map(loading, neighbours))]
        ours = ["--plugin-module=my_plugin", f"--plugin-select={RULES}", "--plugin-report=json:report.json"]
        if "pytest-asyncio" in neighbours:  # it warns by itself of a default that will change
            ours.append("--override-ini=asyncio_default_fixture_loop_scope=function")
        ended = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "pytest", *plugins, *ours, *more],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert ended.returncode == pytest.ExitCode.TESTS_FAILED, ended.stdout
        (plugin,) = json.loads((tmp_path / "report.json").read_text())["plugins"]
        assert {rule["id"]: rule["verdict"] for rule in plugin["rules"] if rule["verdict"] != "N/A"} == USUAL
        assert ended.stdout.count("FAIL [2 of ") == 1, ended.stdout
        return ended.stdout

    return run


def test_a_timeout_that_is_not_reached_changes_nothing(run):
    assert counts(run("pytest-timeout", more=["--timeout=600"])) == {"failed": 1, "passed": 1}


def test_asyncio_takes_no_item_of_ours_for_its_own(run):
    assert counts(run("pytest-asyncio", more=["--asyncio-mode=auto"])) == {"failed": 1, "passed": 1}


def test_what_is_judged_again_is_counted_as_such(run):
    assert counts(run("pytest-rerunfailures", more=["--reruns=2"])) == {"failed": 1, "passed": 1, "rerun": 2}


def test_the_html_of_pytest_has_the_finding(run, tmp_path):
    run("pytest-html", more=["--html=report.html"])
    assert "supports_format_combination looked past pos=0" in (tmp_path / "report.html").read_text()


def test_sugar_shows_and_counts_what_it_always_does(run):
    output = run("pytest-sugar", more=["--force-sugar"])
    assert re.search(r"1.*passed", output)
    assert re.search(r"1.*failed", output)


def test_instafail_shows_the_finding_at_once(run):
    output = run("pytest-instafail", more=["--instafail"])
    assert output.index("fix       Decide from in_out[0]") < output.index("TensorRT plugin conformance")


def test_cov_measures_the_plugin(run):
    assert re.search(r"my_plugin\.py +\d+ +\d+ +[1-9]\d+%", run("pytest-cov", more=["--cov=my_plugin"]))


def test_workers_and_a_random_order_change_nothing(run):
    assert counts(run("pytest-xdist", "pytest-randomly", more=["-n2"])) == {"failed": 1, "passed": 1}


def test_benchmarks_do_not_warn_of_workers(run):
    assert counts(run("pytest-xdist", "pytest-benchmark", more=["-n1"])) == {"failed": 1, "passed": 1}


def test_all_at_once(run):
    more = ["-n1", "--timeout=600", "--reruns=1", "--html=report.html", "--instafail", "--cov=my_plugin"]
    assert counts(run(*NEIGHBOURS, more=more)) == {"failed": 1, "passed": 1, "rerun": 1}


def loading(neighbour):
    """Return the arguments that load a plugin of pytest, and those that it needs.

    Plugins ask for each other by the names of their entry points; to pytest, ``html`` is Python's module.
    """
    try:
        distribution = importlib.metadata.distribution(neighbour)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{neighbour} is not installed; nox -s neighbours installs it")
    needed = ["-pmetadata"] if neighbour == "pytest-html" else []
    entries = distribution.entry_points.select(group="pytest11")
    return needed + [f"-p{entry.value if entry.name in sys.stdlib_module_names else entry.name}" for entry in entries]


def counts(output):
    """Return the numbers in pytest's last line, without skipped tests."""
    found = re.findall(r"(\d+) (\w+)", output.strip().splitlines()[-1].partition(" in ")[0])
    return {word: int(number) for number, word in found if word != "skipped"}
