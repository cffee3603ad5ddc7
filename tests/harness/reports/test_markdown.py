"""Markdown: a table, then cause by cause with what judges it again, and never more than a comment can hold."""

import pytest

from harness.reports import html, markdown


def test_the_page_has_a_verdict_a_table_and_each_cause(make):
    page = markdown.render(make.usual())
    assert page.startswith(
        "## TensorRT plugin conformance: 1 of 1 plugin not certified\n\n"
        "TensorRT 10, level 5, seeds 0, 1, 2, by pytest-trt-conformance 0.1.0\n"
    )
    assert (
        "| `/Bar/1` | `rows` | **FAILS** | 1 failed (FMT-001), 1 WARN (CFG-001), 1 expected to fail (ENQ-001), "
        "1 BLOCKED (FMT-002), 1 passed, 1 N/A | 12 |" in page
    )
    assert "### FMT-001: What FMT-001 requires.\n\n**FAIL** · `/Bar/1` on `rows` · `src/bar plugin.py:42`\n" in page
    assert "```text\npytest --plugin-module=bar conformance::/Bar/1::rows::FMT-001\n```" in page


@pytest.mark.parametrize(
    ("verdict", "status", "told"),
    [
        ("CONFORMS", "complete", "1 plugin, CONFORMS"),
        ("PARTIAL", "complete", "1 plugin, PARTIAL"),
        ("CONFORMS", "interrupted", "interrupted"),
        ("INCOMPLETE", "interrupted", "1 of 1 plugin not certified"),
    ],
)
def test_the_first_line_tells_the_whole_run(make, verdict, status, told):
    document = make.document(make.plugin(make.result("FMT-001"), verdict=verdict), status=status)
    assert markdown.render(document).splitlines()[0] == f"## TensorRT plugin conformance: {told}"


def test_a_case_that_conforms_makes_no_plugin_conform_of_which_others_were_left_out(make):
    document = make.document(make.plugin(make.result("X-001"), verdict="CONFORMS", plugin_verdict="PARTIAL"))
    page = markdown.render(document)
    assert page.startswith("## TensorRT plugin conformance: 1 plugin, PARTIAL\n")
    assert "| `/Bar/1` | `rows` | CONFORMS |" in page
    assert '<p class="lead">1 plugin · 1 PARTIAL</p>' in html.render(document)


def test_what_does_not_fit_is_left_out_between_causes_and_said_to_be(make):
    results = [make.result(f"FMT-{n:03}", "FAIL", make.violation("ä" * 2_000)) for n in range(100)]
    page = markdown.render(make.document(make.plugin(*results)))
    assert markdown.COMMENT - 8_000 < len(page.encode()) <= markdown.COMMENT
    shown = page.count("\n### ")
    assert f"\n{100 - shown} causes left out because of their length: the JSON report has all.\n" in page
    assert page.count("```") == 4 * shown


def test_a_thousand_plugins_leave_room_for_the_causes(make):
    plugins = [make.plugin(make.result("FMT-001"), name=f"Sound{n}", verdict="CONFORMS") for n in range(1500)]
    page = markdown.render(make.document(*plugins, make.plugin(make.result("X-001", "FAIL", make.violation("bad")))))
    assert len(page.encode()) <= markdown.COMMENT
    assert "### X-001" in page
    assert "rows of the table left out because of their length" in page


def test_what_means_something_in_markdown_stays_text(make):
    violation = make.violation("```\n# not a heading\n<img src=x> @everyone #12 |")
    page = markdown.render(make.document(make.plugin(make.result("FMT-001", "FAIL", violation))))
    block = page.partition("````text\n")[2].partition("\n````")[0]
    assert "# not a heading\n" in block
    assert "@everyone" in block
    assert "@everyone" not in page.replace(block, "")


def test_what_the_verdicts_leave_out_is_listed_as_code(make):
    document = make.document(
        make.plugin(make.result("FMT-001")), left_out=["conformance::/Bar/1::rows: its reference is **b**"]
    )
    assert "\n* `leaves out: /Bar/1::rows: its reference is **b**`\n" in markdown.render(document)
