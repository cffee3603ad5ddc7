"""SARIF: what is wrong is a finding at the line to look at, and what is expected is suppressed."""

import json

import pytest

from harness.reports import sarif


@pytest.fixture
def run(sarif_validator):
    """Render a document and return its one run, which the public schema takes."""

    def render(document):
        log = json.loads(sarif.render(document))
        assert list(sarif_validator.iter_errors(log)) == []
        (only,) = log["runs"]
        return only

    return render


def by_rule(found):
    return {result["ruleId"]: result for result in found["results"]}


def test_only_what_is_wrong_is_a_result(make, run):
    found = run(make.usual())
    assert {name: result["level"] for name, result in by_rule(found).items()} == {
        "FMT-001": "error",
        "CFG-001": "warning",
        "ENQ-001": "error",
    }
    assert len(found["tool"]["driver"]["rules"]) == 6
    assert found["tool"]["driver"]["version"] == "0.1.0"
    for result in found["results"]:
        assert found["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_a_result_points_into_the_repository_at_the_method_that_is_meant(make, run):
    found = run(make.usual())
    (location,) = by_rule(found)["FMT-001"]["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "src/bar%20plugin.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 42},
    }
    assert found["originalUriBaseIds"] == {"%SRCROOT%": {"uri": "file:///repo/"}}
    assert location["logicalLocations"] == [{"fullyQualifiedName": "conformance::/Bar/1::rows::FMT-001"}]


@pytest.mark.parametrize(
    ("first", "code", "snippet", "context"),
    [
        (41, ["a", "b", "c"], "b", {"startLine": 41, "endLine": 43, "snippet": {"text": "a\nb\nc"}}),
        (42, ["b"], "b", None),
    ],
)
def test_a_result_has_the_code_of_its_line(make, run, first, code, snippet, context):
    spot = {"file": "/repo/src/bar plugin.py", "line": 42, "first": first, "code": code}
    violation = make.violation("supports_format_combination is wrong")
    found = run(make.document(make.plugin(make.result("FMT-001", "FAIL", violation, spot=spot))))
    place = by_rule(found)["FMT-001"]["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 42, "snippet": {"text": snippet}}
    assert place.get("contextRegion") == context


def test_a_file_outside_of_the_repository_is_named_as_it_is(make, run):
    found = run({**make.usual(), "root": "/elsewhere"})
    place = by_rule(found)["FMT-001"]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "file:///repo/src/bar%20plugin.py"}


def test_an_expected_failure_is_suppressed_with_its_reason(make, run):
    suppressions = {name: result["suppressions"] for name, result in by_rule(run(make.usual())).items()}
    expected = {"kind": "external", "status": "accepted", "justification": "see issue 12"}
    assert suppressions == {"FMT-001": [], "CFG-001": [], "ENQ-001": [expected]}


def test_the_message_answers_what_a_reader_asks(make, run):
    message = by_rule(run(make.usual()))["FMT-001"]["message"]
    assert message["text"].splitlines()[:2] == [
        "supports_format_combination looked past pos=0",
        "FMT-001 FAIL, /Bar/1 on rows",
    ]
    for told in ("where: in_out[1:]", "expected: one answer", "observed: two answers", "fix: Look at pos only."):
        assert told in message["text"]
        assert told.partition(": ")[2] in message["markdown"]


def test_the_same_defect_on_two_cases_is_one_result_and_of_two_plugins_are_two(make, run):
    same = make.result("FMT-001", "FAIL", make.violation("wrong"))
    plugins = [make.plugin(same, case="a"), make.plugin(same, case="b"), make.plugin(same, name="Baz", case="a")]
    results = run(make.document(*plugins))["results"]
    assert [result["properties"]["cases"] for result in results] == [["a", "b"], ["a"]]
    assert [result["partialFingerprints"]["trtConformance/v1"] for result in results] == [
        "/Bar/1:FMT-001:0123456789ab",
        "/Baz/1:FMT-001:0123456789ab",
    ]


def test_a_module_that_cannot_be_imported_is_a_result_at_the_line_that_failed(make, run):
    stack = 'Traceback:\n  File "/repo/dies.py", line 7, in <module>\n  File "/usr/lib/x.py", line 9, in f\n'
    mishap = {"callback": "import", "how": "raised", "where": "", "becomes": "", "stack": stack, "calls": []}
    told = make.result("IMPORT", "FAIL", make.violation("import raised"), mishap=mishap)
    module = {"module": "dies", "given": "dies", "file": "/repo/dies.py", **told}
    (result,) = run(make.document(modules=[module]))["results"]
    assert (result["ruleId"], result["level"]) == ("IMPORT", "error")
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("dies.py", 7)


def test_what_did_not_come_to_its_end_is_told_by_the_invocation(make, run):
    judged = make.plugin(make.result("ENQ-001"), verdict="CONFORMS")
    complete = run(make.document(judged))["invocations"]
    assert complete == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    (invocation,) = run(make.document(judged, status="interrupted"))["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "interrupted" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_what_could_not_be_judged_is_a_note_and_what_was_not_selected_is_none(make, run):
    missing = [
        {"id": "conformance::/Bar/1::rows::FMT-001", "reason": "needs a GPU"},
        {"id": "conformance::/Bar/1::rows::FMT-002", "reason": "not selected"},
    ]
    judged = make.plugin(make.result("FMT-001", "NOT-RUN", reason="needs a GPU"), verdict="CONFORMS")
    (invocation,) = run(make.document(judged, not_run=missing))["invocations"]
    assert invocation["toolExecutionNotifications"] == [
        {
            "level": "note",
            "message": {"text": "not judged, needs a GPU: conformance::/Bar/1::rows::FMT-001"},
        }
    ]


def test_a_rule_helps_with_its_reason_and_its_source(make, run):
    (rule,) = run(make.document(make.plugin(make.result("FMT-001"))))["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"] == "What FMT-001 requires."
    for form in ("text", "markdown"):
        assert "Why." in rule["help"][form]
        assert "Guide, 1 (TensorRT 10)" in rule["help"][form]
        assert "trt-conformance explain FMT-001" in rule["help"][form]
