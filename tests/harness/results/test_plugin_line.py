"""The verdict on a plugin in one line."""

import dataclasses

import pytest

from harness.contract.rule import Severity
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Result, Verdict
from harness.results.plugin_line import plugin_line
from harness.results.tally import CaseRecord, Standing, Tally


def a_result(verdict, rule_id, **more):
    return Result(rule_id, Severity.ERROR, verdict, **more)


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
        (Standing.INCOMPLETE, Tally(()), "INCOMPLETE · /Bar/1 · nothing was judged"),
    ],
)
def test_the_line_on_a_plugin(standing, tally, line):
    assert plugin_line("/Bar/1", standing, tally, Thoroughness.DEFAULT) == line
