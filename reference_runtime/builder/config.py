"""IBuilderConfig: what an application asks of a builder."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.context_managers import make_context_manager
from reference_runtime.conversions import instance, int32, integer, size_t
from reference_runtime.enums_building import BuilderFlag, EngineCapability, MemoryPoolType, ProfilingVerbosity
from reference_runtime.native import attribute, made, pybind11_object, state
from reference_runtime.profiles import IOptimizationProfile, Ranges, disorder, ranges_of
from reference_runtime.refusals import Reason, Refused, complain
from reference_runtime.signatures import Overload, accessor, bound

if TYPE_CHECKING:
    from reference_runtime.logger import ILogger

__all__ = ["IBuilderConfig", "Settings", "new_config", "settings_of"]

HOST_MEMORY_POOL: Final = 1 << 30
"""What a plugin may ask for as workspace where the application sets no limit: all that the host device lends."""

_TF32_BY_DEFAULT: Final = 1 << int(BuilderFlag.TF32)


@dataclass
class Settings:
    """What a configuration holds."""

    flags: int = _TF32_BY_DEFAULT
    profiles: list[Ranges] = field(default_factory=list)
    pools: dict[int, int] = field(default_factory=dict)
    avg_timing_iterations: int = 1
    builder_optimization_level: int = 3
    max_aux_streams: int = -1
    engine_capability: EngineCapability = field(default_factory=lambda: EngineCapability.STANDARD)
    profiling_verbosity: ProfilingVerbosity = field(default_factory=lambda: ProfilingVerbosity.LAYER_NAMES_ONLY)

    @property
    def chosen(self) -> set[BuilderFlag]:
        """The flags that are set."""
        return {flag for flag in BuilderFlag.__members__.values() if self.flags >> int(flag) & 1}

    @property
    def workspace_limit(self) -> int:
        """How many bytes a plugin may ask for."""
        return self.pools.get(int(MemoryPoolType.WORKSPACE), HOST_MEMORY_POOL)


def new_config(logger: ILogger, builder: object) -> IBuilderConfig:
    """Return a configuration; it keeps ``builder`` alive, as in the original."""
    return made(IBuilderConfig, _settings=Settings(), _logger=logger, _builder=builder)


def settings_of(config: IBuilderConfig) -> Settings:
    """Return what stands behind the Python object."""
    settings: Settings = state(config)["_settings"]
    return settings


def _kept(name: str, kind: str, convert: Any) -> attribute:
    return accessor(
        f"(self: IBuilderConfig, arg0: {kind}) -> None",
        lambda self: getattr(settings_of(self), name),
        lambda self, value: setattr(settings_of(self), name, value),
        convert,
    )


_FLAG = Overload("(self: IBuilderConfig, flag: BuilderFlag) -> None", instance(BuilderFlag))


@make_context_manager
class IBuilderConfig(pybind11_object, bound=True):
    """How a builder is to build."""

    flags = _kept("flags", "typing.SupportsInt", integer(32, signed=False))
    avg_timing_iterations = _kept("avg_timing_iterations", "typing.SupportsInt", int32)
    builder_optimization_level = _kept("builder_optimization_level", "typing.SupportsInt", int32)
    max_aux_streams = _kept("max_aux_streams", "typing.SupportsInt", int32)
    engine_capability = _kept("engine_capability", "EngineCapability", instance(EngineCapability))
    profiling_verbosity = _kept("profiling_verbosity", "ProfilingVerbosity", instance(ProfilingVerbosity))
    num_optimization_profiles = attribute(lambda self: len(settings_of(self).profiles))

    @bound(_FLAG)
    def set_flag(self, flag: BuilderFlag) -> None:
        """Set a flag."""
        settings_of(self).flags |= 1 << int(flag)

    @bound(_FLAG)
    def clear_flag(self, flag: BuilderFlag) -> None:
        """Take a flag away."""
        settings_of(self).flags &= ~(1 << int(flag))

    @bound(Overload("(self: IBuilderConfig, flag: BuilderFlag) -> bool", instance(BuilderFlag)))
    def get_flag(self, flag: BuilderFlag) -> bool:
        """Tell whether a flag is set."""
        return flag in settings_of(self).chosen

    @bound(Overload("(self: IBuilderConfig, profile: IOptimizationProfile) -> int", instance(IOptimizationProfile)))
    def add_optimization_profile(self, profile: IOptimizationProfile) -> int:
        """Add a profile and return its number; -1, and an error, for one whose bounds are not in order."""
        wrong = disorder(ranges_of(profile))
        if wrong is not None:
            complain(state(self)["_logger"], "IBuilderConfig::addOptimizationProfile", Refused(wrong, Reason.USAGE))
            return -1
        settings_of(self).profiles.append(ranges_of(profile))
        return len(settings_of(self).profiles) - 1

    @bound(
        Overload(
            "(self: IBuilderConfig, pool: MemoryPoolType, pool_size: typing.SupportsInt) -> None",
            instance(MemoryPoolType),
            size_t,
        )
    )
    def set_memory_pool_limit(self, pool: MemoryPoolType, size: int) -> None:
        """Limit a kind of memory; ``WORKSPACE`` is the one that plugins draw on."""
        settings_of(self).pools[int(pool)] = size

    @bound(Overload("(self: IBuilderConfig, pool: MemoryPoolType) -> int", instance(MemoryPoolType)))
    def get_memory_pool_limit(self, pool: MemoryPoolType) -> int:
        """Return the limit of a kind of memory."""
        settings = settings_of(self)
        return settings.workspace_limit if pool == MemoryPoolType.WORKSPACE else settings.pools.get(int(pool), 0)

    @bound(Overload("(self: IBuilderConfig) -> None"))
    def reset(self) -> None:
        """Forget everything that was set."""
        state(self)["_settings"] = Settings()
