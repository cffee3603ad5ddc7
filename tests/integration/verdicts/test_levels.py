"""What the decorators say of levels and seeds fits what the rules do."""

import pathlib
import re

import pytest

from conformance import prerequisites
from harness.contract import catalogue
from harness.contract.explaining import explanation

pytestmark = pytest.mark.new_rule

RULES = catalogue.load().rules
#: Foundations of single rules at smoke that are judged later themselves, for they are dear.
LATE = {"CFG-007", "ENQ-007", "ENQ-008", "PFD-004", "PFD-007", "SER-012", "SHP-008"}
CHECKS = pathlib.Path(explanation.__file__).parents[1] / "checks"


def test_a_rule_that_drives_an_engine_says_so():
    said = {rule_id for rule_id, rule in RULES.items() if rule.drives}
    assert said == {rule_id for rule_id, rule in RULES.items() if drives(rule)}


def drives(rule):
    looks_with = {name for name, _ in explanation.checks(rule.judge)}
    return bool({"engines.canonical_drive.drive", "engines.canonical_drive.completed"} & looks_with)


def test_no_check_drives_an_engine_behind_the_back_of_its_rule():
    drives = re.compile(r"checks\.engines\.canonical_drive import [^\n]*\b(drive|completed)\b")
    assert [file.name for file in CHECKS.rglob("*.py") if drives.search(file.read_text())] == []


def test_smoke_drives_no_engine():
    assert not [rule.id for rule in RULES.values() if rule.level == 1 and rule.drives]


def test_what_smoke_rests_on_is_judged_at_smoke():
    """A root that is not part of a run leaves all that rests on it as failures there."""
    smoke = [rule for rule in RULES.values() if rule.level == 1]
    assert {each for each in prerequisites.RUNS if RULES[each].level > 1} == set()
    assert [rule.id for rule in smoke if {each for each in rule.requires if RULES[each].level > 1} - LATE] == []


def test_smoke_covers_every_callback_that_a_rule_owns():
    owned = {callback for rule in RULES.values() for callback in rule.owns}
    at_smoke = {callback for rule in RULES.values() if rule.level == 1 for callback in rule.owns}
    assert {callback for callback in owned - at_smoke if " " not in callback} == set()
