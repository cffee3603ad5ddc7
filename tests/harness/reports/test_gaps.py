"""What is not good though no rule failed, and what the baseline has, is told by every format."""

import json

from harness.config.report_targets import ReportFormat
from harness.reports.gaps import gaps_of
from harness.results.tally import Standing

KNOWN = Standing.FAILS_AS_KNOWN.value
BASELINE = {"known": 1, "fixed": [], "changed": [], "vanished": [], "unvisited": []}


def test_gaps_name_what_is_not_good_though_no_rule_failed(make):
    half = make.plugin(make.result("FMT-001"), verdict="INCOMPLETE")
    empty = make.plugin(make.result("FMT-001", "N/A"), name="Baz")
    missing = [
        {"id": "conformance::/Bar/1::rows::FMT-002", "reason": "skipped by a mark"},
        {"id": "conformance::/Bar/1::rows::FMT-003", "reason": "not selected"},
    ]
    assert gaps_of(make.document(half, empty, not_run=missing, status="interrupted", internal_errors=["a\nb"])) == [
        "the run was interrupted: what it did not come to is not in here",
        "a",
        "/Bar/1, case rows: INCOMPLETE, 1 of its rules were not judged: skipped by a mark",
        "/Baz/1, case rows: no rule passed, so it FAILS",
    ]
    assert gaps_of(make.usual()) == []


def known_and_new(make):
    """A document of two cases with the same defect, of which the baseline has the first alone."""
    told = make.violation("wrong")
    known = make.plugin(make.result("X-001", "FAIL", told, fails=False, known=True), verdict=KNOWN)
    return make.document(known, make.plugin(make.result("X-001", "FAIL", told), case="images"), baseline=BASELINE)


def test_no_format_tells_what_is_new_as_known(make, check_formats):
    texts = check_formats(known_and_new(make))
    results = json.loads(texts[ReportFormat.SARIF])["runs"][0]["results"]
    assert [each["baselineState"] for each in results] == ["new", "unchanged"]
    error, notice = texts[ReportFormat.GITHUB].splitlines()
    assert error.startswith("::error file=src/bar plugin.py,line=76,title=X-001 FAIL%2C /Bar/1 on images::")
    assert notice.startswith("::notice file=src/bar plugin.py,line=76,title=X-001 FAIL%2C known from the baseline%2C")
    page = texts[ReportFormat.MARKDOWN]
    assert page.index("**FAIL** · `/Bar/1` on `images`") < page.index("**FAIL, known from the baseline** · `/Bar/1`")


def test_a_plugin_that_vanished_is_told_by_every_format_that_tells_a_verdict(make, check_formats):
    gone = {**BASELINE, "vanished": ["/Gone/1"]}
    texts = check_formats(make.document(make.plugin(make.result("X-001"), verdict="CONFORMS"), baseline=gone))
    told = "/Gone/1: FAILS, the baseline judged it, and this run does not find it"
    assert texts[ReportFormat.GITHUB] == f"::error title=TensorRT plugin conformance::{told}\n"
    assert texts[ReportFormat.MARKDOWN].startswith("## TensorRT plugin conformance: 1 of 2 plugins not certified\n")
    assert told in texts[ReportFormat.MARKDOWN]
    assert told in texts[ReportFormat.SARIF]
    assert "FAILS · /Gone/1: the baseline judged it" in texts[ReportFormat.HTML]
