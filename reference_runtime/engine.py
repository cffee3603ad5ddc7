"""Runtime and ICudaEngine: from bytes to an engine, and what an application can ask of it."""

from __future__ import annotations

import functools
import warnings
from typing import TYPE_CHECKING, Any

from reference_runtime import formats
from reference_runtime.backends import host
from reference_runtime.context import IExecutionContext, bound_context
from reference_runtime.context_managers import make_context_manager
from reference_runtime.conversions import Mismatch, instance, int32, string
from reference_runtime.descriptions import no_dims
from reference_runtime.dims import Dims
from reference_runtime.enums import DataType, TensorFormat, TensorIOMode, TensorLocation
from reference_runtime.enums_building import EngineCapability, ExecutionContextAllocationStrategy
from reference_runtime.gate import current_gate
from reference_runtime.host_memory import IHostMemory, host_memory
from reference_runtime.lifetimes import ends_with
from reference_runtime.loading import LiveEngine, Surroundings, load
from reference_runtime.logger import ILogger
from reference_runtime.native import attribute, made, pybind11_object, state
from reference_runtime.refusals import Refused, complain, granted
from reference_runtime.registry import IPluginRegistry, get_plugin_registry
from reference_runtime.running import LiveContext, new_context
from reference_runtime.scheduler import current_scheduler
from reference_runtime.signatures import Overload, bound, constructor

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.plan import TensorPlan

__all__ = ["ICudaEngine", "Runtime"]

_NAME = "self: ICudaEngine, name: str"
_PROFILE = "profile_index: typing.SupportsInt"
"""Everything that may differ between profiles in TensorRT is the same in all of them here."""


def _buffer(value: Any) -> bytes:
    try:
        return bytes(memoryview(value))
    except TypeError as error:
        raise Mismatch from error


@make_context_manager
class Runtime(pybind11_object, bound=True):
    """Deserializes engines."""

    @constructor(Overload("(self: Runtime, logger: ILogger) -> None", instance(ILogger)))
    def __init__(self, logger: ILogger) -> None:
        state(self).update(_logger=logger, _gate=current_gate(), _scheduler=current_scheduler())
        ends_with(self, lambda: None)

    logger = attribute(lambda self: state(self)["_logger"])
    num_DLA_cores = attribute(lambda _self: 0)  # noqa: N815 - TensorRT's name

    @bound(Overload("(self: Runtime, serialized_engine: typing_extensions.Buffer) -> ICudaEngine", _buffer))
    def deserialize_cuda_engine(self, data: bytes) -> ICudaEngine | None:
        """Return the engine that ``data`` holds; None, and an error, where it holds none that can run."""
        held = state(self)
        around = Surroundings(
            held["_gate"], held["_scheduler"], held["_logger"], get_plugin_registry(), host.current_device()
        )
        try:
            return _bound_engine(load(data, around), self)
        except Refused as refused:
            complain(held["_logger"], "IRuntime::deserializeCudaEngine", refused)
            return None

    @bound(Overload("(self: Runtime) -> IPluginRegistry"))
    def get_plugin_registry(self) -> IPluginRegistry:
        """Return the registry of the process."""
        return get_plugin_registry()


def _bound_engine(live: LiveEngine, runtime: object) -> ICudaEngine:
    engine = made(ICudaEngine, _live=live, _runtime=runtime)
    ends_with(engine, live.close)
    return engine


def _live(engine: ICudaEngine) -> LiveEngine:
    live: LiveEngine = state(engine)["_live"]
    return live


def _tensor(engine: ICudaEngine, name: str, method: str) -> TensorPlan | None:
    """Return an input or output, or complain."""
    found = next((tensor for tensor in _live(engine).plan.io if tensor.name == name), None)
    if found is None:
        complain(_live(engine).around.logger, f"ICudaEngine::{method}", Refused(f"Given invalid tensor name: {name}."))
    return found


def _deprecated(advice: str, read: Callable[[Any], Any]) -> Callable[..., Any]:
    @functools.wraps(read)
    def with_warning(self: Any, *arguments: Any) -> Any:
        warnings.warn(f"Use {advice} instead.", DeprecationWarning, stacklevel=2)
        return read(self, *arguments)

    return with_warning


def _of(*texts: str) -> tuple[Overload, ...]:
    """Make the two forms of a question about a tensor: with and without a profile."""
    result = texts[0]
    return (
        Overload(f"({_NAME}) -> {result}", string),
        Overload(f"({_NAME}, {_PROFILE}) -> {result}", string, int32),
    )


@make_context_manager
class ICudaEngine(pybind11_object, bound=True):
    """An engine: its inputs and outputs, and contexts to run it with."""

    name = attribute(lambda self: _live(self).plan.name)
    num_io_tensors = attribute(lambda self: len(_live(self).plan.io))
    num_layers = attribute(lambda self: len(_live(self).plan.layers))
    num_optimization_profiles = attribute(lambda self: len(_live(self).plan.profiles))
    num_aux_streams = attribute(lambda _self: 0)
    refittable = attribute(lambda _self: False)
    engine_capability = attribute(lambda _self: EngineCapability.STANDARD)
    device_memory_size_v2 = attribute(lambda self: max(_live(self).memory_sizes))
    device_memory_size = attribute(
        _deprecated(
            "Deprecated in TensorRT 10.1. Superseded by get_device_memory_size_v2",
            lambda self: max(_live(self).memory_sizes),
        )
    )
    has_implicit_batch_dimension = attribute(
        _deprecated("Implicit batch dimensions support has been removed", lambda _self: False)
    )

    @bound(Overload(f"(self: ICudaEngine, {_PROFILE}) -> int", int32))
    def get_device_memory_size_for_profile_v2(self, profile: int) -> int:
        """Return how many bytes a context needs in a profile."""
        sizes = _live(self).memory_sizes
        return sizes[profile] if 0 <= profile < len(sizes) else 0

    @bound(Overload("(self: ICudaEngine, index: typing.SupportsInt) -> str", int32))
    def get_tensor_name(self, index: int) -> str | None:
        """Return the name of an input or output; inputs come first."""
        tensors = _live(self).plan.io
        if 0 <= index < len(tensors):
            return tensors[index].name
        why = f"there is no tensor {index}; the engine has {len(tensors)}"
        complain(_live(self).around.logger, "ICudaEngine::getIOTensorName", Refused(why))
        return None

    @bound(Overload("(self: ICudaEngine, arg0: typing.SupportsInt) -> str", int32))
    def __getitem__(self, index: int) -> str | None:
        """Return the name of an input or output, counted from the end if ``index`` is negative."""
        count = self.num_io_tensors
        if index >= count:
            raise IndexError("index < self.getNbIOTensors()")
        return self.get_tensor_name(index + count if index < 0 else index)

    @bound(Overload(f"({_NAME}) -> TensorIOMode", string))
    def get_tensor_mode(self, name: str) -> TensorIOMode:
        """Tell whether a tensor is an input or an output."""
        tensor = _tensor(self, name, "getTensorIOMode")
        return TensorIOMode.NONE if tensor is None else tensor.mode

    @bound(Overload(f"({_NAME}) -> Dims", string))
    def get_tensor_shape(self, name: str) -> Dims:
        """Return the shape of a tensor, with -1 for wildcards."""
        tensor = _tensor(self, name, "getTensorShape")
        return no_dims() if tensor is None else Dims(tensor.desc.dims)

    @bound(Overload(f"({_NAME}) -> DataType", string))
    def get_tensor_dtype(self, name: str) -> DataType:
        """Return the type of a tensor."""
        tensor = _tensor(self, name, "getTensorDataType")
        return DataType.FLOAT if tensor is None else tensor.desc.type

    @bound(Overload(f"({_NAME}) -> TensorLocation", string))
    def get_tensor_location(self, name: str) -> TensorLocation:
        """Return where a tensor has to be: on the device."""
        _tensor(self, name, "getTensorLocation")
        return TensorLocation.DEVICE

    @bound(Overload(f"({_NAME}) -> bool", string))
    def is_shape_inference_io(self, name: str) -> bool:
        """Tell whether the engine needs a tensor's values to work out shapes: never, here."""
        _tensor(self, name, "isShapeInferenceIO")
        return False

    @bound(*_of("TensorFormat"))
    def get_tensor_format(self, name: str, _profile: int = 0) -> TensorFormat:
        """Return the layout of a tensor."""
        tensor = _tensor(self, name, "getTensorFormat")
        return TensorFormat.LINEAR if tensor is None else tensor.desc.format

    @bound(*_of("str"))
    def get_tensor_format_desc(self, name: str, _profile: int = 0) -> str:
        """Return the layout of a tensor in words."""
        tensor = _tensor(self, name, "getTensorFormatDesc")
        return "" if tensor is None else f"{tensor.desc.type.name} in {tensor.desc.format.name} format"

    @bound(*_of("int"))
    def get_tensor_vectorized_dim(self, name: str, _profile: int = 0) -> int:
        """Return the axis that is cut into vectors, or -1."""
        tensor = _tensor(self, name, "getTensorVectorizedDim")
        return -1 if tensor is None else formats.vectorized_axis(tensor.desc.format, len(tensor.desc.dims))

    @bound(*_of("int"))
    def get_tensor_components_per_element(self, name: str, _profile: int = 0) -> int:
        """Return the number of scalars in a vector, or -1 where there are no vectors."""
        tensor = _tensor(self, name, "getTensorComponentsPerElement")
        width = 1 if tensor is None else formats.components(tensor.desc.format)
        return width if width > 1 else -1

    @bound(*_of("int"))
    def get_tensor_bytes_per_component(self, name: str, _profile: int = 0) -> int:
        """Return the number of bytes of a scalar in a vector, or -1 where there are no vectors."""
        tensor = _tensor(self, name, "getTensorBytesPerComponent")
        vectorized = tensor is not None and formats.components(tensor.desc.format) > 1
        return formats.itemsize(tensor.desc.type) if tensor is not None and vectorized else -1

    @bound(Overload(f"({_NAME}, {_PROFILE}) -> list[Dims]", string, int32))
    def get_tensor_profile_shape(self, name: str, profile: int) -> list[Dims]:
        """Return the least, best and greatest shape of an input in a profile."""
        live, tensor = _live(self), _tensor(self, name, "getProfileShape")
        if tensor is None or tensor.mode != TensorIOMode.INPUT or not 0 <= profile < len(live.plan.profiles):
            return [no_dims(), no_dims(), no_dims()]
        return [Dims(shape) for shape in live.plan.profiles[profile].ranges[live.plan.inputs.index(tensor)]]

    @bound(Overload("(self: ICudaEngine) -> IHostMemory"))
    def serialize(self) -> IHostMemory:
        """Return the engine's bytes."""
        return host_memory(_live(self).serialize())

    @bound(
        Overload(
            "(self: ICudaEngine, strategy: ExecutionContextAllocationStrategy = "
            "<ExecutionContextAllocationStrategy.STATIC: 0>) -> IExecutionContext",
            instance(ExecutionContextAllocationStrategy),
            defaults=[ExecutionContextAllocationStrategy.STATIC],
        )
    )
    def create_execution_context(
        self, strategy: ExecutionContextAllocationStrategy = ExecutionContextAllocationStrategy.STATIC
    ) -> IExecutionContext | None:
        """Return a context; None, and an error, where a plugin cannot be cloned for it."""
        live = _live(self)
        made: list[LiveContext] = []
        if not granted(
            live.around.logger, "ICudaEngine::createExecutionContext", lambda: made.append(_context(live, strategy))
        ):
            return None
        return bound_context(made[0], self)


def _context(live: LiveEngine, strategy: ExecutionContextAllocationStrategy) -> LiveContext:
    if strategy == ExecutionContextAllocationStrategy.USER_MANAGED:
        raise Refused("the reference runtime manages the memory of its contexts itself")
    return new_context(live)
