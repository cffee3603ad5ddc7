"""Each operator about the format query changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import formats
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "format_check_dropped": [
        "-        if desc.format != trt.TensorFormat.LINEAR:",
        "-            return False",
        "+        pass",
    ],
    "format_check_dropped_for_outputs": [
        "-        if desc.format != trt.TensorFormat.LINEAR:",
        "+        if pos < num_inputs and (desc.format != trt.TensorFormat.LINEAR):",
    ],
    "type_check_widened": [
        "-        return desc.type in TYPES and desc.type == in_out[0].type",
        "+        return (desc.type == in_out[0].type)",
    ],
    "types_need_not_agree": [
        "-        return desc.type in TYPES and desc.type == in_out[0].type",
        "+        return (desc.type in TYPES)",
    ],
    "types_need_not_agree_for_outputs": [
        "-        return desc.type in TYPES and desc.type == in_out[0].type",
        "+        return desc.type in TYPES and (pos >= num_inputs or desc.type == in_out[0].type)",
    ],
    "pos_ignored": [
        "-        desc = in_out[pos]",
        "+        desc = in_out[0]",
    ],
    "query_looks_ahead": [
        "-        desc = in_out[pos]",
        "+        desc = in_out[-1]",
    ],
    "outputs_taken_for_inputs": [
        "-        if pos >= num_inputs:",
        "+        if pos >= (num_inputs + 1):",
    ],
    "answer_is_no_bool": [
        "-            return False",
        "+            return int(False)",
    ],
    "refusal_raises": [
        "-            return False",
        '+            raise ValueError("not supported")',
    ],
    "answer_depends_on_extents": [
        "-            return desc.type == in_out[0].type",
        '+            return (desc.type == in_out[0].type) and not (len(getattr(in_out[0], "desc", in_out[0]).dims) and getattr(in_out[0], "desc", in_out[0]).dims[0] == 1)',
    ],
    "answer_kept_by_position": [
        "-            return desc.type == in_out[0].type",
        '+            return self.__dict__.setdefault("_answers", {}).setdefault(pos, desc.type == in_out[0].type)',
    ],
    "query_changes_a_descriptor": [
        "+        in_out[pos].type = in_out[0].type",
    ],
    "bool_accepted": [
        "-TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)",
        "+TYPES = (*(trt.DataType.FLOAT, trt.DataType.HALF), trt.DataType.BOOL)",
    ],
    "type_left_out": [
        "-TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)",
        "+TYPES = (trt.DataType.HALF, )",
    ],
    "last_output_refused": [
        "+        if pos == len(in_out) - 1:",
        "+            return False",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(formats).values() if isinstance(each, Operator)}
