"""Entries of a document are put together by plugin."""

from harness.reports.html.subjects import STANDINGS, anchor, badge, plugins_of, worst
from harness.results.tally import Standing
from tests.support.html_documents import case, document, failing, rule


def test_cases_are_put_together_by_plugin_and_the_worst_decides():
    two = document(case(rule()), case(failing(), name="images"), case(rule(), label="/Foo/1"))
    bar, foo = plugins_of(two)
    assert [(bar.label, len(bar.cases), bar.verdict), (foo.label, foo.verdict)] == [
        ("/Bar/1", 2, "FAILS"),
        ("/Foo/1", "CONFORMS"),
    ]
    assert [entry["verdict"] for _, entry in bar.rules()["FMT-001"]] == ["PASS", "FAIL"]


def test_an_unknown_word_is_better_than_none():
    assert worst(["CONFORMS", "INCOMPLETE"], STANDINGS) == "INCOMPLETE"
    assert worst(["NEW"], STANDINGS) == "NEW"


def test_badges_say_in_words_what_their_colour_says():
    assert badge("FAIL") == '<span class="badge bad">FAIL</span>'
    assert [badge(word).split('"')[1] for word in ("CONFORMS", "BLOCKED", "N/A")] == [
        "badge good",
        "badge fair",
        "badge quiet",
    ]


def test_anchors_are_plain_and_differ():
    assert anchor("rule", "FMT-001") == "rule-FMT-001"
    assert anchor("rules", "/é<1") == "rules-_2f_e9_3c1"


def test_each_verdict_on_a_plugin_has_its_place_so_that_a_bad_one_is_never_hidden():
    assert set(STANDINGS) == {standing.value for standing in Standing}
    one_each = document(case(rule(), verdict=Standing.FAILS_AS_KNOWN.value), case(rule(), name="images"))
    (bar,) = plugins_of(one_each)
    assert bar.verdict == "FAILS as the baseline does"
