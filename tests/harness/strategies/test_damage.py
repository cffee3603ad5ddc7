"""Damage that is drawn is of every kind, at every place of short data, and plain data."""

import json

from harness.cases.facts import Facts
from harness.strategies import hypothesis_settings
from harness.strategies.damage import damages


def drawn(number=65):
    return hypothesis_settings.drawn(damages(Facts()), number, seeded=1)


def test_every_kind_of_damage_is_done():
    kinds = {done["do"] for example in drawn() for copy in example["copies"] for done in copy}
    assert kinds == {"flip", "set", "word", "cut", "tail", "repeat", "swap"}


def test_every_byte_of_short_data_is_met():
    places = {done["at"] % 16 for example in drawn() for copy in example["copies"] for done in copy if "at" in done}
    assert places == set(range(16))


def test_most_copies_are_damaged_once():
    copies = [copy for example in drawn() for copy in example["copies"]]
    assert {len(copy) for copy in copies} == {1, 2}
    assert sum(len(copy) == 1 for copy in copies) > len(copies) / 2


def test_examples_are_plain_data():
    examples = drawn(20)
    assert json.loads(json.dumps(examples)) == examples
