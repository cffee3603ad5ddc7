"""IBuilderConfig: the application's settings of a builder; `settings` has the values and their errors.

*And an error* in a docstring means that the error is also reported to the application's error recorder or logger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.application.algorithms import IAlgorithmSelector
from reference_runtime.application.calibrators import IInt8Calibrator
from reference_runtime.application.progress import IProgressMonitor
from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.context_managers import make_context_manager
from reference_runtime.bound.conversions import boolean, buffer, instance, int64, integer, sequence, size_t, string
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.level_constants import version_facts
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.builder.properties import (
    bits,
    granted_to,
    kept,
    known_bits,
    member,
    number,
    owned_object,
    settings_of,
)
from reference_runtime.builder.settings import Settings, checked_pool
from reference_runtime.network.layers import ILayer
from reference_runtime.network.public.profiles import IOptimizationProfile, disorder, ranges_of
from reference_runtime.plan.timing_cache import ENVIRONMENT, ITimingCache, Timings, new_timing_cache, timings_of
from reference_runtime.values.enums_building import (
    BuilderFlag,
    DeviceType,
    EngineCapability,
    HardwareCompatibilityLevel,
    MemoryPoolType,
    PreviewFeature,
    ProfilingVerbosity,
    QuantizationFlag,
    RuntimePlatform,
    TacticSource,
    TilingOptimizationLevel,
)
from reference_runtime.values.refusals import Refused, warn

if TYPE_CHECKING:
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.values.logger import ILogger

__all__ = ["IBuilderConfig", "Settings", "new_config", "settings_of"]

_EXPLICIT = "Deprecated in TensorRT 10.1. Superseded by explicit quantization."
_EDITABLE = "Deprecated in TensorRT 10.8. Please use editable mode in ITimingCache instead."
_INT = "typing.SupportsInt"
_SELF = "self: IBuilderConfig"
_uint32 = integer(32, signed=False)


def new_config(logger: ILogger, builder: object) -> IBuilderConfig:
    """Return a configuration; it keeps ``builder`` alive, as in the genuine bindings."""
    return made(IBuilderConfig, _settings=Settings(), _logger=logger, _builder=builder)


def _layer(layer: ILayer) -> Layer:
    graph_layer: Layer = state(layer)["_layer"]
    return graph_layer


def _overload(parameters: str, result: str, *converters: Any) -> Overload:
    return Overload(f"({_SELF}{parameters and ', '}{parameters}) -> {result}", *converters)


_FLAG = _overload("flag: BuilderFlag", "None", instance(BuilderFlag))
_QUANTIZATION = _overload("flag: QuantizationFlag", "None", instance(QuantizationFlag))
_PROFILE = instance(IOptimizationProfile)


@make_context_manager
class IBuilderConfig(pybind11_object, bound=True):
    """The configuration of a builder."""

    flags = bits("flags", "setFlags", BuilderFlag)
    quantization_flags = bits("quantization_flags", "setQuantizationFlags", QuantizationFlag)
    avg_timing_iterations = number("avg_timing_iterations", "setAvgTimingIterations", 1)
    builder_optimization_level = number("builder_optimization_level", "setBuilderOptimizationLevel", 0)
    max_aux_streams = number("max_aux_streams", "setMaxAuxStreams", -1)
    max_num_tactics = number("max_num_tactics", "setMaxNbTactics", -1)
    l2_limit_for_tiling = number("l2_limit_for_tiling", "setL2LimitForTiling", -1, convert=int64)
    DLA_core = number("DLA_core", "setDLACore", -1, -1)
    engine_capability = member("engine_capability", EngineCapability)
    profiling_verbosity = member("profiling_verbosity", ProfilingVerbosity)
    hardware_compatibility_level = member("hardware_compatibility_level", HardwareCompatibilityLevel)
    runtime_platform = member("runtime_platform", RuntimePlatform)
    tiling_optimization_level = member("tiling_optimization_level", TilingOptimizationLevel)
    default_device_type = member("default_device_type", DeviceType)
    profile_stream = kept("profile_stream", _INT, size_t)
    remote_auto_tuning_config = kept("remote_auto_tuning_config", "str", string)
    plugins_to_serialize = accessor(
        f"({_SELF}, arg0: collections.abc.Sequence[str]) -> None",
        lambda self: list(settings_of(self).plugins_to_serialize),
        lambda self, paths: setattr(settings_of(self), "plugins_to_serialize", paths),
        sequence(string),
    )
    progress_monitor = owned_object("progress_monitor", IProgressMonitor)
    int8_calibrator = owned_object("int8_calibrator", IInt8Calibrator, _EXPLICIT)
    algorithm_selector = owned_object("algorithm_selector", IAlgorithmSelector, _EDITABLE)
    num_optimization_profiles = attribute(lambda self: len(settings_of(self).profiles))

    @bound(_FLAG)
    def set_flag(self, flag: BuilderFlag) -> None:
        """Set a flag."""
        settings_of(self).flags |= 1 << int(flag)

    @bound(_FLAG)
    def clear_flag(self, flag: BuilderFlag) -> None:
        """Clear a flag."""
        settings_of(self).flags &= ~(1 << int(flag))

    @bound(_overload("flag: BuilderFlag", "bool", instance(BuilderFlag)))
    def get_flag(self, flag: BuilderFlag) -> bool:
        """Say whether a flag is set."""
        return flag in settings_of(self).chosen

    @bound(_QUANTIZATION)
    def set_quantization_flag(self, flag: QuantizationFlag) -> None:
        """Set a flag of quantization."""
        settings_of(self).quantization_flags |= 1 << int(flag)

    @bound(_QUANTIZATION)
    def clear_quantization_flag(self, flag: QuantizationFlag) -> None:
        """Clear a flag of quantization."""
        settings_of(self).quantization_flags &= ~(1 << int(flag))

    @bound(_overload("flag: QuantizationFlag", "bool", instance(QuantizationFlag)))
    def get_quantization_flag(self, flag: QuantizationFlag) -> bool:
        """Say whether a flag of quantization is set."""
        return bool(settings_of(self).quantization_flags >> int(flag) & 1)

    @bound(_overload("profile: IOptimizationProfile", "int", _PROFILE))
    def add_optimization_profile(self, profile: IOptimizationProfile) -> int:
        """Add a profile and return its number; -1, and an error, if its bounds are not in order."""

        def work() -> None:
            _refuse_disorder(profile)
            settings_of(self).profiles.append(ranges_of(profile))

        added = granted_to(self, "addOptimizationProfile", work)
        return len(settings_of(self).profiles) - 1 if added else -1

    @bound(_overload("profile: IOptimizationProfile", "bool", _PROFILE))
    @deprecated(_EXPLICIT)
    def set_calibration_profile(self, profile: IOptimizationProfile) -> bool:
        """Set the profile that calibration runs in; False, and an error, if its bounds are not in order."""
        if not granted_to(self, "setCalibrationProfile", lambda: _refuse_disorder(profile)):
            return False
        settings_of(self).calibration_profile = profile
        return True

    @bound(_overload("", "IOptimizationProfile"))
    @deprecated(_EXPLICIT)
    def get_calibration_profile(self) -> IOptimizationProfile | None:
        """Return the profile that calibration runs in, or None."""
        return settings_of(self).calibration_profile

    @bound(_overload(f"pool: MemoryPoolType, pool_size: {_INT}", "None", instance(MemoryPoolType), size_t))
    def set_memory_pool_limit(self, pool: MemoryPoolType, size: int) -> None:
        """Limit a kind of memory; plugins use ``WORKSPACE``."""
        pools = settings_of(self).pools
        granted_to(self, "setMemoryPoolLimit", lambda: pools.update({int(pool): checked_pool(pool, size)}))

    @bound(_overload("pool: MemoryPoolType", "int", instance(MemoryPoolType)))
    def get_memory_pool_limit(self, pool: MemoryPoolType) -> int:
        """Return the limit of a kind of memory."""
        return settings_of(self).pools.get(int(pool), 0)

    @bound(_overload("feature: PreviewFeature, enable: bool", "None", instance(PreviewFeature), boolean))
    def set_preview_feature(self, feature: PreviewFeature, enable: bool) -> None:  # noqa: FBT001 - TensorRT's signature
        """Turn a preview feature on or off; a feature that is always on stays on, with a warning."""
        bit = 1 << int(feature)
        if bit & version_facts().preview_by_default:
            if not enable:
                what = f"{feature.name} is always on"
                warn("IBuilderConfig::setPreviewFeature", what, to=state(self)["_logger"])
            return
        settings = settings_of(self)
        settings.preview_features = settings.preview_features | bit if enable else settings.preview_features & ~bit

    @bound(_overload("feature: PreviewFeature", "bool", instance(PreviewFeature)))
    def get_preview_feature(self, feature: PreviewFeature) -> bool:
        """Say whether a preview feature is on."""
        return settings_of(self).has_preview(feature)

    @bound(_overload(f"tactic_sources: {_INT}", "bool", _uint32))
    def set_tactic_sources(self, sources: int) -> bool:
        """Set the tactic sources; False, and an error, for a source that does not exist."""

        def work() -> None:
            settings_of(self).tactic_sources = known_bits("tactic_sources", sources, TacticSource)

        return granted_to(self, "setTacticSources", work)

    @bound(_overload("", "int"))
    def get_tactic_sources(self) -> int:
        """Return the tactic sources."""
        return settings_of(self).tactic_sources

    @bound(_overload("layer: ILayer, device_type: DeviceType", "None", instance(ILayer), instance(DeviceType)))
    def set_device_type(self, layer: ILayer, device_type: DeviceType) -> None:
        """Set the device that a layer must run on."""
        settings_of(self).device_types[_layer(layer)] = device_type

    @bound(_overload("layer: ILayer", "DeviceType", instance(ILayer)))
    def get_device_type(self, layer: ILayer) -> DeviceType:
        """Return the device that a layer must run on."""
        return settings_of(self).device_of(_layer(layer))

    @bound(_overload("layer: ILayer", "bool", instance(ILayer)))
    def is_device_type_set(self, layer: ILayer) -> bool:
        """Say whether a device was set for this layer."""
        return _layer(layer) in settings_of(self).device_types

    @bound(_overload("layer: ILayer", "None", instance(ILayer)))
    def reset_device_type(self, layer: ILayer) -> None:
        """Let a layer run on the default device."""
        settings_of(self).device_types.pop(_layer(layer), None)

    @bound(_overload("layer: ILayer", "bool", instance(ILayer)))
    def can_run_on_DLA(self, _layer: ILayer) -> bool:  # noqa: N802 - TensorRT's name
        """Return False: the host device has no DLA."""
        return False

    @bound(_overload("serialized_timing_cache: typing_extensions.Buffer", "ITimingCache", buffer))
    def create_timing_cache(self, data: bytes) -> ITimingCache | None:
        """Return the timing cache in ``data``, or an empty cache for no bytes; None, and an error, for invalid data."""
        caches: list[Timings] = []
        known = granted_to(self, "createTimingCache", lambda: caches.append(Timings.from_bytes(data)))
        return new_timing_cache(caches[0]) if known else None

    @bound(_overload("cache: ITimingCache, ignore_mismatch: bool", "bool", instance(ITimingCache), boolean))
    def set_timing_cache(self, cache: ITimingCache, ignore_mismatch: bool) -> bool:  # noqa: FBT001 - TensorRT's signature
        """Use a timing cache; False, and an error, for another environment's cache without ``ignore_mismatch``."""

        def work() -> None:
            other = timings_of(cache).environment
            if other != ENVIRONMENT and not ignore_mismatch:
                raise Refused(f"the timing cache was made by {other!r}, and this is {ENVIRONMENT!r}")
            settings_of(self).timing_cache = cache

        return granted_to(self, "setTimingCache", work)

    @bound(_overload("", "ITimingCache"))
    def get_timing_cache(self) -> ITimingCache | None:
        """Return the timing cache that was set, or None."""
        return settings_of(self).timing_cache

    @bound(_overload("", "None"))
    def reset(self) -> None:
        """Set everything back to the defaults."""
        state(self)["_settings"] = Settings()


def _refuse_disorder(profile: IOptimizationProfile) -> None:
    wrong = disorder(ranges_of(profile))
    if wrong is not None:
        raise Refused(wrong)
