"""What is demanded of a certificate beyond its being one: age, level, rules."""

import copy
import datetime as dt

import pytest

from harness.contract.catalogue import UnknownRuleError
from tests.integration.runs.test_tampering import resealed
from tests.support.certificates import NOW


def changed(issued, *path, value):
    made = copy.deepcopy(issued.plain)
    at = made
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return resealed(made)


def facts(issued, *path, value):
    return changed(issued, "predicate", "trtConformance", *path, value=value)


@pytest.mark.parametrize(("hours", "told"), [(1, ""), (0.5, "longer ago than --max-age allows")])
def test_age(issued, hours, told):
    found = issued.check(max_age=dt.timedelta(hours=hours)).problems
    assert [told in problem for problem in found] == [True] * bool(told)


def test_what_comes_from_the_future_is_refused_but_for_clocks_that_differ(issued):
    issue = NOW - dt.timedelta(hours=1)
    assert not issued.check(now=issue - dt.timedelta(minutes=4)).problems
    (problem,) = issued.check(now=issue - dt.timedelta(minutes=6)).problems
    assert "which is yet to come" in problem


@pytest.mark.parametrize("told", ["2023-13-14T22:13:20Z", "2023-11-14T29:13:20Z", "2023-11-14T22:13:61Z"])
def test_what_is_no_time_is_refused(issued, told):
    assert any("is no time" in problem for problem in issued.check(facts(issued, "issued", value=told)).problems)


def test_level(issued):
    assert not issued.check(level=5).problems
    (problem,) = issued.check(level=10).problems
    assert problem == "it was judged at level 5, and --level=10 is wanted: certify at that level"


def test_required_rules_must_have_passed_on_every_case(issued):
    assert not issued.check(require=("ENQ",)).problems
    found = issued.check(require=("ENQ-001", "CFG", "FMT-001")).problems
    assert found == (
        "--require=ENQ-001,CFG,FMT-001: CFG-001 is WARN on conformance::/Bar/1::a, not PASS",
        "--require=ENQ-001,CFG,FMT-001: FMT-001 is N/A on conformance::/Bar/1::a, not PASS",
        "--require=ENQ-001,CFG,FMT-001: CFG-001 is WARN on conformance::/Foo/1::b, not PASS",
        "--require=ENQ-001,CFG,FMT-001: FMT-001 is N/A on conformance::/Foo/1::b, not PASS",
    )
    (problem, _) = issued.check(require=("TAC-001",)).problems
    assert problem == "--require=TAC-001: TAC-001 is not judged on conformance::/Bar/1::a, not PASS"
    with pytest.raises(UnknownRuleError):
        issued.check(require=("NOT-001",))


def test_a_certificate_that_fails_is_intact_and_no_proof(issued):
    made = copy.deepcopy(issued.plain)
    rule = made["predicate"]["trtConformance"]["plugins"][0]["rules"][1]
    rule |= {"verdict": "FAIL", "broken": 1}
    made["predicate"]["trtConformance"]["plugins"][0]["verdict"] = "FAILS"
    made["predicate"]["result"] = "FAILED"
    made["predicate"]["failedTests"] = [made["predicate"]["passedTests"].pop(0)]
    made["predicate"]["trtConformance"]["counts"] |= {"FAIL": 1, "PASS": 3}
    found = issued.check(resealed(made))
    assert found.problems == ()
    assert found.shortcomings == ("it says that conformance::/Bar/1::a FAILS: ENQ-001",)


def test_other_rules_can_be_accepted_and_nothing_else_is_then(issued):
    other = facts(issued, "ruleSet", "rules", "FMT-001", value="0" * 64)
    assert not issued.check(other, other_rules=True).problems
    other["predicate"]["trtConformance"]["level"] = 10
    (problem,) = issued.check(other, other_rules=True).problems
    assert problem.startswith("it was edited")


@pytest.mark.parametrize("plain", [None, [], "text", 7, {}, {"_type": "https://in-toto.io/Statement/v1"}])
def test_what_is_no_certificate_is_told(issued, plain):
    if plain is None:
        plain = {**issued.plain, "predicateType": "https://slsa.dev/provenance/v1"}
    (problem,) = issued.check(plain).problems
    assert problem.startswith("it has not the form of a certificate: ")
