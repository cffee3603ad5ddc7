"""Translate a node of an ONNX operator to the operations of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.onnx.importing.flattening import node_status
from reference_runtime.onnx.importing.status import ImportFailed
from reference_runtime.onnx.importing.weights import constant
from reference_runtime.operations.cast import Cast, Identity
from reference_runtime.operations.onnx.library import INT64, data_type, element_type, library
from reference_runtime.operations.onnx.model import model_of, why_not
from reference_runtime.operations.onnx.node import OnnxNode
from reference_runtime.operations.onnx.tables import NOT_HERE
from reference_runtime.operations.shape import Shape
from reference_runtime.operations.shuffle import Shuffle
from reference_runtime.operations.slice import Slice
from reference_runtime.values.enums import DataType, ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.onnx.importing.flattening import Step
    from reference_runtime.operations import Operation

_SLICING: Final = 15
"""The first opset in which a Shape node may take a part of the dimensions."""
_BY_INPUT: Final = 5
"""The first opset in which the dimensions of a Reshape are an input."""
_VALUES: Final = {
    "value_float": np.float32,
    "value_floats": np.float32,
    "value_int": np.int64,
    "value_ints": np.int64,
}


class Translator:
    """Makes operations from nodes, for a model of one opset."""

    def __init__(self, opset: int, rank_of: Callable[[Tensor], int]) -> None:
        self._opset = opset
        self._rank_of = rank_of
        self._own: dict[str, Callable[[Step, Sequence[Tensor]], Iterator[_Made]]] = {
            "Cast": self._cast,
            "Constant": self._constant,
            "Identity": self._identity,
            "Reshape": self._reshape,
            "Shape": self._shape,
        }

    def translated(self, step: Step, operands: Sequence[Tensor | None]) -> Iterator[_Made]:
        """Yield operations in order, each with its inputs; an input None is the output of the previous operation."""
        there = [operand for operand in operands if operand is not None]
        special = self._own.get(str(step.node.op_type))
        if special is not None and len(there) == len(operands):
            yield from special(step, there)
        else:
            yield self._opaque(step, step.node, there)

    def _opaque(self, step: Step, node: Any, operands: Sequence[Tensor | None]) -> _Made:
        """Return the operation that lets `onnx.reference` compute a node, or raise `ImportFailed` if it cannot."""
        types = [_element(operand.dtype) for operand in operands if operand is not None]
        kind = str(node.op_type)
        if kind in NOT_HERE or not types:
            why = f"the reference runtime has no layer for {kind}: its outputs follow from more than its inputs"
            raise ImportFailed(node_status(step, ErrorCode.UNSUPPORTED_NODE, why, f"import{kind}"))
        data = model_of(node, self._opset, types)
        why = why_not(data)
        if why:
            raise ImportFailed(node_status(step, ErrorCode.UNSUPPORTED_NODE, why, f"import{kind}"))
        return OnnxNode(data), list(operands)

    @staticmethod
    def _cast(step: Step, operands: Sequence[Tensor]) -> Iterator[_Made]:
        dtype = data_type(int(_attribute(step.node, "to", 0)))
        if dtype is None:
            why = 'convertDtype(onnxType, &newType) && "Unsupported data type for the Cast operator!"'
            raise ImportFailed(node_status(step, ErrorCode.INVALID_NODE, why, "checkCast", "onnxOpCheckers.cpp"))
        yield Cast(dtype), list(operands)

    @staticmethod
    def _identity(_step: Step, operands: Sequence[Tensor]) -> Iterator[_Made]:
        yield Identity(), list(operands)

    def _constant(self, step: Step, _operands: Sequence[Tensor]) -> Iterator[_Made]:
        tensor = _value(step.node)
        operation = None if tensor is None else constant(tensor)
        if operation is None:
            why = (
                "This version of TensorRT does not support the sparse_value, value_string and value_strings attributes."
            )
            raise ImportFailed(
                node_status(step, ErrorCode.UNSUPPORTED_NODE, why, "checkConstant", "onnxOpCheckers.cpp")
            )
        yield operation, []

    def _reshape(self, step: Step, operands: Sequence[Tensor]) -> Iterator[_Made]:
        """Yield a shuffle, which can infer dimensions from partly known values of its second input."""
        if self._opset < _BY_INPUT:
            yield self._opaque(step, step.node, operands)
            return
        zero_is_copied = not int(_attribute(step.node, "allowzero", 0))
        yield Shuffle(zero_is_placeholder=zero_is_copied, operands=(0, 1)), list(operands)

    def _shape(self, step: Step, operands: Sequence[Tensor]) -> Iterator[_Made]:
        """Yield a shape layer, which needs no values of its input, and a slice if the node selects dimensions."""
        yield Shape(), list(operands)
        start, end = (_attribute(step.node, name, None) for name in ("start", "end"))
        if self._opset < _SLICING or (not start and end is None):
            return
        rank = self._rank_of(operands[0])
        first, last = slice(start, end).indices(rank)[:2]
        yield Slice((first,), (max(last - first, 0),), (1,)), [None]


_Made = tuple["Operation", "list[Tensor | None]"]


def _element(dtype: DataType) -> int:
    """Return the ONNX type of a tensor; at a level without INT64, ONNX sees INT32 tensors as INT64."""
    narrow = dtype == DataType.INT32 and "INT64" not in DataType.__members__
    return INT64 if narrow else element_type(dtype)


def _attribute(node: Any, name: str, default: Any) -> Any:
    own = next((attribute for attribute in node.attribute if attribute.name == name), None)
    return default if own is None else own.i


def _value(node: Any) -> Any:
    """Return the tensor of a Constant node, or None if TensorRT does not support its attribute."""
    for attribute in node.attribute:
        if attribute.name == "value":
            return attribute.t
        if attribute.name in _VALUES:
            value = library("helper").get_attribute_value(attribute)
            return library("numpy_helper").from_array(np.array(value, _VALUES[attribute.name]))
    return None
