"""Collections that are drawn have all fields in all states, and are plain data."""

import json

import pytest

from harness.cases.facts import Facts
from harness.contract.finding import NotApplicable
from harness.strategies import hypothesis_settings
from harness.strategies.fields import equal_fields, other_contents, other_fields

FACTS = Facts(fields=("scale", "shift", "mode"))


def drawn(strategy, facts=FACTS, number=65):
    return hypothesis_settings.drawn(strategy(facts), number, seeded=1)


def test_each_pair_of_fields_is_left_out_together():
    found = {
        frozenset(edit["field"] for edit in edits if edit["edit"] == "left out")
        for example in drawn(other_fields)
        for edits in example["collections"]
    }
    assert {frozenset(pair) for pair in (("scale", "shift"), ("scale", "mode"), ("shift", "mode"))} <= found


def test_each_field_gets_the_bounds_of_its_type():
    found = {
        (edit["field"], edit["value"])
        for example in drawn(other_contents)
        for edits in example["collections"]
        for edit in edits
        if edit["edit"] == "value"
    }
    assert {(name, value) for name in FACTS.fields for value in ("most", "least", "nan", 0, -1)} <= found


def test_what_changes_nothing_leaves_nothing_out():
    found = {edit["edit"] for example in drawn(equal_fields) for edit in example["edits"]}
    assert found == {"again", "moved", "unknown"}


def test_a_single_field_is_not_moved():
    found = {edit["edit"] for example in drawn(equal_fields, Facts(fields=("factor",))) for edit in example["edits"]}
    assert found == {"again", "unknown"}


@pytest.mark.parametrize("strategy", [other_fields, other_contents, equal_fields])
def test_examples_are_plain_data(strategy):
    examples = drawn(strategy, number=20)
    assert json.loads(json.dumps(examples)) == examples


@pytest.mark.parametrize("strategy", [other_fields, other_contents, equal_fields])
def test_without_fields_there_is_nothing_to_draw(strategy):
    with pytest.raises(NotApplicable, match="no fields"):
        strategy(Facts())
