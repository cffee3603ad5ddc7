"""Each rule is told with the faulty plugins that it finds."""

from harness.reports.html.kills import kills
from tests.support.html_documents import case, document, rule

WITNESSES = [
    {
        "name": "peeks",
        "file": "f",
        "breaks": "FMT-001",
        "also": {"SHP-001": "it is general"},
        "defect": "Looks <past>.",
    },
    {"name": "other", "file": "g", "breaks": "XYZ-001", "also": {}, "defect": "Of another interface."},
]


def told(witnesses=WITNESSES):
    return kills(document(case(rule(), rule("SHP-001"), rule("CLN-001")), witnesses=witnesses))


def test_a_rule_names_its_witnesses_and_the_reason_where_they_are_another_rules():
    page = told()
    assert "<code>peeks</code>: Looks &lt;past&gt;.</li>" in page
    assert "<code>peeks</code>: Looks &lt;past&gt;. (planted for FMT-001; it is general)</li>" in page
    assert "other" not in page


def test_the_matrix_has_a_cell_for_each_find():
    page = told()
    assert "FMT-001 finds peeks" in page
    assert "SHP-001 finds peeks" in page
    assert page.count('class="kill') == 2


def test_a_rule_without_a_witness_is_not_counted_as_shown():
    page = told()
    assert "Of the 3 rules that apply here, 2 are shown" in page
    assert page.count("No faulty plugin that ships") == 1


def test_without_witnesses_there_is_no_matrix():
    page = told([])
    assert "<svg" not in page
    assert page.count("No faulty plugin that ships") == 3


def test_the_facts_of_a_rule_are_told_where_links_lead():
    assert 'id="rule-FMT-001"' in told()
    assert "error, level 5 · the guide, formats (TensorRT 10; documented)" in told()
