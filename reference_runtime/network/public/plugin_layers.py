"""The methods of INetworkDefinition that add plugin layers: the network takes a separate copy of each plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NoReturn

from reference_runtime.bound.conversions import Mismatch, boolean, instance, sequence
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.calling.adapters.of_plugin import interface_of
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.interfaces.v2 import IPluginV2
from reference_runtime.interfaces.v3 import IPluginV3
from reference_runtime.network.graph.graph import Graph, graph_of
from reference_runtime.network.graph.graph_parts import Layer, Tensor
from reference_runtime.network.layers import bound_layer
from reference_runtime.network.layers.tensors import ITensor, tensor_of
from reference_runtime.operations.kinds import INDEX_TYPES
from reference_runtime.values.enums import DataType, QuickPluginCreationRequest
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.enums_layers import LayerType
from reference_runtime.values.precision import canonical
from reference_runtime.values.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.trampolines.capabilities import Capabilities

_TENSORS: Final = sequence(instance(ITensor))
_Request = QuickPluginCreationRequest
_Flag = NetworkDefinitionCreationFlag


@bound(
    Overload(
        "(self: INetworkDefinition, inputs: collections.abc.Sequence[ITensor], plugin: IPluginV2) -> IPluginV2Layer",
        _TENSORS,
        instance(IPluginV2),
    )
)
def add_plugin_v2(self: object, inputs: list[ITensor], plugin: Any) -> Any:
    """Add a layer that runs a copy of ``plugin``; None, and an error, if the plugin cannot be used."""
    tensors = [tensor_of(tensor) for tensor in inputs]
    return _added(self, "addPluginV2", lambda graph: plugin_layer(graph, tensors, [], plugin, LayerType.PLUGIN_V2))


@bound(
    Overload(
        "(self: INetworkDefinition, inputs: collections.abc.Sequence[ITensor],"
        " shape_inputs: collections.abc.Sequence[ITensor], plugin: IPluginV3) -> IPluginV3Layer",
        _TENSORS,
        _TENSORS,
        instance(IPluginV3),
    )
)
def add_plugin_v3(self: object, inputs: list[ITensor], shape_inputs: list[ITensor], plugin: Any) -> Any:
    """Add a layer that runs a copy of ``plugin``; None, and an error, if the plugin cannot be used."""
    tensors, shapes = [tensor_of(tensor) for tensor in inputs], [tensor_of(tensor) for tensor in shape_inputs]
    return _added(self, "addPluginV3", lambda graph: plugin_layer(graph, tensors, shapes, plugin, LayerType.PLUGIN_V3))


def _tuple(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        raise Mismatch
    return value


def _callable(value: Any) -> Callable[..., Any]:
    if not callable(value):
        raise Mismatch
    function: Callable[..., Any] = value
    return function


@bound(
    Overload("(self: INetworkDefinition, tuple: tuple) -> IPluginV3Layer", _tuple),
    Overload("(self: INetworkDefinition, func: collections.abc.Callable) -> IPluginV3Layer", _callable),
    Overload(
        "(self: INetworkDefinition, func: collections.abc.Callable, aot: bool) -> IPluginV3Layer", _callable, boolean
    ),
)
def add_plugin(self: object, source: Any, aot: bool | None = None) -> Any:  # noqa: FBT001 - as in the genuine bindings
    """Add an IPluginV3: from a tuple of inputs, shape inputs and plugin, or from a function that returns this tuple.

    The function gets a request. If ``aot`` is True, it requests an implementation that is compiled ahead of time. If it
    is False, the implementation is compiled while the program runs. Without ``aot`` the network's flags decide.
    """
    layer_definition = source if isinstance(source, tuple) else source(request_for(graph_of(self), aot=aot))
    try:
        inputs, shape_inputs, plugin = _tuple(layer_definition)
        arguments = _TENSORS(inputs), _TENSORS(shape_inputs), instance(IPluginV3)(plugin)
    except (Mismatch, ValueError):
        _refuse_cast(layer_definition)
    return add_plugin_v3(self, *arguments)


def _refuse_cast(value: object) -> NoReturn:
    """Raise the error that pybind11 raises for an object of a wrong type."""
    raise RuntimeError(
        f"Unable to cast Python instance of type {type(value)} to C++ type '?' "
        f"(#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
    )


def request_for(graph: Graph, *, aot: bool | None) -> QuickPluginCreationRequest:
    """Return a network's request for an implementation of a plugin; raise ValueError for contradicting flags."""
    if aot is not None:
        return _Request.STRICT_AOT if aot else _Request.STRICT_JIT
    ahead, just_in_time = (
        bool(graph.flags >> int(flag) & 1)
        for flag in (_Flag.PREFER_AOT_PYTHON_PLUGINS, _Flag.PREFER_JIT_PYTHON_PLUGINS)
    )
    if ahead and just_in_time:
        raise ValueError("Both PREFER_AOT_PYTHON_PLUGINS and PREFER_JIT_PYTHON_PLUGINS are set; set one of them.")
    if ahead:
        return _Request.PREFER_AOT
    return _Request.PREFER_JIT if just_in_time else _Request.UNKNOWN


def _added(network: object, where: str, make: Callable[[Graph], Layer]) -> Any:
    """Add a layer, or report why that is impossible and return None."""
    graph = graph_of(network)
    try:
        with graph.gate.during(Phase.NETWORK):
            layer = make(graph)
    except Refused as refused:
        graph.complain(f"INetworkDefinition::{where}", refused)
        return None
    graph.add_layer(layer)
    return bound_layer(graph, network, layer)


def plugin_layer(graph: Graph, inputs: list[Tensor], shape_inputs: list[Tensor], plugin: Any, kind: LayerType) -> Layer:
    """Return a layer that runs a copy of ``plugin`` and is in no network yet, or raise `Refused`."""
    interface = interface_of(plugin, kind)
    _check_inputs(graph, inputs, shape_inputs, plugin, interface)
    name = interface.name_of(plugin)
    if interface.answers_first:
        _types(graph, interface, _capabilities(graph, interface, plugin), inputs)
    copy = interface.clone(graph.gate, plugin)
    if copy is None:
        raise interface.no_copy(plugin, "clone", f"the plugin could not be cloned: its clone() gave no {name}")
    interface = interface_of(copy, kind)
    try:
        capabilities = _capabilities(graph, interface, copy)
        types = _types(graph, interface, capabilities, inputs)
    except Refused:
        interface.destroy(graph.gate, copy)
        raise
    name = f"(Unnamed Layer* {len(graph.layers)}) [{name.removeprefix('I')}]"
    return Layer(
        name,
        inputs,
        [Tensor(f"{name}_output_{index}", dtype) for index, dtype in enumerate(types)],
        kind,
        plugin=copy,
        interface=interface,
        capabilities=capabilities,
        shape_inputs=shape_inputs,
        plugin_types=types,
    )


def _check_inputs(
    graph: Graph, inputs: list[Tensor], shape_inputs: list[Tensor], plugin: Any, interface: PluginInterface
) -> None:
    if any(tensor not in graph.producers for tensor in (*inputs, *shape_inputs)):
        raise Refused("an input is a tensor of another network")
    interface.refuse_inputs(
        plugin,
        lambda: [() if facts is None else facts.dims for facts in map(graph.facts, inputs)],
        implicit_batch=graph.batch_limit is not None,
        shape_inputs=len(shape_inputs),
    )
    for tensor in shape_inputs:
        if tensor.dtype not in INDEX_TYPES:
            raise Refused(f"shape input {tensor.name} has type {tensor.dtype.name}; it must be INT32 or INT64")


def _capabilities(graph: Graph, interface: PluginInterface, plugin: Any) -> Capabilities:
    capabilities = interface.capabilities(graph.gate, plugin, build=True)
    if capabilities is None:
        why = "the plugin lacks a capability: CORE, BUILD and RUNTIME are needed"
        raise interface.no_capabilities(plugin, why)
    capabilities.anew = graph.scheduler.choose("capabilities asked for before each use", [False, True])
    for name, value in interface.identity(graph.gate, capabilities):
        if value is None:
            raise Refused(f"the plugin has no {name}")
    return capabilities


def _types(
    graph: Graph, interface: PluginInterface, capabilities: Capabilities, inputs: Sequence[Tensor]
) -> tuple[DataType, ...]:
    """Query the types of all outputs; in a weakly typed network all `REAL_TYPES` count as FLOAT."""
    count = interface.num_outputs(graph.gate, capabilities)
    if count < 1:
        raise Refused(f"the plugin has {count} outputs; a layer needs at least one")
    types = [tensor.dtype if graph.strongly_typed else canonical(tensor.dtype) for tensor in inputs]
    ranks = _ranks(graph, inputs) if interface.learns_types else []
    again = graph.scheduler.count("types asked for again by the network", 0, 2) if interface.answers_first else 0
    answers = [interface.output_types(graph.gate, capabilities, types, count, ranks) for _ in range(1 + again)]
    output_types = None if None in answers else answers[-1]
    if output_types is None:
        names = ", ".join(dtype.name for dtype in types) or "no type"
        raise Refused(f"the plugin's get_output_data_types gave no {count} types for inputs of {names}")
    return tuple(dtype if graph.strongly_typed else canonical(dtype) for dtype in output_types)


def _ranks(graph: Graph, inputs: Sequence[Tensor]) -> list[int]:
    """Return the numbers of dimensions of all inputs, which a decorated plugin gets together with their types."""
    known = [graph.facts(tensor) for tensor in inputs]
    unknown = [tensor.name for tensor, facts in zip(inputs, known, strict=True) if facts is None]
    if unknown:
        raise Refused(f"the rank of {unknown[0]} is unknown, and a decorated plugin needs it")
    return [len(facts.dims) for facts in known if facts is not None]
