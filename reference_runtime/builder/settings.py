"""The values of a builder configuration, and the values that TensorRT refuses.

Some settings have an effect on the builds of this runtime: flags, profiles, workspace, timing, preview features,
progress monitor. Some are written into the engine, whose queries return them (verbosity, capability, compatibility,
auxiliary streams, tactic sources). Others have an effect in a real builder only (tiling, remote tuning): they are
checked, kept and read back. Layers that must run on DLA are refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound.level_constants import version_facts
from reference_runtime.devices.host_shortage import TOTAL_MEMORY
from reference_runtime.plan.timing_cache import Timings, timings_of
from reference_runtime.values.enums_building import (
    BuilderFlag,
    DeviceType,
    EngineCapability,
    HardwareCompatibilityLevel,
    MemoryPoolType,
    PreviewFeature,
    ProfilingVerbosity,
    RuntimePlatform,
    TacticSource,
    TilingOptimizationLevel,
)
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.application.algorithms import IAlgorithmSelector
    from reference_runtime.application.calibrators import IInt8Calibrator
    from reference_runtime.application.progress import IProgressMonitor
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.network.public.profiles import IOptimizationProfile, Ranges
    from reference_runtime.plan.timing_cache import ITimingCache

DEFAULT_POOLS: Final = {
    int(MemoryPoolType.WORKSPACE): TOTAL_MEMORY,
    int(MemoryPoolType.DLA_MANAGED_SRAM): 1 << 20,
    int(MemoryPoolType.DLA_LOCAL_DRAM): 1 << 30,
    int(MemoryPoolType.DLA_GLOBAL_DRAM): 1 << 29,
    int(MemoryPoolType.TACTIC_DRAM): TOTAL_MEMORY * 3 // 4,
    int(MemoryPoolType.TACTIC_SHARED_MEMORY): 48 << 10,
}
"""TensorRT's documented defaults; those that depend on the device's memory assume `TOTAL_MEMORY` bytes.

Sizes have no upper limit, because the device on which the engine will run is not known here.
"""

_DLA_POOLS: Final = (MemoryPoolType.DLA_MANAGED_SRAM, MemoryPoolType.DLA_LOCAL_DRAM, MemoryPoolType.DLA_GLOBAL_DRAM)
_LEAST_DLA_POOL: Final = 4 << 10


@dataclass
class Settings:
    """The values of a configuration."""

    flags: int = field(default_factory=lambda: 1 << int(BuilderFlag.TF32))
    profiles: list[Ranges] = field(default_factory=list)
    pools: dict[int, int] = field(default_factory=lambda: dict(DEFAULT_POOLS))
    avg_timing_iterations: int = 1
    builder_optimization_level: int = 3
    max_aux_streams: int = -1
    max_num_tactics: int = -1
    l2_limit_for_tiling: int = -1
    DLA_core: int = -1
    profile_stream: int = 0
    quantization_flags: int = 0
    tactic_sources: int = field(
        # TensorRT's default sources, by their numbers in the API level in force
        default_factory=lambda: 1 << int(TacticSource.EDGE_MASK_CONVOLUTIONS) | 1 << int(TacticSource.JIT_CONVOLUTIONS)
    )
    preview_features: int = field(default_factory=lambda: version_facts().preview_by_default)
    remote_auto_tuning_config: str = ""
    plugins_to_serialize: list[str] = field(default_factory=list)
    engine_capability: EngineCapability = field(default_factory=lambda: EngineCapability.STANDARD)
    profiling_verbosity: ProfilingVerbosity = field(default_factory=lambda: ProfilingVerbosity.LAYER_NAMES_ONLY)
    hardware_compatibility_level: HardwareCompatibilityLevel = field(
        default_factory=lambda: HardwareCompatibilityLevel.NONE
    )
    runtime_platform: RuntimePlatform = field(default_factory=lambda: RuntimePlatform.SAME_AS_BUILD)
    tiling_optimization_level: TilingOptimizationLevel = field(default_factory=lambda: TilingOptimizationLevel.NONE)
    default_device_type: DeviceType = field(default_factory=lambda: DeviceType.GPU)
    device_types: dict[Layer, DeviceType] = field(default_factory=dict)
    timing_cache: ITimingCache | None = None
    progress_monitor: IProgressMonitor | None = None
    algorithm_selector: IAlgorithmSelector | None = None
    int8_calibrator: IInt8Calibrator | None = None
    calibration_profile: IOptimizationProfile | None = None

    @property
    def chosen(self) -> set[BuilderFlag]:
        """The flags that are set."""
        return {flag for flag in BuilderFlag.__members__.values() if self.flags >> int(flag) & 1}

    @property
    def workspace_limit(self) -> int:
        """The largest workspace in bytes that a plugin gets."""
        return self.pools[int(MemoryPoolType.WORKSPACE)]

    @property
    def timings(self) -> Timings | None:
        """The timing cache to read and write; None if the builder must not use one."""
        if BuilderFlag.DISABLE_TIMING_CACHE in self.chosen or not self.builder_optimization_level:
            return None
        return Timings() if self.timing_cache is None else timings_of(self.timing_cache)

    def has_preview(self, feature: PreviewFeature) -> bool:
        """Say whether a preview feature is on."""
        return bool(self.preview_features >> int(feature) & 1)

    def device_of(self, layer: Layer) -> DeviceType:
        """Return the device that a layer must run on."""
        return self.device_types.get(layer, self.default_device_type)

    def refuse_devices(self, layers: list[Layer]) -> None:
        """Refuse layers that must run on DLA, which this runtime does not have, without a fallback to the GPU."""
        if self.engine_capability == EngineCapability.DLA_STANDALONE:
            raise Refused(
                "EngineCapability.DLA_STANDALONE needs a DLA core, and this platform has none", Reason.NETWORK
            )
        if BuilderFlag.GPU_FALLBACK in self.chosen:
            return
        for layer in layers:
            if self.device_of(layer) == DeviceType.DLA:
                why = f"layer {layer.name!r} must run on DLA, which it cannot, and BuilderFlag.GPU_FALLBACK is not set"
                raise Refused(why, Reason.NETWORK)


def all_bits(enumeration: Any) -> int:
    """Return a bitmask with every member of an enumeration."""
    return sum(1 << number for number in {int(member) for member in enumeration.__members__.values()})


def in_bounds(name: str, value: int, least: int, greatest: int | None = None) -> int:
    """Return a value, or refuse one that is out of its bounds."""
    if value < least or (greatest is not None and value > greatest):
        allowed = f"at least {least}" if greatest is None else f"from {least} to {greatest}"
        raise Refused(f"{name} must be {allowed}, not {value}")
    return value


def checked_pool(pool: MemoryPoolType, size: int) -> int:
    """Return a pool's size, or refuse one that TensorRT does not take."""
    if int(pool) not in DEFAULT_POOLS:
        raise Refused(f"there is no memory pool {pool!r}")
    if pool in _DLA_POOLS and (size < _LEAST_DLA_POOL or size & (size - 1)):
        raise Refused(f"the size of {pool.name} must be a power of 2 of at least {_LEAST_DLA_POOL} bytes, not {size}")
    return size
