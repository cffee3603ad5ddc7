"""INetworkDefinition: inputs, plugin layers and outputs, and the copies of the plugins that the network owns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime import trampolines
from reference_runtime.context_managers import make_context_manager
from reference_runtime.conversions import instance, int32, sequence, string
from reference_runtime.dims import to_dims, values
from reference_runtime.enums import DataType
from reference_runtime.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.gate import Phase
from reference_runtime.graph import Graph, Layer, Tensor
from reference_runtime.layers import ILayer, bound_layer
from reference_runtime.lifetimes import ends_with
from reference_runtime.native import attribute, made, pybind11_object, state
from reference_runtime.plugins.v2 import IPluginV2
from reference_runtime.precision import canonical
from reference_runtime.refusals import Reason, Refused, complain, granted
from reference_runtime.signatures import Overload, accessor, bound
from reference_runtime.tensors import ITensor, bound_tensor, tensor_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.descriptions import Extents
    from reference_runtime.dims import Dims

__all__ = ["INetworkDefinition", "graph_of", "new_network"]

_INDEX = "index: typing.SupportsInt"


def new_network(graph: Graph, builder: object) -> INetworkDefinition:
    """Return the Python object of a network; it keeps ``builder`` alive, as in the original."""
    network = made(INetworkDefinition, _graph=graph, _builder=builder)
    ends_with(network, graph.close)
    return network


def graph_of(network: INetworkDefinition) -> Graph:
    """Return what stands behind the Python object."""
    graph: Graph = state(network)["_graph"]
    return graph


@make_context_manager
class INetworkDefinition(pybind11_object, bound=True):
    """A network of plugin layers."""

    name = accessor(
        "(self: INetworkDefinition, arg0: str) -> None",
        lambda self: graph_of(self).name,
        lambda self, name: setattr(graph_of(self), "name", name),
        string,
    )
    num_inputs = attribute(lambda self: len(graph_of(self).inputs))
    num_layers = attribute(lambda self: len(graph_of(self).layers))
    num_outputs = attribute(lambda self: len(graph_of(self).outputs))
    flags = attribute(lambda self: graph_of(self).flags)
    builder = attribute(lambda self: state(self)["_builder"])
    has_implicit_batch_dimension = attribute(lambda _self: False)

    @bound(
        Overload(
            "(self: INetworkDefinition, flag: nvinfer1::NetworkDefinitionCreationFlag) -> bool",
            instance(NetworkDefinitionCreationFlag),
        )
    )
    def get_flag(self, flag: NetworkDefinitionCreationFlag) -> bool:
        """Tell whether the network was created with a flag."""
        return bool(graph_of(self).flags >> int(flag) & 1)

    @bound(
        Overload(
            "(self: INetworkDefinition, name: str, dtype: DataType, shape: Dims) -> ITensor",
            string,
            instance(DataType),
            to_dims,
        )
    )
    def add_input(self, name: str, dtype: DataType, shape: Dims) -> ITensor | None:
        """Add a tensor that the application fills; None, and an error, for one that cannot be."""
        graph, dims = graph_of(self), values(shape)
        tensor = Tensor(name, dtype, dims)
        if not granted(graph.logger, "INetworkDefinition::addInput", lambda: _check_input(graph, tensor, dims)):
            return None
        graph.inputs.append(tensor)
        return bound_tensor(graph, self, tensor)

    @bound(
        Overload(
            "(self: INetworkDefinition, inputs: collections.abc.Sequence[ITensor], plugin: IPluginV2)"
            " -> IPluginV2Layer",
            sequence(instance(ITensor)),
            instance(IPluginV2),
        )
    )
    def add_plugin_v2(self, inputs: list[ITensor], plugin: Any) -> ILayer | None:
        """Add a layer that runs a copy of ``plugin``; None, and an error, where the plugin gives none."""
        graph = graph_of(self)
        try:
            with graph.gate.during(Phase.NETWORK):
                layer = _plugin_layer(graph, [tensor_of(tensor) for tensor in inputs], plugin)
        except Refused as refused:
            complain(graph.logger, "INetworkDefinition::addPluginV2", refused)
            return None
        graph.layers.append(layer)
        return bound_layer(graph, self, layer)

    @bound(Overload("(self: INetworkDefinition, tensor: ITensor) -> None", instance(ITensor)))
    def mark_output(self, tensor: ITensor) -> None:
        """Let the application read a tensor."""
        graph, found = graph_of(self), tensor_of(tensor)
        if found.is_input or found.is_output or found not in graph.tensors:
            why = f"{found.name} is an input, an output already, or of another network"
            complain(graph.logger, "INetworkDefinition::markOutput", Refused(why))
            return
        found.is_output = True
        graph.outputs.append(found)

    @bound(Overload("(self: INetworkDefinition, tensor: ITensor) -> None", instance(ITensor)))
    def unmark_output(self, tensor: ITensor) -> None:
        """Make a tensor the network's own again."""
        found = tensor_of(tensor)
        if found.is_output:
            found.is_output = False
            graph_of(self).outputs.remove(found)

    @bound(Overload(f"(self: INetworkDefinition, {_INDEX}) -> ITensor", int32))
    def get_input(self, index: int) -> ITensor | None:
        """Return an input, or None where there is no such one."""
        return _nth(self, graph_of(self).inputs, index)

    @bound(Overload(f"(self: INetworkDefinition, {_INDEX}) -> ITensor", int32))
    def get_output(self, index: int) -> ITensor | None:
        """Return an output, or None where there is no such one."""
        return _nth(self, graph_of(self).outputs, index)

    @bound(Overload(f"(self: INetworkDefinition, {_INDEX}) -> ILayer", int32))
    def get_layer(self, index: int) -> ILayer | None:
        """Return a layer, or None where there is no such one."""
        graph = graph_of(self)
        return bound_layer(graph, self, graph.layers[index]) if 0 <= index < len(graph.layers) else None

    def __len__(self) -> int:
        """Return the number of layers."""
        return len(graph_of(self).layers)

    @bound(Overload("(self: INetworkDefinition, arg0: typing.SupportsInt) -> ILayer", int32))
    def __getitem__(self, index: int) -> ILayer | None:
        """Return a layer."""
        if not 0 <= index < len(self):
            raise IndexError("Out of bounds")
        return self.get_layer(index)


def _nth(network: INetworkDefinition, tensors: Sequence[Tensor], index: int) -> ITensor | None:
    return bound_tensor(graph_of(network), network, tensors[index]) if 0 <= index < len(tensors) else None


def _check_input(graph: Graph, tensor: Tensor, dims: Extents) -> None:
    if not tensor.name or any(other.name == tensor.name for other in graph.tensors):
        raise Refused(f"an input needs a name of its own, and {tensor.name!r} is none", Reason.NETWORK)
    if any(extent < -1 for extent in dims):
        raise Refused(f"{tensor.name}: {list(dims)} has extents below -1", Reason.NETWORK)


def _plugin_layer(graph: Graph, inputs: list[Tensor], plugin: Any) -> Layer:
    """Clone a plugin for the network and ask for the types of its outputs."""
    if any(tensor not in graph.tensors for tensor in inputs):
        raise Refused("an input is a tensor of another network")
    copy = trampolines.clone(graph.gate, plugin)
    if copy is None:
        raise Refused("the plugin could not be cloned: its clone() gave no IPluginV2DynamicExt")
    try:
        count = _checked_outputs(graph, copy)
    except Refused:
        trampolines.destroy(graph.gate, copy)
        raise
    name = f"(Unnamed Layer* {len(graph.layers)}) [PluginV2DynamicExt]"
    types = [_output_type(graph, copy, index, inputs) for index in range(count)]
    outputs = [Tensor(f"{name}_output_{index}", dtype) for index, dtype in enumerate(types)]
    return Layer(name, copy, inputs, outputs)


def _checked_outputs(graph: Graph, plugin: Any) -> int:
    names = (trampolines.plugin_type, trampolines.plugin_version, trampolines.plugin_namespace)
    for attribute_of in names:
        if attribute_of(graph.gate, plugin) is None:
            raise Refused(f"the plugin's copy has no {attribute_of.__name__}")
    count = trampolines.num_outputs(graph.gate, plugin)
    if count < 1:
        raise Refused(f"the plugin's copy has {count} outputs; a layer needs at least one")
    return count


def _output_type(graph: Graph, plugin: Any, index: int, inputs: Sequence[Tensor]) -> DataType:
    """Ask for the type of an output: in a weakly typed network in terms of FLOAT and INT32 alone."""
    types = [tensor.dtype for tensor in inputs]
    if graph.strongly_typed:
        return trampolines.get_output_datatype(graph.gate, plugin, index, types)
    return canonical(trampolines.get_output_datatype(graph.gate, plugin, index, [canonical(dtype) for dtype in types]))
