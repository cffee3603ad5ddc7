"""The methods of INetworkDefinition that add layers without a plugin.

Each returns the new layer, or reports an error and returns None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.conversions import boolean, instance, int32, integer, sequence
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.network.graph.graph import Graph, graph_of
from reference_runtime.network.graph.graph_parts import Layer, Tensor
from reference_runtime.network.graph.output_types import output_types
from reference_runtime.network.layers import bound_layer
from reference_runtime.network.layers.tensors import ITensor, tensor_of
from reference_runtime.operations.activation import Activation
from reference_runtime.operations.cast import Cast, Identity
from reference_runtime.operations.concatenation import Concatenation
from reference_runtime.operations.constant import Constant
from reference_runtime.operations.elementwise import Elementwise, Select
from reference_runtime.operations.gather import Gather
from reference_runtime.operations.matrix_multiply import MatrixMultiply
from reference_runtime.operations.quantize import Dequantize, Quantize
from reference_runtime.operations.reduce import Reduce
from reference_runtime.operations.shape import Shape
from reference_runtime.operations.shuffle import Shuffle
from reference_runtime.operations.slice import Slice
from reference_runtime.operations.softmax import Softmax
from reference_runtime.operations.squeeze import Squeeze, Unsqueeze
from reference_runtime.operations.unary import Unary
from reference_runtime.values.dims import to_dims, values
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import (
    ActivationType,
    ElementWiseOperation,
    GatherMode,
    MatrixOperation,
    ReduceOperation,
    UnaryOperation,
)
from reference_runtime.values.refusals import Refused
from reference_runtime.values.weights import to_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.operations import Operation
    from reference_runtime.values.dims import Dims
    from reference_runtime.values.weights import Weights

_SELF = "(self: INetworkDefinition, "
_TENSOR = instance(ITensor)
_INT = "typing.SupportsInt"


#: The layers whose operation is the same for a batch as for a single item.
_ITEM_BY_ITEM = frozenset({"Activation", "Cast", "Constant", "ElementWise", "Identity", "Unary"})


def _added(
    network: object, where: str, label: str, inputs: Sequence[ITensor], make: Callable[[Graph], Operation]
) -> Any:
    """Add a layer, or report why that is impossible and return None."""
    graph = graph_of(network)
    try:
        layer = _layer(graph, label, [tensor_of(tensor) for tensor in inputs], make(graph))
    except Refused as refused:
        graph.complain(f"INetworkDefinition::{where}", refused)
        return None
    graph.add_layer(layer)
    return bound_layer(graph, network, layer)


def _layer(graph: Graph, label: str, inputs: list[Tensor], operation: Operation) -> Layer:
    if graph.batch_limit is not None and label not in _ITEM_BY_ITEM:
        raise Refused(f"{label} layers are not in this runtime's networks with an implicit batch")
    for tensor in inputs:
        if tensor not in graph.producers:
            raise Refused(f"{tensor.name} is a tensor of another network")
    types = output_types(graph, operation, [tensor.dtype for tensor in inputs])
    name = f"(Unnamed Layer* {len(graph.layers)}) [{label}]"
    outputs = [Tensor(f"{name}_output", dtype) for dtype in types]
    return Layer(name, inputs, outputs, operation.kind, operation=operation)


@bound(Overload(f"{_SELF}input: ITensor, type: ActivationType) -> IActivationLayer", _TENSOR, instance(ActivationType)))
def add_activation(self: object, tensor: ITensor, kind: ActivationType) -> Any:
    """Add an activation function."""
    return _added(self, "addActivation", "Activation", [tensor], lambda _graph: Activation(kind))


@bound(Overload(f"{_SELF}input: ITensor, to_type: DataType) -> ICastLayer", _TENSOR, instance(DataType)))
def add_cast(self: object, tensor: ITensor, to_type: DataType) -> Any:
    """Add a conversion to another type."""
    return _added(self, "addCast", "Cast", [tensor], lambda _graph: Cast(to_type))


@bound(Overload(f"{_SELF}inputs: collections.abc.Sequence[ITensor]) -> IConcatenationLayer", sequence(_TENSOR)))
def add_concatenation(self: object, inputs: list[ITensor]) -> Any:
    """Add a concatenation of one tensor or more."""

    def make(_graph: Graph) -> Operation:
        if not inputs:
            raise Refused("a concatenation needs at least one input, and there is none")
        return Concatenation()

    return _added(self, "addConcatenation", "Concatenation", inputs, make)


@bound(Overload(f"{_SELF}shape: Dims, weights: Weights) -> IConstantLayer", to_dims, to_weights))
def add_constant(self: object, shape: Dims, weights: Weights) -> Any:
    """Add a constant; its data must not change or be freed until the engine is built."""

    def make(graph: Graph) -> Operation:
        # in a network with an implicit batch a constant is one item for the whole batch
        extents = values(shape) if graph.batch_limit is None else (1, *values(shape))
        return Constant.of_weights(extents, weights)

    layer = _added(self, "addConstant", "Constant", [], make)
    if layer is not None:
        graph_of(self).remember_weights(weights)
    return layer


@bound(
    Overload(f"{_SELF}input: ITensor, scale: ITensor) -> IDequantizeLayer", _TENSOR, _TENSOR),
    Overload(
        f"{_SELF}input: ITensor, scale: ITensor, output_type: DataType) -> IDequantizeLayer",
        _TENSOR,
        _TENSOR,
        instance(DataType),
    ),
)
def add_dequantize(self: object, tensor: ITensor, scale: ITensor, output_type: DataType | None = None) -> Any:
    """Add a dequantization, by default to FLOAT, or in a strongly typed network to the type of the scale."""

    def make(graph: Graph) -> Operation:
        default = tensor_of(scale).dtype if graph.strongly_typed else DataType.FLOAT
        return Dequantize(default if output_type is None else output_type)

    return _added(self, "addDequantize", "Dequantize", [tensor, scale], make)


@bound(
    Overload(
        f"{_SELF}input1: ITensor, input2: ITensor, op: ElementWiseOperation) -> IElementWiseLayer",
        _TENSOR,
        _TENSOR,
        instance(ElementWiseOperation),
    )
)
def add_elementwise(self: object, first: ITensor, second: ITensor, op: ElementWiseOperation) -> Any:
    """Add an operation on two tensors."""
    return _added(self, "addElementWise", "ElementWise", [first, second], lambda _graph: Elementwise(op))


@bound(Overload(f"{_SELF}input: ITensor, indices: ITensor, axis: {_INT}) -> IGatherLayer", _TENSOR, _TENSOR, int32))
def add_gather(self: object, tensor: ITensor, indices: ITensor, axis: int) -> Any:
    """Add a gather of slices across an axis."""
    return _added(self, "addGather", "Gather", [tensor, indices], lambda _graph: Gather(GatherMode.DEFAULT, axis))


@bound(
    Overload(
        f"{_SELF}input: ITensor, indices: ITensor, mode: GatherMode) -> IGatherLayer",
        _TENSOR,
        _TENSOR,
        instance(GatherMode),
    )
)
def add_gather_v2(self: object, tensor: ITensor, indices: ITensor, mode: GatherMode) -> Any:
    """Add a gather of any mode."""
    return _added(self, "addGatherV2", "Gather", [tensor, indices], lambda _graph: Gather(mode))


@bound(Overload(f"{_SELF}input: ITensor) -> IIdentityLayer", _TENSOR))
def add_identity(self: object, tensor: ITensor) -> Any:
    """Add a copy."""
    return _added(self, "addIdentity", "Identity", [tensor], lambda _graph: Identity())


@bound(
    Overload(
        f"{_SELF}input0: ITensor, op0: MatrixOperation, input1: ITensor, op1: MatrixOperation) -> IMatrixMultiplyLayer",
        _TENSOR,
        instance(MatrixOperation),
        _TENSOR,
        instance(MatrixOperation),
    )
)
def add_matrix_multiply(
    self: object, first: ITensor, op0: MatrixOperation, second: ITensor, op1: MatrixOperation
) -> Any:
    """Add a matrix multiplication."""
    return _added(
        self, "addMatrixMultiply", "Matrix Multiply", [first, second], lambda _graph: MatrixMultiply(op0, op1)
    )


@bound(
    Overload(f"{_SELF}input: ITensor, scale: ITensor) -> IQuantizeLayer", _TENSOR, _TENSOR),
    Overload(
        f"{_SELF}input: ITensor, scale: ITensor, output_type: DataType) -> IQuantizeLayer",
        _TENSOR,
        _TENSOR,
        instance(DataType),
    ),
)
def add_quantize(self: object, tensor: ITensor, scale: ITensor, output_type: DataType = DataType.INT8) -> Any:
    """Add a quantization, by default to INT8."""
    return _added(self, "addQuantize", "Quantize", [tensor, scale], lambda _graph: Quantize(output_type))


@bound(
    Overload(
        f"{_SELF}input: ITensor, op: ReduceOperation, axes: {_INT}, keep_dims: bool) -> IReduceLayer",
        _TENSOR,
        instance(ReduceOperation),
        integer(32, signed=False),
        boolean,
    )
)
def add_reduce(self: object, tensor: ITensor, op: ReduceOperation, axes: int, keep_dims: bool) -> Any:  # noqa: FBT001 - as in the genuine bindings
    """Add a reduction along the axes of a mask."""

    def make(_graph: Graph) -> Operation:
        if not axes:
            raise Refused("a reduction needs at least one axis, and the mask is 0")
        return Reduce(op, axes, keep_dims)

    return _added(self, "addReduce", "Reduce", [tensor], make)


@bound(
    Overload(
        f"{_SELF}condition: ITensor, then_input: ITensor, else_input: ITensor) -> ISelectLayer",
        _TENSOR,
        _TENSOR,
        _TENSOR,
    )
)
def add_select(self: object, condition: ITensor, then_input: ITensor, else_input: ITensor) -> Any:
    """Add a choice between two tensors."""
    return _added(self, "addSelect", "Select", [condition, then_input, else_input], lambda _graph: Select())


@bound(Overload(f"{_SELF}input: ITensor) -> IShapeLayer", _TENSOR))
def add_shape(self: object, tensor: ITensor) -> Any:
    """Add a layer whose output is the dimensions of a tensor."""
    return _added(self, "addShape", "Shape", [tensor], lambda _graph: Shape())


@bound(Overload(f"{_SELF}input: ITensor) -> IShuffleLayer", _TENSOR))
def add_shuffle(self: object, tensor: ITensor) -> Any:
    """Add a shuffle, which changes nothing until its properties are set."""
    return _added(self, "addShuffle", "Shuffle", [tensor], lambda _graph: Shuffle())


@bound(
    Overload(
        f"{_SELF}input: ITensor, start: Dims, shape: Dims, stride: Dims) -> ISliceLayer",
        _TENSOR,
        to_dims,
        to_dims,
        to_dims,
    )
)
def add_slice(self: object, tensor: ITensor, start: Dims, shape: Dims, stride: Dims) -> Any:
    """Add a slice."""

    def make(_graph: Graph) -> Operation:
        lengths = {len(values(dims)) for dims in (start, shape, stride)}
        if len(lengths) > 1:
            raise Refused(f"start, shape and stride need the same length, and they have {sorted(lengths)}")
        return Slice(values(start), values(shape), values(stride))

    return _added(self, "addSlice", "Slice", [tensor], make)


@bound(Overload(f"{_SELF}input: ITensor) -> ISoftMaxLayer", _TENSOR))
def add_softmax(self: object, tensor: ITensor) -> Any:
    """Add a softmax."""
    return _added(self, "addSoftMax", "SoftMax", [tensor], lambda _graph: Softmax())


@bound(Overload(f"{_SELF}input: ITensor, axes: ITensor) -> ISqueezeLayer", _TENSOR, _TENSOR))
def add_squeeze(self: object, tensor: ITensor, axes: ITensor) -> Any:
    """Add a squeeze of axes that a constant tensor names."""
    return _added(self, "addSqueeze", "Squeeze", [tensor, axes], lambda _graph: Squeeze())


@bound(Overload(f"{_SELF}input: ITensor, op: UnaryOperation) -> IUnaryLayer", _TENSOR, instance(UnaryOperation)))
def add_unary(self: object, tensor: ITensor, op: UnaryOperation) -> Any:
    """Add a function on each element."""
    return _added(self, "addUnary", "Unary", [tensor], lambda _graph: Unary(op))


@bound(Overload(f"{_SELF}input: ITensor, axes: ITensor) -> IUnsqueezeLayer", _TENSOR, _TENSOR))
def add_unsqueeze(self: object, tensor: ITensor, axes: ITensor) -> Any:
    """Add an unsqueeze by axes that a constant tensor names."""
    return _added(self, "addUnsqueeze", "Unsqueeze", [tensor, axes], lambda _graph: Unsqueeze())
