"""Each witness breaks exactly what it declares, each rule has one, and what is sound breaks nothing.

All of it is compared with the committed kill matrix as well, from which docs/kill_matrix.md is made. That witnesses
and near misses break nothing else takes all rules on all of them, many minutes: with -m exhaustive only, where each
rule meets all of its witnesses, too. What only a GPU shows is caught in tests/gpu.
"""

import json

import pytest

from harness.contract import catalogue
from harness.contract.verdict import Verdict
from tests.support import matrix, witnesses
from tests.support.verdicts import broken_rules, in_words, left_unexplained, results_of

WITNESSES = witnesses.witnesses()
ON_HOST = [module for module, witness in WITNESSES.items() if not witness.on_gpu]
#: The witness of each rule that is judged in CI; the exhaustive run judges all.
FIRST = {WITNESSES[module].breaks: module for module in reversed(ON_HOST)}
NEAR_MISSES = witnesses.near_misses()
SOUND = [*witnesses.examples(), *witnesses.applications(), *NEAR_MISSES]
KINDS = matrix.modules()
COMMITTED = matrix.load()
#: Examples that fuzz rules judge in CI, one of each kind; the others they judge in the exhaustive run.
FUZZED = {
    f"plugin_examples.{name}"
    for name in ("bar", "decorated.elementwise_add_qdp", "implicit_batch.broadcast_add", "multi_tactic")
}
#: Examples that are like others: in the exhaustive run alone.
ALIKE = {
    f"plugin_examples.{name}"
    for name in (
        "bar_v3",
        "circ_pad",
        "circ_pad_v3",
        "frameworks.cuda_python",
        "leaky_relu",
        "leaky_relu_v3",
        "namespaced",
        "decorated.non_zero_qdp",
        "split_capabilities",
        "data_dependent.tile_to",
    )
}
EXAMPLES = [module for module in witnesses.examples() if module not in ALIKE]
#: The rules whose questions are drawn.
DRAWN = {rule.id for rule in catalogue.load().rules.values() if rule.strategy is not None}
#: All other rules.
STATED = sorted(set(catalogue.load().rules) - DRAWN)
#: The rules that are most likely to catch real bugs.
MOST_VALUABLE = json.loads((matrix.FILE.parent / "contract.json").read_text())["most_valuable"]


def committed(module):
    return COMMITTED[KINDS[module]].get(matrix.short(module))


def assert_committed(module, results):
    assert committed(module) == matrix.entry_of(module, KINDS[module], results), (
        f"tests/data/kill_matrix.json is stale: {matrix.REFRESH} {matrix.short(module)}"
    )


@pytest.mark.new_rule
def test_every_rule_has_a_witness():
    assert set(catalogue.load().rules) == {witness.breaks for witness in WITNESSES.values()}


@pytest.mark.parametrize("rule", MOST_VALUABLE)
def test_a_rule_that_catches_most_has_a_subtler_witness_and_a_near_miss(rule):
    assert len([module for module, witness in WITNESSES.items() if witness.breaks == rule]) > 1
    assert rule in NEAR_MISSES.values()


@pytest.mark.new_rule
def test_what_declares_nothing_is_a_sound_base():
    assert {f.stem for f in witnesses.families_in(witnesses.FAULTY) if "BREAKS" not in witnesses.constants(f)} == {
        f.stem for f in witnesses.families_in(witnesses.FAULTY) if f.stem.startswith("sound_")
    }


@pytest.mark.new_rule
def test_a_near_miss_names_the_rule_that_it_resembles():
    assert set(NEAR_MISSES.values()) <= set(catalogue.load().rules)


def test_examples_with_a_part_of_their_own_are_there():
    assert set(witnesses.examples()) >= FUZZED | ALIKE


@pytest.mark.new_rule
def test_the_matrix_has_every_module_and_no_other():
    found = {(kind, matrix.short(module)) for module, kind in KINDS.items()}
    kept = {(kind, name) for kind in matrix.KINDS for name in COMMITTED[kind]}
    assert found == kept, f"tests/data/kill_matrix.json is stale: {matrix.REFRESH} --missing"


@pytest.mark.parametrize("module", FIRST.values(), ids=matrix.short)
def test_a_witness_breaks_what_it_declares(module):
    witness = WITNESSES[module]
    declared = {witness.breaks, *witness.also}
    assert all(witness.also.values()), "each rule in ALSO needs its reason"
    results = results_of(module, rules=declared)
    assert broken_rules(results) == declared, in_words(results, declared)
    assert not left_unexplained(results, catalogue.load()[witness.breaks]), "TensorRT's part is missing"


@pytest.mark.parametrize("module", [m for m in WITNESSES if m not in ON_HOST], ids=matrix.short)
def test_of_what_only_a_gpu_shows_nothing_is_said_on_the_host(module):
    witness = WITNESSES[module]
    found = [result for case in results_of(module, rules=[witness.breaks]).values() for result in case]
    assert {result.verdict for result in found} <= {Verdict.NOT_RUN, Verdict.NOT_APPLICABLE}


@pytest.mark.new_rule
@pytest.mark.parametrize("module", WITNESSES, ids=matrix.short)
def test_the_committed_matrix_shows_what_a_witness_declares(module):
    witness = WITNESSES[module]
    entry = committed(module)
    assert {"breaks": witness.breaks, "also": witness.also} == {name: entry[name] for name in ("breaks", "also")}
    assert set(entry["shows"]) == {witness.breaks, *witness.also}, f"{matrix.REFRESH} {matrix.short(module)}"


@pytest.mark.new_rule
@pytest.mark.parametrize("module", SOUND, ids=matrix.short)
def test_the_committed_matrix_shows_nothing_in_what_is_sound(module):
    entry = committed(module)
    assert entry["shows"] == {}
    assert entry.get("looks_like", "") == NEAR_MISSES.get(module, "")


@pytest.mark.exhaustive
@pytest.mark.parametrize("module", ON_HOST, ids=matrix.short)
def test_a_witness_breaks_nothing_else(module):
    witness = WITNESSES[module]
    results = results_of(module)
    observed, declared = broken_rules(results), {witness.breaks, *witness.also}
    assert observed == declared, in_words(results, observed ^ declared)
    assert_committed(module, results)


@pytest.mark.parametrize("module", NEAR_MISSES, ids=matrix.short)
def test_a_near_miss_does_not_break_the_rule_that_it_resembles(module):
    resembled = NEAR_MISSES[module]
    results = results_of(module, rules=[resembled])
    assert not broken_rules(results), in_words(results, {resembled})
    assert matrix.exercised(results) == [resembled], "the rule that it resembles does not judge it"


@pytest.mark.parametrize("module", [*EXAMPLES, *witnesses.applications()], ids=matrix.short)
def test_an_example_breaks_nothing(module):
    if module in FUZZED:
        assert_nothing_is_broken(module)
    else:
        results = results_of(module, rules=STATED)
        assert not broken_rules(results), in_words(results, broken_rules(results))
        assert matrix.exercised(results) == [rule for rule in committed(module)["exercised"] if rule not in DRAWN]


@pytest.mark.exhaustive
@pytest.mark.parametrize("module", [m for m in witnesses.examples() if m not in FUZZED], ids=matrix.short)
def test_an_example_breaks_nothing_where_questions_are_drawn_either(module):
    assert_nothing_is_broken(module)


@pytest.mark.exhaustive
@pytest.mark.parametrize("module", NEAR_MISSES, ids=matrix.short)
def test_a_near_miss_breaks_nothing(module):
    assert_nothing_is_broken(module)


def assert_nothing_is_broken(module):
    results = results_of(module)
    assert results
    observed = broken_rules(results)
    assert not observed, in_words(results, observed)
    assert_committed(module, results)
