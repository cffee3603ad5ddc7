"""The coverage of the contract: reasons are read from the page of excused rules, and every rule is accounted for."""

import json
import pathlib

import pytest

from harness.contract import catalogue
from harness.contract.rule import APPLICATIONS
from tools.pages import coverage_page

ROOT = pathlib.Path(__file__).parents[3]
CONTRACT = json.loads((ROOT / "tests" / "data" / "contract.json").read_text())
MATRIX = json.loads((ROOT / "tests" / "data" / "kill_matrix.json").read_text())
EXCUSED = coverage_page.reasons((ROOT / "docs" / "excused_rules.md").read_text())

TEXT = """# Rules that are not implemented

Some words: `* ID: reason`.

## FMT

* FMT-001: about
  two lines: both.
* FMT-002: tested: by a test.
* FMT-004: open: formats.

# Rules that differ

* FMT-003: is a warning.
"""


def test_reasons_are_read_from_the_first_chapter():
    assert coverage_page.reasons(TEXT) == {
        "FMT-001": "about two lines: both.",
        "FMT-002": "tested: by a test.",
        "FMT-004": "open: formats.",
    }


def test_the_page_tells_implemented_excused_and_open_rules_apart():
    contract = {"rules_by_family": {"FMT": 6}, "titles": {"FMT-001": "formats are good"}}
    contract["not_exercised"] = {"FMT-006": "no example is odd"}
    matrix = {
        "witnesses": {"bad": {"breaks": "FMT-003"}},
        "examples": {"bar": {"exercised": ["FMT-003"]}, "pad": {"exercised": []}},
    }
    implemented = {"FMT-003": "``pos`` is in range.", "FMT-006": "odd ones are even."}
    text = coverage_page.page(contract, {"FMT": "Formats"}, implemented, matrix, coverage_page.reasons(TEXT))
    assert "| FMT | 6 | 2 | 1 | 1 | 1 | 1 | 2 |" in text
    assert "| plugin | 6 | 2 | 1 | 1 | 2 |" in text
    assert "| FMT-003 | `pos` is in range. | 1 | bar |" in text
    assert "| FMT-006 | odd ones are even. | 0 | its witnesses only: no example is odd |" in text
    assert "| FMT-001 | *formats are good*: not implemented; about two lines: both. | | |" in text
    assert "| FMT-005 | **: not implemented; no reason is given | | |" in text


@pytest.mark.parametrize("rule", sorted(set(coverage_page.rules_of(CONTRACT)) - set(catalogue.load().rules)))
def test_a_rule_that_is_not_implemented_has_a_reason_and_a_title(rule):
    assert rule in EXCUSED
    assert rule in CONTRACT["titles"]


def test_no_implemented_rule_is_excused():
    assert set(EXCUSED) & set(catalogue.load().rules) == set()
    assert set(CONTRACT["titles"]) & set(catalogue.load().rules) == set()


def test_what_no_example_exercises_has_a_reason():
    assert set(CONTRACT["not_exercised"]) == set(catalogue.load().rules) - coverage_page.exercised(MATRIX)


def test_every_implemented_rule_is_in_the_contract():
    known = {rule.id for rule in catalogue.load().rules.values() if rule.family not in coverage_page.OURS}
    assert known <= set(coverage_page.rules_of(CONTRACT))


def test_rules_are_told_apart_by_what_they_are_about():
    contract = {"rules_by_family": {"CTX": 2, "FMT": 1}, "titles": {}, "kinds": {"application": ["CTX-001"]}}
    assert [coverage_page.kind_of(contract, rule) for rule in coverage_page.rules_of(contract)] == [
        "application", "plugin", "plugin",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", CONTRACT["kinds"])
def test_kinds_are_of_rules_that_there_are(kind):
    assert kind in coverage_page.KINDS
    known = {*coverage_page.rules_of(CONTRACT), *CONTRACT["rules_by_family"]}
    assert set(CONTRACT["kinds"][kind]) <= known


@pytest.mark.parametrize("rule", [rule for rule, reason in EXCUSED.items() if reason.startswith("tested: ")])
def test_what_is_tested_names_tests_that_there_are(rule):
    named = coverage_page.tests_of(EXCUSED[rule])
    assert named
    for file, function in named:
        text = (ROOT / file).read_text()
        assert not function or f"def {function}(" in text


def test_rules_about_applications_are_those_of_the_contract():
    about = {rule.id for rule in catalogue.load().rules.values() if rule.interfaces == APPLICATIONS}
    kinds = {rule: coverage_page.kind_of(CONTRACT, rule) for rule in coverage_page.rules_of(CONTRACT)}
    assert {rule for rule in about if kinds.get(rule) != "application"} == {"APP-001"}
