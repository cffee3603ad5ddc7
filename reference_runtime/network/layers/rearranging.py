"""The layers that move elements: concatenation, gather, shuffle, slice, squeeze, unsqueeze; and the shape layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import attribute, state
from reference_runtime.bound.conversions import boolean, instance, int32, sequence
from reference_runtime.bound.overloads import accessor
from reference_runtime.network.layers.layer import ILayer, alter, graph_of_layer, layer_of, setting
from reference_runtime.operations.slice import AXES, SIZE, START, STRIDE
from reference_runtime.values.descriptions import as_dims, no_dims
from reference_runtime.values.dims import MAX_DIMS, Permutation, to_dims, values
from reference_runtime.values.enums_layers import GatherMode, SampleMode

if TYPE_CHECKING:
    from reference_runtime.values.dims import Dims


def _joined_axis(layer: IConcatenationLayer) -> int:
    """Return the axis; the default depends on the number of dimensions."""
    operation: Any = layer_of(layer).operation
    facts = graph_of_layer(layer).facts(layer_of(layer).inputs[0])
    return int(operation.axis_of(0 if facts is None else len(facts.dims)))


class IConcatenationLayer(ILayer, bound=True):
    """A concatenation of tensors along an axis."""

    axis = accessor(
        "(self: IConcatenationLayer, arg0: typing.SupportsInt) -> None",
        _joined_axis,
        lambda self, axis: alter(self, "IConcatenationLayer::setAxis", axis=axis),
        int32,
    )


class IGatherLayer(ILayer, bound=True):
    """A selection of elements by indices."""

    axis = setting(
        "(self: IGatherLayer, arg0: typing.SupportsInt) -> None", "axis", "IGatherLayer::setGatherAxis", int32
    )
    num_elementwise_dims = setting(
        "(self: IGatherLayer, arg0: typing.SupportsInt) -> None",
        "num_elementwise_dims",
        "IGatherLayer::setNbElementWiseDims",
        int32,
    )
    mode = setting(
        "(self: IGatherLayer, arg0: GatherMode) -> None", "mode", "IGatherLayer::setMode", instance(GatherMode)
    )


class IShapeLayer(ILayer, bound=True):
    """The dimensions of a tensor."""


class ISqueezeLayer(ILayer, bound=True):
    """A tensor without some axes of length 1."""


class IUnsqueezeLayer(ILayer, bound=True):
    """A tensor with additional axes of length 1."""


_ORDER = sequence(int32)


def _to_permutation(value: Any) -> Permutation:
    """Convert a parameter to a permutation: from a `Permutation`, or from up to eight integers."""
    return value if isinstance(value, Permutation) else Permutation(_ORDER(value))


def _transpose(name: str, where: str) -> attribute:
    return setting(
        "(self: IShuffleLayer, arg0: Permutation) -> None",
        name,
        where,
        _to_permutation,
        show=lambda order: Permutation(list(range(MAX_DIMS)) if order is None else list(order)),
        take=lambda permutation: tuple(state(permutation)["order"]),
    )


def _shown_dims(layer: ILayer, name: str, index: int) -> Dims:
    """Return dimensions that the application set; a shape of -1 dimensions if none are set or an input has them."""
    operation: Any = layer_of(layer).operation
    dims = getattr(operation, name)
    return no_dims() if dims is None or index in operation.operands else as_dims(dims)


def _set_dims(layer: ILayer, name: str, index: int, where: str, dims: Dims) -> None:
    """Set dimensions; an input that provided them is removed."""
    graph_layer = layer_of(layer)
    operation: Any = graph_layer.operation
    kept = [place for place in operation.operands if place != index]
    inputs = [tensor for place, tensor in zip(operation.operands, graph_layer.inputs, strict=True) if place != index]
    alter(layer, where, inputs, **{name: values(dims), "operands": tuple(kept)})


def _dims_setting(owner: str, name: str, index: int, where: str) -> attribute:
    """Make a property for dimensions that input ``index`` may provide instead."""
    return accessor(
        f"(self: {owner}, arg0: Dims) -> None",
        lambda self: _shown_dims(self, name, index),
        lambda self, dims: _set_dims(self, name, index, where, dims),
        to_dims,
    )


class IShuffleLayer(ILayer, bound=True):
    """A transposition, a reshape, and another transposition."""

    first_transpose = _transpose("first_transpose", "IShuffleLayer::setFirstTranspose")
    reshape_dims = _dims_setting("IShuffleLayer", "reshape_dims", 1, "IShuffleLayer::setReshapeDimensions")
    second_transpose = _transpose("second_transpose", "IShuffleLayer::setSecondTranspose")
    zero_is_placeholder = setting(
        "(self: IShuffleLayer, arg0: bool) -> None",
        "zero_is_placeholder",
        "IShuffleLayer::setZeroIsPlaceholder",
        boolean,
    )


class ISliceLayer(ILayer, bound=True):
    """Elements at regular distances along each axis."""

    start = _dims_setting("ISliceLayer", "start", START, "ISliceLayer::setStart")
    shape = _dims_setting("ISliceLayer", "size", SIZE, "ISliceLayer::setSize")
    stride = _dims_setting("ISliceLayer", "stride", STRIDE, "ISliceLayer::setStride")
    axes = _dims_setting("ISliceLayer", "axes", AXES, "ISliceLayer::setAxes")
    mode = setting(
        "(self: ISliceLayer, arg0: SampleMode) -> None", "mode", "ISliceLayer::setMode", instance(SampleMode)
    )
