"""Record facts about a network just before the application adds a plugin to it, or builds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from reference_runtime.builder.properties import settings_of
from reference_runtime.calling.trampolines import v3
from reference_runtime.instruments import graph_of, tensor_of
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.interfaces.v3 import IPluginV3, IPluginV3OneBuildV2

if TYPE_CHECKING:
    from reference_runtime.instruments import Graph, Layer, Tensor


class InputFacts(msgspec.Struct, frozen=True):
    """An input tensor of a plugin layer."""

    name: str
    dtype: str
    dims: tuple[int, ...] | None
    is_shape_tensor: bool


class PluginFacts(msgspec.Struct, frozen=True):
    """A plugin that is added to a network, with its inputs.

    ``wildcards`` are the names of inputs with dynamic dimensions; empty in a network with implicit batch.
    """

    plugin: str
    is_dynamic: bool
    inputs: tuple[InputFacts, ...]
    shape_inputs: tuple[InputFacts, ...]
    wildcards: tuple[str, ...]


class Bounds(msgspec.Struct, frozen=True):
    """The shape of a network's input (``dims``), and its minimum, optimum and maximum in a profile (``shapes``)."""

    profile: int
    tensor: str
    dims: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]


class Aliased(msgspec.Struct, frozen=True):
    """A tensor of a network, and the plugin layers that write to it in place."""

    tensor: str
    layers: tuple[str, ...]


def of_addition(network: Any, inputs: Any, shape_inputs: Any, plugin: Any) -> PluginFacts:
    """Return the facts of a plugin that is about to be added."""
    graph = graph_of(network)
    data = tuple(_inputs(graph, inputs))
    return PluginFacts(
        plugin=type(plugin).__name__,
        is_dynamic=isinstance(plugin, (IPluginV2DynamicExt, IPluginV3)),
        inputs=data,
        shape_inputs=tuple(_inputs(graph, shape_inputs)),
        # with implicit batch, -1 is the batch dimension of every tensor, which is no dynamic dimension
        wildcards=tuple(tensor.name for tensor in data if graph.batch_limit is None and -1 in (tensor.dims or ())),
    )


def bounds(network: Any, config: Any) -> tuple[Bounds, ...]:
    """Return the bounds of a network's inputs in all profiles of a configuration."""
    of_profiles = []
    for place, ranges in enumerate(settings_of(config).profiles):
        for tensor in graph_of(network).inputs:
            if tensor.name in ranges.shapes:
                shapes = tuple(tuple(shape) for shape in ranges.shapes[tensor.name])
                of_profiles.append(Bounds(place, tensor.name, tuple(tensor.dims or ()), shapes))
    return tuple(of_profiles)


def aliases(network: Any) -> tuple[Aliased, ...]:
    """Return each tensor that a plugin of a network writes to in place, as ``get_aliased_input`` says."""
    graph = graph_of(network)
    writers: dict[Tensor, list[str]] = {}
    for layer in graph.layers:
        for tensor in _written_in_place(graph, layer):
            writers.setdefault(tensor, []).append(layer.name)
    return tuple(Aliased(tensor.name, tuple(layers)) for tensor, layers in writers.items())


def _written_in_place(graph: Graph, layer: Layer) -> Iterator[Tensor]:
    build = layer.capabilities.build if layer.capabilities is not None else None
    if not isinstance(build, IPluginV3OneBuildV2):
        return
    for place in range(len(layer.outputs)):
        index = v3.get_aliased_input(graph.gate, build, place)
        if 0 <= index < len(layer.inputs):
            yield layer.inputs[index]


def _inputs(graph: Graph, tensors: Sequence[Any]) -> Iterator[InputFacts]:
    for bound in tensors if isinstance(tensors, (list, tuple)) else ():
        tensor = tensor_of(bound)
        facts = graph.facts(tensor)
        dims = None if facts is None else tuple(facts.dims)
        yield InputFacts(tensor.name, tensor.dtype.name, dims, tensor in graph.needs.shape)
