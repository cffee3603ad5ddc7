"""The enumerations of building and running engines: flags, levels, limits and kinds of memory."""

from __future__ import annotations

from reference_runtime.bound.enumeration import Enumeration, enumeration


@enumeration(
    ordered=True,
    FP16=0,
    BF16=17,
    INT8=1,
    DEBUG=2,
    GPU_FALLBACK=3,
    REFIT=4,
    DISABLE_TIMING_CACHE=5,
    EDITABLE_TIMING_CACHE=27,
    TF32=6,
    SPARSE_WEIGHTS=7,
    SAFETY_SCOPE=8,
    OBEY_PRECISION_CONSTRAINTS=9,
    PREFER_PRECISION_CONSTRAINTS=10,
    DIRECT_IO=11,
    REJECT_EMPTY_ALGORITHMS=12,
    VERSION_COMPATIBLE=13,
    EXCLUDE_LEAN_RUNTIME=14,
    FP8=15,
    ERROR_ON_TIMING_CACHE_MISS=16,
    DISABLE_COMPILATION_CACHE=18,
    WEIGHTLESS=19,
    STRIP_PLAN=19,
    REFIT_IDENTICAL=20,
    WEIGHT_STREAMING=21,
    INT4=22,
    REFIT_INDIVIDUAL=23,
    STRICT_NANS=24,
    MONITOR_MEMORY=25,
    FP4=26,
    DISTRIBUTIVE_INDEPENDENCE=28,
)
class BuilderFlag(Enumeration, bound=True):
    """Permissions and duties of a builder."""


@enumeration(LEGACY_CALIBRATION=0, ENTROPY_CALIBRATION=1, ENTROPY_CALIBRATION_2=2, MINMAX_CALIBRATION=3)
class CalibrationAlgoType(Enumeration, bound=True):
    """The kinds of INT8 calibrators."""


@enumeration(GPU=0, DLA=1)
class DeviceType(Enumeration, bound=True):
    """The kind of device that runs a layer."""


@enumeration(ordered=True, STANDARD=0, SAFETY=1, DLA_STANDALONE=2)
class EngineCapability(Enumeration, bound=True):
    """The restriction of an engine."""


@enumeration(ordered=True, TOTAL_WEIGHTS_SIZE=0, STRIPPED_WEIGHTS_SIZE=1)
class EngineStat(Enumeration, bound=True):
    """The numbers that an engine reports about itself."""


@enumeration(ordered=True, STATIC=0, ON_PROFILE_CHANGE=1, USER_MANAGED=2)
class ExecutionContextAllocationStrategy(Enumeration, bound=True):
    """The time at which an execution context allocates its device memory."""


@enumeration(NONE=0, AMPERE_PLUS=1, SAME_COMPUTE_CAPABILITY=2)
class HardwareCompatibilityLevel(Enumeration, bound=True):
    """The other GPUs on which an engine may run."""


@enumeration(ONELINE=0, JSON=1)
class LayerInformationFormat(Enumeration, bound=True):
    """The format of an engine inspector's output."""


@enumeration(
    WORKSPACE=0, DLA_MANAGED_SRAM=1, DLA_LOCAL_DRAM=2, DLA_GLOBAL_DRAM=3, TACTIC_DRAM=4, TACTIC_SHARED_MEMORY=5
)
class MemoryPoolType(Enumeration, bound=True):
    """The memory pools whose size a builder limits."""


@enumeration(ordered=True, EXPLICIT_BATCH=0, STRONGLY_TYPED=1, PREFER_AOT_PYTHON_PLUGINS=3, PREFER_JIT_PYTHON_PLUGINS=2)
class NetworkDefinitionCreationFlag(Enumeration, bound=True):
    """An option for the creation of a network."""


@enumeration(
    NATIVE_INSTANCENORM=0,
    ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA=1,
    REPORT_CAPABILITY_DLA=2,
    ENABLE_PLUGIN_OVERRIDE=3,
    ADJUST_FOR_DLA=4,
)
class OnnxParserFlag(Enumeration, bound=True):
    """Variations of the ONNX parser."""


@enumeration(
    PROFILE_SHARING_0806=0, ALIASED_PLUGIN_IO_10_03=1, RUNTIME_ACTIVATION_RESIZE_10_10=2, MULTIDEVICE_RUNTIME_10_16=3
)
class PreviewFeature(Enumeration, bound=True):
    """Features that may change in the next release."""


@enumeration(LAYER_NAMES_ONLY=0, DETAILED=2, NONE=1)
class ProfilingVerbosity(Enumeration, bound=True):
    """The detail of an engine's description of its layers."""


@enumeration(ordered=True, CALIBRATE_BEFORE_FUSION=0)
class QuantizationFlag(Enumeration, bound=True):
    """An option for the quantisation of a network."""


@enumeration(SAME_AS_BUILD=0, WINDOWS_AMD64=1)
class RuntimePlatform(Enumeration, bound=True):
    """The platform on which an engine will run."""


@enumeration(ordered=True, EXCLUDE_WEIGHTS=0, EXCLUDE_LEAN_RUNTIME=1, INCLUDE_REFIT=2)
class SerializationFlag(Enumeration, bound=True):
    """The parts that a serialized engine leaves out."""


@enumeration(ordered=True, CUBLAS=0, CUBLAS_LT=1, CUDNN=2, EDGE_MASK_CONVOLUTIONS=3, JIT_CONVOLUTIONS=4)
class TacticSource(Enumeration, bound=True):
    """A library from which a builder takes tactics."""


@enumeration(ALLOW_IN_MEMORY_FILES=0, ALLOW_TEMPORARY_FILES=1)
class TempfileControlFlag(Enumeration, bound=True):
    """The temporary files that a runtime may use."""


@enumeration(NONE=0, FAST=1, MODERATE=2, FULL=3)
class TilingOptimizationLevel(Enumeration, bound=True):
    """The effort with which a builder searches for tilings."""
