"""Each operator about what is said of outputs changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import outputs
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "output_type_of_another_input": [
        "-        return input_types[0]",
        "+        return input_types[1]",
    ],
    "output_type_fixed": [
        "-        return input_types[0]",
        "+        return trt.DataType.FLOAT",
    ],
    "output_type_is_a_number": [
        "-        return input_types[0]",
        "+        return int(input_types[0])",
    ],
    "output_type_unchecked": [
        "-        if index != 0 or not input_types:",
        "-            return trt.DataType.FLOAT",
        "+        pass",
    ],
    "output_type_kept": [
        "-        return input_types[0]",
        '+        return self.__dict__.setdefault("_type", input_types[0])',
    ],
    "one_output_too_many": [
        "-        self.num_outputs = 1",
        "+        self.num_outputs = 1 + 1",
    ],
    "one_output_too_few": [
        "-        self.num_outputs = 1",
        "+        self.num_outputs = 1 - 1",
    ],
    "alias_of_no_input": [
        "-        return 0",
        "+        return 7",
    ],
    "alias_of_another_input": [
        "-        return 0",
        "+        return (0) + 1",
    ],
    "alias_only_once": [
        "-        return 0",
        '+        seen, self._asked = self.__dict__.get("_asked", False), True',
        "+        return -1 if seen else 0",
    ],
    "copy_for_no_alias_dropped": [
        "-            if outputs[0] != inputs[0]:",
        "-                cp.copyto(outputs[0], inputs[0])",
        "+            pass",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(outputs).values() if isinstance(each, Operator)}
