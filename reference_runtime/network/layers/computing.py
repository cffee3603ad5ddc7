"""The layers that compute one element from many, constants, and quantization."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.conversions import boolean, instance, int32, integer
from reference_runtime.bound.overloads import accessor
from reference_runtime.network.graph.output_types import change
from reference_runtime.network.layers.layer import ILayer, alter, graph_of_layer, layer_of, setting
from reference_runtime.operations.constant import Constant
from reference_runtime.values.descriptions import as_dims, no_dims
from reference_runtime.values.dims import to_dims, values
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import MatrixOperation, ReduceOperation
from reference_runtime.values.refusals import Refused
from reference_runtime.values.weights import to_weights

if TYPE_CHECKING:
    from reference_runtime.bound.bound_class import attribute
    from reference_runtime.values.weights import Weights

_mask = integer(32, signed=False)


def _change_constant(layer: IConstantLayer, where: str, dims: tuple[int, ...], weights: Weights) -> None:
    """Give a constant another shape or other weights; report an error if they do not match."""
    graph, graph_layer = graph_of_layer(layer), layer_of(layer)
    try:
        change(graph, graph_layer, Constant.of_weights(dims, weights), ())
    except Refused as refused:
        graph.complain(where, Refused(f"{graph_layer.name}: {refused}"))
    else:
        graph.remember_weights(weights)


def _constant(layer: ILayer) -> Any:
    operation: Any = layer_of(layer).operation
    return operation


class IConstantLayer(ILayer, bound=True):
    """A constant; its data stay in the application's memory until the engine is built."""

    weights = accessor(
        "(self: IConstantLayer, arg0: Weights) -> None",
        lambda self: _constant(self).source.numpy(),
        lambda self, weights: _change_constant(self, "IConstantLayer::setWeights", _constant(self).dims, weights),
        to_weights,
    )
    shape = accessor(
        "(self: IConstantLayer, arg0: Dims) -> None",
        lambda self: as_dims(_constant(self).dims),
        lambda self, shape: _change_constant(
            self, "IConstantLayer::setDimensions", values(shape), _constant(self).source
        ),
        to_dims,
    )


class IMatrixMultiplyLayer(ILayer, bound=True):
    """Products of matrices."""

    op0 = setting(
        "(self: IMatrixMultiplyLayer, arg0: MatrixOperation) -> None",
        "op0",
        "IMatrixMultiplyLayer::setOperation",
        instance(MatrixOperation),
    )
    op1 = setting(
        "(self: IMatrixMultiplyLayer, arg0: MatrixOperation) -> None",
        "op1",
        "IMatrixMultiplyLayer::setOperation",
        instance(MatrixOperation),
    )


class IReduceLayer(ILayer, bound=True):
    """A reduction along axes."""

    op = setting(
        "(self: IReduceLayer, arg0: ReduceOperation) -> None",
        "op",
        "IReduceLayer::setOperation",
        instance(ReduceOperation),
    )
    axes = setting(
        "(self: IReduceLayer, arg0: typing.SupportsInt) -> None", "axes", "IReduceLayer::setReduceAxes", _mask
    )
    keep_dims = setting(
        "(self: IReduceLayer, arg0: bool) -> None", "keep_dims", "IReduceLayer::setKeepDimensions", boolean
    )


def _softmax_axes(layer: ISoftMaxLayer) -> int:
    """Return the mask of the axes; the default depends on the number of dimensions."""
    facts = graph_of_layer(layer).facts(layer_of(layer).inputs[0])
    operation: Any = layer_of(layer).operation
    return int(operation.axes_of(0 if facts is None else len(facts.dims)))


class ISoftMaxLayer(ILayer, bound=True):
    """A softmax."""

    axes = accessor(
        "(self: ISoftMaxLayer, arg0: typing.SupportsInt) -> None",
        _softmax_axes,
        lambda self, axes: alter(self, "ISoftMaxLayer::setAxes", axes=axes),
        _mask,
    )


def _axis(owner: str) -> attribute:
    return setting(f"(self: {owner}, arg0: typing.SupportsInt) -> None", "axis", f"{owner}::setAxis", int32)


def _to_type(owner: str) -> attribute:
    return setting(f"(self: {owner}, arg0: DataType) -> None", "to_type", f"{owner}::setToType", instance(DataType))


def _block_shape(owner: str) -> attribute:
    return setting(
        f"(self: {owner}, arg0: Dims) -> None",
        "block_shape",
        f"{owner}::setBlockShape",
        to_dims,
        show=lambda blocks: no_dims() if blocks is None else as_dims(blocks),
        take=values,
    )


class IQuantizeLayer(ILayer, bound=True):
    """A conversion of real numbers to few bits."""

    axis = _axis("IQuantizeLayer")
    to_type = _to_type("IQuantizeLayer")
    block_shape = _block_shape("IQuantizeLayer")


class IDequantizeLayer(ILayer, bound=True):
    """A conversion of few bits to real numbers."""

    axis = _axis("IDequantizeLayer")
    to_type = _to_type("IDequantizeLayer")
    block_shape = _block_shape("IDequantizeLayer")
