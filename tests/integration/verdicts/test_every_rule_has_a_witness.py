"""Each witness breaks exactly what it declares, each rule has one, and what is sound breaks nothing.

By day the declared rules judge one witness of each rule in a fork, and one near miss meets the rule that it
resembles; of the rules that are most likely to catch real bugs, it is two of each.
By night, with -m nightly, all rules judge all modules in processes as users have them. The results are compared with
the committed kill matrix. The site has a page made from it.
tests/gpu has what only a GPU shows.
"""

import collections
import json

import pytest

from harness.contract import catalogue
from harness.contract.extra_tools import ALL
from harness.contract.language import CPP
from harness.contract.verdict import Verdict
from tests.support import matrix, witnesses
from tests.support.verdicts import (
    broken_rules,
    in_words,
    installed,
    left_unexplained,
    results_in_a_fork,
    results_of,
)

RULES = installed()
WITNESSES = witnesses.witnesses()
ON_HOST = [module for module, witness in WITNESSES.items() if not witness.on_gpu]
NEAR_MISSES = witnesses.near_misses()
#: Those of rules that need no tool; tests/genuine judges those of NVIDIA's builder.
JUDGED = {module: rule for module, rule in NEAR_MISSES.items() if rule in RULES.rules}
SOUND = [*witnesses.examples(), *witnesses.applications(), *NEAR_MISSES]
KINDS = matrix.modules()
COMMITTED = matrix.load()
#: Examples that all stated rules judge by day. All rules, those that draw too, judge bar in test_budgets.py.
BY_DAY = {"plugin_examples.bar_v3", "plugin_examples.decorated.elementwise_add_qdp"}
#: The rules whose questions are drawn.
DRAWN = {rule.id for rule in RULES.rules.values() if rule.strategy is not None}
#: All other rules.
STATED = sorted(set(RULES.rules) - DRAWN)
#: Witnesses that are judged sooner than others of the same rule.
SOONEST = {
    f"plugin_examples.faulty.{name}"
    for name in (
        "execution.enqueue_appends",
        "execution.file_opened_by_every_enqueue",
        "fuzzing.label_counted_in_characters",
        "fuzzing.limit_of_the_last_profile",
        "fuzzing.no_direction_without_a_shift",
        "fuzzing.shift_restored_where_it_was_left_out",
        "fuzzing.tail_kept_in_the_class",
        "serialization.factor_of_an_environment_variable",
        "serialization.variable_read_at_import",
    )
}
#: The rules that are most likely to catch real bugs.
MOST_VALUABLE = json.loads((matrix.FILE.parent / "contract.json").read_text())["most_valuable"]
#: Those of them that two witnesses and two near misses meet by day.
TWICE = {*MOST_VALUABLE} - DRAWN


def by_day(rules):
    """Return the modules of ``{module: rule}`` that are judged by day: one of each rule.

    Of the most valuable rules it is two, unless they draw examples, which takes seconds.
    """
    judged, chosen = collections.Counter(), []
    for module in sorted(rules, key=lambda each: each not in SOONEST):
        judged[rules[module]] += 1
        if judged[rules[module]] <= (2 if rules[module] in TWICE else 1):
            chosen.append(module)
    return chosen


def committed(module):
    return COMMITTED[KINDS[module]].get(matrix.short(module))


def assert_committed(module, results):
    assert committed(module) == matrix.entry_of(module, KINDS[module], results), (
        f"tests/data/kill_matrix.json is stale: {matrix.REFRESH} {matrix.short(module)}"
    )


@pytest.mark.new_rule
def test_every_rule_has_a_witness():
    of_cpp = {rule.id for rule in RULES.rules.values() if rule.languages == CPP}
    assert set(RULES.rules) - of_cpp == {witness.breaks for witness in WITNESSES.values()}
    assert of_cpp <= {fault.breaks for fault in witnesses.native_faults()}


def test_rules_that_catch_most_have_a_subtler_witness_and_a_near_miss():
    assert MOST_VALUABLE
    broken = [witness.breaks for witness in WITNESSES.values()]
    assert [rule for rule in MOST_VALUABLE if broken.count(rule) < 2] == []
    assert set(MOST_VALUABLE) - set(NEAR_MISSES.values()) == set()


@pytest.mark.new_rule
def test_what_declares_nothing_is_a_sound_base():
    assert {f.stem for f in witnesses.families_in(witnesses.FAULTY) if "BREAKS" not in witnesses.constants(f)} == {
        f.stem for f in witnesses.families_in(witnesses.FAULTY) if f.stem.startswith("sound_")
    }


@pytest.mark.new_rule
def test_a_near_miss_names_the_rule_that_it_resembles():
    assert set(NEAR_MISSES.values()) <= set(catalogue.load(ALL).rules)


def test_modules_that_are_judged_first_are_there():
    assert set(WITNESSES) >= SOONEST


def test_examples_with_a_part_of_their_own_are_there():
    assert set(witnesses.examples()) >= BY_DAY


@pytest.mark.new_rule
def test_the_matrix_has_every_module_and_no_other():
    found = {(kind, matrix.short(module)) for module, kind in KINDS.items()}
    kept = {(kind, name) for kind in matrix.KINDS for name in COMMITTED[kind]}
    assert found == kept, f"tests/data/kill_matrix.json is stale: {matrix.REFRESH} --missing"


@pytest.mark.parametrize("module", by_day({m: WITNESSES[m].breaks for m in ON_HOST}), ids=matrix.short)
def test_a_witness_breaks_what_it_declares(module):
    witness = WITNESSES[module]
    assert all(witness.also.values()), "each rule in ALSO needs its reason"
    declared = {witness.breaks, *(set(witness.also) - DRAWN)}  # what only takes long is for the night
    results = judged_by(declared, module)
    assert broken_rules(results) == declared, in_words(results, declared)
    assert not left_unexplained(results, RULES[witness.breaks]), "TensorRT's part is missing"


def judged_by(rules, module):
    """Return the results of some rules that a module is to break, in the way that takes least."""
    results = results_in_a_fork(module, rules=rules)
    if results and broken_rules(results) != rules and not is_blocked(results):  # what another rule has left hides it
        results = results_in_a_fork(module, rules=rules, alone=True)
    if results is None or broken_rules(results) != rules:  # it ends the process, or shows in new interpreters alone
        return results_of(module, rules=rules)
    return results


def is_blocked(results):
    return any(each.verdict is Verdict.BLOCKED for case in results.values() for each in case)


@pytest.mark.parametrize("module", [m for m in WITNESSES if m not in ON_HOST], ids=matrix.short)
def test_of_what_only_a_gpu_shows_nothing_is_said_on_the_host(module):
    witness = WITNESSES[module]
    found = [result for case in results_of(module, rules=[witness.breaks]).values() for result in case]
    assert {result.verdict for result in found} <= {Verdict.NOT_RUN, Verdict.NOT_APPLICABLE}


@pytest.mark.new_rule
def test_the_committed_matrix_shows_what_a_witness_declares():
    stale = [matrix.short(module) for module in WITNESSES if not shows_what_it_declares(module)]
    assert stale == [], f"{matrix.REFRESH} {' '.join(stale)}"


def shows_what_it_declares(module):
    witness, entry = WITNESSES[module], committed(module)
    says = (entry["breaks"], entry["also"], {*entry["shows"]})
    return says == (witness.breaks, witness.also, {witness.breaks, *witness.also})


@pytest.mark.new_rule
def test_the_committed_matrix_shows_nothing_in_what_is_sound():
    said = {module: (committed(module)["shows"], committed(module).get("looks_like", "")) for module in SOUND}
    assert said == {module: ({}, NEAR_MISSES.get(module, "")) for module in SOUND}


@pytest.mark.nightly
@pytest.mark.parametrize("module", ON_HOST, ids=matrix.short)
def test_a_witness_breaks_nothing_else(module):
    witness = WITNESSES[module]
    results = results_of(module)
    observed, declared = broken_rules(results), {witness.breaks, *witness.also}
    assert observed == declared, in_words(results, observed ^ declared)
    assert_committed(module, results)


@pytest.mark.parametrize("module", by_day(JUDGED), ids=matrix.short)
def test_a_near_miss_does_not_break_the_rule_that_it_resembles(module):
    resembled = NEAR_MISSES[module]
    results = results_in_a_fork(module, rules=[resembled])
    assert not broken_rules(results), in_words(results, {resembled})
    assert matrix.exercised(results) == [resembled], "the rule that it resembles does not judge it"


@pytest.mark.parametrize("module", sorted(BY_DAY | {*witnesses.applications()}), ids=matrix.short)
def test_an_example_breaks_nothing(module):
    results = results_of(module, rules=STATED)
    assert not broken_rules(results), in_words(results, broken_rules(results))
    assert matrix.exercised(results) == [rule for rule in committed(module)["exercised"] if rule not in DRAWN]


@pytest.mark.nightly
@pytest.mark.parametrize("module", SOUND, ids=matrix.short)
def test_what_is_sound_breaks_nothing(module):
    results = results_of(module)
    assert results
    observed = broken_rules(results)
    assert not observed, in_words(results, observed)
    assert module not in JUDGED or JUDGED[module] in matrix.exercised(results)
    assert_committed(module, results)
