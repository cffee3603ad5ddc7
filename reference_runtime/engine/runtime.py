"""Runtime: deserializes engines from bytes or a reader, and keeps their settings."""

from __future__ import annotations

import os
import tempfile
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from reference_runtime import plan
from reference_runtime.application import byte_streams
from reference_runtime.application.allocators import IGpuAllocator
from reference_runtime.application.byte_streams import IStreamReader, IStreamReaderV2
from reference_runtime.application.error_recorder import ErrorsOf, error_recorder_of, refusable
from reference_runtime.bound.bound_class import attribute, pybind11_object, state
from reference_runtime.bound.context_managers import make_context_manager
from reference_runtime.bound.conversions import Mismatch, boolean, instance, int32, integer, optional, string
from reference_runtime.bound.lifetimes import ends_with
from reference_runtime.bound.overloads import Overload, accessor, bound, constructor
from reference_runtime.calling.gate.gate import current_gate, watching
from reference_runtime.calling.gate.scheduler import current_scheduler, scheduling
from reference_runtime.devices.current import current_device
from reference_runtime.engine.engine import ICudaEngine, bound_engine
from reference_runtime.engine.loading import EngineServices, load
from reference_runtime.registry.registry import IPluginRegistry, PluginRegistry, get_plugin_registry, log_through
from reference_runtime.values.enums_building import TempfileControlFlag
from reference_runtime.values.logger import ILogger
from reference_runtime.values.refusals import Reason, Refused, complain

if TYPE_CHECKING:
    from collections.abc import Callable

_ALL_FILES: Final = sum(1 << int(flag) for flag in TempfileControlFlag.__members__.values())


def local_registry(logger: ILogger) -> IPluginRegistry:
    """Return a new registry; a search that fails there goes on in the registry of the process."""
    registry = PluginRegistry(get_plugin_registry())
    log_through(logger, registry)
    return registry


def _buffer(value: Any) -> bytes:
    try:
        return bytes(memoryview(value))
    except TypeError as error:
        raise Mismatch from error


def _set(runtime: Runtime, method: str, name: str, value: Any, wrong: str | None) -> None:
    """Keep a setting, or report the error ``wrong``."""
    if wrong is None:
        state(runtime)[name] = value
    else:
        complain(f"IRuntime::{method}", Refused(wrong), to=ErrorsOf(runtime))


def _set_threads(runtime: Runtime, count: int) -> None:
    wrong = None if count >= 1 else f"{count} is no number of threads; it is 1 or more"
    _set(runtime, "setMaxThreads", "max_threads", count, wrong)


def _set_core(runtime: Runtime, core: int) -> None:
    wrong = None if core == 0 else f"there is no DLA core {core}; this device has none"
    _set(runtime, "setDLACore", "DLA_core", core, wrong)


def _set_directory(runtime: Runtime, path: str | None) -> None:
    usable = path is None or (os.path.isdir(path) and os.access(path, os.W_OK))  # noqa: PTH112 - a check, no path
    _set(runtime, "setTemporaryDirectory", "temporary_directory", path, None if usable else f"{path} cannot be used")


def _set_file_flags(runtime: Runtime, flags: int) -> None:
    wrong = f"{flags:#x} has bits that are no TempfileControlFlag" if flags & ~_ALL_FILES else None
    _set(runtime, "setTempfileControlFlags", "tempfile_control_flags", flags, wrong)


def _kept(name: str, kind: str, convert: Any, put: Callable[[Any, Any], None] | None = None) -> attribute:
    return accessor(
        f"(arg0: Runtime, arg1: {kind}) -> None",
        lambda self: state(self)[name],
        put or (lambda self, value: state(self).update({name: value})),
        convert,
    )


@make_context_manager
class Runtime(pybind11_object, bound=True):
    """Deserializes engines."""

    @constructor(Overload("(self: Runtime, logger: ILogger) -> None", instance(ILogger)))
    def __init__(self, logger: ILogger) -> None:
        state(self).update(
            _logger=logger,
            _gate=current_gate(),
            _scheduler=current_scheduler(),
            _allocator=None,
            _registry=local_registry(logger),
            max_threads=1,
            DLA_core=0,
            temporary_directory=None,
            tempfile_control_flags=_ALL_FILES,
            engine_host_code_allowed=False,
        )
        log_through(logger)
        ends_with(self, lambda: None)

    logger = attribute(lambda self: state(self)["_logger"])
    error_recorder = error_recorder_of("Runtime")
    num_DLA_cores = attribute(lambda _self: 0)  # noqa: N815 - TensorRT's name
    DLA_core = _kept("DLA_core", "typing.SupportsInt", int32, _set_core)
    max_threads = _kept("max_threads", "typing.SupportsInt", int32, _set_threads)
    engine_host_code_allowed = _kept("engine_host_code_allowed", "bool", boolean)
    tempfile_control_flags = _kept(
        "tempfile_control_flags", "typing.SupportsInt", integer(32, signed=False), _set_file_flags
    )
    temporary_directory = accessor(
        "(arg0: Runtime, arg1: str) -> None",
        lambda self: state(self)["temporary_directory"] or tempfile.gettempdir(),
        _set_directory,
        optional(string),
    )
    gpu_allocator = attribute(
        None,
        accessor(
            "(arg0: Runtime, arg1: IGpuAllocator) -> None",
            lambda _self: None,
            lambda self, allocator: state(self).update(_allocator=allocator),
            optional(instance(IGpuAllocator)),
        ).fset,
    )

    @bound(
        Overload("(self: Runtime, serialized_engine: typing_extensions.Buffer) -> ICudaEngine", _buffer),
        Overload("(self: Runtime, stream_reader: IStreamReader) -> ICudaEngine", instance(IStreamReader)),
        Overload("(self: Runtime, stream_reader_v2: IStreamReaderV2) -> ICudaEngine", instance(IStreamReaderV2)),
    )
    @refusable("IRuntime", "deserializeCudaEngine", NoneType)
    def deserialize_cuda_engine(self, source: Any) -> ICudaEngine | None:
        """Return the engine from bytes or a reader; None, and an error, if they hold no engine that can run."""
        held = state(self)
        around = EngineServices(held["_gate"], held["_scheduler"], held["_logger"], held["_registry"], current_device())
        data = source if isinstance(source, bytes) else _read(around, source)
        return bound_engine(load(data, around), self, held["_allocator"])

    @bound(Overload("(self: Runtime, path: str) -> Runtime", string))
    def load_runtime(self, path: str) -> Runtime | None:
        """Return a runtime for engines of another version; None, and an error, if the library does not exist.

        This runtime reads plans of all its versions, so it returns another instance.
        """
        if not os.path.isfile(path):  # noqa: PTH113 - a check, no path
            why = Refused(f"{path} is no file that a runtime could be loaded from")
            complain("IRuntime::loadRuntime", why, to=ErrorsOf(self))
            return None
        held = state(self)
        scheduler = held["_scheduler"]
        with watching(held["_gate"]), scheduling(scheduler.seed, scheduler.fixed):
            return Runtime(held["_logger"])

    @bound(Overload("(self: Runtime) -> IPluginRegistry"))
    def get_plugin_registry(self) -> IPluginRegistry:
        """Return the runtime's own registry; a search that fails there goes on in the registry of the process."""
        registry: IPluginRegistry = state(self)["_registry"]
        return registry


def runtime_with(logger: ILogger, registry: IPluginRegistry) -> Runtime:
    """Return a runtime that looks for creators in the registry of a builder."""
    runtime = Runtime(logger)
    state(runtime)["_registry"] = registry
    return runtime


def _read(around: EngineServices, reader: object) -> bytes:
    """Return the bytes of an engine from a reader, or raise `Refused`."""
    try:
        return plan.collect(lambda size: byte_streams.read(around.gate, reader, size))
    except plan.PlanError as error:
        raise Refused(str(error), Reason.SERIALIZATION) from error
