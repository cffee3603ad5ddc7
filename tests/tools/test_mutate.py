"""The mutants of the examples: what is planted into them, and what is kept."""

import collections
import hashlib
import json
import pathlib

import pytest

from harness.config.options import Options
from harness.mutation.campaign import Campaign
from harness.mutation.operators.catalogue import OPERATORS
from harness.mutation.outcome import Fate, outcome_of
from harness.mutation.trial import Seen, Until
from tools import mutate
from tools.deadline import Deadline

ROOT = pathlib.Path(__file__).parents[2]
REASONS = ROOT / "tests" / "data" / "mutation_reasons.json"


@pytest.fixture(scope="module")
def campaigns():
    """All that is planted: more than a thousand defects, which takes long."""
    return mutate.campaigns(mutate.examples(), OPERATORS.values(), Options())


@pytest.fixture(scope="module")
def bar():
    """The campaign of one example, and its mutants."""
    return mutate.campaigns(["bar"], OPERATORS.values(), Options())["bar"]


def noticed():
    """Return the ids of the mutants that were noticed when the table was made, with the rules that did it."""
    kept = mutate.load()
    return {
        key: entry["rules"]
        for module in kept.values()
        for key, entry in module["mutants"].items()
        if entry["fate"] == Fate.NOTICED.value and not {"IMPORT", "CASES"} & {*entry["rules"]}
    }


def mixed(known):
    """Return a key that sorts the mutants of different examples among each other, always in the same way."""
    return hashlib.sha256(known.encode()).hexdigest()


@pytest.mark.nightly
def test_defects_are_planted_into_examples_of_all_interfaces(campaigns):
    assert {"bar", "bar_v3", "leaky_relu_v2", "broadcast_add", "pool", "in_place_add_qdp"} <= {*campaigns}
    assert sum(len(mutants) for _, mutants in campaigns.values()) > 1000


@pytest.mark.nightly
def test_ids_are_unique_among_all_examples(campaigns):
    ids = collections.Counter(mutant.id for _, mutants in campaigns.values() for mutant in mutants)
    assert [known for known, number in ids.items() if number > 1] == []


@pytest.mark.nightly
def test_reasons_are_of_mutants_that_there_are(campaigns):
    reasons = json.loads(REASONS.read_text())
    ids = {mutant.id for _, mutants in campaigns.values() for mutant in mutants}
    assert {*reasons} - ids == set()
    assert {reason["kind"] for reason in reasons.values()} <= {"equivalent", "weak case", "blind"}
    assert all(reason["reason"] for reason in reasons.values())


def test_what_is_written_is_read_again(tmp_path):
    mutants = {"bar:x:y:1": {"line": 1, "fate": "noticed"}}
    found = {"bar": {"interfaces": ["IPluginV3"], "planted": 9, "mutants": mutants}}
    both = {**found, "other": {"interfaces": [], "planted": 1, "mutants": {}}}
    mutate.write(both, tmp_path / "found.json")
    assert mutate.load(tmp_path / "found.json") == both
    assert mutate.load(tmp_path / "none.json") == {}


def test_an_entry_has_the_interfaces_and_each_mutant(bar):
    _, (mutant, *_) = bar
    outcome = outcome_of(mutant, Seen(broken=(("ID-001", "rows"),)), Seen(), is_reached=True)
    fresh = {mutant.id: {"line": mutant.line, "fate": "noticed", "rules": ["ID-001"]}}
    assert mutate.entry(Seen(), [outcome], 9) == {"interfaces": [], "planted": 9, "mutants": fresh}
    earlier = {"bar:a:b:1": {"fate": "unnoticed"}, mutant.id: {"fate": "unnoticed"}}
    assert mutate.entry(Seen(), [outcome], 9, earlier)["mutants"] == {**earlier, **fresh}


def test_results_of_a_run_are_added_to_earlier_ones(bar):
    _, (mutant, *_) = bar
    outcome = outcome_of(mutant, Seen(broken=(("ID-001", "rows"),)), Seen(), is_reached=True)
    other = {"interfaces": [], "planted": 1, "mutants": {"other:a:b:1": {"fate": "noticed"}}}
    earlier = {"bar": {"interfaces": [], "planted": 9, "mutants": {"bar:a:b:1": {"fate": "noticed"}}}, "other": other}
    found = mutate.merged(earlier, {"bar": [outcome]}, {"bar": Seen()}, {"bar": 9})
    assert {*found["bar"]["mutants"]} == {"bar:a:b:1", mutant.id}
    assert found["other"] == other


def test_at_the_deadline_a_mutant_that_is_undecided_is_left_for_the_next_run(bar):
    campaign, (mutant, *_) = bar
    late = Deadline(0)
    assert mutate.outcome_before(late, campaign, Seen(), mutant) is None
    assert list(mutate.judged({"bar": (campaign, [mutant])}, 1, late)) == []


def test_of_operators_and_examples_that_are_gone_nothing_is_kept():
    bar = {"bar:clone_is_its_source:x:1": {"fate": "noticed"}}
    found = {
        "bar": {"interfaces": [], "mutants": {**bar, "bar:gone:x:1": {}}},
        "gone": {"interfaces": [], "mutants": {}},
    }
    assert mutate.kept_of(found) == {"bar": {"interfaces": [], "mutants": bar}}


#: One mutant of each operator; tools/mutate.py judges all.
BY_NIGHT = sorted({known.split(":")[1]: known for known in sorted(noticed(), key=mixed)}.values())


@pytest.mark.nightly
@pytest.mark.parametrize("known", BY_NIGHT)
def test_every_mutant_that_was_noticed_still_is_and_by_its_rule_if_it_was(campaigns, known):
    outcome = judged(campaigns, known)
    assert outcome.fate is Fate.NOTICED
    assert outcome.is_attributed or {*noticed()[known]}.isdisjoint(outcome.mutant.operator.rules)


def judged(campaigns, known):
    """Judge one mutant."""
    campaign, mutants = campaigns[known.partition(":")[0]]
    (mutant,) = [each for each in mutants if each.id == known]
    (outcome,) = Campaign.of(campaign.module, Options(), Until.NAMED).outcomes([mutant], Seen(), {})
    return outcome
