"""What tests start has the default dispositions, whatever the suite inherited."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[3]
#: ``SIGCHLD`` stands for those that no test sends: where it is ignored, no process learns how another one ended.
INHERITED = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)
#: A test that survives them, and writes down what a process that it starts does with them.
TELL = """
import os, signal, subprocess, sys
def test_tell():
    for each in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        os.kill(os.getpid(), each)
    tell = "import json, signal; print(json.dumps([str(signal.getsignal(n)) for n in (1, 2, 15, 17)]))"
    with open("told.json", "wb") as file:
        subprocess.run([sys.executable, "-c", tell], stdout=file, check=True)
"""


@pytest.mark.real_processes
@pytest.mark.parametrize("workers", [[], ["-n1"]], ids=["alone", "workers"])
def test_the_suite_ignores_what_it_was_told_to_and_what_it_starts_does_not(tmp_path, workers):
    (tmp_path / "conftest.py").write_text((HOME / "tests" / "conftest.py").read_text())
    (tmp_path / "test_tell.py").write_text(TELL)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--rootdir", str(tmp_path), *workers]
    words = "".join(f"trap '' {each.name[3:]}; " for each in INHERITED)
    run = subprocess.run(  # noqa: S603 - our own tests
        ["/bin/sh", "-c", f'{words} exec "$@"', "sh", sys.executable, "-m", "pytest", *options, "test_tell.py"],
        cwd=tmp_path, env={"PYTHONPATH": str(HOME)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    hangup, interrupt, *others = json.loads((tmp_path / "told.json").read_text())
    assert [hangup, *others] == [str(signal.SIG_DFL)] * 3
    assert "default_int_handler" in interrupt
