"""The builder: IBuilderConfig, and Builder, which makes networks and serialized engines; each phase has its module."""

from __future__ import annotations

from typing import Any

from reference_runtime import plan, trampolines
from reference_runtime.backends import host
from reference_runtime.builder import assembly, shapes
from reference_runtime.builder.config import IBuilderConfig, new_config, settings_of
from reference_runtime.context_managers import make_context_manager
from reference_runtime.conversions import instance, int32, integer
from reference_runtime.engine import ICudaEngine, Runtime
from reference_runtime.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.gate import Gate, Phase, current_gate, watching
from reference_runtime.graph import Graph
from reference_runtime.host_memory import IHostMemory, host_memory
from reference_runtime.lifetimes import ends_with
from reference_runtime.logger import ILogger
from reference_runtime.native import attribute, pybind11_object, state
from reference_runtime.network import INetworkDefinition, graph_of, new_network
from reference_runtime.profiles import IOptimizationProfile, new_profile
from reference_runtime.refusals import Refused, complain
from reference_runtime.registry import IPluginRegistry, get_plugin_registry
from reference_runtime.scheduler import current_scheduler, scheduling
from reference_runtime.signatures import Overload, accessor, bound, constructor

__all__ = ["Builder", "IBuilderConfig"]

_BUILD = (instance(INetworkDefinition), instance(IBuilderConfig))
_STRONGLY_TYPED = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)


class _Leftovers:
    """The builder's copies of plugins that live as long as the builder."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.plugins: list[Any] = []

    def close(self) -> None:
        """Destroy them."""
        with self.gate.during(Phase.DESTRUCTION):
            for plugin in self.plugins:
                trampolines.destroy(self.gate, plugin)
        self.plugins.clear()


@make_context_manager
class Builder(pybind11_object, bound=True):
    """Makes networks, and engines out of them."""

    @constructor(Overload("(self: Builder, logger: ILogger) -> None", instance(ILogger)))
    def __init__(self, logger: ILogger) -> None:
        gate = current_gate()
        leftovers = _Leftovers(gate)
        state(self).update(
            _logger=logger, _gate=gate, _scheduler=current_scheduler(), _leftovers=leftovers, max_threads=1
        )
        ends_with(self, leftovers.close)

    logger = attribute(lambda self: state(self)["_logger"])
    max_threads = accessor(
        "(self: Builder, arg0: typing.SupportsInt) -> bool",
        lambda self: state(self)["max_threads"],
        lambda self, value: state(self).update(max_threads=value),
        int32,
    )
    platform_has_tf32 = attribute(lambda _self: True)
    platform_has_fast_fp16 = attribute(lambda _self: True)
    platform_has_fast_int8 = attribute(lambda _self: True)
    num_DLA_cores = attribute(lambda _self: 0)  # noqa: N815 - TensorRT's name
    max_DLA_batch_size = attribute(lambda _self: 0)  # noqa: N815 - TensorRT's name

    @bound(
        Overload(
            "(self: Builder, flags: typing.SupportsInt = 0) -> INetworkDefinition",
            integer(32, signed=False),
            defaults=[0],
        )
    )
    def create_network(self, flags: int = 0) -> INetworkDefinition:
        """Return an empty network."""
        graph = Graph(
            flags=flags,
            strongly_typed=bool(flags & _STRONGLY_TYPED),
            gate=state(self)["_gate"],
            scheduler=state(self)["_scheduler"],
            logger=state(self)["_logger"],
            infer=shapes.infer,
        )
        return new_network(graph, self)

    @bound(Overload("(self: Builder) -> IBuilderConfig"))
    def create_builder_config(self) -> IBuilderConfig:
        """Return a configuration with nothing set."""
        return new_config(state(self)["_logger"], self)

    @bound(Overload("(self: Builder) -> IOptimizationProfile"))
    def create_optimization_profile(self) -> IOptimizationProfile:
        """Return an empty profile."""
        return new_profile()

    @bound(Overload("(self: Builder, network: INetworkDefinition, config: IBuilderConfig) -> IHostMemory", *_BUILD))
    def build_serialized_network(self, network: INetworkDefinition, config: IBuilderConfig) -> IHostMemory | None:
        """Return a serialized engine; None, and an error, where none can be built."""
        data = _built(self, network, config, "IBuilder::buildSerializedNetwork")
        return None if data is None else host_memory(data)

    @bound(Overload("(self: Builder, network: INetworkDefinition, config: IBuilderConfig) -> ICudaEngine", *_BUILD))
    def build_engine_with_config(self, network: INetworkDefinition, config: IBuilderConfig) -> ICudaEngine | None:
        """Return an engine, as if it were serialized and deserialized; None, and an error, where none can be built."""
        data = _built(self, network, config, "IBuilder::buildEngineWithConfig")
        if data is None:
            return None
        with watching(state(self)["_gate"]), scheduling(state(self)["_scheduler"].seed):
            return Runtime(state(self)["_logger"]).deserialize_cuda_engine(data)

    @bound(Overload("(self: Builder, network: INetworkDefinition, config: IBuilderConfig) -> bool", *_BUILD))
    def is_network_supported(self, network: INetworkDefinition, _config: IBuilderConfig) -> bool:
        """Tell whether there is a network to build."""
        return graph_of(network).outputs != []

    @bound(Overload("(self: Builder) -> IPluginRegistry"))
    def get_plugin_registry(self) -> IPluginRegistry:
        """Return the registry of the process."""
        return get_plugin_registry()

    @bound(Overload("(self: Builder) -> None"))
    def reset(self) -> None:
        """Set everything back to where it began."""
        state(self)["max_threads"] = 1


def _built(builder: Builder, network: INetworkDefinition, config: IBuilderConfig, where: str) -> bytes | None:
    leftovers: _Leftovers = state(builder)["_leftovers"]
    try:
        made = assembly.build(graph_of(network), settings_of(config), host.current_device(), leftovers.plugins.extend)
        return plan.write(made)
    except Refused as refused:
        complain(state(builder)["_logger"], where, refused)
        return None
