"""TensorRT's plugin-facing API in Python: the names of ``tensorrt`` 10.16, with the behaviour of its bindings.

The module is long because TensorRT has all its names in one module.
"""

from __future__ import annotations

import ctypes
import os
import sys
import warnings

from reference_runtime.application.algorithms import (
    IAlgorithm,
    IAlgorithmContext,
    IAlgorithmIOInfo,
    IAlgorithmSelector,
    IAlgorithmVariant,
)
from reference_runtime.application.allocators import IGpuAllocator, IGpuAsyncAllocator, IOutputAllocator
from reference_runtime.application.byte_streams import IStreamReader, IStreamReaderV2, IStreamWriter
from reference_runtime.application.calibrators import (
    IInt8Calibrator,
    IInt8EntropyCalibrator,
    IInt8EntropyCalibrator2,
    IInt8LegacyCalibrator,
    IInt8MinMaxCalibrator,
)
from reference_runtime.application.debugging import IDebugListener
from reference_runtime.application.error_recorder import IErrorRecorder
from reference_runtime.application.profilers import IProfiler, Profiler
from reference_runtime.application.progress import IProgressMonitor
from reference_runtime.bound.context_managers import common_enter, common_exit, make_context_manager
from reference_runtime.builder.builder import Builder, IBuilderConfig
from reference_runtime.engine.context.context import IExecutionContext
from reference_runtime.engine.context.runtime_config import IRuntimeConfig
from reference_runtime.engine.engine import ICudaEngine
from reference_runtime.engine.inspector import EngineInspector
from reference_runtime.engine.refitter import Refitter
from reference_runtime.engine.runtime import Runtime
from reference_runtime.interfaces.capability import IPluginCapability
from reference_runtime.interfaces.creators import (
    IPluginCreator,
    IPluginCreatorInterface,
    IPluginCreatorV3One,
    IPluginCreatorV3Quick,
)
from reference_runtime.interfaces.field_collections import (
    FallbackString,
    PluginField,
    PluginFieldCollection,
    PluginFieldCollection_,
)
from reference_runtime.interfaces.quick import (
    IPluginV3QuickAOTBuild,
    IPluginV3QuickBuild,
    IPluginV3QuickCore,
    IPluginV3QuickRuntime,
)
from reference_runtime.interfaces.resources import IPluginResource, IPluginResourceContext
from reference_runtime.interfaces.v2 import IPluginV2, IPluginV2DynamicExtBase
from reference_runtime.interfaces.v2_dynamic import IPluginV2DynamicExt
from reference_runtime.interfaces.v2_ext import IPluginV2Ext, IPluginV2IOExt  # noqa: F401 - not listed: an extension
from reference_runtime.interfaces.v3 import (
    IPluginV3,
    IPluginV3OneBuild,
    IPluginV3OneBuildV2,
    IPluginV3OneCore,
    IPluginV3OneRuntime,
)
from reference_runtime.network.layers import (
    IActivationLayer,
    ICastLayer,
    IConcatenationLayer,
    IConstantLayer,
    IDequantizeLayer,
    IElementWiseLayer,
    IGatherLayer,
    IIdentityLayer,
    ILayer,
    IMatrixMultiplyLayer,
    IPluginV2Layer,
    IPluginV3Layer,
    IQuantizeLayer,
    IReduceLayer,
    ISelectLayer,
    IShapeLayer,
    IShuffleLayer,
    ISliceLayer,
    ISoftMaxLayer,
    ISqueezeLayer,
    IUnaryLayer,
    IUnsqueezeLayer,
)
from reference_runtime.network.layers.tensors import ITensor
from reference_runtime.network.public.network import INetworkDefinition
from reference_runtime.network.public.profiles import IOptimizationProfile
from reference_runtime.network.public.unsupported_classes import (
    IAssertionLayer,
    IAttention,
    IAttentionBoundaryLayer,
    IAttentionInputLayer,
    IAttentionOutputLayer,
    IConditionLayer,
    IConvolutionLayer,
    ICumulativeLayer,
    IDeconvolutionLayer,
    IDistCollectiveLayer,
    IDynamicQuantizeLayer,
    IEinsumLayer,
    IFillLayer,
    IGridSampleLayer,
    IIfConditional,
    IIfConditionalBoundaryLayer,
    IIfConditionalInputLayer,
    IIfConditionalOutputLayer,
    IIteratorLayer,
    IKVCacheUpdateLayer,
    ILoop,
    ILoopBoundaryLayer,
    ILoopOutputLayer,
    ILRNLayer,
    IMoELayer,
    INMSLayer,
    INonZeroLayer,
    INormalizationLayer,
    IOneHotLayer,
    IPaddingLayer,
    IParametricReLULayer,
    IPoolingLayer,
    IRaggedSoftMaxLayer,
    IRecurrenceLayer,
    IResizeLayer,
    IReverseSequenceLayer,
    IRotaryEmbeddingLayer,
    IScaleLayer,
    IScatterLayer,
    ITopKLayer,
    ITripLimitLayer,
    NodeIndices,
    SubGraphCollection,
)
from reference_runtime.onnx.parser import OnnxParser, ParserError, get_nv_onnx_parser_version
from reference_runtime.onnx.refitter import OnnxParserRefitter
from reference_runtime.plan.serialization_config import ISerializationConfig
from reference_runtime.plan.timing_cache import ITimingCache, TimingCacheKey, TimingCacheValue
from reference_runtime.registry.registry import (
    IPluginRegistry,
    get_builder_plugin_registry,
    get_plugin_registry,
    init_libnvinfer_plugins,
)
from reference_runtime.shapes.expressions import DimsExprs, IDimensionExpr, IExprBuilder
from reference_runtime.shapes.symbolic_arguments import ISymExpr, ISymExprs, KernelLaunchParams
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.values.dims import Dims, Dims2, Dims3, Dims4, DimsHW, Permutation
from reference_runtime.values.enums import (
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
from reference_runtime.values.enums_building import (
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
from reference_runtime.values.enums_layers import (
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
from reference_runtime.values.helpers import nptype, volume
from reference_runtime.values.host_memory import IHostMemory
from reference_runtime.values.logger import ILogger, Logger
from reference_runtime.values.versioned_interface import InterfaceInfo, IVersionedInterface
from reference_runtime.values.weights import Weights

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
    "EngineInspector",
    "EngineStat",
    "ErrorCode",
    "ErrorCodeTRT",
    "ExecutionContextAllocationStrategy",
    "FallbackString",
    "FillOperation",
    "GatherMode",
    "HardwareCompatibilityLevel",
    "IActivationLayer",
    "IAlgorithm",
    "IAlgorithmContext",
    "IAlgorithmIOInfo",
    "IAlgorithmSelector",
    "IAlgorithmVariant",
    "IAssertionLayer",
    "IAttention",
    "IAttentionBoundaryLayer",
    "IAttentionInputLayer",
    "IAttentionOutputLayer",
    "IBuilderConfig",
    "ICastLayer",
    "IConcatenationLayer",
    "IConditionLayer",
    "IConstantLayer",
    "IConvolutionLayer",
    "ICudaEngine",
    "ICumulativeLayer",
    "IDebugListener",
    "IDeconvolutionLayer",
    "IDequantizeLayer",
    "IDimensionExpr",
    "IDistCollectiveLayer",
    "IDynamicQuantizeLayer",
    "IEinsumLayer",
    "IElementWiseLayer",
    "IErrorRecorder",
    "IExecutionContext",
    "IExprBuilder",
    "IFillLayer",
    "IGatherLayer",
    "IGpuAllocator",
    "IGpuAsyncAllocator",
    "IGridSampleLayer",
    "IHostMemory",
    "IIdentityLayer",
    "IIfConditional",
    "IIfConditionalBoundaryLayer",
    "IIfConditionalInputLayer",
    "IIfConditionalOutputLayer",
    "IInt8Calibrator",
    "IInt8EntropyCalibrator",
    "IInt8EntropyCalibrator2",
    "IInt8LegacyCalibrator",
    "IInt8MinMaxCalibrator",
    "IIteratorLayer",
    "IKVCacheUpdateLayer",
    "ILRNLayer",
    "ILayer",
    "ILogger",
    "ILoop",
    "ILoopBoundaryLayer",
    "ILoopOutputLayer",
    "IMatrixMultiplyLayer",
    "IMoELayer",
    "INMSLayer",
    "INetworkDefinition",
    "INonZeroLayer",
    "INormalizationLayer",
    "IOneHotLayer",
    "IOptimizationProfile",
    "IOutputAllocator",
    "IPaddingLayer",
    "IParametricReLULayer",
    "IPluginCapability",
    "IPluginCreator",
    "IPluginCreatorInterface",
    "IPluginCreatorV3One",
    "IPluginCreatorV3Quick",
    "IPluginRegistry",
    "IPluginResource",
    "IPluginResourceContext",
    "IPluginV2",
    "IPluginV2DynamicExt",
    "IPluginV2DynamicExtBase",
    "IPluginV2Ext",
    "IPluginV2Layer",
    "IPluginV3",
    "IPluginV3Layer",
    "IPluginV3OneBuild",
    "IPluginV3OneBuildV2",
    "IPluginV3OneCore",
    "IPluginV3OneRuntime",
    "IPluginV3QuickAOTBuild",
    "IPluginV3QuickBuild",
    "IPluginV3QuickCore",
    "IPluginV3QuickRuntime",
    "IPoolingLayer",
    "IProfiler",
    "IProgressMonitor",
    "IQuantizeLayer",
    "IRaggedSoftMaxLayer",
    "IRecurrenceLayer",
    "IReduceLayer",
    "IResizeLayer",
    "IReverseSequenceLayer",
    "IRotaryEmbeddingLayer",
    "IRuntimeConfig",
    "IScaleLayer",
    "IScatterLayer",
    "ISelectLayer",
    "ISerializationConfig",
    "IShapeLayer",
    "IShuffleLayer",
    "ISliceLayer",
    "ISoftMaxLayer",
    "ISqueezeLayer",
    "IStreamReader",
    "IStreamReaderV2",
    "IStreamWriter",
    "ISymExpr",
    "ISymExprs",
    "ITensor",
    "ITimingCache",
    "ITopKLayer",
    "ITripLimitLayer",
    "IUnaryLayer",
    "IUnsqueezeLayer",
    "IVersionedInterface",
    "InterfaceInfo",
    "InterpolationMode",
    "KVCacheMode",
    "KernelLaunchParams",
    "LayerInformationFormat",
    "LayerType",
    "Logger",
    "LoopOutput",
    "MatrixOperation",
    "MemoryPoolType",
    "MoEActType",
    "NetworkDefinitionCreationFlag",
    "NodeIndices",
    "OnnxParser",
    "OnnxParserFlag",
    "OnnxParserRefitter",
    "PaddingMode",
    "ParserError",
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
    "Profiler",
    "ProfilingVerbosity",
    "QuantizationFlag",
    "QuickPluginCreationRequest",
    "ReduceOperation",
    "Refitter",
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
    "SubGraphCollection",
    "TacticSource",
    "TempfileControlFlag",
    "TensorFormat",
    "TensorIOMode",
    "TensorLocation",
    "TensorRTPhase",
    "TilingOptimizationLevel",
    "TimingCacheKey",
    "TimingCacheValue",
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
    "ctypes",
    "e8m0",
    "float16",
    "float32",
    "fp4",
    "fp8",
    "get_builder_plugin_registry",
    "get_nv_onnx_parser_version",
    "get_plugin_registry",
    "init_libnvinfer_plugins",
    "int4",
    "int8",
    "int32",
    "int64",
    "nptype",
    "os",
    "sys",
    "tensorrt",
    "uint8",
    "value",
    "volume",
    "warnings",
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
"""The variables of a loop over severities, which TensorRT's package leaves in its module."""

tensorrt = sys.modules[__name__]
"""The module of the bindings. TensorRT's package re-exports all of it, and four modules that the package imports."""

make_context_manager(ILogger)


def __dir__() -> list[str]:
    """Return TensorRT's public names and the special names, without the modules of this package."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
