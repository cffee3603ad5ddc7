"""What is wrong with a plugin, defect by defect."""

from harness.contract.finding import Violation
from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.reports.defects import causes
from harness.results.tally import CaseRecord


def violation(what, where="x"):
    return Violation(what, where, "expected", "observed", "fix")


def record(rule, case, *violations, verdict=Verdict.FAIL, broken=0, known=False, reason=""):
    severity = Severity.WARNING if verdict is Verdict.WARN else Severity.ERROR
    result = Result(rule, severity, verdict, 10, violations, broken or len(violations), reason)
    return CaseRecord(rule, case, result, failed=verdict is Verdict.FAIL, known=known)


def rules(records, **how):
    return [[(defect.result.rule, defect.cases) for defect in group] for group in causes(records, **how)]


def test_what_passes_is_no_defect():
    assert causes([record("A-001", "a", verdict=Verdict.PASS), CaseRecord("B-001", "a", unselected=True)]) == []


def test_cases_that_differ_in_numbers_show_one_defect():
    records = [
        record("A-001", "a", violation("row 128 is lost"), broken=5),
        record("A-001", "b", violation("row 7 is lost")),
    ]
    ((defect,),) = causes(records)
    assert (defect.cases, defect.broken, defect.evidence) == (["a", "b"], 6, 20)
    assert defect.record.case == "b"
    assert [each.what for each in defect.violations] == ["row 7 is lost"]
    assert rules(records, apart=True) == [[("A-001", ["a"]), ("A-001", ["b"])]]


def test_two_things_that_one_rule_sees_are_both_told():
    ((defect,),) = causes([record("A-001", "a", violation("lost 3"), violation("lost 12"), violation("late"))])
    assert [each.what for each in defect.violations] == ["lost 3", "late"]


def test_rules_with_one_cause_stand_together_what_fails_first():
    records = [
        record("A-001", "a", violation("lost 3"), verdict=Verdict.WARN),
        record("B-001", "a", violation("late")),
        record("C-001", "a", violation("lost 4")),
    ]
    assert rules(records) == [[("C-001", ["a"]), ("A-001", ["a"])], [("B-001", ["a"])]]


def test_what_the_baseline_has_comes_last_and_warnings_after_failures():
    records = [
        record("A-001", "a", violation("old"), known=True),
        record("B-001", "a", violation("odd"), verdict=Verdict.WARN),
        record("C-001", "a", violation("new")),
    ]
    assert [group[0][0] for group in rules(records)] == ["C-001", "B-001", "A-001"]
    assert [group[0].known for group in causes(records)] == [False, False, True]


def test_what_is_known_on_one_case_is_not_known_on_another():
    records = [record("A-001", "a", violation("old"), known=True), record("A-001", "b", violation("old"))]
    assert [[defect.known for defect in group] for group in causes(records)] == [[False], [True]]


def test_without_a_violation_rules_have_no_cause_in_common():
    records = [record(rule, "a", verdict=Verdict.XPASS, reason="it passes") for rule in ("A-001", "B-001")]
    assert len(causes(records)) == 2
