"""INetworkDefinition: an application's network.

`layers` and `plugin_layers` have its methods that add layers, and `marks` those that mark tensors and weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.application.error_recorder import IErrorRecorder, assign
from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.context_managers import make_context_manager
from reference_runtime.bound.conversions import instance, int32, optional, string
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.lifetimes import ends_with
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.network.graph.graph import Graph, graph_of
from reference_runtime.network.graph.graph_parts import Tensor, refuse_long_name
from reference_runtime.network.layers import ILayer, plain_layer
from reference_runtime.network.layers.tensors import ITensor, bound_tensor
from reference_runtime.network.public import layers, marks, plugin_layers
from reference_runtime.values.dims import to_dims, values
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.values.descriptions import Extents
    from reference_runtime.values.dims import Dims

_INDEX = "index: typing.SupportsInt"


def new_network(graph: Graph, builder: object) -> INetworkDefinition:
    """Return the Python object of a network; it keeps ``builder`` alive, as in the genuine bindings."""
    network = made(INetworkDefinition, _graph=graph, _builder=builder)
    ends_with(network, graph.close)
    return network


def _set_recorder(network: INetworkDefinition, recorder: IErrorRecorder | None) -> None:
    assign(network, recorder)
    graph_of(network).error_recorder = recorder


@deprecated("Implicit batch dimensions support has been removed")
def _has_implicit_batch(_network: INetworkDefinition) -> bool:
    return False


@make_context_manager
class INetworkDefinition(pybind11_object, bound=True):
    """A network: its inputs, layers and outputs."""

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
    has_implicit_batch_dimension = attribute(_has_implicit_batch)
    error_recorder = accessor(
        "(self: INetworkDefinition, arg0: IErrorRecorder) -> None",
        lambda self: graph_of(self).error_recorder,
        _set_recorder,
        optional(instance(IErrorRecorder)),
    )

    @bound(
        Overload(
            "(self: INetworkDefinition, flag: nvinfer1::NetworkDefinitionCreationFlag) -> bool",
            instance(NetworkDefinitionCreationFlag),
        )
    )
    def get_flag(self, flag: NetworkDefinitionCreationFlag) -> bool:
        """Say whether the network was created with a flag."""
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
        """Add a tensor that the application fills; None, and an error, for an invalid name or shape."""
        graph, dims = graph_of(self), values(shape)
        tensor = Tensor(name, dtype, dims if graph.batch_limit is None else (-1, *dims))
        try:
            _check_input(graph, tensor, dims)
        except Refused as refused:
            graph.complain("INetworkDefinition::addInput", refused)
            return None
        graph.add_input(tensor)
        return bound_tensor(graph, self, tensor)

    add_activation = layers.add_activation
    add_cast = layers.add_cast
    add_concatenation = layers.add_concatenation
    add_constant = layers.add_constant
    add_dequantize = layers.add_dequantize
    add_elementwise = layers.add_elementwise
    add_gather = layers.add_gather
    add_gather_v2 = layers.add_gather_v2
    add_identity = layers.add_identity
    add_matrix_multiply = layers.add_matrix_multiply
    add_quantize = layers.add_quantize
    add_reduce = layers.add_reduce
    add_select = layers.add_select
    add_shape = layers.add_shape
    add_shuffle = layers.add_shuffle
    add_slice = layers.add_slice
    add_softmax = layers.add_softmax
    add_squeeze = layers.add_squeeze
    add_unary = layers.add_unary
    add_unsqueeze = layers.add_unsqueeze
    add_plugin = plugin_layers.add_plugin
    add_plugin_v2 = plugin_layers.add_plugin_v2
    add_plugin_v3 = plugin_layers.add_plugin_v3
    mark_output = marks.mark_output
    unmark_output = marks.unmark_output
    mark_output_for_shapes = marks.mark_output_for_shapes
    unmark_output_for_shapes = marks.unmark_output_for_shapes
    mark_debug = marks.mark_debug
    unmark_debug = marks.unmark_debug
    is_debug_tensor = marks.is_debug_tensor
    mark_unfused_tensors_as_debug_tensors = marks.mark_unfused_tensors_as_debug_tensors
    unmark_unfused_tensors_as_debug_tensors = marks.unmark_unfused_tensors_as_debug_tensors
    remove_tensor = marks.remove_tensor
    set_weights_name = marks.set_weights_name
    mark_weights_refittable = marks.mark_weights_refittable
    unmark_weights_refittable = marks.unmark_weights_refittable
    are_weights_marked_refittable = marks.are_weights_marked_refittable

    @bound(Overload(f"(self: INetworkDefinition, {_INDEX}) -> ITensor", int32))
    def get_input(self, index: int) -> ITensor | None:
        """Return an input, or None if the index is out of range."""
        return _nth(self, graph_of(self).inputs, index)

    @bound(Overload(f"(self: INetworkDefinition, {_INDEX}) -> ITensor", int32))
    def get_output(self, index: int) -> ITensor | None:
        """Return an output, or None if the index is out of range."""
        return _nth(self, graph_of(self).outputs, index)

    @bound(Overload(f"(self: INetworkDefinition, {_INDEX}) -> ILayer", int32))
    def get_layer(self, index: int) -> ILayer | None:
        """Return a layer, or None if the index is out of range."""
        graph = graph_of(self)
        return plain_layer(graph, self, graph.layers[index]) if 0 <= index < len(graph.layers) else None

    def __len__(self) -> int:
        """Return the number of layers."""
        return len(graph_of(self).layers)

    @bound(Overload("(self: INetworkDefinition, arg0: typing.SupportsInt) -> ILayer", int32))
    def __getitem__(self, index: int) -> ILayer | None:
        """Return a layer; a negative index counts from the end."""
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError("Out of bounds")
        return self.get_layer(place)


def _nth(network: INetworkDefinition, tensors: Sequence[Tensor], index: int) -> ITensor | None:
    return bound_tensor(graph_of(network), network, tensors[index]) if 0 <= index < len(tensors) else None


def _check_input(graph: Graph, tensor: Tensor, dims: Extents) -> None:
    refuse_long_name(tensor.name)
    if not tensor.name or any(other.name == tensor.name for other in graph.inputs):
        raise Refused(f"an input needs a unique name, and {tensor.name!r} is none", Reason.NETWORK)
    if any(extent < -1 for extent in dims):
        raise Refused(f"{tensor.name}: {list(dims)} has dimensions below -1", Reason.NETWORK)
