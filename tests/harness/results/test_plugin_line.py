"""The verdict on a plugin in one line."""

import dataclasses

import pytest

from harness.contract.rule import Severity
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import NO_REFERENCE, Result, Verdict
from harness.results.plugin_line import plugin_line
from harness.results.tally import CaseRecord, Standing, Tally


def a_result(verdict, rule_id, **more):
    return Result(rule_id, Severity.ERROR, verdict, **more)


def test_a_verdict_without_a_reference_says_that_no_result_was_checked():
    unchecked = a_result(Verdict.NOT_RUN, "ENQ-010", reason=NO_REFERENCE)
    tally = Tally((*records(Verdict.PASS), CaseRecord("ENQ-010", "a", unchecked)), executed=True)
    line = plugin_line("/Bar/1", Standing.CONFORMS, tally, Thoroughness.DEFAULT)
    assert line.endswith(" · kernels executed on host · results not checked (no reference)")
    assert "not checked" not in plugin_line("/Bar/1", Standing.FAILS, tally, Thoroughness.DEFAULT)


def records(*verdicts):
    return tuple(
        CaseRecord(f"FMT-{n:03}", "a", a_result(verdict, f"FMT-{n:03}", evidence=1000))
        for n, verdict in enumerate(verdicts)
    )


@pytest.mark.parametrize(
    ("standing", "tally", "line"),
    [
        (
            Standing.CONFORMS,
            Tally(records(Verdict.PASS, Verdict.PASS, Verdict.NOT_APPLICABLE), executed=True),
            "CONFORMS level 5 · /Bar/1 · 2 rules passed, 3,000 evaluations, 1 N/A · kernels executed on host",
        ),
        (
            Standing.CONFORMS_UNEXECUTED,
            Tally(records(Verdict.PASS, Verdict.NOT_RUN), executed=False),
            "CONFORMS level 5, kernels not executed · /Bar/1 · 1 rule passed, 2,000 evaluations, 1 NOT-RUN (FMT-001)",
        ),
        (
            Standing.CONFORMS_BY_STAND_INS,
            Tally(
                tuple(
                    CaseRecord(each.rule, each.case, dataclasses.replace(each.result, stand_ins=("f",)))
                    for each in records(Verdict.PASS)
                ),
                executed=False,
            ),
            (
                "CONFORMS level 5, kernels replaced by stand-ins · /Bar/1 · 1 rule passed, 1,000 evaluations"
                " · stand-ins ran for f"
            ),
        ),
        (
            Standing.FAILS,
            Tally(records(Verdict.NOT_APPLICABLE), executed=True),
            "FAILS · /Bar/1 · 0 rules passed, 1,000 evaluations, 1 N/A · fails because no rule passed",
        ),
        (
            Standing.INCOMPLETE,
            Tally((*records(Verdict.PASS), CaseRecord("ENQ-001", "a", origin="skipped"))),
            "INCOMPLETE · /Bar/1 · 1 rule passed, 1,000 evaluations, 1 rule not judged",
        ),
        (
            Standing.PARTIAL,
            Tally((*records(Verdict.PASS), CaseRecord("ENQ-001", "a", unselected=True))),
            "PARTIAL · /Bar/1 · selected 1 of 2 rules · 1 rule passed, 1,000 evaluations",
        ),
        (Standing.INCOMPLETE, Tally(()), "INCOMPLETE · /Bar/1 · no rule was judged"),
    ],
)
def test_the_line_on_a_plugin(standing, tally, line):
    assert plugin_line("/Bar/1", standing, tally, Thoroughness.DEFAULT) == line
