"""The coverage of the contract: reasons are read from the page of excused rules, and every rule is accounted for."""

import itertools
import json
import pathlib
import types

import pytest

from harness.contract import catalogue
from harness.contract.rule import APPLICATIONS, CLASSES
from tools.pages import coverage_page
from tools.pages.generated import FAMILIES

pytestmark = pytest.mark.new_rule

ROOT = pathlib.Path(__file__).parents[3]
CONTRACT = json.loads((ROOT / "tests" / "data" / "contract.json").read_text())
MATRIX = json.loads((ROOT / "tests" / "data" / "kill_matrix.json").read_text())
IMPLEMENTED = catalogue.load().rules
KNOWN = coverage_page.rules_of(FAMILIES, IMPLEMENTED, CONTRACT["titles"])
EXCUSED = coverage_page.reasons((ROOT / "docs" / "contributing" / "excused_rules.md").read_text())

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


def rule(requirement="It holds.", interfaces=CLASSES):
    return types.SimpleNamespace(requirement=requirement, interfaces=interfaces)


def test_the_page_tells_implemented_excused_and_open_rules_apart():
    contract = {
        "titles": {"FMT-001": "formats are good", "FMT-002": "", "FMT-004": "", "FMT-005": ""},
        "kinds": {},
        "not_exercised": {"FMT-006": "no example is odd"},
    }
    matrix = {
        "witnesses": {"bad": {"breaks": "FMT-003"}},
        "examples": {"bar": {"exercised": ["FMT-003"]}, "pad": {"exercised": []}},
    }
    implemented = {"FMT-003": rule("``pos`` is in range."), "FMT-006": rule("odd ones are even.")}
    text = coverage_page.page(contract, {"FMT": "Formats"}, implemented, matrix, coverage_page.reasons(TEXT))
    assert "| FMT | 6 | 2 | 1 | 1 | 1 | 1 | 2 |" in text
    assert "| plugin | 6 | 2 | 1 | 1 | 2 |" in text
    assert "| FMT-003 | `pos` is in range. | 1 | `bar` |" in text
    assert "| FMT-006 | odd ones are even. | 0 | its witnesses only: no example is odd |" in text
    assert "| FMT-001 | *formats are good*. Not implemented: about two lines: both. | | |" in text
    assert "| FMT-005 | Not implemented: no reason is given | | |" in text


@pytest.mark.parametrize("rule", CONTRACT["titles"])
def test_a_rule_that_is_not_implemented_has_a_reason_and_a_title(rule):
    assert rule in EXCUSED
    assert CONTRACT["titles"][rule]


def test_no_implemented_rule_is_excused():
    assert set(EXCUSED) == set(CONTRACT["titles"])
    assert set(EXCUSED) & set(IMPLEMENTED) == set()


def test_what_no_example_exercises_has_a_reason():
    assert set(CONTRACT["not_exercised"]) == set(IMPLEMENTED) - coverage_page.exercised(MATRIX)


def test_every_family_has_a_title():
    assert {rule.partition("-")[0] for rule in {*IMPLEMENTED, *CONTRACT["titles"]}} <= set(FAMILIES)


def test_the_numbers_of_a_family_have_no_gap():
    for family, group in itertools.groupby(KNOWN, lambda rule: rule.partition("-")[0]):
        rules = list(group)
        assert rules == [f"{family}-{number:03}" for number in range(1, len(rules) + 1)]


def test_rules_are_told_apart_by_what_they_are_about():
    implemented = {"NET-001": rule(interfaces=APPLICATIONS), "NET-002": rule()}
    kinds = {"application": ["CTX"], "C++-only": ["NET-003"]}
    assert [coverage_page.kind_of(f"NET-00{number}", implemented, kinds) for number in (1, 2, 3, 4)] == [
        "application", "plugin", "C++-only", "plugin",
    ]  # fmt: skip
    assert coverage_page.kind_of("CTX-001", implemented, kinds) == "application"


@pytest.mark.parametrize("kind", CONTRACT["kinds"])
def test_kinds_are_of_rules_that_are_not_implemented(kind):
    assert kind in coverage_page.KINDS
    absent = set(CONTRACT["titles"])
    assert set(CONTRACT["kinds"][kind]) <= {*absent, *(rule.partition("-")[0] for rule in absent)}


@pytest.mark.parametrize("rule", [rule for rule, reason in EXCUSED.items() if reason.startswith("tested: ")])
def test_what_is_tested_names_tests_that_there_are(rule):
    named = coverage_page.tests_of(EXCUSED[rule])
    assert named
    for file, function in named:
        text = (ROOT / file).read_text()
        assert not function or f"def {function}(" in text
