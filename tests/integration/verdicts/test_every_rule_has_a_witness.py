"""Each witness breaks exactly what it declares, each rule has one, and what is sound breaks nothing.

All of it is compared with the committed kill matrix as well, from which docs/kill_matrix.md is made. That witnesses
and near misses break nothing else takes all rules on all of them, many minutes: with -m exhaustive, where each
rule meets all of its witnesses, too, and each question has a process of its own. Every run judges a third of the
witnesses by all rules: others for each commit, or for each value of TRT_TESTS_COMMIT. What only a GPU shows is caught
in tests/gpu.
"""

import hashlib
import json

import pytest

from harness.contract import catalogue
from harness.contract.language import CPP
from harness.contract.verdict import Verdict
from tests.support import matrix, witnesses
from tests.support.commits import commit
from tests.support.verdicts import broken_in_one_process, broken_rules, in_words, left_unexplained, results_of

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


def third_of(modules, word):
    """Return a third of some modules, rounded up; which it is depends on the word, and on nothing else."""
    drawn = sorted(modules, key=lambda module: hashlib.sha256(f"{word} {module}".encode()).digest())
    return drawn[: -(-len(drawn) // 3)]


THIRD = third_of(ON_HOST, commit())


def committed(module):
    return COMMITTED[KINDS[module]].get(matrix.short(module))


def assert_committed(module, results):
    assert committed(module) == matrix.entry_of(module, KINDS[module], results), (
        f"tests/data/kill_matrix.json is stale: {matrix.REFRESH} {matrix.short(module)}"
    )


@pytest.mark.new_rule
def test_every_rule_has_a_witness():
    of_cpp = {rule.id for rule in catalogue.load().rules.values() if rule.languages == CPP}
    assert set(catalogue.load().rules) - of_cpp == {witness.breaks for witness in WITNESSES.values()}
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
    assert set(NEAR_MISSES.values()) <= set(catalogue.load().rules)


def test_examples_with_a_part_of_their_own_are_there():
    assert set(witnesses.examples()) >= FUZZED | ALIKE


@pytest.mark.new_rule
def test_the_matrix_has_every_module_and_no_other():
    found = {(kind, matrix.short(module)) for module, kind in KINDS.items()}
    kept = {(kind, name) for kind in matrix.KINDS for name in COMMITTED[kind]}
    assert found == kept, f"tests/data/kill_matrix.json is stale: {matrix.REFRESH} --missing"


@pytest.mark.parametrize("module", sorted({*FIRST.values()} - {*THIRD}), ids=matrix.short)
def test_a_witness_breaks_what_it_declares(module):
    assert_breaks_what_it_declares(module)


@pytest.mark.parametrize("module", THIRD, ids=matrix.short)
def test_a_third_of_the_witnesses_breaks_what_it_declares_and_nothing_else(module):
    declared = assert_breaks_what_it_declares(module)
    others = {*STATED} - declared  # rules that draw examples judge it with -m exhaustive, as do all the other witnesses
    suspected = broken_in_one_process(module, others)
    if suspected is None:  # it ends or hangs the process
        suspected = others
    results = results_of(module, rules=suspected)
    assert not broken_rules(results), in_words(results, broken_rules(results))


def assert_breaks_what_it_declares(module):
    """Have the declared rules judge a witness, and return them."""
    witness = WITNESSES[module]
    declared = {witness.breaks, *witness.also}
    assert all(witness.also.values()), "each rule in ALSO needs its reason"
    results = results_of(module, rules=declared)
    assert broken_rules(results) == declared, in_words(results, declared)
    assert not left_unexplained(results, catalogue.load()[witness.breaks]), "TensorRT's part is missing"
    return declared


def test_the_third_is_another_for_another_commit():
    thirds = [{*third_of(ON_HOST, word)} for word in ("one", "one", "other")]
    assert thirds[0] == thirds[1] != thirds[2]
    assert {3 * len(third) >= len(ON_HOST) for third in thirds} == {True}


def test_what_a_witness_breaks_is_seen_where_one_process_judges_all_rules():
    module = next(module for module in ON_HOST if matrix.short(module) == "format_peeks_ahead")
    assert broken_in_one_process(module, STATED) == {"FMT-001"}


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
