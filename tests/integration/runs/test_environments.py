"""Surroundings that lack something: a run is as any other, or ends with one line that says what is wrong."""

import json
import os
import resource
import shutil
import subprocess
import sys
import time

import pytest

from harness.process import wait
from harness.process.flight_recorder import FlightRecorder
from harness.process.output_capture import Taps
from tests.support.adversity import kills

pytestmark = [pytest.mark.nightly, pytest.mark.real_processes]

PLUGIN = "from stub_contract import *\nPLUGINS = {'/Bar/1': [case('one')]}\n"
#: Says as which user, with which mounts or privileges a command runs; each needs what a container may not give.
WITHOUT_SHARED_MEMORY = ["unshare", "-m", "sh", "-c", 'umount -l /dev/shm && exec "$@"', "-"]
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(name="run")
def runs_in_a_folder(tmp_path):
    """Run one of ``kills.COMMANDS`` in other surroundings; return its status and what it wrote."""
    (tmp_path / "my_plugin.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "TRT_"))}
    kept |= {"PYTHONPATH": f"{kills.HOME}:{kills.STUBS}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    kept["PYTHONDONTWRITEBYTECODE"] = "1"  # with a limit, Python leaves half a file

    def run(name, *, under=(), limits=None, environment=None, folder=tmp_path, more=()):
        def limit():
            for what, value in (limits or {}).items():
                resource.setrlimit(what, (value, value))

        given = {**kept, **(environment or {})}
        ended = subprocess.run(  # noqa: S603 - our own command
            [*under, sys.executable, *kills.COMMANDS[name], *more],
            cwd=folder,
            env={variable: value for variable, value in given.items() if value is not None},
            preexec_fn=limit,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=kills.ENDLESS,
            check=False,
        )
        return ended.returncode, ended.stdout.decode(errors="replace")

    return run


def verdicts(folder):
    report = json.loads((folder / "report.json").read_text())
    return [[(rule["id"], rule["verdict"]) for rule in entry["rules"]] for entry in report["plugins"]]


USUAL = [[(rule, "PASS") for rule in ("CFG-001", "ENQ-001", "ENQ-002", "FMT-001", "FMT-002")]]


@pytest.mark.parametrize(
    "how",
    [
        {"limits": {resource.RLIMIT_NOFILE: 64}},
        {"limits": {resource.RLIMIT_AS: 2 << 30}},
        {"environment": {"TMPDIR": "/none/such"}},
        {"environment": {"HOME": None}},
        {"environment": ASCII},
        {"environment": {"PYTHONOPTIMIZE": "2"}},
        {"under": ["sh", "-c", 'exec "$@" <&-', "-"]},
    ],
    ids=["64 descriptors", "2 GB", "TMPDIR", "HOME", "ASCII", "no asserts", "no standard input"],
)
def test_verdicts_are_the_usual_ones(run, tmp_path, how):
    status, output = run("pytest", **how)
    assert status == 0, output
    assert verdicts(tmp_path) == USUAL


@pytest.fixture(name="elsewhere")
def folder_with_spaces(tmp_path):
    folder = tmp_path / "plugins & 'more'"
    folder.mkdir()
    for name in ("my_plugin.py", "other.py"):
        (folder / name).write_text(PLUGIN)
    return folder


def test_a_path_with_spaces_is_a_path(run, elsewhere):
    status, output = run("pytest", folder=elsewhere)
    assert (status, verdicts(elsewhere)) == (0, USUAL), output


def test_a_module_in_a_folder_of_another_user_that_is_not_writable_is_judged_from_elsewhere(run, tmp_path, elsewhere):
    skip_unless(*UNPRIVILEGED, "true")
    os.chown(elsewhere, 65534, -1)
    elsewhere.chmod(0o555)
    named = (elsewhere / "other.py").relative_to(tmp_path)
    status, output = run("pytest", under=UNPRIVILEGED, more=[f"--plugin-module={named}"])
    assert (status, verdicts(tmp_path)) == (0, USUAL * 2), output


def test_nothing_needs_shared_memory_in_a_file_system(run, tmp_path):
    skip_unless(*WITHOUT_SHARED_MEMORY, "true")
    status, output = run("pytest", under=WITHOUT_SHARED_MEMORY)
    assert status == 0, output
    assert verdicts(tmp_path) == USUAL


def test_names_beyond_ascii_need_no_locale(run, tmp_path):
    (tmp_path / "plügin.py").write_text(PLUGIN, encoding="utf-8")
    status, output = run("pytest", environment=ASCII, more=["--plugin-module=plügin.py"])
    assert status == 0, output
    assert verdicts(tmp_path) == USUAL * 2


@pytest.mark.parametrize(
    ("limits", "why"),
    [({resource.RLIMIT_NOFILE: 20}, "Too many open files"), ({resource.RLIMIT_FSIZE: 4096}, "File too large")],
)
def test_where_no_child_can_be_started_one_line_says_why(run, limits, why):
    status, output = run("pytest", limits=limits)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert output.count("\n") <= 2
    assert "a process for the plugin cannot be started" in output
    assert why in output


def test_a_report_on_a_full_disk_is_one_line_and_the_run_fails(run):
    status, output = run("pytest", more=["--plugin-report=json:/dev/full"])
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "the report /dev/full could not be written: [Errno 28] No space left on device" in output
    assert "Traceback" not in output


def test_a_certificate_on_a_full_disk_is_one_line(run):
    status, output = run("certify", more=["-o", "/dev/full"])
    assert status == 3
    assert output.endswith("no certificate was written: [Errno 28] No space left on device\n")
    assert "Traceback" not in output


def test_certify_needs_no_standard_streams(run, tmp_path):
    status, output = run("certify", under=["sh", "-c", 'exec "$@" <&- >&- 2>&-', "-"])
    assert (status, output) == (0, "")
    assert json.loads((tmp_path / "certificate.json").read_text())["predicate"]


def test_another_user_who_cannot_read_the_folder_is_told_so(run, tmp_path):
    skip_unless(*UNPRIVILEGED, "true")
    folder = tmp_path / "of_another"
    folder.mkdir()
    os.chown(folder, 65534, -1)
    folder.chmod(0o700)
    status, output = run("certify", under=UNPRIVILEGED, folder=folder)
    assert (status, output.count("\n")) == (4, 2)
    assert "the current folder cannot be read: Permission denied; change to another folder" in output


def test_a_clock_that_is_set_back_moves_no_deadline(monkeypatch):
    """The deadline of a process that only sleeps passes, whatever the time of day is."""
    days = iter(range(1_000_000, 0, -1000))
    monkeypatch.setattr(time, "time", lambda: float(next(days)))
    monkeypatch.setattr(time, "time_ns", lambda: next(days) * 10**9)
    process = subprocess.Popen(["/bin/sleep", "3600"], stdout=subprocess.PIPE)
    taps, ends = Taps.open()
    file = os.memfd_create("box")
    watched = wait.ChildHandle(process.pid, process.stdout.fileno(), taps, FlightRecorder.on(file))
    assert wait.watch(watched, timeout=0.05).overdue
    process.kill()
    process.communicate()
    for each in (taps, ends):
        each.close()
    os.close(file)


def skip_unless(*command):
    if shutil.which(command[0]) is None or _fails(command):
        pytest.skip(f"{command[0]} may not do that here")
    if os.geteuid():
        pytest.skip("only root can give a folder to another user")


def _fails(command):
    return subprocess.run(command, capture_output=True, check=False).returncode != 0  # noqa: S603 - as above
