"""The values that ``harness.certify`` returns."""

import dataclasses

import pytest

from harness.contract.finding import Violation
from harness.contract.rule import Severity, Source, rule
from harness.contract.verdict import Result, Verdict
from harness.frontends.api.report import CertificationError, PluginVerdict, Report, RuleResult, Standing
from harness.results.module_rules import MODULE_RULES
from harness.results.run_plan import ItemId

PLACE = ItemId("/Bar/1+my_module", "rows", "FMT-001")
SEEN = Violation("looked past pos", "in_out[1:]", "one answer", "two answers", "Look at pos only.")
BROKEN = Result("FMT-001", Severity.ERROR, Verdict.FAIL, 2, (SEEN,), 1)
GOOD = Result("FMT-001", Severity.ERROR, Verdict.PASS, 1234)


@rule("FMT-001", source=Source("a document", "a section"))
def looks_at_pos(subject):
    """The answer for ``pos`` depends on ``pos``."""


def report(*results, ok=False, internal=()):
    plugins = (PluginVerdict("/Bar/1", Standing.FAILS, "FAILS · /Bar/1"),)
    return Report(plugins, results, ok, internal, {"modules": [{"module": "gone"}]})


def test_a_result_names_its_plugin_and_tells_a_violation_in_full():
    told = RuleResult.of(PLACE, looks_at_pos, BROKEN, failed=True)
    assert (told.id, told.plugin, told.case) == ("conformance::/Bar/1+my_module::rows::FMT-001", "/Bar/1", "rows")
    lines = told.text.splitlines()
    assert lines[0] == "FAIL [1 of 2 evaluations] · FMT-001: The answer for pos depends on pos."
    assert lines[1:6] == [
        "  what      looked past pos",
        "  where     in_out[1:]",
        "  expected  one answer",
        "  observed  two answers",
        "  fix       Look at pos only.",
    ]
    assert told.fingerprint == BROKEN.fingerprint


def test_a_good_result_is_one_line():
    told = RuleResult.of(PLACE, looks_at_pos, GOOD, failed=False)
    assert told.text == "PASS [1,234 evaluations] · FMT-001: The answer for pos depends on pos."


def test_a_failure_of_the_module_has_no_plugin():
    told = RuleResult.of(ItemId("my_module", "", "IMPORT"), MODULE_RULES["IMPORT"], BROKEN, failed=True)
    assert (told.rule, told.plugin, told.case, told.id) == ("IMPORT", "", "", "conformance::my_module::IMPORT")


def test_a_report_tells_what_is_wrong_and_each_plugin():
    warned = dataclasses.replace(BROKEN, verdict=Verdict.WARN)
    results = [
        RuleResult.of(PLACE, looks_at_pos, result, failed=failed)
        for result, failed in [(BROKEN, True), (GOOD, False), (warned, False)]
    ]
    text = report(*results, internal=("a bug",)).text()
    assert text.count("looked past pos") == 2
    assert "PASS" not in text
    assert text.splitlines()[-3:] == ["a bug", "FAILS · gone · the module", "FAILS · /Bar/1"]


def test_failures_are_raised_and_nothing_else():
    report(ok=True).raise_for_failures()
    with pytest.raises(CertificationError, match="FAILS · /Bar/1"):
        report().raise_for_failures()


def test_nothing_of_a_report_can_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        report().ok = True
