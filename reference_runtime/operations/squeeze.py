"""Squeeze and unsqueeze: remove or add axes of length 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from reference_runtime.operations.axes import counted
from reference_runtime.operations.kinds import INDEX_TYPES, one_of
from reference_runtime.operations.operation import Basic, require
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts
from reference_runtime.values.dims import MAX_DIMS
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents
    from reference_runtime.values.enums import DataType


def _axes(facts: ValueFacts, what: str) -> tuple[int, ...]:
    """Return the values of the tensor of axes.

    Raises:
        Refused: They are not known when the network is built, or the tensor has more than one dimension.
    """
    require(len(facts.dims) <= 1, f"the axes of {what} are 0-D or 1-D, and not {list(facts.dims)}")
    axes = [axis for axis in facts.values or () if axis is not None]
    known = facts.values is not None and len(axes) == len(facts.values)
    require(known, f"the axes of {what} must be known when the network is built")
    return tuple(axes)


def _types(inputs: Sequence[DataType], what: str) -> tuple[DataType, ...]:
    one_of(inputs[1], INDEX_TYPES, f"the tensor of axes of {what}")
    return (inputs[0],)


class Squeeze(Basic, frozen=True):
    """A tensor without some of its axes, each of length 1."""

    kind: ClassVar = LayerType.SQUEEZE
    required: ClassVar[int | None] = 2

    @property
    def shape_operands(self) -> frozenset[int]:
        """The axes."""
        return frozenset({1})

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input."""
        return _types(inputs, "a squeeze")

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the remaining dimensions, and the same values."""
        facts = inputs[0]
        return (ValueFacts(_squeezed(facts.dims, _axes(inputs[1], "a squeeze")), facts.values, reals=facts.reals),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        return (inputs[0].reshape(_squeezed(inputs[0].shape, inputs[1].reshape(-1).tolist())),)


def _squeezed(dims: Extents, axes: Sequence[int]) -> Extents:
    gone = counted(axes, len(dims), "the axes of a squeeze")
    wrong = [axis for axis in gone if dims[axis] not in {1, UNKNOWN}]
    require(not wrong, f"axes {wrong} of {list(dims)} cannot be squeezed: their dimension is not 1")
    return tuple(extent for axis, extent in enumerate(dims) if axis not in gone)


class Unsqueeze(Basic, frozen=True):
    """A tensor with more axes, each of length 1; the axes are counted in the output."""

    kind: ClassVar = LayerType.UNSQUEEZE
    required: ClassVar[int | None] = 2

    @property
    def shape_operands(self) -> frozenset[int]:
        """The axes."""
        return frozenset({1})

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input."""
        return _types(inputs, "an unsqueeze")

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions with a 1 for each new axis, and the same values."""
        facts = inputs[0]
        return (ValueFacts(_unsqueezed(facts.dims, _axes(inputs[1], "an unsqueeze")), facts.values, reals=facts.reals),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        return (inputs[0].reshape(_unsqueezed(inputs[0].shape, inputs[1].reshape(-1).tolist())),)


def _unsqueezed(dims: Extents, axes: Sequence[int]) -> Extents:
    rank = len(dims) + len(axes)
    require(rank <= MAX_DIMS, f"{list(dims)} with {len(axes)} more axes has more than {MAX_DIMS} dimensions")
    new = counted(axes, rank, "the axes of an unsqueeze")
    old = iter(dims)
    return tuple(1 if axis in new else next(old) for axis in range(rank))
