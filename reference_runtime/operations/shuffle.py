"""Shuffle: a transposition, a reshape, and another transposition; any of them may be left out."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

from reference_runtime.operations.kinds import INDEX_TYPES, one_of
from reference_runtime.operations.operation import Basic, require
from reference_runtime.operations.plain import INDICES, TRUTH, optional
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts, carried, traced
from reference_runtime.values.dims import MAX_DIMS
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.shapes.tensor_facts import Values
    from reference_runtime.values.descriptions import Extents
    from reference_runtime.values.enums import DataType

_COPY = 0


class Shuffle(Basic, frozen=True):
    """A transposition, a reshape and another transposition.

    In ``reshape_dims`` 0 copies the input's dimension at the same position, unless ``zero_is_placeholder`` is False. A
    single -1 is computed from the number of elements. A permutation has eight entries, and only those for the tensor's
    axes are used. If the layer has a second input, its values replace ``reshape_dims``.
    """

    kind: ClassVar = LayerType.SHUFFLE
    fields: ClassVar = {
        "first_transpose": optional(INDICES),
        "reshape_dims": optional(INDICES),
        "second_transpose": optional(INDICES),
        "zero_is_placeholder": TRUTH,
        "operands": INDICES,
    }
    optional: ClassVar[tuple[int, ...]] = (1,)
    first_transpose: tuple[int, ...] | None = None
    reshape_dims: tuple[int, ...] | None = None
    second_transpose: tuple[int, ...] | None = None
    zero_is_placeholder: bool = True
    operands: tuple[int, ...] = (0,)

    @property
    def shape_operands(self) -> frozenset[int]:
        """Return the second input, if there is one."""
        return frozenset(range(1, len(self.operands)))

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input."""
        for dtype in inputs[1:]:
            one_of(dtype, INDEX_TYPES, "the shape that a shuffle is given")
        return (inputs[0],)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the dimensions; the input's values are unchanged, in their new positions."""
        facts = inputs[0]
        before = _permuted(facts.dims, _order(self.first_transpose, len(facts.dims)))
        middle = self._reshaped(before, inputs)
        dims = _permuted(middle, _order(self.second_transpose, len(middle)))
        pair = traced(facts)
        if pair is None or UNKNOWN in middle:
            return (ValueFacts(dims),)
        values, known = (self._moved(array, middle) for array in pair)
        return (carried(dims, values, known),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        facts = [ValueFacts(inputs[0].shape), *(ValueFacts(shape.shape, tuple(shape.tolist())) for shape in inputs[1:])]
        before = _permuted(inputs[0].shape, _order(self.first_transpose, inputs[0].ndim))
        return (self._moved(inputs[0], self._reshaped(before, facts)),)

    def _moved(self, data: Array, middle: Extents) -> Array:
        first, second = _order(self.first_transpose, data.ndim), _order(self.second_transpose, len(middle))
        moved: Array = data.transpose(first).reshape(middle).transpose(second)
        return moved

    def _reshaped(self, dims: Extents, inputs: Sequence[ValueFacts]) -> Extents:
        target: Values | None = self.reshape_dims
        if len(inputs) > 1:
            shape = inputs[1]  # its length, the number of dimensions, must be known
            require(len(shape.dims) == 1 and shape.settled, f"the shape of a shuffle is 1-D, not {list(shape.dims)}")
            require(shape.dims[0] <= MAX_DIMS, f"a tensor cannot have {shape.dims[0]} dimensions")
            target = shape.values if shape.values is not None else (None,) * shape.dims[0]
        return dims if target is None else self._resolved(dims, target)

    def _resolved(self, dims: Extents, target: Values) -> Extents:
        """Return the dimensions of a reshape, with numbers in place of 0 (a copy) and -1."""
        what = f"{list(dims)} cannot be reshaped to {list(target)}"
        copied = {axis for axis, extent in enumerate(target) if extent == _COPY and self.zero_is_placeholder}
        require(max(copied, default=-1) < len(dims), f"{what}: a 0 has no dimension to copy")
        require(all(extent is None or extent >= UNKNOWN for extent in target), f"{what}: a dimension is below -1")
        require(list(target).count(UNKNOWN) <= 1, f"{what}: only one dimension can be worked out")
        rest = prod_or_none([extent for axis, extent in enumerate(dims) if axis not in copied])
        resolved = [dims[axis] if axis in copied else extent for axis, extent in enumerate(target)]
        others = [extent for axis, extent in enumerate(target) if axis not in copied and extent != UNKNOWN]
        volume = None if None in others else prod(extent for extent in others if extent is not None)
        if rest is not None and volume is not None:
            if UNKNOWN in target:
                require(volume > 0 and rest % volume == 0, f"{what}: no dimension fits the number of elements")
                resolved[target.index(UNKNOWN)] = rest // volume
            else:
                require(rest == volume, f"{what}: the number of elements differs")
        return tuple(UNKNOWN if extent is None else extent for extent in resolved)


def prod_or_none(extents: Sequence[int]) -> int | None:
    """Return the product of dimensions; None if a dimension is unknown."""
    return None if UNKNOWN in extents else prod(extents)


def _order(permutation: tuple[int, ...] | None, rank: int) -> tuple[int, ...]:
    """Return the axes in their new order."""
    order = tuple(range(rank)) if permutation is None else permutation[:rank]
    require(sorted(order) == list(range(rank)), f"{list(order)} is no permutation of {rank} axes")
    return order


def _permuted(dims: Extents, order: tuple[int, ...]) -> Extents:
    return tuple(dims[axis] for axis in order)
