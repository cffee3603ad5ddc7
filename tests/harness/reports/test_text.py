"""Results in words."""

import dataclasses

import pytest

from harness.contract.finding import CallbackFailure, Violation
from harness.contract.rule import Severity, Source, rule
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Drawn, Result, Verdict
from harness.reports import text
from harness.results.tally import CaseRecord, Standing, Tally


@rule("FMT-001", source=Source("IPluginV2DynamicExt", "supports_format_combination", versions=("10",)))
def a_rule(subject):
    """The answer for ``pos`` depends only on positions ``0..pos``."""


def a_result(verdict, rule_id="FMT-001", **more):
    return Result(rule_id, Severity.ERROR, verdict, **more)


def test_a_violation_is_told_in_four_answers_with_source_and_fix():
    violation = Violation("looked past pos", "in_out[1:]", "one answer", "two answers:\nyes\n\nno", "Look at pos only.")
    failed = a_result(Verdict.FAIL, evidence=412, broken=1_001, violations=(violation,))
    assert text.heading(a_rule) == "FMT-001: The answer for pos depends only on positions 0..pos."
    assert list(text.lines_of(a_rule, failed)) == [
        "  what      looked past pos",
        "  where     in_out[1:]",
        "  expected  one answer",
        "  observed  two answers:",
        "            yes",
        "",
        "            no",
        "  fix       Look at pos only.",
        "  and       1,000 more like it",
        "  source    IPluginV2DynamicExt, supports_format_combination (TensorRT 10; documented)",
        f"  fingerprint {failed.fingerprint}",
    ]


def test_the_examples_of_a_failure_are_told_with_the_command_that_judges_them_again():
    failed = a_result(Verdict.FAIL, examples=({"shapes": [[1, 7]]}, {"shapes": [[2, 7]]}), replay="replay it")
    assert list(text.lines_of(a_rule, failed))[:3] == [
        '  example   {"shapes": [[1, 7]]}',
        '  then      {"shapes": [[2, 7]]}',
        "  replay    replay it",
    ]


def test_a_failing_example_is_told_with_the_seed_that_it_was_drawn_with():
    failed = a_result(Verdict.FAIL, examples=({"shapes": [[1, 7]]},), replay="replay it", drawn=Drawn(3, "0f", 1200))
    assert list(text.lines_of(a_rule, failed))[1] == ("  drawn     with seed 3; example 1,200 was the first to fail")
    held = a_result(Verdict.PASS, drawn=Drawn(3, "0f", 50))
    assert not [line for line in text.lines_of(a_rule, held) if "drawn" in line]


def test_a_mishap_is_told_with_stack_and_calls():
    mishap = CallbackFailure(
        "enqueue", "died by SIGSEGV", stack="line 3\nline 2", calls=("Bar#1.clone()", "Bar#2.enqueue()")
    )
    lines = list(text.lines_of(a_rule, a_result(Verdict.FAIL, mishap=mishap)))
    assert lines[1:] == [
        "  callback  enqueue died by SIGSEGV",
        "  stack     line 3",
        "            line 2",
        "  calls     the last ones before it, oldest first:",
        "            Bar#1.clone()",
        "            Bar#2.enqueue()",
    ]


@pytest.mark.parametrize(
    ("result", "word"),
    [
        (a_result(Verdict.PASS, evidence=1), "PASS [1 evaluation]"),
        (a_result(Verdict.PASS, evidence=2310), "PASS [2,310 evaluations]"),
        (a_result(Verdict.FAIL, evidence=412, broken=3), "FAIL [3 of 412 evaluations]"),
        (a_result(Verdict.NOT_APPLICABLE), "N/A"),
    ],
)
def test_a_word_holds_the_evidence(result, word):
    assert text.word(result) == word


def test_long_lists_of_rules_are_cut():
    assert text.named(["A-1", "A-2"]) == "A-1, A-2"
    assert text.named([f"A-{n}" for n in range(1, 9)]) == "A-1, A-2, A-3, A-4, A-5, A-6 and 2 more"


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
    assert text.plugin_line("/Bar/1", standing, tally, Thoroughness.DEFAULT) == line


def test_a_program_is_told_in_words():
    assert text.shown({"shapes": [[1, 3]]}) == '{"shapes": [[1, 3]]}'
    program = {"schedule": 2, "shapes": [[[4]], [[1]]], "program": [["network"], ["destroy", "context", 0]]}
    assert text.shown(program) == "shapes [[[4]], [[1]]], schedule 2\nnetwork; destroy context 0"
