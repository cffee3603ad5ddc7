"""ILayer: an application's view of any layer, and properties for the settings of its operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from reference_runtime.bound.bound_class import attribute, pybind11_object, state
from reference_runtime.bound.conversions import instance, int32, string
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.network.graph.output_types import change, fix_type, release_type
from reference_runtime.network.layers.tensors import ITensor, bound_tensor, tensor_of
from reference_runtime.operations.kinds import INDEX_TYPES
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.bound.conversions import Converter
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.network.graph.graph_parts import Layer, Tensor

_INDEX = "index: typing.SupportsInt"


def layer_of(layer: ILayer) -> Layer:
    """Return the graph's layer behind the Python object."""
    graph_layer: Layer = state(layer)["_layer"]
    return graph_layer


def graph_of_layer(layer: ILayer) -> Graph:
    """Return the network that a layer belongs to."""
    graph: Graph = state(layer)["_graph"]
    return graph


def alter(layer: ILayer, where: str, inputs: Sequence[Tensor] | None = None, **settings: Any) -> None:
    """Give a layer's operation other settings, and the layer other inputs.

    An impossible change is reported, not made.
    """
    graph, graph_layer = graph_of_layer(layer), layer_of(layer)
    operation: Any = graph_layer.operation
    try:
        change(graph, graph_layer, replace(operation, **settings), graph_layer.inputs if inputs is None else inputs)
    except Refused as refused:
        graph.complain(where, Refused(f"{graph_layer.name}: {refused}", refused.reason))


def setting(
    text: str,
    name: str,
    where: str,
    convert: Converter,
    *,
    show: Callable[[Any], Any] = lambda value: value,
    take: Callable[[Any], Any] = lambda value: value,
) -> attribute:
    """Make a property that is a setting of the operation; ``where`` is the C++ name of its setter."""
    return accessor(
        text,
        lambda self: show(getattr(layer_of(self).operation, name)),
        lambda self, value: alter(self, where, **{name: take(value)}),
        convert,
    )


def _set_precision(layer: ILayer, dtype: DataType | None) -> None:
    graph = graph_of_layer(layer)
    if graph.strongly_typed:
        why = f"{layer_of(layer).name}: in a strongly typed network the types of the inputs decide the precision"
        graph.complain("ILayer::setPrecision", Refused(why))
    else:
        layer_of(layer).precision = dtype
        graph.version += 1


def _set_ranks(layer: ILayer, ranks: int) -> None:
    """Set the number of ranks (devices) that a layer runs on; report an error for a number below 1."""
    if ranks < 1:
        why = f"{layer_of(layer).name}: a layer runs on at least one rank, not on {ranks}"
        graph_of_layer(layer).complain("ILayer::setNbRanks", Refused(why))
    else:
        layer_of(layer).num_ranks = ranks


class ILayer(pybind11_object, bound=True):
    """A layer of a network definition."""

    name = accessor(
        "(self: ILayer, arg0: str) -> None",
        lambda self: layer_of(self).name,
        lambda self, name: graph_of_layer(self).rename(layer_of(self), name, "ILayer::setName"),
        string,
    )
    metadata = accessor(
        "(self: ILayer, arg0: str) -> None",
        lambda self: layer_of(self).metadata,
        lambda self, metadata: setattr(layer_of(self), "metadata", metadata),
        string,
    )
    num_ranks = accessor(
        "(self: ILayer, arg0: typing.SupportsInt) -> None",
        lambda self: layer_of(self).num_ranks,
        _set_ranks,
        int32,
    )
    type = attribute(lambda self: layer_of(self).kind)
    num_inputs = attribute(lambda self: max(_indices(layer_of(self)), default=-1) + 1)
    num_outputs = attribute(lambda self: len(layer_of(self).outputs))
    precision = accessor(
        "(self: ILayer, arg0: DataType) -> None",
        lambda self: DataType(int(layer_of(self).precision or DataType.FLOAT)),
        _set_precision,
        instance(DataType),
    )
    precision_is_set = attribute(lambda self: layer_of(self).precision is not None)

    @bound(Overload("(self: ILayer) -> None"))
    def reset_precision(self) -> None:
        """Leave the precision to the builder again."""
        layer_of(self).precision = None

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> ITensor", int32))
    def get_input(self, index: int) -> ITensor | None:
        """Return an input, or None if the index is out of range."""
        layer = layer_of(self)
        indices = _indices(layer)
        return _bound(self, layer.operands[indices.index(index)]) if index in indices else None

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> ITensor", int32))
    def get_output(self, index: int) -> ITensor | None:
        """Return an output, or None if the index is out of range."""
        outputs = layer_of(self).outputs
        return _bound(self, outputs[index]) if 0 <= index < len(outputs) else None

    @bound(Overload(f"(self: ILayer, {_INDEX}, tensor: ITensor) -> None", int32, instance(ITensor)))
    def set_input(self, index: int, tensor: ITensor) -> None:
        """Replace an input, or set an optional input that was left out."""
        graph, layer = graph_of_layer(self), layer_of(self)
        operation: Any = layer.operation
        optional = () if operation is None or operation.operands is None else operation.optional
        graph_tensor, indices = tensor_of(tensor), _indices(layer)
        if index not in indices and index not in optional:
            why = f"{layer.name} has {len(indices)} inputs; there is no input {index}"
            graph.complain("ILayer::setInput", Refused(why))
        elif operation is None:
            _set_plugin_input(self, index, graph_tensor)
        else:
            operands = dict(zip(indices, layer.inputs, strict=True)) | {index: graph_tensor}
            order = tuple(sorted(operands))
            settings = {"operands": order} if operation.operands is not None else {}
            alter(self, "ILayer::setInput", [operands[place] for place in order], **settings)

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> DataType", int32))
    def get_output_type(self, index: int) -> DataType | None:
        """Return the type of an output, or None if the index is out of range."""
        output = self.get_output(index)
        return None if output is None else tensor_of(output).dtype

    @bound(Overload(f"(self: ILayer, {_INDEX}, dtype: DataType) -> None", int32, instance(DataType)))
    def set_output_type(self, index: int, dtype: DataType) -> None:
        """Fix the type of an output of a weakly typed network."""
        graph, output = graph_of_layer(self), _nth_output(self, "setOutputType", index)
        if graph.strongly_typed:
            why = f"{layer_of(self).name}: in a strongly typed network a layer decides the types of its outputs"
            graph.complain("ILayer::setOutputType", Refused(why))
        elif output is not None:
            _try(self, "setOutputType", lambda: fix_type(graph, output, dtype))

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> bool", int32))
    def output_type_is_set(self, index: int) -> bool:
        """Say whether the type of an output was fixed."""
        outputs = layer_of(self).outputs
        return 0 <= index < len(outputs) and outputs[index].type_is_set

    @bound(Overload(f"(self: ILayer, {_INDEX}) -> None", int32))
    def reset_output_type(self, index: int) -> None:
        """Let the layer decide the type of an output again."""
        graph, layer, output = graph_of_layer(self), layer_of(self), _nth_output(self, "resetOutputType", index)
        if output is None or not output.type_is_set:
            return
        _try(self, "resetOutputType", lambda: release_type(graph, layer, output))


def _try(layer: ILayer, where: str, work: Callable[[], None]) -> None:
    try:
        work()
    except Refused as refused:
        graph_of_layer(layer).complain(f"ILayer::{where}", Refused(f"{layer_of(layer).name}: {refused}"))


def _indices(layer: Layer) -> Sequence[int]:
    """Return the API's indices of the existing inputs: optional inputs that were left out are skipped."""
    operands = None if layer.operation is None else layer.operation.operands
    return range(len(layer.operands)) if operands is None else operands


def _bound(layer: ILayer, tensor: Tensor) -> ITensor:
    return bound_tensor(graph_of_layer(layer), state(layer)["_network"], tensor)


def _nth_output(layer: ILayer, where: str, index: int) -> Tensor | None:
    outputs = layer_of(layer).outputs
    if 0 <= index < len(outputs):
        return outputs[index]
    why = f"{layer_of(layer).name} has {len(outputs)} outputs; there is no output {index}"
    graph_of_layer(layer).complain(f"ILayer::{where}", Refused(why))
    return None


def _set_plugin_input(layer: ILayer, index: int, tensor: Tensor) -> None:
    """Give a plugin layer another input; the shape inputs of an IPluginV3 come after the others."""
    graph, graph_layer = graph_of_layer(layer), layer_of(layer)
    if tensor not in graph.producers:
        graph.complain("ILayer::setInput", Refused(f"{tensor.name} is a tensor of another network"))
        return
    operands, count = graph_layer.operands, len(graph_layer.inputs)
    if index >= count and tensor.dtype not in INDEX_TYPES:
        why = f"shape input {tensor.name} has type {tensor.dtype.name}; it must be INT32 or INT64"
        graph.complain("ILayer::setInput", Refused(why))
        return
    operands[index] = tensor
    graph.replace(graph_layer, None, operands[:count], operands[count:])
