"""The types in the queries to a plugin, and the types that a builder may offer.

Theory. In a weakly typed network every floating-point or quantized tensor counts as FLOAT until the builder has chosen.
`get_output_datatype` gets FLOAT in place of each of these types, and its answer is replaced in the same way. Afterwards
`supports_format_combination` settles the precision, among the types that the builder's flags allow. In a strongly typed
network types are fixed, and only they are offered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_runtime.values.descriptions import NO_SCALE
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import BuilderFlag
from reference_runtime.values.formats import REAL_TYPES

if TYPE_CHECKING:
    from collections.abc import Collection

_REDUCED: Final = (
    (BuilderFlag.FP16, DataType.HALF),
    (BuilderFlag.BF16, DataType.BF16),
    (BuilderFlag.FP8, DataType.FP8),
    (BuilderFlag.INT8, DataType.INT8),
)
_INT8_MAX: Final = 127


def canonical(dtype: DataType) -> DataType:
    """Return FLOAT for a floating-point or quantized type, and any other type unchanged."""
    return DataType.FLOAT if dtype in REAL_TYPES else dtype


def offered_types(own: DataType, flags: Collection[BuilderFlag], *, scaled: bool) -> list[DataType]:
    """Return the types that a weakly typed builder may choose for a tensor, its ``own`` first.

    INT8 is offered beside other types only if the tensor is ``scaled``, that is, has a dynamic range.
    """
    if own not in REAL_TYPES:
        return [own]
    allowed = [dtype for flag, dtype in _REDUCED if flag in flags and (scaled or dtype != DataType.INT8)]
    return list(dict.fromkeys([own, DataType.FLOAT, *allowed]))


def scale_of(dtype: DataType, dynamic_range: tuple[float, float] | None) -> float:
    """Return the scale of a tensor; an INT8 tensor without a dynamic range holds plain integers."""
    if dtype != DataType.INT8:
        return NO_SCALE
    if dynamic_range is None:
        return 1.0
    return max(abs(bound) for bound in dynamic_range) / _INT8_MAX
