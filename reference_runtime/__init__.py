"""TensorRT's plugin-facing API in Python: the names of ``tensorrt`` 10.16, with the behaviour of its bindings."""

from __future__ import annotations

from reference_runtime.builder import Builder, IBuilderConfig
from reference_runtime.context import IExecutionContext
from reference_runtime.context_managers import common_enter, common_exit, make_context_manager
from reference_runtime.creators import IPluginCreator, IPluginCreatorInterface
from reference_runtime.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.dims import Dims, Dims2, Dims3, Dims4, DimsHW, Permutation
from reference_runtime.engine import ICudaEngine, Runtime
from reference_runtime.enums import (
    AllocatorFlag,
    APILanguage,
    DataType,
    DimensionOperation,
    ErrorCode,
    ErrorCodeTRT,
    PluginArgDataType,
    PluginArgType,
    PluginCapabilityType,
    PluginCreatorVersion,
    PluginFieldType,
    QuickPluginCreationRequest,
    SeekPosition,
    TensorFormat,
    TensorIOMode,
    TensorLocation,
    TensorRTPhase,
)
from reference_runtime.enums_building import (
    BuilderFlag,
    CalibrationAlgoType,
    DeviceType,
    EngineCapability,
    EngineStat,
    ExecutionContextAllocationStrategy,
    HardwareCompatibilityLevel,
    LayerInformationFormat,
    MemoryPoolType,
    NetworkDefinitionCreationFlag,
    OnnxParserFlag,
    PreviewFeature,
    ProfilingVerbosity,
    QuantizationFlag,
    RuntimePlatform,
    SerializationFlag,
    TacticSource,
    TempfileControlFlag,
    TilingOptimizationLevel,
)
from reference_runtime.enums_layers import (
    ActivationType,
    AttentionNormalizationOp,
    BoundingBoxFormat,
    CollectiveOperation,
    CumulativeOperation,
    ElementWiseOperation,
    FillOperation,
    GatherMode,
    InterpolationMode,
    KVCacheMode,
    LayerType,
    LoopOutput,
    MatrixOperation,
    MoEActType,
    PaddingMode,
    PoolingType,
    ReduceOperation,
    ResizeCoordinateTransformation,
    ResizeRoundMode,
    ResizeSelector,
    SampleMode,
    ScaleMode,
    ScatterMode,
    TopKOperation,
    TripLimit,
    UnaryOperation,
    WeightsRole,
)
from reference_runtime.expressions import DimsExprs, IDimensionExpr, IExprBuilder
from reference_runtime.fields import FallbackString, PluginField, PluginFieldCollection, PluginFieldCollection_
from reference_runtime.host_memory import IHostMemory
from reference_runtime.layers import ILayer, IPluginV2Layer
from reference_runtime.logger import ILogger, Logger
from reference_runtime.network import INetworkDefinition
from reference_runtime.plugins.v2 import IPluginV2, IPluginV2DynamicExtBase
from reference_runtime.plugins.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.profiles import IOptimizationProfile
from reference_runtime.registry import (
    IPluginRegistry,
    get_builder_plugin_registry,
    get_plugin_registry,
    init_libnvinfer_plugins,
)
from reference_runtime.tensors import ITensor
from reference_runtime.versioned import InterfaceInfo, IVersionedInterface
from reference_runtime.volumes import nptype, volume
from reference_runtime.weights import Weights

__all__ = [
    "APILanguage",
    "ActivationType",
    "AllocatorFlag",
    "AttentionNormalizationOp",
    "BoundingBoxFormat",
    "Builder",
    "BuilderFlag",
    "CalibrationAlgoType",
    "CollectiveOperation",
    "CumulativeOperation",
    "DataType",
    "DeviceType",
    "DimensionOperation",
    "Dims",
    "Dims2",
    "Dims3",
    "Dims4",
    "DimsExprs",
    "DimsHW",
    "DynamicPluginTensorDesc",
    "ElementWiseOperation",
    "EngineCapability",
    "EngineStat",
    "ErrorCode",
    "ErrorCodeTRT",
    "ExecutionContextAllocationStrategy",
    "FallbackString",
    "FillOperation",
    "GatherMode",
    "HardwareCompatibilityLevel",
    "IBuilderConfig",
    "ICudaEngine",
    "IDimensionExpr",
    "IExecutionContext",
    "IExprBuilder",
    "IHostMemory",
    "ILayer",
    "ILogger",
    "INetworkDefinition",
    "IOptimizationProfile",
    "IPluginCreator",
    "IPluginCreatorInterface",
    "IPluginRegistry",
    "IPluginV2",
    "IPluginV2DynamicExt",
    "IPluginV2DynamicExtBase",
    "IPluginV2Layer",
    "ITensor",
    "IVersionedInterface",
    "InterfaceInfo",
    "InterpolationMode",
    "KVCacheMode",
    "LayerInformationFormat",
    "LayerType",
    "Logger",
    "LoopOutput",
    "MatrixOperation",
    "MemoryPoolType",
    "MoEActType",
    "NetworkDefinitionCreationFlag",
    "OnnxParserFlag",
    "PaddingMode",
    "Permutation",
    "PluginArgDataType",
    "PluginArgType",
    "PluginCapabilityType",
    "PluginCreatorVersion",
    "PluginField",
    "PluginFieldCollection",
    "PluginFieldCollection_",
    "PluginFieldType",
    "PluginTensorDesc",
    "PoolingType",
    "PreviewFeature",
    "ProfilingVerbosity",
    "QuantizationFlag",
    "QuickPluginCreationRequest",
    "ReduceOperation",
    "ResizeCoordinateTransformation",
    "ResizeRoundMode",
    "ResizeSelector",
    "Runtime",
    "RuntimePlatform",
    "SampleMode",
    "ScaleMode",
    "ScatterMode",
    "SeekPosition",
    "SerializationFlag",
    "TacticSource",
    "TempfileControlFlag",
    "TensorFormat",
    "TensorIOMode",
    "TensorLocation",
    "TensorRTPhase",
    "TilingOptimizationLevel",
    "TopKOperation",
    "TripLimit",
    "UnaryOperation",
    "Weights",
    "WeightsRole",
    "attr",
    "bfloat16",
    "bool",
    "common_enter",
    "common_exit",
    "e8m0",
    "float16",
    "float32",
    "fp4",
    "fp8",
    "get_builder_plugin_registry",
    "get_plugin_registry",
    "init_libnvinfer_plugins",
    "int4",
    "int8",
    "int32",
    "int64",
    "nptype",
    "uint8",
    "value",
    "volume",
]

__version__ = "10.16.1.11"

float32 = DataType(0)
float16 = DataType(1)
int8 = DataType(2)
int32 = DataType(3)
bool = DataType(4)  # noqa: A001 - TensorRT's own name
uint8 = DataType(5)
fp8 = DataType(6)
bfloat16 = DataType(7)
int64 = DataType(8)
int4 = DataType(9)
fp4 = DataType(10)
e8m0 = DataType(11)

attr, value = "VERBOSE", ILogger.VERBOSE
"""What TensorRT's own package leaves behind: the variables of a loop over severities."""

make_context_manager(Logger)

# What needs the names above comes here, each group by its owner (builder, engine, context), and its names in __all__.


def __dir__() -> list[str]:
    """Show what TensorRT shows: its public names, and none of our modules."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
