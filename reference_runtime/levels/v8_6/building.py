"""Builder, its configuration and networks as in TensorRT 8.6: batches and the size of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.bound_class import attribute, state
from reference_runtime.bound.conversions import boolean, instance, int32, integer, size_t
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.overloads import Overload, accessor, arguments_for, bound
from reference_runtime.builder.builder import Builder, IBuilderConfig
from reference_runtime.builder.config import settings_of
from reference_runtime.network.graph.graph import graph_of
from reference_runtime.network.layers.tensors import tensor_of
from reference_runtime.network.public.network import INetworkDefinition
from reference_runtime.values.enums_building import MemoryPoolType
from reference_runtime.values.refusals import Logged, Refused, complain

if TYPE_CHECKING:
    from reference_runtime.engine.engine import ICudaEngine
    from reference_runtime.network.graph.graph import Graph
    from reference_runtime.shapes.tensor_facts import ValueFacts

_EXPLICIT_BATCH: Final = 1
_EXPLICIT = "network created with NetworkDefinitionCreationFlag::EXPLICIT_BATCH flag"
_create_network = Builder.create_network
_build_engine_with_config = Builder.build_engine_with_config
_get_pool = IBuilderConfig.get_memory_pool_limit
_set_pool = IBuilderConfig.set_memory_pool_limit


def _retired(advice: str, text: str, read: Any, write: Any, convert: Any) -> attribute:
    """Make a property whose use warns that it is deprecated."""

    def assign(self: object, value: object) -> None:
        write(self, arguments_for("", (Overload(text, convert),), (self,), (value,), {})[0])

    return attribute(deprecated(advice)(read), deprecated(advice)(assign))


def _set_batch(builder: Any, size: int) -> None:
    if size < 1:
        why = Refused(f"a batch has at least 1 element, not {size}")
        complain("IBuilder::setMaxBatchSize", why, to=Logged(builder.logger))
        return
    state(builder)["max_batch_size"] = size


class BuilderMembers:
    """The members of ``Builder`` in TensorRT 8.6 that version 10 lacks or changed."""

    max_batch_size = _retired(
        _EXPLICIT,
        "(self: Builder, arg0: int) -> None",
        lambda self: state(self).get("max_batch_size", 1),
        _set_batch,
        int32,
    )

    @bound(Overload("(self: Builder, flags: int = 0) -> INetworkDefinition", integer(32, signed=False), defaults=[0]))
    def create_network(self: Any, flags: int) -> INetworkDefinition:
        """Return an empty network, with an implicit batch unless the flag EXPLICIT_BATCH is set."""
        network = _create_network(self, flags)
        if not flags & _EXPLICIT_BATCH:
            graph_of(network).batch_limit = lambda: int(state(self).get("max_batch_size", 1))
        return network

    @bound(
        Overload(
            "(self: Builder, network: INetworkDefinition, config: IBuilderConfig) -> ICudaEngine",
            instance(INetworkDefinition),
            instance(IBuilderConfig),
        )
    )
    @deprecated("build_serialized_network")
    def build_engine(self: Any, network: INetworkDefinition, config: IBuilderConfig) -> ICudaEngine | None:
        """Return an engine; None, and an error, if none can be built."""
        return _build_engine_with_config(self, network, config)


class ConfigMembers:
    """The members of ``IBuilderConfig`` in TensorRT 8.6 that version 10 lacks or changed."""

    max_workspace_size = _retired(
        "get_memory_pool_limit",
        "(self: IBuilderConfig, arg0: int) -> None",
        lambda self: _get_pool(self, MemoryPoolType.WORKSPACE),
        lambda self, size: _set_pool(self, MemoryPoolType.WORKSPACE, size),
        size_t,
    )
    min_timing_iterations = _retired(
        "get_avg_timing_iterations",
        "(self: IBuilderConfig, arg0: int) -> None",
        lambda self: vars(settings_of(self)).get("min_timing_iterations", 1),
        lambda self, count: vars(settings_of(self)).update(min_timing_iterations=count),
        int32,
    )


def _is_broadcast(tensor: Any) -> bool:
    graph, facts = _graph_and_facts(tensor)
    return graph.batch_limit is not None and facts is not None and facts.dims[:1] == (1,)


def _set_broadcast(tensor: Any, shared: bool) -> None:  # noqa: FBT001 - the value of a property
    graph, facts = _graph_and_facts(tensor)
    graph_tensor = tensor_of(tensor)
    if graph.batch_limit is None or not graph_tensor.is_input or facts is None:
        why = f"{graph_tensor.name} is no input of a network with an implicit batch"
        graph.complain("ITensor::setBroadcastAcrossBatch", Refused(why))
        return
    graph_tensor.dims = (1 if shared else -1, *facts.dims[1:])
    graph.changed([graph_tensor])


def _graph_and_facts(tensor: Any) -> tuple[Graph, ValueFacts | None]:
    graph: Graph = state(tensor)["_graph"]
    return graph, graph.facts(tensor_of(tensor))


class TensorMembers:
    """The members of ``ITensor`` in TensorRT 8.6 that version 10 lacks or changed."""

    broadcast_across_batch = accessor("(self: ITensor, arg0: bool) -> None", _is_broadcast, _set_broadcast, boolean)


class NetworkMembers:
    """The members of ``INetworkDefinition`` in TensorRT 8.6 that version 10 lacks or changed."""

    has_implicit_batch_dimension = attribute(lambda self: graph_of(self).batch_limit is not None)
    has_explicit_precision = attribute(lambda _self: False)
