"""The page about plugins of other authors, made of what runs found."""

import json
import sys

import pytest

from tests.support.report_documents import make  # noqa: F401 - a fixture
from tools import strangers

MANIFEST = [
    {"name": "pad", "source": "a/b", "licence": "MIT", "typed": ["--plugin-module=pad.py"],
     "said": {"ENQ-010": {"is": "true", "why": "it reads a global that only a script has"}}},
    {"name": "scale", "source": "c/d", "licence": "none stated", "typed": ["--plugin-module=scale.py"]},
    {"name": "later", "source": "e/f", "licence": "MIT", "typed": ["--plugin-module=later.py"]},
]  # fmt: skip
FOUND = {
    "pad": {
        "host": {
            "verdict": "FAILS", "judged": True, "failed": {"ENQ-010": "enqueue raised", "FMT-005": "it returned 1"},
            "internal": 0, "level": 1, "seconds": 14, "commit": "abc1234",
        },
        "cuda": {"verdict": "PARTIAL", "failed": {}, "internal": 1, "level": 1, "seconds": 20},
    },
    "scale": {"host": {"verdict": "import raised ImportError: no|such", "seconds": 2, "level": 1}},
}  # fmt: skip


def test_the_page_counts_verdicts_and_what_a_person_said():
    page = strangers.page(MANIFEST, FOUND)
    words = " ".join(page.split())
    assert "Of 3 entries, 2 were run, and 1 of these got a verdict on their plugins (50 %)." in words
    assert "There were 1 internal errors." in words
    assert "Of the findings, 1 were compared with the plugin's source: true: 1, false: 0." in words
    assert "at the commit of its run: abc1234, not noted." in words
    row = "| pad | a/b, MIT | `--plugin-module=pad.py` | FAILS | ENQ-010, FMT-005 | 14 (level 1) |"
    assert f"{row} PARTIAL; failed: none; 20 s (level 1) |" in page
    assert "import raised ImportError: no\\|such | none | 2 (level 1) | not measured |" in page
    assert "* pad, true: ENQ-010. it reads a global that only a script has" in page
    assert page.endswith("## What was not run\n\n* later: e/f\n")


def test_an_entry_that_ran_on_a_gpu_alone_has_a_row():
    page = strangers.page(MANIFEST[:1], {"pad": {"cuda": FOUND["pad"]["cuda"]}})
    assert "| not measured | not measured | not measured | PARTIAL; failed: none; 20 s (level 1) |" in page
    assert "Of 1 entries, 1 were run" in page


@pytest.mark.parametrize(("options", "page"), [(["--into"], "as it was"), ([], "# Plugins of other authors")])
def test_results_in_another_file_leave_the_page_alone(tmp_path, monkeypatch, options, page):
    for name in ("MANIFEST", "FOUND", "PAGE"):
        monkeypatch.setattr(strangers, name, tmp_path / name)
    strangers.MANIFEST.write_text("[]")
    strangers.PAGE.write_text("as it was")
    into = tmp_path / "other" if options else strangers.FOUND
    monkeypatch.setattr(sys, "argv", ["strangers.py", str(tmp_path), "--into", str(into)])
    strangers.main()
    assert strangers.PAGE.read_text().startswith(page)


def test_results_of_another_machine_stand_beside_those_that_are_there():
    more = {"pad": {"cuda": {"seconds": 7}}, "later": {"host": {"seconds": 1}}}
    merged = strangers.merged(FOUND, more)
    assert merged["pad"] == {"host": FOUND["pad"]["host"], "cuda": {"seconds": 7}}
    assert (merged["scale"], merged["later"]) == (FOUND["scale"], more["later"])


def test_the_time_of_a_command_is_over(tmp_path):
    said = tmp_path / "said.txt"
    seconds = strangers._seconds_of([sys.executable, "-c", "import time; time.sleep(600)"], said, 0.2)
    assert (seconds, said.read_text()) == (0, "")
    assert strangers._last_line(said) == "nothing: its time was over"


def test_a_report_is_read_for_plugins_and_not_for_applications(make):  # noqa: F811 - the fixture
    document = make.usual()
    found = strangers._of_report(document)
    failing = {rule["id"] for plugin in document["plugins"] for rule in plugin["rules"] if rule["verdict"] == "FAIL"}
    assert failing <= set(found["failed"])
    assert found["internal"] == len(document["internal_errors"])
    document["plugins"] = [{**each, "interface": "application"} for each in document["plugins"]]
    assert (strangers._of_report(document)["plugins"], strangers._of_report(document)["judged"]) == (0, False)


def test_a_program_and_a_run_that_was_stopped_are_known(make):  # noqa: F811 - the fixture
    document = make.usual()
    rule = {**document["plugins"][0]["rules"][0], "id": "APP-001", "verdict": "NOT-RUN"}
    document["plugins"].append({**document["plugins"][0], "interface": "application", "rules": [rule]})
    document["status"] = "interrupted"
    result = strangers._of_report(document)
    assert result["program"] == "NOT-RUN"
    assert result["verdict"].endswith(", stopped")
    assert strangers._verdict({"verdict": "FAILS", "program": "PASS"}) == "FAILS; APP-001: PASS"


def test_the_manifest_has_no_code_and_each_entry_what_the_page_needs():
    entries = json.loads(strangers.MANIFEST.read_text())
    assert len({entry["name"] for entry in entries}) == len(entries)
    for entry in entries:
        assert set(entry) <= {"name", "source", "licence", "typed", "path", "folder", "said"}
        assert all(typed.startswith("--plugin-") for typed in entry["typed"])
