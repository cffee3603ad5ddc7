"""Fuzzing as a user meets it: a failing example, its replay, and what the next run makes of it."""

import json
import shlex
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
MODULE = "plugin_examples.faulty.fuzzing.tail_of_seven_left_out"
SELECTED = ("--plugin-select=FUZ-003", f"--plugin-module={MODULE}")


@pytest.fixture
def certify(pytester, monkeypatch):
    """Run pytest as a user would, and return (result, the JSON report's only rule)."""
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\n")

    def run(*arguments):
        report = pytester.path / "report.json"
        report.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-p", "no:randomly", f"--plugin-report=json:{report}", *SELECTED]
        result = pytester.run(*command, *arguments)
        plugins = json.loads(report.read_text())["plugins"] if report.exists() else [{"rules": [None]}]
        return result, plugins[0]["rules"][0]

    return run


@pytest.fixture
def replay(pytester):
    """Run the command line that a report printed."""

    def run(line):
        words = shlex.split(line)
        assert words[:2] == ["trt-conformance", "replay"]
        program = "import sys; from harness.frontends.cli.main import main; sys.exit(main())"
        return pytester.run(sys.executable, "-c", program, *words[1:])

    return run


def test_a_failing_example_is_printed_replayed_remembered_and_forgotten(certify, replay, pytester):
    result, rule = certify("-v")
    assert result.ret == 1
    assert (rule["verdict"], rule["examples"]) == ("FAIL", [{"shapes": [[1, 3, 23]]}])
    number = rule["drawn"]["judged"]
    assert f"  drawn     with seed 0; example {number} was the first to fail" in result.outlines
    assert '  example   {"shapes": [[1, 3, 23]]}' in result.outlines
    assert f"  replay    {rule['replay']}" in result.outlines
    assert not (pytester.path / ".hypothesis").exists()

    again = replay(rule["replay"])
    assert (again.ret, again.outlines[0].split("  ")[0]) == (1, "STILL FAILS")

    result, second = certify()
    assert "it failed on this example before" in second["reason"]
    assert second["examples"] == rule["examples"]
    assert "drawn" not in second
    assert second["fingerprint"] == rule["fingerprint"]


@pytest.mark.nightly
def test_the_same_run_judges_the_same(certify):
    (_, one), (_, other) = certify("--plugin-seed=4"), certify("--plugin-seed=4", "-p", "no:cacheprovider")
    assert one["evidence"] == other["evidence"]
    assert one["examples"] == other["examples"]


def test_how_far_to_look_is_an_option(certify):
    result, rule = certify("--plugin-fuzz-examples=1")
    assert result.ret == 0
    assert (rule["verdict"], rule["evidence"]) == ("PASS", 2)
    assert certify("--plugin-fuzz-examples=none")[0].ret == 4


def test_what_examples_are_drawn_from_and_kept_in_is_in_the_report(certify, pytester):
    _, rule = certify("--plugin-seed=4", "--plugin-fuzz-examples=1", "--plugin-fuzz-database=shared")
    assert (rule["drawn"]["seed"], rule["drawn"]["judged"]) == (4, 1)
    assert int(rule["drawn"]["stream"], 16) > 0
    report = json.loads((pytester.path / "report.json").read_text())
    assert report["databases"] == [".pytest_cache", str(pytester.path / "shared")]
    assert (report["seeds"], report["options"]["fuzz_examples"]) == ([4], 1)
    assert report["versions"]["hypothesis"]
    _, other = certify("--plugin-fuzz-examples=1", "-p", "no:cacheprovider")
    assert other["drawn"]["stream"] != rule["drawn"]["stream"]
    assert json.loads((pytester.path / "report.json").read_text())["databases"] == []


@pytest.mark.nightly
def test_an_expected_failure_has_its_fingerprint_at_any_seed(certify, pytester):
    _, rule = certify("--plugin-seed=1")
    known = {"/Scale/1": {"broad": {"FUZ-003": {"reason": "see #1", "fingerprint": rule["fingerprint"]}}}}
    (pytester.path / "known.json").write_text(json.dumps(known))
    result, rule = certify("--plugin-seed=2", "--plugin-expected-failures=known.json")
    assert (result.ret, rule["verdict"]) == (0, "XFAIL")


@pytest.mark.nightly
def test_fuzz_rules_run_without_isolation_and_with_workers(certify):
    for arguments in (("--plugin-isolation=none",), ("-n", "2")):
        result, rule = certify(*arguments, "-p", "no:cacheprovider")
        assert (result.ret, rule["examples"]) == (1, [{"shapes": [[1, 3, 23]]}])
