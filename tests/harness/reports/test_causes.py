"""Violations are grouped by cause, and each cause has the line to look at."""

import json

import pytest

from harness.config.report_targets import ReportFormat
from harness.reports.causes import Spot, causes_of, gaps_of
from harness.results.tally import Standing

FILE = "/repo/src/bar plugin.py"
KNOWN = Standing.FAILS_AS_KNOWN.value
BASELINE = {"known": 1, "fixed": [], "vanished": [], "unvisited": []}


def spot(make, result, **more):
    (cause,) = causes_of(make.document(make.plugin(result, **more)))
    return cause.spot


def mishap(callback, stack=""):
    return {"callback": callback, "how": "raised", "where": "", "becomes": "", "stack": stack, "calls": []}


@pytest.mark.parametrize(
    ("what", "where", "line"),
    [
        ("enqueue wrote past its output", "in_out[1:]", 51),
        ("it looked past pos", "supports_format_combination(pos=0)", 42),
        ("supports_format_combination looked", "enqueue", 42),
        ("an enqueueing plugin", "nothing that is a callback", 76),
    ],
)
def test_the_line_is_that_of_the_method_that_is_named_or_else_of_the_creator(make, what, where, line):
    result = make.result("FMT-001", "FAIL", make.violation(what, where))
    assert spot(make, result) == Spot(FILE, line)


def test_the_callback_that_failed_is_surer_than_a_name_in_the_text(make):
    violation = make.violation("supports_format_combination raised")
    assert spot(make, make.result("X-001", "FAIL", violation, mishap=mishap("enqueue"))) == Spot(FILE, 51)


@pytest.mark.parametrize(
    ("stack", "line"),
    [
        (f'File "{FILE}", line 51, in enqueue\n  File "{FILE}", line 54, in helper\n  File "numpy.py", line 1', 54),
        (
            f'(most recent call first):\n  File "numpy.py", line 1\n  File "{FILE}", line 54\n  File "{FILE}", line 51',
            54,
        ),
        ('File "numpy.py", line 1', 51),
    ],
)
def test_the_innermost_frame_of_the_plugin_is_surest(make, stack, line):
    result = make.result("X-001", "FAIL", make.violation("died"), mishap=mishap("enqueue", stack))
    assert spot(make, result) == Spot(FILE, line)


def test_a_callback_that_the_rule_owns_is_meant_where_nothing_is_named(make):
    document = make.document(make.plugin(make.result("ENQ-001", "FAIL", make.violation("wrong result", "output 0"))))
    document["rules"]["ENQ-001"]["owns"] = ["enqueue"]
    (cause,) = causes_of(document)
    assert cause.spot == Spot(FILE, 51)


def test_a_method_that_is_inherited_from_elsewhere_is_not_pointed_at(make):
    result = make.result("X-001", "FAIL", make.violation("enqueue is wrong"))
    elsewhere = {"enqueue": {"file": "/usr/lib/base.py", "line": 9}}
    assert spot(make, result, methods=elsewhere) == Spot(FILE, 76)
    assert spot(make, result, methods=elsewhere, file="/usr/lib/bar.py") == Spot("/usr/lib/base.py", 9)


def test_no_line_is_made_up(make):
    result = make.result("X-001", "FAIL", make.violation("wrong"))
    assert spot(make, result, file="", line=0, methods={}) is None


def test_cases_that_differ_in_numbers_alone_are_one_cause_and_another_defect_is_another(make):
    seen = {"a": ("wrong at 3", "0" * 12), "b": ("wrong at 4", "0" * 12), "c": ("late", "1" * 12)}
    plugins = [
        make.plugin(make.result("X-001", "FAIL", make.violation(what), fingerprint=fingerprint), case=case)
        for case, (what, fingerprint) in seen.items()
    ]
    causes = causes_of(make.document(*plugins))
    assert [(cause.cases, cause.summary) for cause in causes] == [(("a", "b"), "wrong at 3"), (("c",), "late")]
    assert len({cause.identity for cause in causes}) == 2


def test_shards_and_cases_of_one_cause_keep_their_ids(make):
    results = [make.result("FUZ-001", "FAIL", make.violation("wrong"), shard=shard) for shard in ("1/2", "2/2")]
    (cause,) = causes_of(make.document(make.plugin(*results)))
    assert cause.ids == tuple(f"conformance::/Bar/1::rows::FUZ-001[{shard}]" for shard in ("1/2", "2/2"))


def test_a_verdict_that_fails_the_run_is_a_cause_whatever_it_is(make):
    failing = make.result("FMT-001", "NOT-RUN", reason="needs a GPU", fails=True)
    document = make.document(make.plugin(failing, make.result("FMT-002", "NOT-RUN", reason="needs a GPU")))
    (cause,) = causes_of(document)
    assert (cause.rule, cause.summary) == ("FMT-001", "needs a GPU")


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
        "/Baz/1, case rows: nothing was shown to hold, so it FAILS",
    ]
    assert gaps_of(make.usual()) == []


def known_and_new(make):
    """A document of two cases with the same defect, of which the baseline has the first alone."""
    told = make.violation("wrong")
    known = make.plugin(make.result("X-001", "FAIL", told, fails=False, known=True), verdict=KNOWN)
    return make.document(known, make.plugin(make.result("X-001", "FAIL", told), case="images"), baseline=BASELINE)


def test_what_the_baseline_has_is_a_cause_of_its_own_and_comes_last(make):
    new, known = causes_of(known_and_new(make))
    assert (new.cases, new.word, new.fails) == (("images",), "FAIL", True)
    assert (known.cases, known.word, known.fails) == (("rows",), "FAIL, known from the baseline", False)


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
