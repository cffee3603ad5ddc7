"""An operator tells its defect in a sentence, names rules that there are, and travels by name."""

import pickle

from harness.contract import catalogue
from harness.mutation.kind import CASES
from harness.mutation.operators.catalogue import OPERATORS


def test_there_are_operators_for_every_part_of_a_plugins_life():
    assert len(OPERATORS) >= 40
    assert len({operator.family for operator in OPERATORS.values()}) >= 10


def test_each_tells_its_defect_in_one_sentence():
    assert [name for name, operator in OPERATORS.items() if not operator.defect.endswith(".")] == []
    assert [name for name, operator in OPERATORS.items() if "\n" in operator.defect] == []
    defects = [operator.defect for operator in OPERATORS.values()]
    assert len({*defects}) == len(defects)


def test_each_names_rules_that_there_are():
    known = catalogue.load().rules
    assert {name for name, operator in OPERATORS.items() if not operator.rules} == set()
    assert {rule for operator in OPERATORS.values() for rule in operator.rules} <= {*known, CASES}


def test_an_operator_travels_by_name():
    for operator in OPERATORS.values():
        assert pickle.loads(pickle.dumps(operator)) is operator  # noqa: S301 - ours
