"""List the sources of TensorRT's requirements for applications."""

from __future__ import annotations

from conformance.sources.plugins import ALL, COMMON_H, GUIDE, OBSERVED, RUNTIME_H, SINCE_9, SINCE_10
from harness.contract.rule import Source

CONTEXT = "IExecutionContext (Python API)"
ALLOCATOR = "IOutputAllocator (Python API)"
BUILDER_H = "NvInfer.h"
REGISTRY_API = "Python API, init_libnvinfer_plugins"

# -- the run as a whole ---------------------------------------------------------------------------------------

RUN = Source("The Python Language Reference", "8.4. The try statement: an exception without a handler", ALL)

# -- execution contexts ---------------------------------------------------------------------------------------

PROFILE_FIRST = Source(RUNTIME_H, "IExecutionContext::setOptimizationProfileAsync: before input shapes", ALL)
PROFILE_SHAPES = Source(CONTEXT, "active_optimization_profile: shapes are to be set again after a change", ALL)
SHAPES_SET = Source(
    CONTEXT, "all_binding_shapes_specified, all_shape_inputs_specified; IExecutionContext::inferShapes", ALL
)
SHAPE_IN_PROFILE = Source(CONTEXT, "set_input_shape, set_binding_shape: False for a shape that does not fit", ALL)
ADDRESSES = Source(RUNTIME_H, "IExecutionContext::setTensorAddress: not null, aligned to 256 bytes", ALL)
MEMORY_IN_USE = Source(
    CONTEXT, "execute_async_v3: memory is left alone until the stream is synchronized or the inputs are consumed", ALL
)
PROFILE_STREAM = Source(
    CONTEXT, "set_optimization_profile_async: the stream is synchronized with that of the execution", ALL
)
ONE_STREAM = Source(RUNTIME_H, "IExecutionContext::enqueueV2: one context is not used by several streams at once", ALL)
AUX_STREAMS = Source(CONTEXT, "set_aux_streams: different streams, none the default one", ALL)
UNKNOWN_EXTENTS = Source(RUNTIME_H, "IExecutionContext::getTensorShape: -1 where data decide", ALL)
SHAPES_TOGETHER = Source(CONTEXT, "set_binding_shape: a combination of shapes can still be invalid", ALL)
EXECUTED = Source(CONTEXT, "execute_async_v3, execute_v2: True if the execution succeeded", ALL)
DEVICE_MEMORY = Source(CONTEXT, "device_memory: aligned, large enough, and left alone while it is in use", ALL)
PROFILE_INDEX = Source(RUNTIME_H, "IExecutionContext::setOptimizationProfileAsync: profileIndex", ALL)
MAX_OUTPUT_SIZE = Source(CONTEXT, "get_max_output_size: -1 before profile and shapes are set", ALL)
PROFILE_BOUNDS = Source(RUNTIME_H, "IOptimizationProfile::setDimensions: min <= opt <= max, as the network has it", ALL)
HOST_VALUES = Source(RUNTIME_H, "IExecutionContext::setTensorAddress: values on the host are read by enqueueV3", ALL)
BINDING_INDICES = Source(CONTEXT, "members that take the number of a binding: TensorRT 8.6 alone", SINCE_10)
ENDS_FIRST = Source(
    BUILDER_H, "IBuilder::createNetworkV2, createBuilderConfig: destroyed before the builder", SINCE_10, "derived"
)

# -- output allocators ----------------------------------------------------------------------------------------

ALLOCATOR_INIT = Source(ALLOCATOR, "constructor: __init__ is called explicitly", ALL)
ALLOCATED = Source(ALLOCATOR, "reallocate_output: at least size bytes, aligned as asked", ALL)
ALLOCATED_NOTHING = Source(ALLOCATOR, "reallocate_output: None where the memory cannot be provided", ALL)
ALLOCATED_AGAIN = Source(
    RUNTIME_H, "IOutputAllocator::reallocateOutput: the memory at hand is used if large enough", ALL
)
NOTIFIED = Source(ALLOCATOR, "notify_shape: called when the shape is known", ALL)
ALLOCATED_ON_STREAM = Source(
    RUNTIME_H, "IOutputAllocator::reallocateOutputAsync, in place of the deprecated reallocateOutput", SINCE_10
)
ALLOCATED_ADDRESS = Source(
    ALLOCATOR,
    "reallocate_output: the memory's address",
    ALL,
    "derived",
    note="the page calls the type a capsule; the bindings take an int",
)
ALLOCATED_EMPTY = Source(RUNTIME_H, "IOutputAllocator::reallocateOutput: size is positive, for empty tensors too", ALL)
ALLOCATED_IN_USE = Source(CONTEXT, "execute_async_v3: memory is left alone until it is synchronized", ALL, "derived")

# -- networks -------------------------------------------------------------------------------------------------

WILDCARDS = Source(GUIDE, "dynamic shapes need IPluginV2DynamicExt (or IPluginV3)", ALL)
SHAPE_INPUTS = Source(BUILDER_H, "INetworkDefinition::addPluginV3: inputs and shapeInputs", SINCE_10)
LAYER_RESULT = Source(
    BUILDER_H, "INetworkDefinition::addPluginV2, addPluginV3: nullptr where the layer is refused", ALL
)
INT32_INPUTS = Source(
    BUILDER_H,
    "INetworkDefinition::addPluginV2: INT32 tensors are not valid input tensors",
    ALL,
    note="NvInferRuntime.h says that the inputs of an IPluginV2DynamicExt may be INT32",
)
BUILD_PHASE = Source("NvInferPluginBase.h", "TensorRTPhase: an object for the runtime phase cannot build", SINCE_10)

# -- the registry and fields ----------------------------------------------------------------------------------

LOOKUP = Source(COMMON_H, "IPluginRegistry::getCreator: nullptr where nothing matches", ALL)
CREATOR_LIST = Source(COMMON_H, "IPluginRegistry::getAllCreators: invalid once a creator comes or goes", ALL)
LEGACY_LOOKUP = Source(COMMON_H, "IPluginRegistry::getPluginCreator: does not find creators of IPluginV3", ("10",))
OWN_PLUGINS = Source(REGISTRY_API, "registers TensorRT's own plugins", ALL)
FIELD_DATA = Source(OBSERVED, "PluginField: data is a buffer, a list or a str is a TypeError", SINCE_9, "observed")
ALIASED_BY_ONE = Source(
    RUNTIME_H, "IPluginV3OneBuildV2::getAliasedInput: one tensor is not aliased by several plugins", SINCE_10
)
