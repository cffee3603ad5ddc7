"""Compute layers without a plugin: one module for each family of operations, and their representation in a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.operations.activation import Activation
from reference_runtime.operations.cast import Cast, Identity
from reference_runtime.operations.concatenation import Concatenation
from reference_runtime.operations.constant import Constant
from reference_runtime.operations.elementwise import Elementwise, Select
from reference_runtime.operations.gather import Gather
from reference_runtime.operations.matrix_multiply import MatrixMultiply
from reference_runtime.operations.onnx.node import OnnxNode
from reference_runtime.operations.operation import Array, Operation, takes
from reference_runtime.operations.quantize import Dequantize, Quantize
from reference_runtime.operations.reduce import Reduce
from reference_runtime.operations.shape import Shape
from reference_runtime.operations.shuffle import Shuffle
from reference_runtime.operations.slice import Slice
from reference_runtime.operations.softmax import Softmax
from reference_runtime.operations.squeeze import Squeeze, Unsqueeze
from reference_runtime.operations.unary import Unary
from reference_runtime.values import checked_json as checked
from reference_runtime.values.checked_json import PlanError

if TYPE_CHECKING:
    from reference_runtime.values.enums_layers import LayerType

__all__ = ["KINDS", "Array", "Constant", "Operation", "from_plain", "takes"]

_CLASSES: tuple[Any, ...] = (
    Activation,
    Cast,
    Concatenation,
    Constant,
    Dequantize,
    Elementwise,
    Gather,
    Identity,
    MatrixMultiply,
    OnnxNode,
    Quantize,
    Reduce,
    Select,
    Shape,
    Shuffle,
    Slice,
    Softmax,
    Squeeze,
    Unary,
    Unsqueeze,
)
KINDS: dict[Any, Any] = {cls.kind: cls for cls in _CLASSES}
"""The class of each kind of layer that runs no plugin."""


def from_plain(kind: LayerType, plain: object, weights: bytes) -> Operation:
    """Return the operation that has these settings (from ``to_plain``) and weights.

    Raises:
        PlanError: The settings or weights are not those of an operation of this kind.
    """
    if kind not in KINDS:
        raise PlanError(f"{kind.name} is no operation of this runtime")
    cls = KINDS[kind]
    read = {name: cls.fields[name].read(value) for name, value in checked.record(plain, *cls.fields).items()}
    if hasattr(cls, "of_plan"):
        return cls.of_plan(weights, **read)  # type: ignore[no-any-return]
    if weights:
        raise PlanError(f"a layer of kind {kind.name} has no weights, and the plan has {len(weights)} bytes of them")
    return cls(**read)  # type: ignore[no-any-return]
