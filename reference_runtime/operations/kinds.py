"""Check the types of an operation's tensors, and give NumPy's type for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.operations.operation import require
from reference_runtime.values.enums import DataType
from reference_runtime.values.helpers import nptype

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

FLOATS: Final = frozenset({DataType.FLOAT, DataType.HALF, DataType.BF16})
INDEX_TYPES: Final = frozenset({DataType.INT32, DataType.INT64})
INTEGERS: Final = INDEX_TYPES | {DataType.INT8}
NUMBERS: Final = FLOATS | INTEGERS

_AS_FLOAT32: Final = frozenset({DataType.BF16, DataType.FP8, DataType.FP4, DataType.E8M0})


def one_of(dtype: DataType, allowed: Collection[DataType], what: str) -> DataType:
    """Return a type.

    Raises:
        Refused: The type is not allowed; ``what`` names the tensor in the message.
    """
    names = ", ".join(sorted(member.name for member in allowed))
    require(dtype in allowed, f"{what} has type {dtype.name}, and it must have one of {names}")
    return dtype


def alike(types: Sequence[DataType], what: str) -> DataType:
    """Return the common type of several tensors.

    Raises:
        Refused: The types differ; ``what`` names the tensors in the message.
    """
    shown = ", ".join(dtype.name for dtype in types)
    require(len(set(types)) == 1, f"{what} must have the same type, and they have {shown}")
    return types[0]


def array_type(dtype: DataType) -> np.dtype[Any]:
    """Return the type of arrays with a tensor's numbers: float32 or int8 for types that NumPy does not have."""
    if dtype in _AS_FLOAT32:
        return np.dtype(np.float32)
    return np.dtype(np.int8) if dtype == DataType.INT4 else np.dtype(nptype(dtype))
