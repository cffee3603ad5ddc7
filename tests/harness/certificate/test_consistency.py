"""Where a certificate contradicts itself, it says so in words; test_tampering.py walks all that can."""

import copy

import pytest

from harness.certificate.consistency import contradictions, differs, few, listed
from harness.certificate.statement import Statement
from harness.contract.codec import read


def problems(issued, change):
    plain = copy.deepcopy(issued.plain)
    change(plain["predicate"], plain["predicate"]["trtConformance"])
    return list(contradictions(read(Statement, plain)))


def test_what_certify_wrote_does_not(issued):
    assert problems(issued, lambda _, __: None) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda p, _: p["passedTests"].pop(), "predicate.passedTests lacks conformance::/Foo/1::b::ENQ-002"),
        (lambda p, _: p["warnedTests"].append("x"), "predicate.warnedTests has x too much"),
        (lambda p, _: p["passedTests"].reverse(), "predicate.passedTests has a name twice or is in another order"),
        (lambda p, _: p.update(result="PASSED"), "predicate.result is PASSED, and the verdicts make it WARNED"),
        (lambda _, f: f["counts"].update(PASS=5), "counts are not those of the verdicts"),
        (lambda p, _: p["configuration"].pop(), "predicate.configuration does not hold the digests"),
        (lambda _, f: f.update(spec="11"), "spec: 11 in one place, 10 in the options"),
        (
            lambda _, f: f["plugins"][0].update(verdict="FAILS"),
            "a is FAILS, which does not follow",
        ),
        (lambda _, f: f["plugins"][0].update(evidence=9), "conformance::/Bar/1::a has an evidence of 9"),
        (lambda _, f: f["plugins"][0].update(key="/Bar/2"), "is not the name of /Bar/2 with the case a"),
        (lambda _, f: f["plugins"][0].update(module="other"), "is of the module other, which is none of those"),
        (lambda _, f: f["modules"][0].update(name="other"), "there is no verdict on anything of it"),
        (lambda _, f: f["notRun"].pop(), "notRun lacks conformance::/Foo/1::b::FMT-002"),
        (lambda _, f: f["notRun"].append(f["notRun"][0]), "FMT-002 more than once"),
        (
            lambda _, f: f["notRun"].append({"id": "conformance::/Bar/1::a::ENQ-001", "reason": ""}),
            "has conformance::/Bar/1::a::ENQ-001, which was judged",
        ),
        (lambda _, f: f["plugins"][0]["rules"][1].update(evidence=0), "ENQ-001 is PASS without any evidence"),
    ],
)
def test_contradictions(issued, change, told):
    assert any(told in problem for problem in problems(issued, change))


@pytest.mark.parametrize("value", [None, 3, "text", [], {}])
def test_options_that_somebody_made_strange_are_no_error_of_ours(issued, value):
    for name in ("modules", "seeds", "level", "fail_on"):
        assert problems(issued, lambda _, f, name=name: f["options"].update({name: value}))


def test_words():
    assert few(list("abc")) == "a, b, c"
    assert few(list("abcdefg")) == "a, b, c, d, e and 2 more"
    assert differs(["a", "b"], ["b"]) == "lacks a"
    assert listed({"a": [1]}, "a") == [1]
    assert listed({"a": 7}, "a") == [7]
