"""With pytest-xdist and in random order: the same verdicts, and a plugin stays on one worker."""

import json
from pathlib import Path

import pytest

from harness.frontends.pytest_plugin import scheduling

pytest_plugins = ["pytester"]

WRONG_SUM = "def enq_002(): return 'the sum is wrong'\n"
CRASHES = """
def enq_001():
    import ctypes
    ctypes.string_at(0)
enq_001.callback = "enqueue"
def enq_002():
    return met("enqueue")
"""
WARNS = "def cfg_001(): return 'printed a line'\n"
BROKEN_FORMATS = "def fmt_001(): return 'looked past pos'\n\n\ndef fmt_002(): return 'took two answers'\n"
#: Ways to hand out items that the nightly run tries, too.
OTHERS = ("loadgroup", "worksteal")
TWO_PLUGINS = "PLUGINS = ['/Bar/1', '/Foo/2']\n"


@pytest.mark.parametrize("dist", ["load", *(pytest.param(each, marks=pytest.mark.nightly) for each in OTHERS)])
def test_workers_agree_with_one_process_describe_once_and_share_no_plugin(certify, pytester, dist):
    plugin = TWO_PLUGINS + WRONG_SUM + WARNS + "def on_discover():\n    open('asked', 'a').write('once ')\n"
    alone = certify("--plugin-report=json:alone.json", plugin=plugin)
    asked = pytester.path / "asked"
    asked.unlink()
    workers = ("-p", "xdist.plugin", "-n2", f"--dist={dist}", "-v")
    spread = certify(*workers, "--plugin-report=json:spread.json", plugin=plugin)
    assert alone.ret == spread.ret == 1
    assert spread.parseoutcomes() == alone.parseoutcomes()
    assert json.loads(Path("spread.json").read_text()) == json.loads(Path("alone.json").read_text())
    spread.stdout.fnmatch_lines(["FAILS · /Bar/1 · *", "FAILS · /Foo/2 · *"])
    assert asked.read_text() == "once "
    ran = {(line[:5], line.split("::")[1]) for line in spread.outlines if line.startswith("[gw")}
    assert dist != "load" or len(ran) == 2  # the user who asks for another distribution gets xdist's own


def test_interference_in_workers_is_seen(certify, pytester):
    pytester.makeconftest("def pytest_collection_modifyitems(items):\n    del items[2:]\n")
    result = certify("-p", "xdist.plugin", "-n2")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["  missing   ENQ-002, FMT-001, FMT-002: taken out *", "INCOMPLETE · /Bar/1 · *"])


@pytest.mark.nightly
def test_selection_in_workers_is_seen(certify):
    result = certify("-p", "xdist.plugin", "-n2", "-k", "FMT")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["PARTIAL · /Bar/1 · selected 2 of 5 rules · *"])


def test_random_order_changes_nothing(certify):
    result = certify("-p", "pytest_randomly", plugin=TWO_PLUGINS + BROKEN_FORMATS)
    result.assert_outcomes(passed=6, failed=2, skipped=2)


@pytest.mark.nightly
def test_a_run_that_is_long_enough_to_ask_ahead_says_the_same(certify):
    cases = "PLUGINS = {'/Bar/1': [case(f'c{number}') for number in range(20)]}\n"
    result = certify(plugin=cases + CRASHES)
    result.assert_outcomes(passed=60, failed=20, skipped=20)
    result.stdout.fnmatch_lines(
        ["FAILS · /Bar/1 · 1 rule failed (ENQ-001), 3 rules passed, 200 evaluations, 1 BLOCKED*"]
    )


@pytest.mark.parametrize(
    ("nodeid", "scope"),
    [
        ("conformance::/Bar/1::a::FMT-001", "conformance::/Bar/1"),
        ("conformance::/Bar/1::b::FUZ-002", "conformance::/Bar/1"),
        ("tests/test_it.py::test_it[a]", "tests/test_it.py::test_it[a]"),
    ],
)
def test_what_stays_together(nodeid, scope):
    assert scheduling.scope_of(nodeid) == scope
