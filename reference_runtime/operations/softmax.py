"""Softmax: exponentials divided by their sum along one axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from reference_runtime.operations.axes import default_axis, marked
from reference_runtime.operations.kinds import FLOATS, one_of
from reference_runtime.operations.operation import Basic, quiet, require
from reference_runtime.operations.plain import INTEGER, optional
from reference_runtime.shapes.tensor_facts import ValueFacts
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.enums import DataType


class Softmax(Basic, frozen=True):
    """Exponentials divided by their sum along the axis whose bit is set, by default the third from the end."""

    kind: ClassVar = LayerType.SOFTMAX
    fields: ClassVar = {"axes": optional(INTEGER)}
    axes: int | None = None

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input."""
        return (one_of(inputs[0], FLOATS, "the input of a softmax"),)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the same dimensions."""
        self._axis(len(inputs[0].dims))
        return (ValueFacts(inputs[0].dims),)

    def axes_of(self, rank: int) -> int:
        """Return the mask of the axis, for a tensor of a rank."""
        return 1 << default_axis(rank) if self.axes is None else self.axes

    def _axis(self, rank: int) -> int:
        mask = self.axes_of(rank)
        axes = marked(mask, rank, "the axes of a softmax")
        require(len(axes) == 1, f"a softmax takes one axis, and the mask {mask:#b} has {len(axes)}")
        return axes[0]

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        data, axis = inputs[0], self._axis(inputs[0].ndim)
        if not data.size:
            return (data.copy(),)
        with quiet():
            powers = np.exp(data - data.max(axis, keepdims=True))
            return (np.asarray(powers / powers.sum(axis, keepdims=True)).astype(data.dtype),)
