"""Many plugins are a matrix with a row for each, and their page stays small."""

from harness.reports.html.library import library
from harness.reports.html.page import render
from harness.reports.html.subjects import plugins_of
from tests.support.html_documents import appendix, case, document, failing, parsed, rule, trace

SHAPES = {"held": [[[1]], [[2]]], "violating": [], "left_out": 0}


def made(*cases):
    told = document(*cases)
    return library(told, plugins_of(told))


def cells(page):
    rows = parsed(page.replace(" hidden>", ' hidden="">').replace('rule that fails">', 'rule that fails"/>')).iter("tr")
    return [[each.text or "".join(each.itertext()) for each in row] for row in rows][1:]


def test_a_row_has_the_counts_of_a_plugin_and_names_the_rules_that_fail():
    page = made(case(rule("CLN-001"), failing("FMT-001")), case(rule("CLN-001", "N/A", evidence=0), label="/Other/1"))
    first, other = cells(page)
    assert first[:7] == ["/Bar/1", "FAILS", "1", "0", "0", "1", "6"]
    assert first[7].endswith("FMT-001")
    assert other[:7] == ["/Other/1", "CONFORMS", "0", "0", "0", "0", "0"]


def test_each_verdict_has_a_colour_and_a_height():
    page = made(case(rule("CLN-001"), failing("FMT-001"), rule("FMT-002", "N/A")))
    assert 'd="M0 10h3v6h-3z" class="cell-good"' in page
    assert 'd="M10 0h3v16h-3z" class="cell-bad"' in page
    assert 'd="M14 14h3v2h-3z" class="cell-quiet"' in page
    assert 'aria-label="FMT-001 failed"' in page


def test_a_hostile_name_stays_text_and_is_searched_in_lower_case():
    page = made(case(rule(), label='/<B>&"x/1'))
    assert "<B>" not in page
    assert 'data-text="/&lt;b&gt;&amp;&quot;x/1 conforms"' in page


def test_one_plugin_needs_no_matrix():
    assert "<h2>Library</h2>" not in render(document())
    assert "<h2>Library</h2>" in render(document(case(rule()), case(rule(), label="/Other/1")))


def test_with_many_plugins_few_pictures_are_drawn_and_those_that_fail_come_first():
    names = [f"/Plugin{number}/1" for number in range(20)]
    many = [case(failing() if name == names[-1] else rule(), label=name, shapes=SHAPES) for name in names]
    traces = {f"conformance::{name}::rows": trace() for name in names}
    page = render(document(*many) | appendix(traces=traces))
    drawn = page[page.index('id="shapes"') : page.index('id="lifecycle"')]
    assert drawn.count("<figure") == 12
    assert drawn.index("/Plugin19/1 · rows") < drawn.index("/Plugin0/1 · rows")
    assert page.count("8 more cases not drawn here") == 2


def test_with_many_plugins_tables_list_what_does_not_pass():
    many = [case(rule("CLN-001"), failing("FMT-001"), label=f"/Plugin{number}/1") for number in range(13)]
    tables = {number: render(document(*many[:number])) for number in (12, 13)}
    assert "PASS or N/A, not listed here" not in tables[12]
    assert tables[13].count("1 rule: PASS or N/A, not listed here.") == 13
    assert tables[13].count('<tr data-family="CLN"') == 0
    assert tables[13].count('<tr data-family="FMT"') == 13
