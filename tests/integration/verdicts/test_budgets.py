"""How often a plugin is called when it is certified: each question is put once, and its answer shared by the rules."""

import collections
import sys

import pytest

from harness.contract.verdict import Verdict
from tests.support import counted
from tests.support.forked_processes import PROCESSES

MODULE = "plugin_examples.bar"
#: What all rules together may take in both cases of the module at level 5, with the usual seeds; once it was 63,583,
#: 213 and 3,561. Wanted are 12,000 and 800; ENQ-017 takes 64, because fewer
#: calls hide the growth of a list. CRE-013 runs all plugins once more after all have run.
MOST = {"callbacks": 12_750, "builds": 12, "enqueues": 965}
if sys.version_info < (3, 11):  # the interpreter's own memory grows: CFG-001 and ENQ-017 measure growth a second time
    MOST = {"callbacks": 13_350, "builds": 12, "enqueues": 985}
#: What rules that draw examples may take of it.
MOST_OF_DRAWN = {"callbacks": 2_000, "builds": 4, "enqueues": 180}
#: No rule takes more callbacks than that: what costs more asks again what others have asked.
MOST_OF_ONE = 700


@pytest.fixture(scope="module")
def rules():
    found = PROCESSES.call(counted.by_rule, MODULE)
    assert found, "it was judged"
    return found


def spent(rules):
    calls = collections.Counter()
    for rule in rules:
        calls.update(rule["calls"])
    builds = calls.pop(counted.BUILDS, 0)
    return {"callbacks": calls.total(), "builds": builds, "enqueues": calls["enqueue"]}


def too_much(found, most):
    return {name: count for name, count in found.items() if not 0 < count <= most[name]}


def test_a_certification_takes_so_many_calls_of_the_plugin_at_the_most(rules):
    assert too_much(spent(rules.values()), MOST) == {}


def test_rules_that_draw_examples_take_a_part_of_them_and_judge_enough(rules):
    drawn = [rule for rule in rules.values() if rule.get("drawn")]
    assert too_much(spent(drawn), MOST_OF_DRAWN) == {}
    assert sum(rule["judged"] for rule in drawn) > 150, "what ends early has been judged"


def test_no_rule_takes_more_than_its_share(rules):
    found = {name: spent([rule])["callbacks"] for name, rule in rules.items()}
    assert {name: count for name, count in found.items() if count > MOST_OF_ONE} == {}


def test_what_is_counted_was_judged(rules):
    verdicts = {verdict for rule in rules.values() for verdict in rule.get("verdicts", ())}
    assert verdicts == {Verdict.PASS.value, Verdict.NOT_APPLICABLE.value}
