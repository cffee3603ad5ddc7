"""What is demanded of a certificate beyond its being one: age, level, rules."""

import copy
import datetime as dt

import pytest

from harness.contract.catalogue import UnknownRuleError
from tests.integration.runs.test_tampering import edited, resealed
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


def test_remarks_are_those_that_options_cases_and_verdicts_make(issued):
    case = issued.plain["predicate"]["trtConformance"]["plugins"][0]
    doubtful = facts(issued, "plugins", 0, "doubts", value=["its reference is constant"])
    remark = f"{case['id']}: its reference is constant"
    honest = resealed(edited(doubtful, ("predicate", "trtConformance", "leftOut"), [remark]))
    assert not issued.check(honest).problems
    assert issued.check(doubtful).problems == (
        f"leftOut, held beside its options, cases and verdicts: the list lacks {remark}",
    )
    surplus = facts(issued, "leftOut", value=[remark])
    assert issued.check(surplus).problems == (
        f"leftOut, held beside its options, cases and verdicts: the list has {remark} too much",
    )


def test_remarks_that_options_make_are_held_beside_them(issued):
    seeded = facts(issued, "options", value={**issued.plain["predicate"]["trtConformance"]["options"], "level": "x"})
    assert any("its options are none of a run" in problem for problem in issued.check(seeded).problems)


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
    problems = issued.check(other, other_rules=True).problems
    assert any("ruleSet was edited" in problem for problem in problems)
    assert any("predicate.configuration" not in problem for problem in problems)


def test_a_rule_without_a_verdict_is_told_by_its_name(issued):
    made = copy.deepcopy(issued.plain)
    del made["predicate"]["trtConformance"]["plugins"][1]["rules"][2]
    assert any(
        "conformance::/Foo/1::b" in problem and "lacks ENQ-002" in problem
        for problem in issued.check(resealed(made)).problems
    )


def test_a_must_run_list_that_lacks_a_rule_everywhere_is_told(issued):
    made = copy.deepcopy(issued.plain)
    told = made["predicate"]["trtConformance"]
    told["mustRun"]["IPluginV2DynamicExt"].remove("ENQ-002")
    for case in told["plugins"]:
        case["rules"] = [rule for rule in case["rules"] if rule["id"] != "ENQ-002"]
        case["evidence"] -= 3
    made["predicate"]["passedTests"] = [name for name in made["predicate"]["passedTests"] if "ENQ-002" not in name]
    told["counts"]["PASS"] = 2
    (problem,) = issued.check(resealed(made)).problems
    assert problem.startswith("mustRun is not the list of the rules")


@pytest.mark.parametrize("plain", [None, [], "text", 7, {}, {"_type": "https://in-toto.io/Statement/v1"}])
def test_what_is_no_certificate_is_told(issued, plain):
    if plain is None:
        plain = {**issued.plain, "predicateType": "https://slsa.dev/provenance/v1"}
    (problem,) = issued.check(plain).problems
    assert problem.startswith("it has not the form of a certificate: ")
