"""Examples shared through a folder: the commands of docs/fuzzing.md do what it says, with two processes."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
PAGE = (HOME / "docs" / "fuzzing.md").read_text()
FAULTY = (HOME / "plugin_examples" / "faulty" / "fuzzing" / "tail_of_seven_left_out.py").read_text()
SOUND = FAULTY.replace("TAILS = (", "TAILS = (7, ")
SHARED = "/mnt/shared/examples"


def command(name):
    """Return the words of a command on the page."""
    (found,) = re.findall(rf"<!-- command: {name} -->\n```shell\n(.+)\n```", PAGE)
    return shlex.split(found)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return ``machine(name, text)``: a folder with a plugin, and what starts a command of the page there."""
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def make(name, text=FAULTY):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "my_plugins.py").write_text(text)

        def start(words):
            _, *arguments = [word.replace(SHARED, str(tmp_path / "shared")) for word in words]
            line = [sys.executable, "-m", "pytest", "-p", "no:randomly", "--plugin-report=json:r.json", *arguments]
            return subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, text=True)  # noqa: S603 - from our page

        return folder, start

    return make


def finished(folder, process):
    """Wait for a run; return its exit status, what it printed, and its report."""
    printed, _ = process.communicate()
    return process.returncode, printed, json.loads((folder / "r.json").read_text())


def entries(report, rule):
    return [entry for entry in report["plugins"][0]["rules"] if entry["id"] == rule]


@pytest.mark.nightly
def test_a_folder_tells_one_machine_what_another_found_until_it_is_mended(machine, tmp_path):
    (one, start_one), (other, start_other) = machine("one"), machine("other")
    first, second = command("first machine"), command("second machine")
    _, printed, report = finished(one, start_one(first))
    (found,) = entries(report, "FUZ-003")
    assert "before" not in found["reason"]
    assert report["options"]["fuzz_database"] == str(tmp_path / "shared")

    _, printed, report = finished(other, start_other([*second, "-v"]))
    (known,) = entries(report, "FUZ-003")
    assert known["examples"] == found["examples"]
    assert "it failed on this example before, and still does" in printed

    machine("other", SOUND)
    status, _, report = finished(other, start_other(second))
    assert (status, entries(report, "FUZ-003")[0]["verdict"]) == (0, "PASS")
    machine("one", SOUND)
    status, _, report = finished(one, start_one([*first, "-p", "no:cacheprovider", "--plugin-fuzz-examples=1"]))
    assert (status, entries(report, "FUZ-003")[0]["evidence"]) == (0, 2), "there is nothing left to judge first"


def test_two_processes_may_use_a_folder_at_once(machine):
    machines = [machine("one"), machine("other")]
    words = [command("first machine"), command("second machine")]
    running = [(folder, start(each)) for (folder, start), each in zip(machines, words, strict=True)]
    for status, _, report in [finished(*each) for each in running]:
        assert status == 1
        assert entries(report, "FUZ-003")[0]["examples"] == [{"shapes": [[1, 3, 23]]}]
