"""ICudaEngine: an application's queries of an engine, and the contexts that it creates.

The file is long because the class has close to fifty members; `loading` has the implementation. *And an error* in a
docstring means that the error is also reported to the application's error recorder or logger.
"""

from __future__ import annotations

import functools
from types import NoneType
from typing import TYPE_CHECKING, Any

from reference_runtime.application.error_recorder import error_recorder_of, refusable
from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.context_managers import make_context_manager
from reference_runtime.bound.conversions import instance, int32, int64, optional, string
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.lifetimes import ends_with
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.engine import queries
from reference_runtime.engine.context.context import IExecutionContext, bound_context
from reference_runtime.engine.context.live_context import new_context
from reference_runtime.engine.context.memory import memory_sizes
from reference_runtime.engine.context.runtime_config import IRuntimeConfig, new_runtime_config, strategy_of
from reference_runtime.engine.inspector import EngineInspector, new_inspector
from reference_runtime.plan.serialization_config import ISerializationConfig, chosen_flags, new_serialization_config
from reference_runtime.values import formats
from reference_runtime.values.descriptions import no_dims
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType, TensorFormat, TensorIOMode, TensorLocation
from reference_runtime.values.enums_building import EngineStat
from reference_runtime.values.enums_building import ExecutionContextAllocationStrategy as Strategy
from reference_runtime.values.host_memory import IHostMemory, host_memory

if TYPE_CHECKING:
    from reference_runtime.engine.loading import LiveEngine
    from reference_runtime.plan import TensorPlan

_refusable = functools.partial(refusable, "ICudaEngine")
_SELF = "self: ICudaEngine"
_NAME = f"{_SELF}, name: str"
_PROFILE = "profile_index: typing.SupportsInt"
"""The argument of queries by profile; in this runtime, tensors have the same format in all profiles."""

_BUDGET = "Deprecated in TensorRT 10.1. Superseded by weight_streaming_budget_v2"


def bound_engine(live: LiveEngine, runtime: object, allocator: Any) -> ICudaEngine:
    """Return the Python object of an engine; it keeps ``runtime`` alive, as in the genuine bindings."""
    engine = made(
        ICudaEngine,
        _live=live,
        _parent=runtime,
        _gate=live.around.gate,
        _logger=live.around.logger,
        _allocator=allocator,
        _budget=0,
    )
    ends_with(engine, live.close)
    return engine


def _live(engine: ICudaEngine) -> LiveEngine:
    live: LiveEngine = state(engine)["_live"]
    return live


def _tensor(engine: ICudaEngine, name: str) -> TensorPlan:
    return queries.tensor(_live(engine), name)


def _trait(name: str) -> attribute:
    return attribute(lambda self: getattr(_live(self).plan.traits, name))


def _of(result: str) -> tuple[Overload, ...]:
    """Return the two overloads of a query about a tensor: without and with a profile."""
    return (
        Overload(f"({_NAME}) -> {result}", string),
        Overload(f"({_NAME}, {_PROFILE}) -> {result}", string, int32),
    )


def _largest(engine: ICudaEngine) -> int:
    return max(memory_sizes(_live(engine)))


@_refusable("setWeightStreamingBudgetV2", NoneType)
def _set_budget(engine: ICudaEngine, budget: int) -> None:
    queries.check_budget(_live(engine), budget)
    state(engine)["_budget"] = budget


@make_context_manager
class ICudaEngine(pybind11_object, bound=True):
    """An engine: its inputs and outputs, and contexts to run it with."""

    name = attribute(lambda self: _live(self).plan.name)
    num_io_tensors = attribute(lambda self: len(_live(self).plan.io))
    num_layers = attribute(lambda self: len(_live(self).plan.layers))
    num_optimization_profiles = attribute(lambda self: len(_live(self).plan.profiles))
    num_aux_streams = _trait("aux_streams")
    refittable = _trait("refittable")
    engine_capability = _trait("capability")
    profiling_verbosity = _trait("profiling_verbosity")
    hardware_compatibility_level = _trait("hardware_compatibility")
    tactic_sources = _trait("tactic_sources")
    error_recorder = error_recorder_of("ICudaEngine")
    device_memory_size_v2 = attribute(_largest)
    device_memory_size = attribute(
        deprecated("Deprecated in TensorRT 10.1. Superseded by get_device_memory_size_v2")(_largest)
    )
    has_implicit_batch_dimension = attribute(
        deprecated("Implicit batch dimensions support has been removed")(lambda _self: False)
    )
    streamable_weights_size = attribute(lambda _self: 0)
    weight_streaming_scratch_memory_size = attribute(lambda _self: 0)
    minimum_weight_streaming_budget = attribute(
        deprecated("Deprecated in TensorRT 10.1. Not required by V2 APIs.")(lambda _self: 0)
    )
    weight_streaming_budget_v2 = accessor(
        "(arg0: ICudaEngine, arg1: typing.SupportsInt) -> bool", lambda self: state(self)["_budget"], _set_budget, int64
    )
    weight_streaming_budget = accessor(
        "(arg0: ICudaEngine, arg1: typing.SupportsInt) -> bool",
        deprecated(_BUDGET)(lambda self: state(self)["_budget"]),
        deprecated(_BUDGET)(_set_budget),
        int64,
    )

    @bound(Overload(f"({_SELF}) -> int"))
    def get_weight_streaming_automatic_budget(self) -> int:
        """Return 0 as the budget that TensorRT would choose: this runtime streams no weights."""
        return 0

    @bound(Overload(f"({_SELF}, {_PROFILE}) -> int", int32))
    @_refusable("getDeviceMemorySizeForProfileV2", int)
    def get_device_memory_size_for_profile_v2(self, profile: int) -> int:
        """Return how many bytes a context needs in a profile."""
        return queries.memory_size(_live(self), profile)

    @bound(Overload(f"({_SELF}, {_PROFILE}) -> int", int32))
    @deprecated("Deprecated in TensorRT 10.1. Superseded by get_device_memory_size_for_profile_v2")
    @_refusable("getDeviceMemorySizeForProfile", int)
    def get_device_memory_size_for_profile(self, profile: int) -> int:
        """Return how many bytes a context needs in a profile."""
        return queries.memory_size(_live(self), profile)

    @bound(Overload(f"({_SELF}, index: typing.SupportsInt) -> str", int32))
    @_refusable("getIOTensorName", NoneType)
    def get_tensor_name(self, index: int) -> str | None:
        """Return the name of an input or output; inputs come first."""
        return queries.name_at(_live(self), index)

    @bound(Overload(f"({_SELF}, arg0: typing.SupportsInt) -> str", int32))
    def __getitem__(self, index: int) -> str | None:
        """Return the name of an input or output, counted from the end if ``index`` is negative."""
        count = self.num_io_tensors
        if index >= count:
            raise IndexError("index < self.getNbIOTensors()")
        return self.get_tensor_name(index + count if index < 0 else index)

    @bound(Overload(f"({_NAME}) -> TensorIOMode", string))
    @_refusable("getTensorIOMode", lambda: TensorIOMode.NONE)
    def get_tensor_mode(self, name: str) -> TensorIOMode:
        """Say whether a tensor is an input or an output."""
        return _tensor(self, name).mode

    @bound(Overload(f"({_NAME}) -> Dims", string))
    @_refusable("getTensorShape", no_dims)
    def get_tensor_shape(self, name: str) -> Dims:
        """Return the shape of a tensor, with -1 for wildcards."""
        return Dims(_tensor(self, name).desc.dims)

    @bound(Overload(f"({_NAME}) -> DataType", string))
    @_refusable("getTensorDataType", lambda: DataType.FLOAT)
    def get_tensor_dtype(self, name: str) -> DataType:
        """Return the type of a tensor."""
        return _tensor(self, name).desc.type

    @bound(Overload(f"({_NAME}) -> TensorLocation", string))
    @_refusable("getTensorLocation", lambda: TensorLocation.DEVICE)
    def get_tensor_location(self, name: str) -> TensorLocation:
        """Return a tensor's location: the host if shapes depend on its values."""
        return _tensor(self, name).location

    @bound(Overload(f"({_NAME}) -> bool", string))
    @_refusable("isShapeInferenceIO", bool)
    def is_shape_inference_io(self, name: str) -> bool:
        """Say whether shape inference uses a tensor's values."""
        return bool(_tensor(self, name).location == TensorLocation.HOST)

    @bound(Overload(f"({_NAME}) -> bool", string))
    def is_debug_tensor(self, name: str) -> bool:
        """Say whether a tensor was marked for debugging."""
        return any(tensor.name == name and tensor.debug for tensor in _live(self).plan.tensors)

    @bound(Overload(f"({_NAME}) -> str", string))
    @_refusable("getAliasedInputTensor", NoneType)
    def get_aliased_input_tensor(self, name: str) -> str | None:
        """Return the name of the input whose memory an output shares, or None."""
        return queries.aliased_input(_live(self), name)

    @bound(*_of("TensorFormat"))
    @_refusable("getTensorFormat", lambda: TensorFormat.LINEAR)
    def get_tensor_format(self, name: str, _profile: int = 0) -> TensorFormat:
        """Return the layout of a tensor."""
        return _tensor(self, name).desc.format

    @bound(*_of("str"))
    @_refusable("getTensorFormatDesc", str)
    def get_tensor_format_desc(self, name: str, _profile: int = 0) -> str:
        """Return the layout of a tensor in words."""
        desc = _tensor(self, name).desc
        return f"{desc.type.name} in {desc.format.name} format"

    @bound(*_of("int"))
    @_refusable("getTensorVectorizedDim", lambda: -1)
    def get_tensor_vectorized_dim(self, name: str, _profile: int = 0) -> int:
        """Return the axis that is cut into vectors, or -1."""
        desc = _tensor(self, name).desc
        return formats.vectorized_axis(desc.format, len(desc.dims))

    @bound(*_of("int"))
    @_refusable("getTensorComponentsPerElement", lambda: -1)
    def get_tensor_components_per_element(self, name: str, _profile: int = 0) -> int:
        """Return the number of scalars in a vector, or -1 where there are no vectors."""
        width = formats.components(_tensor(self, name).desc.format)
        return width if width > 1 else -1

    @bound(*_of("int"))
    @_refusable("getTensorBytesPerComponent", lambda: -1)
    def get_tensor_bytes_per_component(self, name: str, _profile: int = 0) -> int:
        """Return the number of bytes of a scalar in a vector, or -1 where there are no vectors."""
        desc = _tensor(self, name).desc
        return formats.itemsize(desc.type) if formats.components(desc.format) > 1 else -1

    @bound(Overload(f"({_NAME}, {_PROFILE}) -> list[Dims]", string, int32))
    @_refusable("getProfileShape", lambda: [no_dims(), no_dims(), no_dims()])
    def get_tensor_profile_shape(self, name: str, profile: int) -> list[Dims]:
        """Return the minimum, optimum and maximum shape of an input in a profile."""
        return [Dims(dims) for dims in queries.profile_shape(_live(self), name, profile)]

    @bound(Overload(f"({_SELF}, name: typing.SupportsInt, profile_index: str) -> list[list[int]]", int32, string))
    @_refusable("getProfileTensorValuesV2", list)
    def get_tensor_profile_values(self, profile: int, name: str) -> list[list[int]]:
        """Return the minimum, optimum and maximum values of a shape input in a profile.

        The bindings take the profile first, and have the names of the two arguments in the wrong order.
        """
        return queries.profile_values(_live(self), name, profile)

    @bound(
        Overload(
            f"({_SELF}, stat: EngineStat = <EngineStat.TOTAL_WEIGHTS_SIZE: 0>) -> int",
            instance(EngineStat),
            defaults=[EngineStat.TOTAL_WEIGHTS_SIZE],
        )
    )
    def get_engine_stat(self, stat: EngineStat = EngineStat.TOTAL_WEIGHTS_SIZE) -> int:
        """Return the bytes of all weights, or 0 as the bytes of stripped weights: this runtime strips none."""
        return queries.weights_size(_live(self)) if stat == EngineStat.TOTAL_WEIGHTS_SIZE else 0

    @bound(Overload(f"({_SELF}) -> EngineInspector"))
    def create_engine_inspector(self) -> EngineInspector:
        """Return an inspector of the engine's layers."""
        return new_inspector(_live(self), self)

    @bound(Overload(f"({_SELF}) -> IHostMemory"))
    @_refusable("serialize", NoneType)
    def serialize(self) -> IHostMemory | None:
        """Return the engine's bytes; None, and an error, where a plugin cannot be serialized."""
        return host_memory(_live(self).serialize())

    @bound(Overload(f"({_SELF}) -> ISerializationConfig"))
    def create_serialization_config(self) -> ISerializationConfig:
        """Return a configuration for `serialize_with_config`, without flags."""
        return new_serialization_config(self)

    @bound(Overload(f"({_SELF}, arg0: ISerializationConfig) -> IHostMemory", instance(ISerializationConfig)))
    @_refusable("serializeWithConfig", NoneType)
    def serialize_with_config(self, config: ISerializationConfig) -> IHostMemory | None:
        """Return the engine's bytes; None, and an error, for flags that the engine cannot follow."""
        queries.check_serialization(_live(self), chosen_flags(config))
        return host_memory(_live(self).serialize())

    @bound(Overload(f"({_SELF}) -> IRuntimeConfig"))
    def create_runtime_config(self) -> IRuntimeConfig:
        """Return a configuration for contexts, with the defaults."""
        return new_runtime_config(self)

    @bound(
        Overload(
            f"({_SELF}, strategy: ExecutionContextAllocationStrategy = "
            "<ExecutionContextAllocationStrategy.STATIC: 0>) -> IExecutionContext",
            instance(Strategy),
            defaults=[Strategy.STATIC],
        ),
        Overload(
            f"({_SELF}, runtime_config: IRuntimeConfig = None) -> IExecutionContext",
            optional(instance(IRuntimeConfig)),
            defaults=[None],
        ),
    )
    @_refusable("createExecutionContext", NoneType)
    def create_execution_context(self, chosen: Strategy | IRuntimeConfig | None = None) -> IExecutionContext | None:
        """Return a context; None, and an error, if a plugin cannot be copied or memory is lacking."""
        return _context(self, chosen)

    @bound(Overload(f"({_SELF}) -> IExecutionContext"))
    @deprecated("create_execution_context")
    @_refusable("createExecutionContextWithoutDeviceMemory", NoneType)
    def create_execution_context_without_device_memory(self) -> IExecutionContext | None:
        """Return a context whose memory the application manages; None, and an error, if that is impossible."""
        return _context(self, Strategy.USER_MANAGED)


def _context(engine: ICudaEngine, chosen: Strategy | IRuntimeConfig | None) -> IExecutionContext:
    if isinstance(chosen, IRuntimeConfig):
        config = chosen
    else:
        config = new_runtime_config(engine)
        config.set_execution_context_allocation_strategy(Strategy.STATIC if chosen is None else chosen)
    live = new_context(_live(engine), strategy_of(config), state(engine)["_allocator"])
    return bound_context(live, engine, config)
