"""Shape: the dimensions of a tensor as a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from reference_runtime.operations.operation import Basic
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array


class Shape(Basic, frozen=True):
    """The dimensions of a tensor, as INT64."""

    kind: ClassVar = LayerType.SHAPE

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:  # noqa: ARG002 - any type has dimensions
        """Return INT64."""
        return (DataType.INT64,)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions as values; unknown dimensions are unknown values."""
        dims = inputs[0].dims
        return (ValueFacts((len(dims),), tuple(None if extent == UNKNOWN else extent for extent in dims)),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        return (np.array(inputs[0].shape, np.int64),)
