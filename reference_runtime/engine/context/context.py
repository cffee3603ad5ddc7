"""IExecutionContext: shapes, addresses and executions, as an application sees them.

The file is long because the class has forty members; `live_context` does their work. *And an error* in a docstring
means that the error is also reported to the application's error recorder or logger.
"""

from __future__ import annotations

import functools
from types import NoneType
from typing import TYPE_CHECKING, Any, NoReturn

from reference_runtime.application.allocators import IGpuAllocator, IOutputAllocator
from reference_runtime.application.debugging import IDebugListener
from reference_runtime.application.error_recorder import error_recorder_of, refusable
from reference_runtime.application.profilers import IProfiler
from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.capsules import pointer
from reference_runtime.bound.context_managers import make_context_manager
from reference_runtime.bound.conversions import (
    Mismatch,
    boolean,
    instance,
    int32,
    int64,
    optional,
    sequence,
    size_t,
    string,
)
from reference_runtime.bound.lifetimes import ends_with
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.engine.context import queries
from reference_runtime.engine.context.execution import execute
from reference_runtime.values.descriptions import no_dims
from reference_runtime.values.dims import MAX_DIMS, Dims, to_dims, values
from reference_runtime.values.enums_building import ProfilingVerbosity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.engine.context.live_context import LiveContext
    from reference_runtime.engine.context.runtime_config import IRuntimeConfig
    from reference_runtime.values.descriptions import Extents

_SELF = "self: IExecutionContext"
_NAME = f"{_SELF}, name: str"
_INT = "typing.SupportsInt"


def bound_context(live: LiveContext, engine: object, config: IRuntimeConfig) -> IExecutionContext:
    """Return the Python object of a context; it keeps ``engine`` alive, as in the genuine bindings."""
    around = live.engine.around
    context = made(
        IExecutionContext,
        _live=live,
        _parent=engine,
        _gate=around.gate,
        _logger=around.logger,
        _config=config,
        name="",
        profiler=None,
        debug_sync=False,
        enqueue_emits_profile=True,
        nvtx_verbosity=live.engine.plan.traits.profiling_verbosity,
        persistent_cache_limit=0,
    )
    ends_with(context, live.close)
    return context


def live_context(context: IExecutionContext) -> LiveContext:
    """Return the live context behind the Python object."""
    live: LiveContext = state(context)["_live"]
    return live


_live = live_context
_refusable = functools.partial(refusable, "IExecutionContext")


def _error(text: str) -> NoReturn:
    raise RuntimeError(text)


def _kept(name: str, kind: str, convert: Any) -> attribute:
    return accessor(
        f"(arg0: IExecutionContext, arg1: {kind}) -> None",
        lambda self: state(self).get(name),
        lambda self, value: state(self).update({name: value}),
        convert,
    )


def _set_profiler(context: IExecutionContext, profiler: IProfiler | None) -> None:
    state(context)["profiler"] = profiler


@_refusable("setNvtxVerbosity")
def _set_verbosity(context: IExecutionContext, verbosity: ProfilingVerbosity) -> None:
    queries.check_verbosity(_live(context), verbosity)
    state(context)["nvtx_verbosity"] = verbosity


@_refusable("setDeviceMemory")
def _set_device_memory(context: IExecutionContext, address: int) -> None:
    _live(context).set_device_memory(address)


@make_context_manager
class IExecutionContext(pybind11_object, bound=True):
    """Runs an engine, with separate shapes and memory."""

    __slots__ = ()

    engine = attribute(lambda self: state(self)["_parent"])
    name = _kept("name", "str", string)
    debug_sync = _kept("debug_sync", "bool", boolean)
    profiler = accessor(
        "(arg0: IExecutionContext, arg1: IProfiler) -> None",
        lambda self: state(self)["profiler"],
        _set_profiler,
        optional(instance(IProfiler)),
    )
    enqueue_emits_profile = _kept("enqueue_emits_profile", "bool", boolean)
    persistent_cache_limit = _kept("persistent_cache_limit", _INT, size_t)
    error_recorder = error_recorder_of("IExecutionContext")
    active_optimization_profile = attribute(lambda self: _live(self).shapes.profile)
    all_binding_shapes_specified = attribute(lambda self: not _live(self).shapes.missing_shapes)
    all_shape_inputs_specified = attribute(lambda self: not _live(self).shapes.missing_values(_live(self).addresses))
    nvtx_verbosity = accessor(
        "(arg0: IExecutionContext, arg1: ProfilingVerbosity) -> bool",
        lambda self: state(self)["nvtx_verbosity"],
        _set_verbosity,
        instance(ProfilingVerbosity),
    )
    temporary_allocator = accessor(
        "(arg0: IExecutionContext, arg1: IGpuAllocator) -> bool",
        lambda self: _live(self).temporary_allocator,
        lambda self, allocator: setattr(_live(self), "temporary_allocator", allocator),
        optional(instance(IGpuAllocator)),
    )
    unfused_tensors_debug_state = accessor(
        "(arg0: IExecutionContext, arg1: bool) -> bool",
        lambda self: queries.unfused_debug_state(_live(self)),
        lambda self, flag: queries.set_unfused_debug_state(_live(self), flag=flag),
        boolean,
    )
    device_memory = attribute(
        None,
        accessor(
            f"(arg0: IExecutionContext, arg1: {_INT}) -> None",
            lambda _self: None,
            _set_device_memory,
            size_t,
        ).fset,
    )

    @bound(
        Overload(f"({_NAME}, shape: tuple) -> bool", string, instance(tuple)),
        Overload(f"({_NAME}, shape: list) -> bool", string, instance(list)),
        Overload(f"({_NAME}, shape: Dims) -> bool", string, to_dims),
    )
    @_refusable("setInputShape")
    def set_input_shape(self, name: str, shape: Any) -> bool:
        """Set the shape of an input; False, and an error, for one that the active profile does not allow."""
        extents = values(shape) if isinstance(shape, Dims) else _integers(shape)
        queries.set_input_shape(_live(self), name, extents)
        return True

    @bound(Overload(f"({_NAME}) -> Dims", string))
    @_refusable("getTensorShape", no_dims)
    def get_tensor_shape(self, name: str) -> Dims:
        """Return the shape of a tensor. A dimension is -1 before shapes are set, or if it depends on data."""
        return Dims(queries.extents(_live(self), name))

    @bound(Overload(f"({_NAME}) -> Dims", string))
    @_refusable("getTensorStrides", no_dims)
    def get_tensor_strides(self, name: str) -> Dims:
        """Return the strides of a tensor; -1 if its shape is not known yet."""
        return Dims(queries.strides(_live(self), name))

    @bound(Overload(f"({_NAME}, memory: {_INT}) -> bool", string, size_t))
    @_refusable("setTensorAddress")
    def set_tensor_address(self, name: str, address: int) -> bool:
        """Set the address of an input or output; False, and an error, for an address that is not aligned."""
        _live(self).set_address(queries.place_of(_live(self), name), address)
        return True

    @bound(Overload(f"({_NAME}) -> int", string))
    @_refusable("getTensorAddress", int)
    def get_tensor_address(self, name: str) -> int:
        """Return the address of an input or output, or 0."""
        return _live(self).addresses.get(queries.place_of(_live(self), name), 0)

    @bound(Overload(f"({_SELF}) -> list[str]"))
    @_refusable("inferShapes", lambda: _error("infer_shapes error code: -1"))
    def infer_shapes(self) -> list[str]:
        """Return the names of the inputs that lack a shape or values; RuntimeError where shapes cannot be inferred."""
        live = _live(self)
        missing = live.shapes.missing(live.addresses)
        if not missing:
            live.facts()
        return missing

    @bound(Overload(f"({_NAME}) -> int", string))
    @_refusable("getMaxOutputSize", lambda: -1)
    def get_max_output_size(self, name: str) -> int:
        """Return the maximum bytes of an output in the active profile; -1 before the shapes are set."""
        return queries.max_output_size(_live(self), name)

    @bound(
        Overload(f"({_NAME}, output_allocator: IOutputAllocator) -> bool", string, optional(instance(IOutputAllocator)))
    )
    @_refusable("setOutputAllocator")
    def set_output_allocator(self, name: str, allocator: IOutputAllocator | None) -> bool:
        """Let an allocator provide the memory of an output; None removes it. False if the name is no output."""
        queries.set_output_allocator(_live(self), name, allocator)
        return True

    @bound(Overload(f"({_NAME}) -> IOutputAllocator", string))
    @_refusable("getOutputAllocator", NoneType)
    def get_output_allocator(self, name: str) -> IOutputAllocator | None:
        """Return the allocator of an output, or None."""
        allocator: IOutputAllocator | None = queries.output_allocator(_live(self), name)
        return allocator

    @bound(Overload(f"({_SELF}, profile_index: {_INT}, stream_handle: {_INT}) -> bool", int32, size_t))
    @_refusable("setOptimizationProfileAsync", lambda: _error("Error in set optimization profile async."))
    def set_optimization_profile_async(self, index: int, stream: int) -> bool:
        """Switch to another profile; RuntimeError, and an error, if it does not exist. Shapes must be set again.

        The switch is work on the stream: an execution on a different stream must come after the switch.
        """
        _live(self).set_profile(index, stream)
        return True

    @bound(Overload(f"({_SELF}, memory: {_INT}, size: {_INT}) -> None", size_t, int64))
    @_refusable("setDeviceMemoryV2", NoneType)
    def set_device_memory(self, memory: int, size: int) -> None:
        """Set the memory for the next executions, for a context whose memory the application manages."""
        _live(self).set_device_memory(memory, size)

    @bound(Overload(f"({_SELF}) -> int"))
    @_refusable("updateDeviceMemorySizeForShapes", int)
    def update_device_memory_size_for_shapes(self) -> int:
        """Return the device memory in bytes that the current shapes need; 0, and an error, while some are not set."""
        return queries.needed_memory(_live(self))

    @bound(Overload(f"({_SELF}, aux_streams: collections.abc.Sequence[{_INT}]) -> None", sequence(size_t)))
    @_refusable("setAuxStreams", NoneType)
    def set_aux_streams(self, streams: list[int]) -> None:
        """Set streams for work beside the main one; they must differ, and none may be the default stream."""
        queries.set_aux_streams(_live(self), streams)

    @bound(Overload(f"({_SELF}, event: {_INT}) -> bool", size_t))
    def set_input_consumed_event(self, event: int) -> bool:
        """Have an event recorded in each execution as soon as the inputs have been read; 0 for none."""
        _live(self).input_consumed = event
        return True

    @bound(Overload(f"({_SELF}) -> int"))
    def get_input_consumed_event(self) -> int:
        """Return the event that is recorded when the inputs have been read, or 0."""
        return _live(self).input_consumed

    @bound(Overload(f"({_SELF}) -> bool"))
    @_refusable("reportToProfiler")
    def report_to_profiler(self) -> bool:
        """Report the times of the last execution; False, and an error, if there is no profiler or no execution."""
        queries.report(_live(self), self.profiler)
        return True

    @bound(Overload(f"({_SELF}, listener: IDebugListener) -> bool", optional(instance(IDebugListener))))
    def set_debug_listener(self, listener: IDebugListener | None) -> bool:
        """Set the listener for the tensors that were marked for debugging; None removes it."""
        _live(self).listener = listener
        return True

    @bound(Overload(f"({_SELF}) -> IDebugListener"))
    def get_debug_listener(self) -> IDebugListener | None:
        """Return the listener, or None."""
        listener: IDebugListener | None = _live(self).listener
        return listener

    @bound(Overload(f"({_NAME}, flag: bool) -> bool", string, boolean))
    @_refusable("setTensorDebugState")
    def set_tensor_debug_state(self, name: str, flag: bool) -> bool:  # noqa: FBT001 - TensorRT's
        """Choose whether the listener sees a tensor; False, and an error, for a tensor that was not marked."""
        queries.set_debug_state(_live(self), name, flag=flag)
        return True

    @bound(Overload(f"({_SELF}, flag: bool) -> bool", boolean))
    def set_all_tensors_debug_state(self, flag: bool) -> bool:  # noqa: FBT001 - TensorRT's
        """Choose whether the listener sees the tensors that were marked."""
        queries.set_all_debug_states(_live(self), flag=flag)
        return True

    @bound(Overload(f"({_NAME}) -> bool", string))
    def get_debug_state(self, name: str) -> bool:
        """Say whether the listener sees a tensor."""
        return queries.debug_state(_live(self), name)

    @bound(Overload(f"({_SELF}, communicator: typing_extensions.CapsuleType) -> bool", pointer))
    @_refusable("setCommunicator")
    def set_communicator(self, communicator: int) -> bool:
        """Accept the communicator of an engine for several devices; False, and an error, for null."""
        queries.set_communicator(_live(self), communicator)
        return True

    @bound(Overload(f"({_SELF}) -> IRuntimeConfig"))
    def get_runtime_config(self) -> IRuntimeConfig:
        """Return the configuration that the context was created with."""
        config: IRuntimeConfig = state(self)["_config"]
        return config

    @bound(Overload(f"({_SELF}, bindings: collections.abc.Sequence[{_INT}]) -> bool", sequence(size_t)))
    @_refusable("executeV2")
    def execute_v2(self, bindings: list[int]) -> bool:
        """Run, with the addresses of all inputs and outputs, and wait; False, and an error, where that fails."""
        queries.execute_and_wait(_live(self), bindings, debug_sync=self.debug_sync)
        return _reported(self)

    @bound(Overload(f"({_SELF}, stream_handle: {_INT}) -> bool", size_t))
    @_refusable("enqueueV3")
    def execute_async_v3(self, stream: int) -> bool:
        """Run on a stream, with the addresses that were set; False, and an error, if that fails."""
        live = _live(self)
        execute(live, live.addresses, stream)
        return _reported(self)


def _reported(context: IExecutionContext) -> bool:
    """Report the times of the layers, if there is a profiler and executions report; return True."""
    profiler = context.profiler
    if profiler is not None and context.enqueue_emits_profile:
        _live(context).report_times(profiler)
    return True


def _integers(shape: Sequence[Any]) -> Extents:
    if len(shape) > MAX_DIMS:
        raise RuntimeError("The number of input dims exceeds the maximum allowed number of dimensions")
    try:
        return tuple(int32(extent) for extent in shape)
    except Mismatch:
        raise RuntimeError(f"Unable to cast {shape!r} to integers of 32 bits") from None
