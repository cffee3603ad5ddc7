"""Results in words: the same parts in every form."""

import json

import pytest

from harness.contract.finding import CallbackFailure, Violation
from harness.contract.rule import Severity, Source, rule
from harness.contract.verdict import Drawn, Result, Verdict
from harness.reports import story
from harness.results.defects import defects_of


@rule("FMT-001", source=Source("IPluginV2DynamicExt", "supports_format_combination", versions=("10",)))
def a_rule(subject):
    """The answer for ``pos`` depends only on positions ``0..pos``."""


def a_result(verdict, rule_id="FMT-001", **more):
    return Result(rule_id, Severity.ERROR, verdict, **more)


def lines_of(result):
    return list(story.fields(story.of_result(a_rule, result)))


def test_a_violation_is_told_in_four_answers_with_source_and_fix():
    violation = Violation("looked past pos", "in_out[1:]", "one answer", "two answers:\nyes\n\nno", "Look at pos only.")
    failed = a_result(Verdict.FAIL, evidence=412, broken=1_001, violations=(violation,))
    assert a_rule.heading == "FMT-001: The answer for pos depends only on positions 0..pos."
    assert lines_of(failed) == [
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
    assert lines_of(failed)[:3] == [
        '  example   {"shapes": [[1, 7]]}',
        '  then      {"shapes": [[2, 7]]}',
        "  replay    replay it",
    ]


def test_a_failing_example_is_told_with_the_seed_that_it_was_drawn_with():
    failed = a_result(Verdict.FAIL, examples=({"shapes": [[1, 7]]},), replay="replay it", drawn=Drawn(3, "0f", 1200))
    assert lines_of(failed)[1] == "  drawn     with seed 3; example 1,200 was the first to fail"
    held = a_result(Verdict.PASS, drawn=Drawn(3, "0f", 50))
    assert not [line for line in lines_of(held) if "drawn" in line]


def test_a_mishap_is_told_with_stack_and_calls():
    mishap = CallbackFailure(
        "enqueue", "died by SIGSEGV", stack="line 3\nline 2", calls=("Bar#1.clone()", "Bar#2.enqueue()")
    )
    lines = lines_of(a_result(Verdict.FAIL, mishap=mishap))
    assert lines[1:] == [
        "  callback  enqueue died by SIGSEGV",
        "  stack     line 3",
        "            line 2",
        "  calls     the last calls before it, oldest first:",
        "            Bar#1.clone()",
        "            Bar#2.enqueue()",
    ]


def test_a_program_is_told_in_words():
    program = {"schedule": 2, "shapes": [[[4]], [[1]]], "program": [["network"], ["destroy", "context", 0]]}
    odd = {"program": [3], "shapes": []}
    lines = lines_of(a_result(Verdict.FAIL, examples=(program, odd)))
    assert lines[:3] == [
        "  example   shapes [[[4]], [[1]]], schedule 2",
        "            network; destroy context 0",
        '  then      {"program": [3], "shapes": []}',
    ]


def defect_of(make, *results, **more):
    document = make.document(make.plugin(*results, **more))
    return document, defects_of(document)


def test_other_places_of_a_defect_are_named(make):
    seen = [
        make.violation("none", where) for where in ("clone of 1", "clone of 3", "attach_to_context 9876", "clone of 4")
    ]
    document, (defect,) = defect_of(make, make.result("ID-005", "FAIL", *seen, broken=4))
    assert dict(story.story_of(document, defect))["and"] == "3 more like it; where: attach_to_context 9876"


def test_a_defect_is_told_by_its_smallest_example_with_the_command_that_judges_it_again(make):
    seen = [make.violation(what) for what in ("row 128 is lost", "row 7 is lost", "late")]
    document, (defect,) = defect_of(make, make.result("FMT-001", "FAIL", *seen, broken=9))
    told = list(story.story_of(document, defect))
    assert [text for name, text in told if name == "what"] == ["row 7 is lost", "late"]
    assert dict(told)["and"] == "7 more like these"
    assert dict(told)["replay"] == "pytest --plugin-module=bar conformance::/Bar/1::rows::FMT-001"
    assert dict(told)["source"] == "Guide, 1 (TensorRT 10; documented)"
    in_full = story.story_of(document, defect, in_full=True)
    assert [text for name, text in in_full if name == "what"] == ["row 128 is lost", "row 7 is lost", "late"]


def test_a_defect_shows_the_code_of_its_line_and_its_paragraphs_leave_it_to_who_shows_them(make):
    spot = {"file": "/repo/bar.py", "line": 5, "first": 5, "code": ["return late"]}
    document, (defect,) = defect_of(make, make.result("FMT-001", "FAIL", make.violation("late"), spot=spot))
    told = dict(story.story_of(document, defect))
    assert (told["at"], told["code"]) == ("bar.py:5", ">    5  return late")
    assert dict(story.story_of(document, defect, folder="/home"))["at"] == "/repo/bar.py:5"
    assert not [told for told in story.paragraphs(document, defect) if "return late" in told]


def test_the_paragraphs_of_a_defect_say_what_happened_once(make):
    document, (defect,) = defect_of(make, make.result("FMT-001", "FAIL", make.violation("late")))
    assert story.paragraphs(document, defect)[:3] == ["late", "where: in_out[1:]", "expected: one answer"]


def test_a_rule_that_says_what_another_says_is_told_in_short(make):
    results = [make.result(rule, "FAIL", make.violation("late")) for rule in ("FMT-001", "FMT-002")]
    _, (first, second) = defect_of(make, *results)
    assert list(story.same_as(second, first)) == [
        ("same as", "FMT-001 above: late"),
        ("fingerprint", "0123456789ab"),
    ]


@pytest.mark.parametrize(("key", "places"), [("/Bar/1", ["in a case", "in a file"]), ("app:main", ["in a file"])])
def test_how_to_expect_a_failure_is_ready_to_paste(make, key, places):
    _, (defect,) = defect_of(make, make.result("FMT-001", "FAIL", make.violation("late")), key=key)
    told = story.expectation(defect)
    assert list(told) == places
    assert json.loads(told["in a file"])[key]["rows"]["FMT-001"]["fingerprint"] == "0123456789ab"


def test_what_has_no_fingerprint_cannot_be_expected(make):
    _, (defect,) = defect_of(make, make.result("FMT-001", "XPASS", reason="it passes"))
    assert story.expectation(defect) == {}


def test_a_failure_in_short_has_the_first_part_of_each_kind_in_one_line():
    parts = [("what", "one\ntwo"), ("at", "bar.py:5"), ("fix", "x" * 500), ("what", "three"), ("code", "> 5")]
    short = story.in_short([*parts, ("replay", "pytest"), ("source", "Guide")])
    assert [name for name, _ in short] == ["what", "at", "fix", "replay"]
    assert dict(short)["what"] == "one"
    assert len(dict(short)["fix"]) == 400


def test_a_traceback_in_short_is_its_last_line():
    raised = (
        'Traceback (most recent call last):\n  File "app.py", line 3, in main\n    main()\nRuntimeError: no engine\n'
    )
    assert story.clipped(raised) == "RuntimeError: no engine"
    assert story.clipped("one line\nand more") == "one line"
    assert story.clipped("") == ""
