"""The page docs/fuzzing_together.md: its commands do what it says, with two workers and with two processes."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from harness.controller.fuzz.database import opened

pytestmark = pytest.mark.nightly

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
PAGE = (HOME / "docs" / "fuzzing_together.md").read_text()
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
def test_two_workers_say_what_one_process_says(machine):
    words = command("workers")
    assert words[-2:] == ["-n", "2"]
    folder, start = machine("a")
    status, printed, spread = finished(folder, start([*words, "-p", "no:cacheprovider"]))
    _, _, alone = finished(folder, start([*words[:-2], "-p", "no:cacheprovider"]))
    assert status == 1
    assert spread == alone
    shards = entries(spread, "FUZ-003")
    assert [entry["shard"] for entry in shards] == ["1/4", "2/4", "3/4", "4/4"]
    assert {entry["verdict"] for entry in shards} == {"FAIL"}
    assert sum(entry["evidence"] for entry in entries(spread, "FUZ-001")) == 400
    assert "1 rule failed (FUZ-003)" in printed
    assert "conformance::/Scale/1::broad::FUZ-003[2/4]" in printed
    assert "replay conformance::/Scale/1::broad::FUZ-003 " in printed


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


def test_the_page_names_a_url_that_is_understood(monkeypatch):
    (option,) = [word for word in command("redis") if word.startswith("--plugin-fuzz-database=")]
    asked = []
    client = type("Redis", (), {"from_url": classmethod(lambda _, url: asked.append(url)), "ping": None})
    monkeypatch.setitem(sys.modules, "redis", type(sys)("redis"))
    monkeypatch.setattr(sys.modules["redis"], "Redis", client, raising=False)
    monkeypatch.setattr(sys.modules["redis"], "RedisError", OSError, raising=False)
    monkeypatch.delitem(sys.modules, "hypothesis.extra.redis", raising=False)
    with pytest.raises(AttributeError, match="ping"):  # a server is asked for, and there is none
        opened(option.partition("=")[2])
    assert asked == ["redis://examples.example.org:6379/0"]
