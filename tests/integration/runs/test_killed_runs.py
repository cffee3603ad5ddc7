"""A run that is killed, at any moment, leaves no process behind, and of its report the old one or a whole new one."""

import contextlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

pytestmark = [pytest.mark.nightly, pytest.mark.real_processes]

DATA = Path(__file__).parents[2] / "support" / "stubs"
HOME = Path(__file__).parents[3]
OLD = '{"schema": "of an old report"}\n'
#: Seconds after which a process counts as left behind, or as hung.
LONG = 1800
PLUGIN = """
from stub_contract import *
import subprocess
PLUGINS = {f"/Bar{number}/1": [case("one"), case("two")] for number in range(12)}
def enq_002():
    subprocess.Popen(["sleep", "3600"])
    subprocess.Popen(["sleep", "3600"], start_new_session=True)
    return "the sum is wrong"
"""
#: The rule's process starts another one, which leaves its session, and kills the one that it was forked from.
KILLS = """
import os, signal
def cfg_001():
    subprocess.Popen(["sleep", "3600"], start_new_session=True)
    os.kill(os.getppid(), signal.SIGKILL)
"""


class Runs:
    """Starts runs of pytest in a folder; a word in their environment tells all their processes."""

    def __init__(self, folder):
        self.folder = folder
        self.report = folder / "report.json"
        self.mark = ""
        self.started_by = []
        (folder / "my_plugin.py").write_text(PLUGIN)
        (folder / "pytest.ini").write_text("[pytest]\n")

    def start(self, *options, **environment):
        self.report.write_text(OLD)
        self.mark = uuid.uuid4().hex
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "TRT_"))}
        ours = {"PYTHONPATH": f"{HOME}:{DATA}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "MARK_OF_RUN": self.mark}
        plugins = ("-p", "pytest_trt_conformance", "-p", "stub_certification", "-p", "killer", "-p", "xdist.plugin")
        command = [sys.executable, "-m", "pytest", "-q", *plugins, "--plugin-module=my_plugin", *options]
        return subprocess.Popen(  # noqa: S603 - pytest
            [*self.started_by, *command, f"--plugin-report=json:{self.report}", "-p", "no:cacheprovider"],
            cwd=self.folder,
            env={**kept, **ours, "KILL_IN": "nowhere", "KILL_AT": "0", "KILL_FROM": "start", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *options, **environment):
        with self.start(*options, **environment) as process:
            output, _ = process.communicate(timeout=LONG)
        return process.returncode, output

    def insist_that_all_ends(self):
        """Wait for the end of every process that has the mark in its environment."""
        deadline = LONG
        for pid in self._marked():
            with contextlib.suppress(ProcessLookupError):
                file = os.pidfd_open(pid)
                try:
                    command = _read(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode()
                    assert select.select([file], [], [], deadline)[0], f"left behind: {command}"
                finally:
                    os.close(file)
        assert not self._marked()

    def insist_on_a_whole_report(self):
        text = self.report.read_text()
        assert text == OLD or json.loads(text)["plugins"]
        assert [path.name for path in self.folder.glob("*.json*")] == ["report.json"]

    def _marked(self):
        word = f"MARK_OF_RUN={self.mark}".encode()
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        return [pid for pid in pids if word in _read(f"/proc/{pid}/environ").split(b"\0")]


def _read(path):
    with contextlib.suppress(OSError):
        return Path(path).read_bytes()
    return b""


@pytest.fixture
def runs(tmp_path):
    return Runs(tmp_path)


def counted(runs, where, since, *options):
    """Return how many calls and returns such a run has that nobody kills."""
    counts = runs.folder / "counts"
    status, output = runs.run(*options, KILL_IN=where, KILL_FROM=since, KILL_AT="count", KILL_COUNTS=str(counts))
    assert status == 1, output
    return json.loads(counts.read_text())


def a_moment(seed, most):
    return random.Random(seed).randrange(1, most)  # noqa: S311 - nobody's secret


def kill(runs, where, since, at, *options, how=signal.SIGKILL):
    found = runs.run(*options, KILL_IN=where, KILL_FROM=since, KILL_AT=str(at), KILL_SIGNAL=str(int(how)))
    runs.insist_that_all_ends()
    runs.insist_on_a_whole_report()
    return found


@pytest.mark.parametrize("since", ["start", "write"])
def test_a_killed_run_leaves_an_old_or_a_whole_report_and_no_process(runs, since):
    most = counted(runs, "controller", since)
    assert kill(runs, "controller", since, a_moment(since, most))[0] == -signal.SIGKILL


@pytest.mark.nightly
@pytest.mark.parametrize("options", [(), ("-n2",)], ids=["alone", "workers"])
@pytest.mark.parametrize(("since", "moments"), [("start", 12), ("write", 8)])
def test_twenty_random_moments(runs, since, moments, options):
    most = counted(runs, "controller", since, *options)
    for number in range(moments):
        moment = a_moment(f"{since} {options} {number}", most)
        assert kill(runs, "controller", since, moment, *options)[0] == -signal.SIGKILL


def test_a_killed_controller_takes_its_workers_along(runs):
    most = counted(runs, "controller", "start", "-n2")
    assert kill(runs, "controller", "start", most * 2 // 3, "-n2")[0] == -signal.SIGKILL


def test_a_killed_worker_is_replaced_and_what_it_ran_is_run_again(runs):
    status, output = kill(runs, "gw0", "items", 8, "-n2")
    report = json.loads(runs.report.read_text())
    assert status == 1
    assert "worker 'gw0' crashed" in output
    assert [len(entry["rules"]) for entry in report["plugins"]] == [5] * 24
    assert not report["not_run"]


def test_what_a_killed_worker_leaves_undone_is_named(runs):
    status, output = kill(runs, "gw0", "items", 8, "-n1", "--max-worker-restart=0", "--plugin-ignore=ENQ-002")
    report = json.loads(runs.report.read_text())
    judged = [rule["id"] for entry in report["plugins"] for rule in entry["rules"]]
    undone = [entry for entry in report["not_run"] if entry["reason"] != "not selected"]
    assert status != 0
    assert "INCOMPLETE" in output
    assert len(judged) == 7
    assert len(judged) + len(undone) == 4 * 24


@pytest.mark.parametrize(
    ("how", "options"),
    [(signal.SIGINT, ()), (signal.SIGTERM, ()), (signal.SIGHUP, ()), (signal.SIGTERM, ("-n2",))],
)
def test_who_asks_a_run_to_end_gets_a_report_of_what_there_is(runs, how, options):
    status, _ = kill(runs, "controller", "items", 8, *options, how=how)
    report = json.loads(runs.report.read_text())
    assert status == pytest.ExitCode.INTERRUPTED
    assert report["status"] == "interrupted"
    assert {"INCOMPLETE"} <= {entry["verdict"] for entry in report["plugins"]}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGHUP])
def test_what_a_run_was_started_to_ignore_does_not_end_it(runs, how):
    """A script does so with SIGINT for what it starts with ``&``, and nohup with SIGHUP."""
    runs.started_by = ["env", f"--ignore-signal={how.name[3:]}"]
    status, _ = kill(runs, "controller", "items", 8, how=how)
    assert (status, json.loads(runs.report.read_text())["status"]) == (1, "complete")


def test_a_run_whose_output_nobody_reads_ends(runs):
    with runs.start("-v") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(LONG) != 0
    runs.insist_that_all_ends()
    runs.insist_on_a_whole_report()
    assert json.loads(runs.report.read_text()).get("status") != "complete"


def test_a_killed_child_is_a_verdict_and_leaves_nothing(runs):
    (runs.folder / "my_plugin.py").write_text(PLUGIN.replace("range(12)", "range(2)") + KILLS)
    status, _ = runs.run("-k", "one")
    runs.insist_that_all_ends()
    report = json.loads(runs.report.read_text())
    failed = {rule["id"] for entry in report["plugins"] for rule in entry["rules"] if rule["verdict"] == "FAIL"}
    assert (status, failed) == (1, {"CFG-001", "ENQ-002"})


SIGNAL_AT_THE_END = """
import os, signal
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_terminal_summary():
    os.kill(os.getpid(), signal.SIGTERM)
"""


def test_a_signal_while_the_summary_is_written_is_one_line_and_exit_2(runs):
    (runs.folder / "conftest.py").write_text(SIGNAL_AT_THE_END)
    status, output = runs.run("-k", "one")
    assert status == 2
    assert "TensorRT plugin conformance" in output
    assert "Traceback" not in output
    assert output.rstrip("\n").splitlines()[-1].strip("! ") == "SIGTERM came"
    runs.insist_on_a_whole_report()
