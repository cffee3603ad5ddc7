"""Builder, its configuration and networks as TensorRT 8.6 has them: batches and the size of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.builder import Builder, IBuilderConfig
from reference_runtime.builder.config import settings_of
from reference_runtime.conversions import instance, int32, integer, size_t
from reference_runtime.deprecations import deprecated
from reference_runtime.enums_building import MemoryPoolType
from reference_runtime.native import attribute, state
from reference_runtime.network import INetworkDefinition
from reference_runtime.refusals import Refused, complain
from reference_runtime.signatures import Overload, arguments_for, bound

if TYPE_CHECKING:
    from reference_runtime.engine import ICudaEngine

__all__ = ["BuilderMembers", "ConfigMembers", "NetworkMembers"]

_EXPLICIT_BATCH: Final = 1
_EXPLICIT = "network created with NetworkDefinitionCreationFlag::EXPLICIT_BATCH flag"
_create_network = Builder.create_network
_build_engine_with_config = Builder.build_engine_with_config
_get_pool = IBuilderConfig.get_memory_pool_limit
_set_pool = IBuilderConfig.set_memory_pool_limit


def _retired(advice: str, text: str, read: Any, write: Any, convert: Any) -> attribute:
    """Make a property whose use warns of its successor."""

    def assign(self: object, value: object) -> None:
        write(self, arguments_for("", (Overload(text, convert),), (self,), (value,), {})[0])

    return attribute(deprecated(advice)(read), deprecated(advice)(assign))


def _set_batch(builder: Any, size: int) -> None:
    if size < 1:
        complain(builder.logger, "IBuilder::setMaxBatchSize", Refused(f"a batch has at least 1 element, not {size}"))
        return
    state(builder)["max_batch_size"] = size


class BuilderMembers:
    """What ``Builder`` has."""

    max_batch_size = _retired(
        _EXPLICIT,
        "(self: Builder, arg0: int) -> None",
        lambda self: state(self).get("max_batch_size", 1),
        _set_batch,
        int32,
    )

    @bound(Overload("(self: Builder, flags: int = 0) -> INetworkDefinition", integer(32, signed=False), defaults=[0]))
    def create_network(self: Any, flags: int) -> INetworkDefinition | None:
        """Return an empty network; None, and an error, for one with an implicit batch, which is not built here yet."""
        if not flags & _EXPLICIT_BATCH:
            why = (
                f"flags={flags} asks for a network with an implicit batch dimension, which this runtime does not have; "
                "pass 1 << int(NetworkDefinitionCreationFlag.EXPLICIT_BATCH)"
            )
            complain(self.logger, "IBuilder::createNetworkV2", Refused(why))
            return None
        return _create_network(self, flags)

    @bound(
        Overload(
            "(self: Builder, network: INetworkDefinition, config: IBuilderConfig) -> ICudaEngine",
            instance(INetworkDefinition),
            instance(IBuilderConfig),
        )
    )
    @deprecated("build_serialized_network")
    def build_engine(self: Any, network: INetworkDefinition, config: IBuilderConfig) -> ICudaEngine | None:
        """Return an engine; None, and an error, where none can be built."""
        return _build_engine_with_config(self, network, config)


class ConfigMembers:
    """What ``IBuilderConfig`` has."""

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


class NetworkMembers:
    """What ``INetworkDefinition`` has; every network that can be made has an explicit batch."""

    has_implicit_batch_dimension = attribute(lambda _self: False)
    has_explicit_precision = attribute(lambda _self: False)
