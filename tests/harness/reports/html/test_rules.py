"""Every rule stands in a table, with its verdict on each case."""

from harness.reports.html.rules import rules
from harness.reports.html.subjects import plugins_of
from tests.support.html_documents import case, document, failing, rule


def told(*cases):
    made = document(*cases)
    return rules(made, plugins_of(made))


def test_a_row_has_a_verdict_for_each_case():
    page = told(case(rule(evidence=1234)), case(failing(), name="images"))
    assert 'data-family="FMT" data-verdicts="PASS FAIL"' in page
    assert '<span class="badge good">PASS</span><span class="evidence"> 1,234</span>' in page
    assert "it looked past pos" in page


def test_a_case_that_the_rule_was_not_judged_on_is_told():
    page = told(case(rule()), case(rule("SHP-001"), name="images"))
    assert page.count('<td class="verdict">—</td>') == 2


def test_reasons_are_told_once():
    page = told(
        case(rule(verdict="N/A", reason="it has none")), case(rule(verdict="N/A", reason="it has none"), name="b")
    )
    assert page.count("it has none") == 1


def test_the_filter_offers_what_there_is_and_is_hidden_without_javascript():
    page = told(case(rule(), rule("SHP-001", "N/A")))
    assert 'id="filter" hidden' in page
    assert [word in page for word in ('value="FMT"', 'value="N/A"', 'value="WARN"')] == [True, True, False]


def test_many_tables_are_folded():
    few, many = (told(*(case(rule(), label=f"/P{number}/1") for number in range(count))) for count in (3, 4))
    assert few.count(" open>") == 3
    assert many.count(" open>") == 0
