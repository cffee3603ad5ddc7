"""Detection power: every witness of a fuzz rule was searched, is found often enough, and the pages tell it."""

import json

import pytest

from harness.contract import catalogue
from tests.support import detection, witnesses
from tools import detection_power
from tools.pages import detection_page

COMMITTED = detection.load()
WITNESSES = {detection.short(module): witness for module, witness in witnesses.witnesses().items()}
FUZZ = {rule.id for rule in catalogue.load_rules().values() if rule.strategy is not None}
SMALL = ({"shapes": [[1, 3, 23]]},)
OFTEN = {
    "rule": "FUZ-003",
    "seeds": 4,
    "found": 4,
    "missed": [],
    "mean": 2.5,
    "quantiles": {"5": 1, "50": 2, "95": 3},
    "shrunk": {"example": '{"shapes": [[1, 3, 23]]}', "times": 3, "of": 4, "others": 1, "numbers": 3, "steps": 1},
}
NEVER = {"rule": "FUZ-001", "seeds": 4, "found": 0, "missed": [0, 1, 2, 3]}


@pytest.mark.new_rule
def test_the_table_has_every_witness_of_a_fuzz_rule_and_no_other():
    expected = {name: witness.breaks for name, witness in WITNESSES.items() if witness.breaks in FUZZ}
    assert {name: entry["rule"] for name, entry in COMMITTED.items()} == expected, (
        f"tests/data/detection.json is stale: {detection.REFRESH} NAME"
    )


@pytest.mark.new_rule
def test_a_witness_is_found_with_nearly_every_seed_or_says_why_not():
    few = [name for name, entry in COMMITTED.items() if entry["seeds"] < detection.SEEDS.get(entry["rule"], 100)]
    assert few == []
    seldom = {name for name, each in COMMITTED.items() if each["found"] * 100 < detection.ENOUGH * each["seeds"]}
    assert seldom == {name for name in COMMITTED if WITNESSES[name].seldom}, "SELDOM says why"


def test_what_each_seed_gave_is_put_together():
    entry = detection.entry_of("FUZ-003", {0: (1, SMALL), 1: (4, SMALL), 2: (50, ()), 3: (7, ({"shapes": [[9]]},))})
    assert entry == {
        "rule": "FUZ-003",
        "seeds": 4,
        "found": 3,
        "missed": [2],
        "mean": 4.0,
        "quantiles": {"5": 1, "50": 4, "95": 4},
        "shrunk": {"example": '{"shapes": [[1, 3, 23]]}', "times": 2, "of": 3, "others": 1, "numbers": 3, "steps": 1},
    }
    assert detection.entry_of("FUZ-001", dict.fromkeys(range(4), (50, ()))) == NEVER


@pytest.mark.parametrize(
    ("example", "numbers", "steps"),
    [
        ({"shapes": [[1, 2], [3]]}, 3, 1),
        ({"sequence": [[[1, 2]], [[3, 4]], [[1, 2]]]}, 6, 3),
        ({"program": [["build", 1], ["run"]], "seed": 7}, 2, 2),
        ({"order": [0, 1, 2], "poisoned": True, "name": "x"}, 3, 1),
    ],
)
def test_the_size_of_an_example_is_its_numbers_and_its_steps(example, numbers, steps):
    assert (detection.numbers_in(example), detection.steps_in(example)) == (numbers, steps)


@pytest.mark.nightly
def test_a_witness_is_searched_as_the_table_says():
    module = "plugin_examples.faulty.fuzzing.widest_in_the_middle"
    entry = detection.measured(module, range(3))
    assert (entry["rule"], entry["seeds"], entry["found"]) == ("FUZ-002", 3, 3)
    assert 1 <= entry["mean"] <= 50
    assert entry["shrunk"]["numbers"] == len(json.loads(entry["shrunk"]["example"])["shapes"][0])


def test_entries_are_kept_until_there_are_fresh_ones_or_the_witness_is_gone():
    kept = {"tail_of_seven_left_out": {"old": 1}, "widest_in_the_middle": {"old": 1}, "no_such_witness": {}}
    assert detection_power.updated(kept, {"widest_in_the_middle": {"new": 2}}) == {
        "tail_of_seven_left_out": {"old": 1},
        "widest_in_the_middle": {"new": 2},
    }


def test_an_unknown_name_is_refused():
    with pytest.raises(SystemExit, match="nothing_of_ours"):
        detection_power.chosen(["nothing_of_ours"])
    assert detection_power.chosen(["tail_of_seven_left_out"]) == [
        "plugin_examples.faulty.fuzzing.tail_of_seven_left_out"
    ]


def test_the_page_tells_how_often_how_soon_and_how_small():
    text = detection_page.page(
        {"often": OFTEN, "never": NEVER}, {"often": "a | b", "never": "c"}, {"never": "it hides"}
    )
    assert (
        "| [`often`](../../plugin_examples/faulty/fuzzing/often.py) | a \\| b | FUZ-003 | 4 of 4 | 2.5 (1-3) "
        '| `{"shapes": [[1, 3, 23]]}` (3 of 4) | 3 | 1 |' in text
    )
    assert "| FUZ-001 | 0 of 4 | | | | |" in text
    assert "* `never`: it hides" in text
    assert "| found with every seed | 1 |" in text
    assert "| examples to the first failure, over all witnesses | 2.5 |" in text
