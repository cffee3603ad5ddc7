"""Operators of ONNX: layers that `onnx.reference` computes, with shapes from ONNX's inference.

Theory. Each operation is a model of one node (`model`), kept as bytes, which a plan stores unchanged. ONNX's shape
inference gives the dimensions, from the known dimensions and values. If it does not give all of them although all
relevant inputs are known, the node is computed once, on ones. Values are inferred if they are exact:

* if all inputs are known, the node is computed;
* an operator that only moves elements is computed on consecutive numbers, which show where each element goes;
* an operator that works element by element gives a value if all operands of that value are known.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from reference_runtime.operations.kinds import array_type
from reference_runtime.operations.onnx.library import (
    INT8,
    INT32,
    INT64,
    data_type,
    element_of,
    element_type,
    numpy_type,
)
from reference_runtime.operations.onnx.model import check, computed, output_elements, output_shapes, single
from reference_runtime.operations.onnx.tables import BY_ELEMENT, DECIDING, JOINING, MOVING, SAME_RANK
from reference_runtime.operations.operation import Basic, require
from reference_runtime.shapes.tensor_facts import UNKNOWN, ValueFacts, are_kept, carried, traced
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.values.descriptions import Extents

_MOST_TRIED: Final = 1 << 20
"""A node is computed on ones only if its inputs have at most this number of elements."""


class OnnxNode(Basic, frozen=True, eq=False):
    """One node of an ONNX model."""

    kind: ClassVar = LayerType.PLUGIN
    required: ClassVar[int | None] = None
    source: bytes

    @classmethod
    def of_plan(cls, data: bytes) -> OnnxNode:
        """Return the node in a plan.

        Raises:
            PlanError: The data are not a node as this runtime writes it.
        """
        check(data)
        return cls(data)

    @property
    def op_type(self) -> str:
        """Return the name of the operator."""
        return single(self.source).op_type

    @property
    def weights(self) -> bytes:
        """Return the model of the node, which a plan stores as the operation's weights."""
        return self.source

    @property
    def shape_operands(self) -> frozenset[int]:
        """Return the inputs whose values decide dimensions, by position among the inputs that are not left out."""
        present = [place for place, name in enumerate(single(self.source).node.input) if name]
        return frozenset(present.index(place) for place in DECIDING.get(self.op_type, ()) if place in present)

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the types of the outputs, which ONNX's inference gives for the types of the inputs."""
        self._check_count(inputs)
        # A node with 64-bit integers accepts 32-bit integers, too.
        pairs = zip(map(element_type, inputs), self._declared, strict=True)
        elements = tuple(INT64 if pair == (INT32, INT64) else pair[0] for pair in pairs)
        dtypes = [data_type(element) for element in output_elements(self.source, elements)]
        known = tuple(dtype for dtype in dtypes if dtype is not None)
        names = ", ".join(dtype.name for dtype in inputs)
        require(len(known) == len(dtypes), f"{self.op_type} of {names} has a result whose type TensorRT does not have")
        return known

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the facts of the outputs."""
        self._check_count(inputs)
        pairs = {place: pair for place, facts in enumerate(inputs) if (pair := traced(facts)) is not None}
        known = {place: values.astype(self._dtype(place)) for place, (values, sure) in pairs.items() if sure.all()}
        shapes = self._shapes(inputs, known)
        unknown = tuple(ValueFacts(dims) for dims in shapes)
        if not all(are_kept(dims) for dims in shapes):
            return unknown
        if len(known) == len(inputs):
            results = computed(self.source, [known[place] for place in range(len(inputs))])
            return tuple(carried(array.shape, array, np.ones(array.shape, np.bool_)) for array in results)
        if self.op_type in MOVING | JOINING:
            return self._moved(inputs, known) or unknown
        return (self.op_type in BY_ELEMENT and self._by_element(inputs)) or unknown

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the outputs; inputs of types that NumPy does not have are float32."""
        operands = [_as_declared(*pair) for pair in zip(inputs, self._declared, strict=True)]
        elements = output_elements(self.source, tuple(element_of(array.dtype) for array in operands))
        types = [array_type(data_type(element) or DataType.FLOAT) for element in elements]
        return tuple(array.astype(dtype) for array, dtype in zip(computed(self.source, operands), types, strict=True))

    @property
    def _declared(self) -> tuple[int, ...]:
        return single(self.source).elements

    def _check_count(self, inputs: Sequence[object]) -> None:
        count = len(self._declared)
        require(len(inputs) == count, f"this {self.op_type} has {count} inputs, not {len(inputs)}")

    def _dtype(self, place: int) -> np.dtype[np.generic]:
        """Return the NumPy type of the known values of an input."""
        return numpy_type(self._declared[place]) or np.dtype(np.float32)

    def _shapes(self, inputs: Sequence[ValueFacts], known: Mapping[int, Array]) -> list[Extents]:
        inferred = output_shapes(self.source, [facts.dims for facts in inputs], known)
        if self.op_type in SAME_RANK:
            inferred = [(UNKNOWN,) * len(inputs[0].dims) if dims is None else dims for dims in inferred]
        shapes = [dims for dims in inferred if dims is not None]
        if len(shapes) == len(inferred) and all(UNKNOWN not in dims for dims in shapes):
            return shapes
        settled = all(facts.settled for facts in inputs) and self.shape_operands.issubset(known)
        if settled and sum(prod(facts.dims) for facts in inputs) <= _MOST_TRIED:
            ones = [
                known[place] if place in known else np.ones(facts.dims, self._dtype(place))
                for place, facts in enumerate(inputs)
            ]
            return [array.shape for array in computed(self.source, ones)]
        missing = "the number of dimensions of an output depends on what is not known yet"
        require(len(shapes) == len(inferred), f"{self.op_type}: {missing}")
        return shapes

    def _moved(self, inputs: Sequence[ValueFacts], known: Mapping[int, Array]) -> tuple[ValueFacts, ...] | None:
        """Return the facts for an operator that moves elements: each gets a number, which shows its new place."""
        moving = range(len(inputs) if self.op_type in JOINING else 1)
        kept: list[float | None] = []
        operands: list[Array] = []
        for place, facts in enumerate(inputs):
            if place in moving and are_kept(facts.dims):
                elements = _elements(facts)
                numbers = np.arange(len(kept), len(kept) + len(elements), dtype=np.int64)
                operands.append(numbers.reshape(facts.dims))
                kept += elements
            elif place not in moving and place in known:
                operands.append(known[place])
            else:
                return None
        if all(element is None for element in kept):
            return None
        dtype = np.int64 if all(inputs[place].reals is None for place in moving) else np.float32
        return tuple(_picked(numbers, kept, np.dtype(dtype)) for numbers in computed(self.source, operands))

    def _by_element(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...] | None:
        """Return the facts for an operator of elements: it is computed with ones in place of unknown values."""
        if not all(are_kept(facts.dims) for facts in inputs):
            return None
        pairs = [traced(facts) or (np.zeros(facts.dims), np.zeros(facts.dims, np.bool_)) for facts in inputs]
        sure = np.logical_and.reduce(np.broadcast_arrays(*[known for _, known in pairs]))
        if not sure.any():
            return None
        operands = [
            np.where(known, values, 1).astype(self._dtype(place)) for place, (values, known) in enumerate(pairs)
        ]
        return tuple(
            carried(array.shape, array, np.broadcast_to(sure, array.shape)) for array in computed(self.source, operands)
        )


def _elements(facts: ValueFacts) -> Sequence[float | None]:
    kept: Sequence[float | None] | None = facts.values if facts.reals is None else facts.reals
    return (None,) * prod(facts.dims) if kept is None else kept


def _picked(numbers: Array, kept: Sequence[float | None], dtype: np.dtype[np.generic]) -> ValueFacts:
    elements = [kept[number] for number in numbers.reshape(-1).tolist()]
    values = np.array([0 if value is None else value for value in elements], dtype)
    return carried(numbers.shape, values, np.array([value is not None for value in elements], np.bool_))


def _as_declared(array: Array, declared: int) -> Array:
    """Convert an input to the element type that the node declares.

    Layers receive INT8 as float32, and an input may have 32-bit integers in place of 64-bit integers.
    """
    if declared == INT8 and array.dtype == np.float32:
        return np.rint(array).astype(np.int8)
    return array.astype(np.int64) if declared == INT64 and array.dtype == np.int32 else array
