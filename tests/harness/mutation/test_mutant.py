"""Each change is one mutant, unless it changes no instruction; a sample has each kind of defect before a second."""

import collections
from pathlib import Path

import pytest

from harness.mutation.anatomy import Module
from harness.mutation.kind import operator
from harness.mutation.mutant import plant, sampled
from harness.mutation.operators.catalogue import OPERATORS
from tests.support.mutation.sources import SOURCES, V2

FILE = Path("my_plugin.py")


def planting(*texts):
    """Return an operator that puts each text in place of the last statement of ``clone``."""

    @operator("CLN-001")
    def planted(module: Module):
        """Something else is returned."""
        for function in module.functions("clone"):
            for text in texts:
                yield module.change(function, module.replaced(function.body[-1], text))

    return planted


SMALL = "class P(trt.IPluginV2):\n    def clone(self):\n        return P(1 + 1)\n"


def test_a_change_is_a_mutant_with_its_place_line_and_difference():
    (mutant,) = plant(FILE, SMALL, [planting("return self")]).mutants
    assert (mutant.id, mutant.line) == ("my_plugin:planted:P.clone:1", 3)
    assert mutant.diff == ("-        return P(1 + 1)", "+        return self")
    assert mutant.text == SMALL.replace("P(1 + 1)", "self")


def test_what_changes_no_instruction_is_counted_and_not_planted():
    planted = plant(FILE, SMALL, [planting("return P(2)", "return P(3)")])
    assert [mutant.diff[1] for mutant in planted.mutants] == ["+        return P(3)"]
    assert planted.without_effect == 1


def test_a_change_that_two_operators_make_is_planted_once():
    assert len(plant(FILE, SMALL, [planting("return self"), planting("return self")]).mutants) == 1


def test_what_is_no_python_is_not_planted():
    assert plant(FILE, SMALL, [planting("return (", "break")]).mutants == ()


@pytest.mark.parametrize(
    ("begin", "texts", "planted"),
    [
        ("import torch\n", ["np.seterr()"], 0),
        ("import numpy as np\n", ["np.seterr()"], 1),
        ("from common import cp, np\n", ["cp.empty(np.prod(3))"], 1),
        ("", ['self.__dict__["kept"] = 1'], 1),
        ("SLOTS = '__slots__'\n", ['self.__dict__["kept"] = 1'], 0),
    ],
)
def test_a_defect_uses_only_what_the_module_has(begin, texts, planted):
    assert len(plant(FILE, begin + SMALL, [planting(*texts)]).mutants) == planted


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES)
def test_operators_write_python(text):
    module = Module(text)
    for each in OPERATORS.values():
        for change in each.plant(module):
            compile(change.applied(text), each.name, "exec")


def test_ids_are_unique():
    ids = [mutant.id for mutant in plant(FILE, V2, OPERATORS.values()).mutants]
    assert len(ids) > 100
    assert len({*ids}) == len(ids)


def test_a_sample_has_each_kind_once_before_one_twice():
    mutants = plant(FILE, V2, OPERATORS.values()).mutants
    kinds = {mutant.operator.name for mutant in mutants}
    sample = sampled(mutants, len(kinds), seed=1)
    assert {mutant.operator.name for mutant in sample} == kinds
    more = collections.Counter(mutant.operator.name for mutant in sampled(mutants, len(kinds) + 5, seed=1))
    assert sorted(more.values())[-6:] == [1, 2, 2, 2, 2, 2]


def test_a_sample_is_the_same_for_a_seed_and_in_the_order_of_all():
    mutants = plant(FILE, V2, OPERATORS.values()).mutants
    assert sampled(mutants, 10, seed=3) == sampled(mutants, 10, seed=3)
    assert sampled(mutants, 10, seed=3) != sampled(mutants, 10, seed=4)
    assert [*sampled(mutants, 10, seed=3)] == sorted(sampled(mutants, 10, seed=3), key=mutants.index)
    assert sampled(mutants, None, seed=3) == mutants
