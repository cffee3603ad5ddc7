"""What is wrong is told once, with its answers, its reason and how to see it again."""

import json
import re

from harness.reports.html.violations import violations
from harness.results.defects import defects_of
from tests.support.html_documents import OPTIONS, case, document, failing, rule, violation

MISHAP = {"callback": "enqueue", "how": "died by SIGSEGV", "stack": "line 3", "calls": ["P#1.clone"]}


def told(*cases, **more):
    made = document(*cases, **more)
    defects = defects_of(made)
    page = violations(made, defects)
    assert page.count("<article") == len(defects)
    return page


def commands(page):
    return re.findall(r"<h4>See it again</h4><pre[^>]*>(.*?)</pre>", page)


def test_a_violation_has_all_answers_source_and_reason():
    page = told(case(failing()))
    source = "the guide, formats (TensorRT 10; documented)"
    for word in ("it looked past pos", "in_out[1:]", "one answer", "two answers", "Look at pos only.", source):
        assert f"<dd>{word}</dd>" in page
    assert "what FMT-001 wants." in page
    assert "why it does." in page


def test_a_violation_shows_the_code_of_the_line_to_look_at_as_text():
    spot = {"file": "/repo/bar.py", "line": 5, "first": 4, "code": ["if a < b:", "    return late"]}
    page = told(case(failing(spot=spot)), root="/repo")
    assert "Look at</h4>" in page
    assert "<dt>At</dt><dd>bar.py:5</dd>" in page
    assert ">     4  if a &lt; b:\n&gt;    5      return late</pre>" in page


def test_what_is_the_same_on_several_cases_is_one_card():
    page = told(case(failing()), case(failing(), name="images"), case(failing(), label="/Foo/1"))
    assert page.count("<article") == 2
    assert "rows, images" in page


def test_failures_come_before_warnings():
    page = told(case(failing("AAA-001") | {"verdict": "WARN"}, failing("ZZZ-001")))
    assert page.index("ZZZ-001") < page.index("AAA-001")


def test_further_violations_are_folded_and_those_not_told_are_counted():
    page = told(case(failing("FMT-001", violation(), violation("it did so again"), broken=9)))
    assert "1 finding more" in page
    assert "and 7 more like these" in page


def test_a_rule_is_judged_again_by_its_id_with_the_options_of_the_run():
    assert commands(told(case(failing()))) == ["pytest --plugin-module=my_plugin conformance::/Bar/1::rows::FMT-001"]
    options = {**OPTIONS, "level": 10, "seeds": [7], "seed": 7, "setup": "m:f", "cases": ["more.py"]}
    expected = (
        "pytest --plugin-module=my_plugin --plugin-cases=more.py --plugin-setup=m:f --plugin-level=10 "
        "--plugin-seed=7 conformance::/Bar/1::rows::FMT-001"
    )
    assert commands(told(case(failing()), options=options)) == [expected]


def test_a_fuzz_rule_is_replayed_by_its_own_command():
    page = told(case(failing("FUZ-001", examples=[{"a": 1}], replay="trt-conformance replay 'x'")))
    assert commands(page) == ["trt-conformance replay &#x27;x&#x27;"]
    assert "{&quot;a&quot;: 1}" in page


def test_a_mishap_is_told_with_its_stack_and_calls():
    page = told(case(failing(mishap=MISHAP)))
    assert "enqueue died by SIGSEGV" in page
    assert "line 3" in page
    assert "P#1.clone" in page


def test_the_entry_to_expect_a_failure_by_is_json():
    page = told(case(failing()))
    entry = re.search(r"To expect it, in a file</h4><pre[^>]*>(.*?)</pre>", page)[1].replace("&quot;", '"')
    assert json.loads(entry)["/Bar/1"]["rows"]["FMT-001"]["fingerprint"] == "abc"


def test_modules_that_failed_as_such_are_told():
    broken = {**failing(), "module": "dies", "given": "dies"}
    assert "dies: the module itself" in told(case(rule()), modules=[broken])


def test_where_nothing_is_wrong_it_says_so():
    assert told(case(rule(), rule("SHP-001", "BLOCKED"))) == "<p>None: no rule failed, and none warns.</p>"


def test_what_the_baseline_has_says_so_and_comes_after_what_is_new():
    page = told(case(failing(known=True)), case(failing(), name="images"), case(failing("ZZZ-001"), name="more"))
    assert page.count("<article") == 3
    assert page.count("known from the baseline") == 1
    assert page.index("images") < page.index("ZZZ-001") < page.index("known from the baseline")
