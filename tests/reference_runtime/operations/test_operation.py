"""Which inputs an operation takes."""

import pytest

from reference_runtime import operations
from reference_runtime.operations.concatenation import Concatenation
from reference_runtime.operations.constant import Constant
from reference_runtime.operations.elementwise import Select
from reference_runtime.operations.quantize import Quantize
from reference_runtime.operations.shuffle import Shuffle
from reference_runtime.operations.slice import Slice
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType


@pytest.mark.parametrize(
    ("operation", "counts"),
    [
        (Select(), [3]),
        (Concatenation(), [1, 2, 3, 4]),
        (Constant((), DataType.BOOL, b"1"), [0]),
        (Shuffle(), [1]),
        (Shuffle(operands=(0, 1)), [2]),
        (Slice((), (), (), operands=(0, 2, 5)), [3]),
        (Quantize(DataType.INT8, operands=(0, 1, 2)), [3]),
        (Quantize(DataType.INT8, operands=(0, 2)), []),
        (Slice((), (), (), operands=(0, 5, 2)), []),
        (Slice((), (), (), operands=(0, 2, 2)), []),
        (Slice((), (), (), operands=(0, 6)), []),
        (Shuffle(operands=()), []),
    ],
)
def test_the_number_of_inputs_is_the_one_that_it_needs_or_names(operation, counts):
    assert [count for count in range(5) if operations.takes(operation, count)] == counts


def test_every_operation_says_how_many_inputs_it_needs():
    needed = {kind.name: cls.required for kind, cls in operations.KINDS.items()}
    assert needed[LayerType.CONSTANT.name] == 0
    assert {name for name, count in needed.items() if count is None} == {"CONCATENATION", "PLUGIN"}
    assert {name for name, count in needed.items() if count == 2} == {
        "DEQUANTIZE",
        "ELEMENTWISE",
        "GATHER",
        "MATRIX_MULTIPLY",
        "QUANTIZE",
        "SQUEEZE",
        "UNSQUEEZE",
    }
