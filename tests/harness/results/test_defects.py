"""What is wrong with a plugin, defect by defect: every form of a report tells the same ones."""

import json
import re

import pytest

from harness.config.report_targets import ReportFormat
from harness.reports.writing import RENDERERS
from harness.results.defects import causes_of, defects_of

pytest_plugins = ["pytester"]

#: Each judgement is a process of its own, so what FMT-001 sees differs in a number.
DEFECTS = """
import os
PLUGINS = {'/Bar/1': [case('a'), case('b')], '/Foo/1': [case('a')]}
def fmt_001(): return f'row {os.getpid()} is lost'
def cfg_001(): return 'it printed'
def enq_001(): return met('enqueue')
"""


def failing(make, rule, *seen, verdict="FAIL", case="a", **more):
    return make.plugin(make.result(rule, verdict, *map(make.violation, seen), **more), case=case)


def rules(defects):
    return [(defect.rule, defect.cases) for defect in defects]


def test_what_passes_is_no_defect(make):
    assert defects_of(make.document(make.plugin(make.result("A-001"), make.result("A-002", "N/A")))) == []


def test_cases_that_differ_in_numbers_alone_show_one_defect_told_by_the_smallest_example(make):
    (defect,) = defects_of(
        make.document(
            failing(make, "A-001", "row 128 is lost", case="a", broken=5),
            failing(make, "A-001", "row 7 is lost", case="b"),
        )
    )
    assert (defect.cases, defect.broken, defect.evidence) == (("a", "b"), 6, 6)
    assert (defect.smallest.id, defect.summary) == ("conformance::/Bar/1::b::A-001", "row 7 is lost")
    assert rules(defect.examples) == [("A-001", ("a",)), ("A-001", ("b",))]


def test_another_fingerprint_is_another_defect(make):
    plugins = [failing(make, "A-001", what, case=what, fingerprint=what[0] * 12) for what in ("bad", "dead")]
    defects = defects_of(make.document(*plugins))
    assert rules(defects) == [("A-001", ("bad",)), ("A-001", ("dead",))]
    assert {defect.identity for defect in defects} == {"/Bar/1:A-001:bbbbbbbbbbbb", "/Bar/1:A-001:dddddddddddd"}


def test_two_things_that_one_rule_sees_are_both_told(make):
    (defect,) = defects_of(make.document(failing(make, "A-001", "lost 3", "lost 12", "late")))
    assert [each["what"] for each in defect.violations] == ["lost 3", "late"]


def test_rules_with_one_cause_stand_together_what_fails_first(make):
    results = [
        make.result("A-001", "WARN", make.violation("lost 3")),
        make.result("B-001", "FAIL", make.violation("late")),
        make.result("C-001", "FAIL", make.violation("lost 4")),
    ]
    defects = defects_of(make.document(make.plugin(*results)))
    assert [defect.rule for defect in defects] == ["C-001", "A-001", "B-001"]
    assert [defect.cause == defects[0].cause for defect in defects] == [True, True, False]


def test_what_fails_comes_first_then_warnings_what_is_expected_and_what_the_baseline_has(make):
    results = [
        make.result("A-001", "FAIL", make.violation("old"), known=True),
        make.result("B-001", "XFAIL", make.violation("slow"), reason="see issue 12"),
        make.result("C-001", "WARN", make.violation("odd")),
        make.result("D-001", "FAIL", make.violation("new")),
    ]
    defects = defects_of(make.document(make.plugin(*results)))
    assert [defect.rule for defect in defects] == ["D-001", "C-001", "B-001", "A-001"]
    assert [defect.known for defect in defects] == [False, False, False, True]
    assert [defect.summary for defect in defects if defect.expected] == ["see issue 12"]


def test_what_is_known_on_one_case_is_not_known_on_another(make):
    known = failing(make, "A-001", "old", case="a", known=True, fails=False)
    new, old = defects_of(make.document(known, failing(make, "A-001", "old", case="b")))
    assert (new.cases, new.word, new.fails) == (("b",), "FAIL", True)
    assert (old.cases, old.word, old.fails) == (("a",), "FAIL, known from the baseline", False)


def test_without_a_violation_rules_have_no_cause_in_common(make):
    results = [make.result(rule, "XPASS", reason="it passes") for rule in ("A-001", "B-001")]
    first, second = defects_of(make.document(make.plugin(*results)))
    assert first.cause != second.cause


def test_rules_that_one_rule_blocks_have_that_cause_in_common(make):
    blocked = [
        make.result(rule, "BLOCKED", reason=f"rests on {root}", blocked_by=root, fails=True)
        for rule, root in (("A-001", "X-001"), ("B-001", "X-002"), ("C-001", "X-001"))
    ]
    causes = causes_of(defects_of(make.document(make.plugin(*blocked))))
    assert [(cause.rule, [each.rule for each in also]) for cause, also in causes] == [
        ("A-001", ["C-001"]),
        ("B-001", []),
    ]


def test_a_verdict_that_fails_the_run_is_a_defect_whatever_it_is(make):
    failing = make.result("FMT-001", "NOT-RUN", reason="needs a GPU", fails=True)
    document = make.document(make.plugin(failing, make.result("FMT-002", "NOT-RUN", reason="needs a GPU")))
    (defect,) = defects_of(document)
    assert (defect.rule, defect.summary) == ("FMT-001", "needs a GPU")


def told_by(form, text):
    """The number of defects that a report in some form tells; what is expected is none."""
    if form is ReportFormat.SARIF:
        return sum(not result["suppressions"] for result in json.loads(text)["runs"][0]["results"])
    patterns = {
        ReportFormat.GITHUB: r"^::(?:error|warning|notice) .*",
        ReportFormat.MARKDOWN: r"^\*\*(?!XFAIL).*\*\* · ",
        ReportFormat.HTML: r'<article class="card violation ',
    }
    return len(re.findall(patterns[form], text, re.MULTILINE))


FORMS = (ReportFormat.SARIF, ReportFormat.GITHUB, ReportFormat.MARKDOWN, ReportFormat.HTML)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_one_document_tells_the_same_number_of_defects(make, form):
    document = make.usual()
    document["plugins"] += [
        failing(make, "FMT-001", "supports_format_combination looked past pos=1", case="b"),
        failing(make, "FMT-001", "late", case="c", fingerprint="1" * 12),
        make.plugin(make.result("CFG-001", "WARN", make.violation("old"), known=True), case="c", verdict="PARTIAL"),
    ]
    assert told_by(form, RENDERERS[form](document)) == 4


def test_the_terminal_tells_as_many_as_every_report_of_the_run(certify, pytester):
    result = certify("--plugin-report=json:report.json", plugin=DEFECTS)
    document = json.loads((pytester.path / "report.json").read_text())
    titles = [line for line in result.outlines if re.match(r"(FAIL|XPASS) .* · [A-Z]+-\d+: |  WARN  ", line)]
    assert len(titles) == 6  # of each plugin three
    assert {form: told_by(form, RENDERERS[form](document)) for form in FORMS} == dict.fromkeys(FORMS, len(titles))
    assert f"Violations ({len(titles)})" in RENDERERS[ReportFormat.HTML](document)


def test_a_cause_comes_before_what_it_explains_and_has_that_as_its_consequence(make):
    results = [
        make.result(rule, "FAIL", make.violation(f"{rule} is broken")) for rule in ("ENQ-010", "SHP-008", "ID-002")
    ]
    document = make.document(make.plugin(*results))
    document["rules"]["ENQ-010"]["explained_by"] = ["SHP"]
    defects = defects_of(document)
    assert [defect.rule for defect in defects] == ["SHP-008", "ID-002", "ENQ-010"]
    told = [(cause.rule, [each.rule for each in also]) for cause, also in causes_of(defects)]
    assert told == [("SHP-008", ["ENQ-010"]), ("ID-002", [])]


def test_failures_that_one_line_raised_have_one_cause(make):
    spots = [("CFG-009", 5), ("WSP-002", 5), ("ENQ-005", 6)]
    results = [
        make.result(
            rule, "FAIL", make.violation(f"{rule} is broken"), stack="raised", spot={"file": "a.py", "line": line}
        )
        for rule, line in spots
    ]
    told = [
        (cause.rule, [each.rule for each in also])
        for cause, also in causes_of(defects_of(make.document(make.plugin(*results))))
    ]
    assert told == [("CFG-009", ["WSP-002"]), ("ENQ-005", [])]
