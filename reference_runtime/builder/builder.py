"""Builder: the class by which an application makes networks, configurations and engines.

*And an error* in a docstring means that the error is also reported to the application's error recorder or logger.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING

from reference_runtime import plan
from reference_runtime.application import byte_streams
from reference_runtime.application.allocators import IGpuAllocator
from reference_runtime.application.byte_streams import IStreamWriter
from reference_runtime.application.error_recorder import assign, error_recorder_of, refusable
from reference_runtime.bound.bound_class import attribute, pybind11_object, state
from reference_runtime.bound.context_managers import make_context_manager
from reference_runtime.bound.conversions import anything, instance, int32, integer, optional
from reference_runtime.bound.level_constants import StrongTyping, version_facts
from reference_runtime.bound.lifetimes import ends_with
from reference_runtime.bound.overloads import Overload, accessor, bound, constructor
from reference_runtime.builder import assembly, copies
from reference_runtime.builder.config import IBuilderConfig, new_config, settings_of
from reference_runtime.builder.lending import lending
from reference_runtime.calling.gate.gate import Gate, Phase, current_gate, watching
from reference_runtime.calling.gate.scheduler import current_scheduler, scheduling
from reference_runtime.devices.current import current_device
from reference_runtime.engine.runtime import local_registry, runtime_with
from reference_runtime.network.graph.graph import Graph, graph_of
from reference_runtime.network.public.network import INetworkDefinition, new_network
from reference_runtime.network.public.profiles import IOptimizationProfile, new_profile
from reference_runtime.registry.registry import IPluginRegistry, log_through
from reference_runtime.values.enums_building import NetworkDefinitionCreationFlag
from reference_runtime.values.host_memory import IHostMemory, host_memory
from reference_runtime.values.logger import ILogger
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.builder.copies import Kept
    from reference_runtime.engine.engine import ICudaEngine

__all__ = ["Builder", "IBuilderConfig"]

_BUILD = (instance(INetworkDefinition), instance(IBuilderConfig))
_SELF = "self: Builder, network: INetworkDefinition, config: IBuilderConfig"
_STRONGLY_TYPED = NetworkDefinitionCreationFlag.STRONGLY_TYPED
"""Read at import, because some API levels remove the member or change its number."""


class _Leftovers:
    """The builder's copies of plugins that live as long as the builder."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.plugins: list[Kept] = []

    def close(self) -> None:
        """Destroy the copies."""
        with self.gate.during(Phase.DESTRUCTION):
            for plugin in self.plugins:
                copies.destroy(self.gate, plugin)
        self.plugins.clear()


@refusable("IBuilder", "setMaxThreads")
def _set_max_threads(builder: Builder, count: int) -> None:
    if count < 1:
        raise Refused(f"a builder needs at least 1 thread, not {count}")
    state(builder)["_max_threads"] = count


@make_context_manager
class Builder(pybind11_object, bound=True):
    """Makes networks, and builds engines from them."""

    @constructor(Overload("(self: Builder, logger: ILogger) -> None", instance(ILogger)))
    def __init__(self, logger: ILogger) -> None:
        gate = current_gate()
        leftovers = _Leftovers(gate)
        held = {"_logger": logger, "_gate": gate, "_scheduler": current_scheduler(), "_leftovers": leftovers}
        state(self).update(held, _registry=local_registry(logger), _max_threads=1, _gpu_allocator=None)
        ends_with(self, leftovers.close)
        log_through(logger)

    logger = attribute(lambda self: state(self)["_logger"])
    error_recorder = error_recorder_of("Builder")
    gpu_allocator = accessor(
        "(arg0: Builder, arg1: IGpuAllocator) -> None",
        None,
        lambda self, allocator: state(self).update(_gpu_allocator=allocator),
        optional(instance(IGpuAllocator)),
    )
    max_threads = accessor(
        "(self: Builder, arg0: typing.SupportsInt) -> bool",
        lambda self: state(self)["_max_threads"],
        _set_max_threads,
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
            strongly_typed=_is_strongly_typed(flags),
            gate=state(self)["_gate"],
            scheduler=state(self)["_scheduler"],
            logger=state(self)["_logger"],
        )
        return new_network(graph, self)

    @bound(Overload("(self: Builder) -> IBuilderConfig"))
    def create_builder_config(self) -> IBuilderConfig:
        """Return a configuration with the defaults."""
        return new_config(state(self)["_logger"], self)

    @bound(Overload("(self: Builder) -> IOptimizationProfile"))
    def create_optimization_profile(self) -> IOptimizationProfile:
        """Return an empty profile."""
        return new_profile(self)

    @bound(
        Overload(f"({_SELF}) -> IHostMemory", *_BUILD),
        Overload(f"({_SELF}, kernel_text: object) -> IHostMemory", *_BUILD, anything),
    )
    @refusable("IBuilder", "buildSerializedNetwork", NoneType)
    def build_serialized_network(
        self, network: INetworkDefinition, config: IBuilderConfig, _kernel_text: object = None
    ) -> IHostMemory | None:
        """Return a serialized engine; None, and an error, if none can be built.

        ``kernel_text`` has no effect: the genuine bindings cannot change the caller's variable either.
        """
        return host_memory(_built(self, network, config))

    @bound(Overload(f"({_SELF}, writer: IStreamWriter) -> bool", *_BUILD, instance(IStreamWriter)))
    @refusable("IBuilder", "buildSerializedNetworkToStream")
    def build_serialized_network_to_stream(
        self, network: INetworkDefinition, config: IBuilderConfig, writer: IStreamWriter
    ) -> bool:
        """Write a serialized engine; False, and an error, if none can be built or the write is incomplete."""
        _write(state(self)["_gate"], writer, _built(self, network, config))
        return True

    @bound(Overload(f"({_SELF}) -> ICudaEngine", *_BUILD))
    @refusable("IBuilder", "buildEngineWithConfig", NoneType)
    def build_engine_with_config(self, network: INetworkDefinition, config: IBuilderConfig) -> ICudaEngine | None:
        """Return an engine, serialized and deserialized again; None, and an error, if none can be built."""
        data = _built(self, network, config)
        scheduler = state(self)["_scheduler"]
        with watching(state(self)["_gate"]), scheduling(scheduler.seed, scheduler.fixed):
            return runtime_with(state(self)["_logger"], state(self)["_registry"]).deserialize_cuda_engine(data)

    @bound(Overload(f"({_SELF}) -> bool", *_BUILD))
    @refusable("IBuilder", "isNetworkSupported")
    def is_network_supported(self, network: INetworkDefinition, config: IBuilderConfig) -> bool:
        """Return True if the configuration allows the network; False, and an error, if not."""
        graph = graph_of(network)
        if not graph.outputs and not graph.shape_outputs:
            raise Refused("Network must have at least one output", Reason.NETWORK)
        settings_of(config).refuse_devices(graph.layers)
        return True

    @bound(Overload("(self: Builder) -> IPluginRegistry"))
    def get_plugin_registry(self) -> IPluginRegistry:
        """Return the builder's own registry; a search that fails there goes on in the registry of the process."""
        registry: IPluginRegistry = state(self)["_registry"]
        return registry

    @bound(Overload("(self: Builder) -> None"))
    def reset(self) -> None:
        """Set the error recorder, the allocator and the number of threads back to the defaults."""
        assign(self, None)
        state(self).update(_max_threads=1, _gpu_allocator=None)


def _is_strongly_typed(flags: int) -> bool:
    typing = version_facts().strong_typing
    return typing is StrongTyping.ALWAYS or (
        typing is StrongTyping.ON_REQUEST and bool(flags >> int(_STRONGLY_TYPED) & 1)
    )


def _built(builder: Builder, network: INetworkDefinition, config: IBuilderConfig) -> bytes:
    """Return the bytes of an engine, or raise `Refused`."""
    held, settings = state(builder), settings_of(config)
    leftovers: _Leftovers = held["_leftovers"]
    device = lending(current_device(), held["_gate"], held["_gpu_allocator"], settings.profile_stream)
    return plan.write(assembly.build(graph_of(network), settings, device, leftovers.plugins.extend))


def _write(gate: Gate, writer: IStreamWriter, data: bytes) -> None:
    written = byte_streams.write(gate, writer, data)
    if written != len(data):
        why = f"the stream writer wrote {written} of {len(data)} bytes"
        raise Refused(why, Reason.SERIALIZATION)
