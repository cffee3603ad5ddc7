"""Results in words: the same parts in every form."""

import json

import pytest
from msgspec import structs

from harness.config.options import AddressChoice, Options
from harness.contract.api_level import ApiLevel
from harness.contract.finding import CallbackFailure, Violation
from harness.contract.rule import Severity, Source, rule
from harness.contract.sanitizer_tool import Tool
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Drawn, Result, Verdict
from harness.reports import html, markdown, story
from harness.reports.story import again, given_of
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


NODE = "conformance::/Bar/1::rows::FMT-001"
USUAL = Options(("bar",))


def of(options, nodeid=NODE, given=""):
    return again(options.to_plain(), nodeid, given)


def test_a_run_without_options_is_repeated_by_a_short_command():
    assert of(USUAL) == f"pytest --plugin-module=bar {NODE}"
    assert of(structs.replace(USUAL, level=Thoroughness.SMOKE)) == f"pytest --plugin-module=bar --plugin-level=1 {NODE}"


def test_what_a_verdict_depends_on_is_repeated():
    options = Options(
        ("my bar.py",),
        cases=("more.py",),
        onnx_dims=("N=1:2:4",),
        setup="bar:register",
        spec=ApiLevel.V11,
        level=Thoroughness.SMOKE,
        addresses=AddressChoice.HOST,
        fuzz_examples=9,
        seed=7,
        timeout=5.0,
        sanitizer=(Tool.MEMCHECK,),
        select=("FMT",),
    )
    assert of(options, "conformance::x").split(" ")[1:] == [
        "'--plugin-module=my",
        "bar.py'",
        "--plugin-cases=more.py",
        "--plugin-setup=bar:register",
        "--plugin-onnx-dims=N=1:2:4",
        "--plugin-level=1",
        "--plugin-spec=11",
        "--plugin-addresses=host",
        "--plugin-timeout=5",
        "--plugin-seed=7",
        "--plugin-fuzz-examples=9",
        "--plugin-sanitizer=memcheck",
        "conformance::x",
    ]


def test_an_application_is_named_as_one():
    assert of(Options(("bar",), apps=("a:main",)), "x", "a:main") == "pytest --plugin-app=a:main x"


def test_other_modules_are_left_out_unless_the_id_would_be_another_without_them():
    two = Options(("bar", "foo"))
    assert of(two, given="bar") == f"pytest --plugin-module=bar {NODE}"
    twin = "conformance::/Bar/1+bar::rows::FMT-001"
    assert of(two, twin, "bar") == f"pytest --plugin-module=bar --plugin-module=foo {twin}"


def test_a_part_of_the_examples_is_judged_with_all_of_them():
    assert of(USUAL, f"{NODE}[1/2]") == f"pytest --plugin-module=bar {NODE}"


def test_no_command_line_can_name_cases_that_a_caller_made(make):
    assert of(structs.replace(USUAL, packed_cases="gAN9")) == ""
    document = make.usual()
    document["options"]["cases"] = ["(in memory)"]
    assert "pytest --plugin" not in markdown.render(document)
    assert "See it again" not in html.render(document)


def test_a_document_tells_how_the_module_was_named(make):
    sources = [{"module": "bar", "given": "src/bar.py"}, {"module": "foo", "given": "foo"}]
    assert given_of(make.document(make.plugin(), sources=sources), NODE) == "src/bar.py"
    assert given_of(make.document(make.plugin()), NODE) == ""
    twice = [{"module": "bar", "given": given} for given in ("a/bar.py", "b/bar.py")]
    assert given_of(make.document(make.plugin(), sources=twice), NODE) == ""
