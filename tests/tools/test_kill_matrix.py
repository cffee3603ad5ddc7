"""The kill matrix: what is kept of results, what is judged again, and what the page makes of it."""

import argparse

import pytest

from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from tests.support import matrix
from tools import kill_matrix
from tools.pages import kill_matrix_page

RULES = ["CLN-001", "FMT-001", "FMT-002"]
TITLES = {"CLN": "Cloning", "FMT": "Formats"}
MATRIX = {
    "witnesses": {
        "clone_is_itself": {"breaks": "CLN-001", "also": {}, "shows": {"CLN-001": "FAIL"}},
        "format_by_chance": {
            "breaks": "FMT-001",
            "also": {"FMT-002": "chance | or not"},
            "shows": {"FMT-001": "WARN", "FMT-002": "FAIL"},
        },
    },
    "near_misses": {"format_by_rank": {"looks_like": "FMT-001", "shows": {}}},
    "examples": {"bar": {"shows": {}, "exercised": ["CLN-001", "FMT-001"]}},
}

NVIDIAS = {
    "builder": "TensorRT-RTX 1.7.1",
    "witnesses": {"clone_is_itself": ["GEN-002", "GEN-003"], "format_by_chance": []},
}


def result(rule, verdict, evidence=1):
    return Result(rule, Severity.ERROR, verdict, evidence=evidence)


def test_the_worst_verdict_of_all_cases_is_kept():
    results = {
        ("/P/1", "a"): [result("FMT-001", Verdict.WARN), result("FMT-002", Verdict.FAIL)],
        ("/P/1", "b"): [result("FMT-001", Verdict.FAIL), result("FMT-002", Verdict.WARN)],
    }
    assert matrix.entry_of("x", "examples", results)["shows"] == {"FMT-001": "FAIL", "FMT-002": "FAIL"}


def test_what_was_judged_without_a_finding_is_exercised():
    results = {("/P/1", "a"): [result("FMT-001", Verdict.PASS), result("FMT-002", Verdict.NOT_RUN, 0)]}
    assert matrix.entry_of("x", "examples", results) == {"shows": {}, "exercised": ["FMT-001"]}


@pytest.fixture
def three_modules(monkeypatch):
    modules = {"faulty.a": "witnesses", "faulty.b": "witnesses", "good": "examples"}
    monkeypatch.setattr(matrix, "modules", lambda: modules)


def options(*names, missing=False, sound=False, rule=None):
    return argparse.Namespace(names=names, missing=missing, sound=sound, rule=rule)


KEPT = {"witnesses": {"a": {"old": 1}, "gone": {}}, "near_misses": {}, "examples": {}}


@pytest.mark.parametrize(
    ("asked", "judged"),
    [
        (options(), {"faulty.a", "faulty.b", "good"}),
        (options("b"), {"faulty.b"}),
        (options(missing=True), {"faulty.b", "good"}),
        (options("a", sound=True), {"faulty.a", "good"}),
    ],
)
@pytest.mark.usefixtures("three_modules")
def test_only_what_is_asked_for_is_judged(asked, judged):
    assert set(kill_matrix.chosen(asked, KEPT)) == judged


@pytest.mark.usefixtures("three_modules")
def test_an_unknown_name_is_refused():
    with pytest.raises(SystemExit, match="nothing_of_ours"):
        kill_matrix.chosen(options("nothing_of_ours"), KEPT)


@pytest.mark.usefixtures("three_modules")
def test_entries_are_kept_until_there_are_fresh_ones_or_the_module_is_gone():
    found = kill_matrix.updated(KEPT, {"faulty.b": {"new": 2}})
    assert found == {**{kind: {} for kind in matrix.KINDS}, "witnesses": {"a": {"old": 1}, "b": {"new": 2}}}


def test_one_rule_is_judged_on_its_witnesses_its_near_misses_and_what_is_sound():
    judged = kill_matrix.chosen(options(rule="WSP-001"), matrix.load())
    names = {kind: {matrix.short(module) for module in judged if judged[module] == kind} for kind in matrix.KINDS}
    assert "workspace_in_floats" in names["witnesses"]
    assert len(names["witnesses"]) < 10
    assert all(matrix.load()["near_misses"][name]["looks_like"] == "WSP-001" for name in names["near_misses"])
    assert "bar" in names["examples"]
    assert names["applications"] == set()


def test_a_rule_about_applications_is_judged_on_the_applications():
    assert set(kill_matrix.chosen(options(rule="CTX-001"), matrix.load()).values()) >= {"witnesses", "applications"}
    assert "examples" not in kill_matrix.chosen(options(rule="CTX-001"), matrix.load()).values()


def test_what_one_rule_shows_takes_the_place_of_what_it_showed():
    kept = {"shows": {"FMT-001": "FAIL", "FMT-002": "WARN"}, "exercised": ["CLN-001", "FMT-001", "FMT-002"]}
    fresh = {"shows": {"CLN-001": "WARN"}, "exercised": ["CLN-001"]}
    assert matrix.renewed(kept, fresh, "FMT-001") == {
        "shows": {"CLN-001": "WARN", "FMT-002": "WARN"},
        "exercised": ["CLN-001", "FMT-002"],
    }
    assert matrix.renewed({}, {"breaks": "FMT-001", "also": {}, "shows": {"FMT-001": "FAIL"}}, "FMT-001") == {
        "breaks": "FMT-001", "also": {}, "shows": {"FMT-001": "FAIL"},
    }  # fmt: skip


def test_the_page_shows_who_breaks_each_rule_and_why_others_see_it():
    text = kill_matrix_page.page(MATRIX, NVIDIAS, RULES, TITLES)
    assert "| CLN-001 | `clone_is_itself` |  | `clone_is_itself`: GEN-002 and GEN-003 |" in text
    assert "| FMT-001 | `format_by_chance` (warning) |  | `format_by_chance`: nothing |" in text
    assert "| FMT-002 | **none** | `format_by_chance` |  |" in text
    assert "| witnesses built by NVIDIA's TensorRT-RTX 1.7.1 | 2 |" in text
    assert "| 1: GEN-002 1, GEN-003 1 |" in text
    assert "| `format_by_chance` | FMT-001 | FMT-002 | chance \\| or not |" in text
    assert "| with a witness in Python (NAT: in C++) | 2 (66%) |" in text
    assert "| violations found in witnesses | 3: 2 of declared rules, 1 of other rules |" in text
    assert "| `bar` | 2 | none |" in text
    assert "| `format_by_rank` | FMT-001 | none |" in text


def test_what_is_not_declared_is_counted():
    witnesses = {"odd": {"breaks": "FMT-001", "also": {}, "shows": {"FMT-002": "FAIL"}}}
    assert kill_matrix_page.undeclared(witnesses) == ["odd"]
    assert kill_matrix_page.undeclared(MATRIX["witnesses"]) == []
