"""Each operator about tactics changes what it names, and nothing else."""

import pytest

from harness.mutation.anatomy import Module
from harness.mutation.kind import Operator
from harness.mutation.operators import tactics
from harness.mutation.operators.catalogue import OPERATORS
from tests.support.mutation.sources import SOURCES, first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "tactic_ignored": [
        "-        self._tactic = tactic",
        "+        pass",
    ],
    "unknown_tactic_taken": [
        "-        if tactic not in (1, 2):",
        '-            raise ValueError("no such tactic")',
        "+        pass",
    ],
    "tactic_zero_refused": [
        "+        if tactic == 0:",
        '+            raise ValueError("there is no tactic 0")',
    ],
    "tactic_of_all_objects": [
        "-        self._tactic = None",
        "+        type(self)._tactic = None",
        "-        made._tactic = self._tactic",
        "+        made._tactic = type(self)._tactic",
        "-        self._tactic = tactic",
        "+        type(self)._tactic = tactic",
        "-            if self._tactic == 1:",
        "+            if type(self)._tactic == 1:",
    ],
    "one_tactic_wrong": [
        "-        cp.add(result, x, out=result)",
        "+        pass",
    ],
    "tactic_condition_turned": [
        "-            if self._tactic == 1:",
        "+            if not (self._tactic == 1):",
    ],
    "tactic_zero_advertised": [
        "-        return [1, 2]",
        "+        return [0, *[1, 2]]",
    ],
    "tactic_advertised_twice": [
        "-        return [1, 2]",
        "+        return [*[1, 2], ([1, 2])[0]]",
    ],
    "tactics_as_a_tuple": [
        "-        return [1, 2]",
        "+        return tuple([1, 2])",
    ],
    "tactics_in_another_order": [
        "-        return [1, 2]",
        '+        self._turn = not self.__dict__.get("_turn", False)',
        "+        found = [1, 2]",
        "+        return found if self._turn else found[::-1]",
    ],
    "tactics_not_taken_at_run_time": [
        "+        self._advertised_tactics = True",
        '+        if not self.__dict__.get("_advertised_tactics"):',
        '+            raise ValueError("no tactics are known")',
    ],
    "cache_id_of_the_object": [
        '-        self.timing_cache_id = f"{len(factor)}"',
        "+        self.timing_cache_id = str(id(self))",
    ],
    "one_cache_id_for_all": [
        '-        self.timing_cache_id = f"{len(factor)}"',
        '+        self.timing_cache_id = "one"',
    ],
    "metadata_of_the_object": [
        '-        self.metadata_string = "Pick"',
        "+        self.metadata_string = str(id(self))",
    ],
    "metadata_follow_the_shape": [
        "+        self.timing_cache_id += str(tuple(getattr(inputs[0], 'desc', inputs[0]).dims))",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(tactics).values() if isinstance(each, Operator)}


def test_a_plugin_without_tactics_may_take_any():
    without = SOURCES["V3"].replace("def get_valid_tactics(self):", "def tactics(self):")
    assert not [*OPERATORS["unknown_tactic_taken"].plant(Module(without))]


def test_no_tactic_can_be_advertised_twice_where_there_is_none():
    without = SOURCES["V3"].replace("return [1, 2]", "return []")
    assert without != SOURCES["V3"]
    assert not [*OPERATORS["tactic_advertised_twice"].plant(Module(without))]
