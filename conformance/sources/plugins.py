"""List the sources of TensorRT's requirements: one symbol for each, with document, section, versions and basis.

Documents are named as NVIDIA names them. ``Python API`` is the class's page of the Python API reference. ``header`` is
the C++ header's comment, ``bindings`` the source code of the Python bindings. ``observed`` means seen with the genuine
bindings 10.16, and ``observed on TensorRT-RTX`` seen with NVIDIA's builder 1.7.1.
"""

from __future__ import annotations

from harness.contract.rule import Source

DYN = "IPluginV2DynamicExt (Python API)"
V2 = "IPluginV2 (Python API)"
#: What both versions say, each of its own interface.
DYN_AND_V3 = "IPluginV2DynamicExt, IPluginV3 (Python API)"
DYN_AND_CORE = "IPluginV2DynamicExt, IPluginV3OneCore (Python API)"
DYN_AND_BUILD = "IPluginV2DynamicExt, IPluginV3OneBuild (Python API)"
DYN_AND_RUNTIME = "IPluginV2DynamicExt, IPluginV3OneRuntime (Python API)"
V2_AND_BUILD = "IPluginV2, IPluginV3OneBuild (Python API)"
GUIDE = "Developer Guide, Extending TensorRT with custom layers"
CLASS_GUIDE = "Developer Guide, Adding custom layers using the Python API"
PLUGIN_H = "NvInferRuntimePlugin.h"
RUNTIME_H = "NvInferRuntime.h"
COMMON_H = "NvInferRuntimeCommon.h"
BINDINGS = "Python bindings (pyPlugin.cpp)"
OBSERVED = "Python bindings, observed"
BUILDER = "TensorRT-RTX builder"
ON_RTX = "observed on TensorRT-RTX"

ALL = ("8.6", "10", "11")
SINCE_10 = ("10", "11")
#: What is about plugins in Python, which came with 9.
SINCE_9 = ("9", "10", "11")
UNTIL_10 = ("8.6", "10")

# -- format negotiation ---------------------------------------------------------------------------------------

SUPPORTS_FORMAT_COMBINATION = Source(
    DYN_AND_BUILD,
    "supports_format_combination",
    ALL,
    note="the text limits pos to below num_inputs + num_outputs - 1, which leaves out the last output; "
    "NvInferRuntime.h has the right bound",
)
FORMAT_ANSWERS_DERIVED = Source(DYN_AND_BUILD, "supports_format_combination", ALL, basis="derived")
FORMAT_RESULT = Source(BINDINGS, "supports_format_combination: conversion of the result to bool", SINCE_9, "observed")
FORMAT_DESCRIPTORS = Source(BINDINGS, "supports_format_combination: list of PluginTensorDesc", SINCE_9, "observed")
FORMAT_FP32 = Source(GUIDE, "plugin formats: a general-purpose plugin supports FP32 linear", ALL)
FORMAT_BOOL = Source(GUIDE, "plugin I/O types: BOOL and UINT8 are not supported", ALL)
FORMAT_LIMIT = Source(RUNTIME_H, "IPluginV2DynamicExt::kFORMAT_COMBINATION_LIMIT", ALL)
FORMAT_CALIBRATION = Source(GUIDE, "INT8 plugins: FP32 for calibration, or explicit scales", UNTIL_10)
FORMAT_LAYOUTS = Source(RUNTIME_H, "TensorFormat: which types and ranks a format has", ALL, "derived")
FORMAT_STRONG_TYPES = Source(RUNTIME_H, "NetworkDefinitionCreationFlag::kSTRONGLY_TYPED", SINCE_10, "derived")
FORMAT_CONST = Source(PLUGIN_H, "supportsFormatCombination: descriptors are constant", ALL)
FORMAT_POSITIONS = Source(
    RUNTIME_H,
    "IPluginV2DynamicExt::supportsFormatCombination, range of pos",
    ALL,
    note="the Python API page states a bound that is one too small; the rule follows the header",
)
FORMAT_NOEXCEPT = Source(BINDINGS, "supportsFormatCombination: an exception is printed and answered False", SINCE_9)
FORMAT_SOME = Source(GUIDE, "supportsFormatCombination: earlier entries are formats that the plugin supports", ALL)
FORMAT_TRUE = Source(RUNTIME_H, "IPluginV2DynamicExt::supportsFormatCombination: True means supported", ALL, "derived")
FORMAT_NUMBERING = Source(RUNTIME_H, "supportsFormatCombination: inputs are numbered first", ALL, "derived")

# -- enqueue --------------------------------------------------------------------------------------------------

ENQUEUE = Source(DYN_AND_RUNTIME, "enqueue", SINCE_9)
ENQUEUE_RESULT = Source(DYN_AND_RUNTIME, "enqueue: errors are raised, no value is returned", SINCE_9)
ENQUEUE_STREAM = Source(DYN_AND_RUNTIME, "enqueue: the stream in which it is executed", ALL)
ENQUEUE_DERIVED = Source(RUNTIME_H, "IPluginV2DynamicExt::enqueue", ALL, "derived")
ENQUEUE_OWNERSHIP = Source(DYN_AND_RUNTIME, "enqueue: buffers are created and owned by TensorRT", ALL)
ENQUEUE_EXTENTS = Source(RUNTIME_H, "IPluginV2DynamicExt::enqueue: descriptors of the call", ALL)
ENQUEUE_CONST = Source(RUNTIME_H, "IPluginV2DynamicExt::enqueue: arguments are constant", ALL, "derived")
KERNEL_BARRIERS = Source(
    "CUDA C++ Programming Guide",
    "__syncthreads: data hazards between accesses of threads of a block; conditional code",
    ALL,
)
KERNEL_WARPS = Source(
    "CUDA C++ Programming Guide", "__syncthreads in conditional code; __syncwarp: each thread is named in mask", ALL
)
TENSOR_SCALE = Source("PluginTensorDesc (Python API)", "scale: valid for INT8 only, else -1.0", ALL)

# -- identity -------------------------------------------------------------------------------------------------

PLUGIN_TYPE = Source(
    DYN_AND_CORE, "plugin_type, plugin_name: should match the plugin name returned by the creator", ALL
)
PLUGIN_VERSION = Source(DYN_AND_CORE, "plugin_version: should match the version returned by the creator", ALL)
PLUGIN_NAMESPACE = Source(
    PLUGIN_H,
    "IPluginV2::setPluginNamespace: the namespace of the plugin's creator",
    ALL,
    note='TensorRT 8.6 and the Python API page say "should", the header says "must" since TensorRT 10',
    softer=("8.6",),
)
IDENTITY_STRINGS = Source(PLUGIN_H, "strings: 1024 bytes at most, NULL-terminated", ALL)
NATIVE_ATTRIBUTES = Source(
    DYN_AND_CORE, "attributes: to be initialized in the constructor of the derived class", SINCE_9
)
IDENTITY_CONSTANT = Source(PLUGIN_H, "getPluginType, getPluginVersion, getPluginNamespace: any time", ALL, "derived")
NUM_OUTPUTS_POSITIVE = Source(PLUGIN_H, "IPluginV2::getNbOutputs: positive", SINCE_10)
NUM_OUTPUTS_CONSTANT = Source(V2_AND_BUILD, "num_outputs: used before initialize is called", ALL)
OWN_HOOKS = Source(PLUGIN_H, "IPluginV2::getTensorRTVersion, getInterfaceInfo: do not override", ALL)
BASE_INIT = Source(OBSERVED, "a base class without its __init__: TypeError", SINCE_9, "observed")
IDENTITY_TYPES = Source(BINDINGS, "setters of plugin_type, plugin_version, plugin_namespace", SINCE_9, "observed")
NAMESPACE_DEFAULT = Source(
    PLUGIN_H,
    "IPluginV2::getPluginNamespace: the empty string by default",
    SINCE_10,
    note="the Python bindings have no default: what was never assigned is a null pointer",
)
NAMESPACE_ASSIGNED = Source(PLUGIN_H, "IPluginV2::setPluginNamespace, getPluginNamespace, clone", ALL)
CLONE_NAMESPACE = Source(PLUGIN_H, "IPluginV2::clone: a new plugin with the namespace of its source", ALL, "derived")

# -- creators -------------------------------------------------------------------------------------------------

CREATOR_ATTRIBUTES = Source(
    CLASS_GUIDE,
    "registering the plugin: attributes of the creator",
    SINCE_9,
    note="observed: without name or version register_creator returns False, without a namespace the process crashes",
)
CREATE_PLUGIN_FIELDS = Source(
    PLUGIN_H, "IPluginCreator::createPlugin: the fields that a plugin is made from", ALL, "derived"
)
FIELD_NAMES = Source(PLUGIN_H, "IPluginCreator::getFieldNames: fields that createPlugin needs", ALL)
FIELD_NAMES_EMPTY = Source(GUIDE, "getFieldNames: names and types, data is null", ALL)
FIELD_NAMES_KEPT = Source(BINDINGS, "setter of field_names: a raw collection is stored", SINCE_9, "derived")
CREATE_PLUGIN = Source(GUIDE, "createPlugin: makes a plugin object", ALL)
CREATE_PLUGIN_ERROR = Source(PLUGIN_H, "IPluginCreator::createPlugin: nullptr in case of error", ALL)
CREATE_PLUGIN_ORDER = Source(PLUGIN_H, "PluginField: fields are identified by name", ALL, "derived")
CREATE_PLUGIN_DATA = Source(GUIDE, "createPlugin: the data of the fields belong to the caller", ALL)
CREATE_PLUGIN_NAMES = Source(
    CLASS_GUIDE,
    "create_plugin(name=, field_collection=)",
    SINCE_9,
    "observed",
    note="NVIDIA's own samples name the second parameter fc, which works by position only",
)
CREATE_PLUGIN_LAYER = Source(PLUGIN_H, "IPluginCreator::createPlugin: the name is the layer's", ALL, "derived")
CREATE_PLUGIN_TYPES = Source(PLUGIN_H, "PluginField: type and length of the data", ALL, "derived")
DESERIALIZE_PLUGIN = Source(PLUGIN_H, "IPluginCreator::deserializePlugin", ALL)
CREATOR_REUSE = Source(PLUGIN_H, "IPluginCreator: called for several networks, engines and devices", ALL)

# -- registry -------------------------------------------------------------------------------------------------

REGISTER_TWICE = Source(
    COMMON_H,
    "IPluginRegistry::registerCreator: False if the creator is registered already",
    ALL,
    note="the texts differ in what makes two creators the same; observed: name, version and namespace together",
)
REGISTER_NAMESPACE = Source(
    OBSERVED, "register_creator with a namespace that is not the creator's", SINCE_9, "observed"
)
LIBRARY_NAMESPACE = Source(GUIDE, "plugin namespace: one for each library, unique to it", ALL)
REGISTER_DYNAMICALLY = Source(CLASS_GUIDE, "registering the plugin; running engines that contain it", SINCE_9)
REGISTRY_SHARED = Source(COMMON_H, "IPluginRegistry: a singleton of the process", SINCE_10, "derived")

# -- plugin fields --------------------------------------------------------------------------------------------

FIELD_TYPE = Source(OBSERVED, "PluginField: the data are read as what the type says", SINCE_9, "observed")
FIELD_CONTIGUOUS = Source(OBSERVED, "PluginField: strides are ignored", SINCE_9, "observed")
FIELD_UNKNOWN = Source(RUNTIME_H, "PluginFieldType::kUNKNOWN: length is the number of bytes", SINCE_10)
FIELD_LIFETIME = Source(OBSERVED, "PluginFieldCollection does not keep the buffers alive", SINCE_9, "observed")
FIELD_UNREADABLE = Source(BINDINGS, "PluginField.data: types without a NumPy form raise", SINCE_9, "observed")
FIELD_INDEX = Source(
    BINDINGS, "PluginFieldCollection_.__getitem__: the upper bound alone is checked", SINCE_9, "observed"
)
FIELD_SCALAR = Source(OBSERVED, "PluginField.data: always a one-dimensional array", SINCE_9, "observed")
FIELD_TEXT = Source(
    "non_zero_plugin (NVIDIA's Python sample)", "create_plugin: a trailing NUL is cut off", SINCE_9, "sample"
)
FIELD_EMPTY = Source(BINDINGS, "PluginField: a length of 0 is allowed", SINCE_9, "derived")
FIELD_SIZE = Source(BINDINGS, "setter of PluginField.data: the size stays", SINCE_9, "observed")
FIELD_UNIQUE = Source(PLUGIN_H, "PluginField: fields are identified by name", ALL, "derived")

# -- serialization --------------------------------------------------------------------------------------------

SERIALIZE_BYTES = Source(
    DYN, "serialize: returns bytes", SINCE_9, note="NVIDIA's samples return str, which the bindings store as UTF-8"
)
SERIALIZE_OBSERVED = Source(OBSERVED, "serialize runs up to three times for one serialization", SINCE_9, "observed")
SERIALIZE_SIZE = Source(PLUGIN_H, "IPluginV2::getSerializationSize and serialize", ALL)
SURROUNDINGS = Source(RUNTIME_H, "ICudaEngine::serialize: what is stored is deserialized elsewhere", ALL, "derived")
SERIALIZE_DERIVED = Source(PLUGIN_H, "IPluginV2::serialize is const", ALL, "derived")
SERIALIZE_NOEXCEPT = Source(BINDINGS, "serialize: an exception is printed, and no data are written", SINCE_9)
DESERIALIZE_EQUAL = Source(GUIDE, "serialize and deserialize: the plugin is restored from its data", ALL)
DESERIALIZE_DERIVED = Source(PLUGIN_H, "IPluginCreator::deserializePlugin", ALL, "derived")
DESERIALIZE_ATTRIBUTES = Source(DYN, "every attribute must be explicitly initialized", SINCE_9, "derived")

# -- destruction ----------------------------------------------------------------------------------------------

DESTROY = Source(PLUGIN_H, "IPluginV2::destroy", ALL)
DESTROY_OBSERVED = Source(OBSERVED, "destroy and Python finalisation", SINCE_9, "observed")
DESTROY_NOEXCEPT = Source(BINDINGS, "destroy: an exception is printed, and the reference is kept", SINCE_9)
DESTROY_ORIGINAL = Source(GUIDE, "using the plugin: it may be destroyed once the engine is built", ALL)
DESTROY_DERIVED = Source(PLUGIN_H, "IPluginV2::destroy", ALL, "derived")
DESTROY_BALANCE = Source(PLUGIN_H, "IPluginV2::destroy: once, when its network, builder or engine is", ALL, "derived")

# -- memory of the heap, in C++ -------------------------------------------------------------------------------

HEAP_RETURNED = Source(
    f"{PLUGIN_H}, {RUNTIME_H}",
    "IPluginV2::destroy, IPluginV3: the destructor releases what the object holds",
    ALL,
    "derived",
)
HEAP_USED = Source("ISO C++", "[basic.stc.dynamic], [expr.delete]: undefined behaviour", ALL, "derived")
HEAP_READ = Source("ISO C++", "[basic.indet]: indeterminate values", ALL, "derived")
ONE_DEFINITION = Source("ISO C++", "[basic.def.odr]: one definition in a program", ALL, "derived")
CALLS_STATUS = Source(
    f"{PLUGIN_H}, {RUNTIME_H}",
    "initialize, enqueue: 0 for success, else non-zero; the same for configurePlugin, onShapeChange of IPluginV3",
    ALL,
)
STATIC_ORDER = Source("ISO C++", "[basic.start.dynamic]: the order of initialization between files", ALL, "derived")

# -- output types -----------------------------------------------------------------------------------------------

OUTPUT_TYPE = Source(DYN, "get_output_datatype", ALL)
OUTPUT_TYPE_INDEX = Source(PLUGIN_H, "getOutputDataType: index is from 0 to the number of outputs - 1", ALL)
OUTPUT_TYPE_NO_INPUTS = Source(
    DYN_AND_BUILD, "get_output_datatype, get_output_data_types: FLOAT for a plugin without inputs", ALL
)
OUTPUT_TYPE_BAD_INDEX = Source(PLUGIN_H, "getOutputDataType: FLOAT for an index that is not valid", SINCE_10)
OUTPUT_TYPE_FORMATS = Source(
    DYN_AND_BUILD,
    "get_output_datatype, get_output_data_types: the type must have a format that the plugin supports",
    ALL,
)
OUTPUT_TYPE_BOOL = Source(PLUGIN_H, "getOutputDataType: BOOL and UINT8 are not supported", ALL)
OUTPUT_TYPE_PURE = Source(PLUGIN_H, "getOutputDataType is constant and thread-safe", ALL, "derived")
OUTPUT_TYPE_WEAK = Source(
    RUNTIME_H,
    "IPluginV2DynamicExt: in a weakly typed network input types are FLOAT or INT32",
    UNTIL_10,
    note="networks of TensorRT 11 are always strongly typed",
)
OUTPUT_TYPE_RESULT = Source(BINDINGS, "get_output_datatype: conversion of the result to DataType", SINCE_9, "observed")

# -- output shapes ----------------------------------------------------------------------------------------------

OUTPUT_SHAPE = Source(DYN, "get_output_dimensions", ALL)
OUTPUT_SHAPE_DERIVED = Source(RUNTIME_H, "IPluginV2DynamicExt::getOutputDimensions", ALL, "derived")
OUTPUT_SHAPE_PURE = Source(PLUGIN_H, "getOutputDimensions is constant and thread-safe", ALL, "derived")
OUTPUT_SHAPE_NEGATIVE = Source(RUNTIME_H, "IExecutionContext::inferShapes: a negative dimension is an error", ALL)
OUTPUT_SHAPE_COPY = Source(
    RUNTIME_H, "IPluginV2DynamicExt::getOutputDimensions: the example copies first", ALL, "sample"
)
OUTPUT_BOUNDS = Source(RUNTIME_H, "DynamicPluginTensorDesc: min and max of an output, by the profile", ALL, "derived")
OUTPUT_SHAPE_EARLY = Source(V2_AND_BUILD, "queries may come before initialize", ALL)
DIMS_EXPRS = Source(RUNTIME_H, "DimsExprs: at most MAX_DIMS dimensions", SINCE_9, "observed")
EXPR_BUILDER = Source(RUNTIME_H, "IExprBuilder: not kept after the call that received it", ALL)
EXPR_BUILDER_ONLY = Source(RUNTIME_H, "IExprBuilder: no public way to construct one", SINCE_10)
EXPR_OPERATION = Source(RUNTIME_H, "IExprBuilder::operation: null for an operation that is not valid", ALL)
EXPR_CONSTANT = Source(
    RUNTIME_H,
    "IDimensionExpr::getConstantValue",
    ALL,
    note="for an expression that is not constant, 8 and 9 return the 32-bit minimum, later versions the 64-bit minimum",
)
EXPR_DIVISION = Source(RUNTIME_H, "DimensionOperation::kFLOOR_DIV and kCEIL_DIV", ALL, "derived")

# -- configuration --------------------------------------------------------------------------------------------

CONFIGURE_REPEATED = Source(DYN_AND_BUILD, "configure_plugin: called any number of times, in both phases", ALL)
CONFIGURE_BUILD = Source(DYN_AND_BUILD, "configure_plugin: build phase, with wildcards and bounds", ALL)
CONFIGURE_FIRST = Source(DYN, "configure_plugin: the build phase precedes initialize", ALL)
CONFIGURE_EXECUTION = Source(DYN, "configure_plugin: execution phase, with the concrete dimensions", ALL)
CONFIGURE_SWALLOWED = Source(BINDINGS, "configurePlugin: void; an exception is printed and dropped", SINCE_9)
CONFIGURE_DERIVED = Source(RUNTIME_H, "IPluginV2DynamicExt::configurePlugin", ALL, "derived")
CONFIGURE_LIGHT = Source(RUNTIME_H, "IPluginV2DynamicExt::configurePlugin: timing critical in the execution phase", ALL)
CONFIGURE_BOUNDS = Source(
    DYN_AND_BUILD,
    "configure_plugin: min and max of DynamicPluginTensorDesc",
    ALL,
    "derived",
    note="no document defines min and max in the execution phase; the rule allows the profile and the dimensions",
)
CONFIGURE_CONST = Source(RUNTIME_H, "IPluginV2DynamicExt::configurePlugin: descriptors are constant", ALL, "derived")

# -- workspace ------------------------------------------------------------------------------------------------

WORKSPACE_SIZE = Source(BINDINGS, "getWorkspaceSize: the result is converted to size_t", SINCE_9)
WORKSPACE_ENOUGH = Source(RUNTIME_H, "IPluginV2DynamicExt::getWorkspaceSize: these sizes and any smaller problem", ALL)
WORKSPACE_QUERY = Source(RUNTIME_H, "IPluginV2DynamicExt::getWorkspaceSize: const, possibly during execution", ALL)
WORKSPACE_NOEXCEPT = Source(BINDINGS, "getWorkspaceSize: after an exception the size is 0", SINCE_9)
WORKSPACE_DERIVED = Source(PLUGIN_H, "IPluginV2::enqueue: workspace", ALL, "derived")
WORKSPACE_SCRATCH = Source(GUIDE, "getWorkspaceSize: scratch memory for one execution", ALL, "derived")

# -- initialization -------------------------------------------------------------------------------------------

INITIALIZE = Source(DYN, "initialize: errors are raised, no value is returned", SINCE_9)
INITIALIZE_PAIRED = Source(PLUGIN_H, "IPluginV2::terminate: releases what initialize acquired", ALL)
INITIALIZE_CYCLE = Source(GUIDE, "plugin lifecycle: the builder runs a plugin, terminates and configures it again", ALL)
INITIALIZE_QUERIES = Source(V2, "queries are made before initialize", ALL)
INITIALIZE_FAILED = Source(PLUGIN_H, "IPluginV2::initialize: a failure ends the engine", ALL, "derived")
INITIALIZE_ONCE = Source(GUIDE, "plugin lifecycle: initialized once, executed many times", ALL, "derived")
INITIALIZE_RESTORED = Source(V2, "initialize: called when the engine is created", ALL)
TERMINATE_NOEXCEPT = Source(BINDINGS, "terminate: void; an exception is printed and dropped", SINCE_9)
TERMINATE_DERIVED = Source(PLUGIN_H, "IPluginV2::terminate", ALL, "derived")

# -- cloning --------------------------------------------------------------------------------------------------

CLONE = Source(DYN_AND_V3, "clone", ALL)
CLONE_INITIALIZED = Source(
    PLUGIN_H,
    "IPluginV2::clone: a clone of an initialized plugin is initialized",
    ALL,
    note="a recommendation in 8.6, a duty from 10 on",
    softer=("8.6",),
)
CLONE_CONFIGURED = Source(
    PLUGIN_H,
    "IPluginV2Ext::clone: a clone is configured as its source",
    ALL,
    note="a recommendation in 8.6 and on the Python page, a duty in the headers from 10 on",
    softer=("8.6",),
)
CLONE_ATTRIBUTES = Source(OBSERVED, "native attributes are not in __dict__ and are not copied", SINCE_9, "observed")
CLONE_FAILED = Source(PLUGIN_H, "IPluginV2::clone: nullptr if cloning fails", SINCE_10)
CLONE_SHARED = Source(PLUGIN_H, "IPluginV2Ext::clone: shares immutable resources of the engine only", ALL)
CLONE_COUNTED = Source(PLUGIN_H, "IPluginV2Ext::clone: shared resources are reference counted", ALL)
CLONE_DERIVED = Source(PLUGIN_H, "IPluginV2::clone", ALL, "derived")
CLONE_OFTEN = Source(GUIDE, "clone: for each new network, builder, engine and context", ALL, "derived")

# -- threads --------------------------------------------------------------------------------------------------

THREAD_QUERIES = Source(PLUGIN_H, "IPluginV2, usage notes of the queries: to be thread-safe on the same object", ALL)
THREAD_CONTEXTS = Source(
    GUIDE, "thread safety: a plugin is cloned for each context, and contexts run concurrently", ALL
)
THREAD_CLONE = Source(PLUGIN_H, "IPluginV2::clone, usage note: thread-safe, for several contexts", ALL)
THREAD_STATE = Source(PLUGIN_H, "IPluginV2, usage notes: what objects share is used by several threads", ALL, "derived")

THREAD_ENGINES = Source(PLUGIN_H, "IPluginV2::initialize, terminate, usage notes: for several engines at once", ALL)
THREAD_CREATOR = Source(COMMON_H, "IPluginCreator, usage notes: to be thread-safe", ALL)
THREAD_V3 = Source(
    RUNTIME_H, "IPluginCreatorV3One: no notes on threads; the registry may be used by several", SINCE_10, "derived"
)

# -- capabilities ---------------------------------------------------------------------------------------------

PLUGIN_BASE_H = "NvInferPluginBase.h"
CAPABILITIES_OF_A_BUILD = Source(PLUGIN_BASE_H, "IPluginV3::getCapabilityInterface: build phase", SINCE_10)
CAPABILITIES_OF_AN_ENGINE = Source(PLUGIN_BASE_H, "IPluginV3::getCapabilityInterface: runtime phase", SINCE_10)
CAPABILITY_CLASSES = Source(BINDINGS, "getCapabilityInterface: casts of the result", SINCE_10, "observed")
CAPABILITY_OWNED = Source(BINDINGS, "getCapabilityInterface: the result is never released", SINCE_10, "observed")
CAPABILITIES_OF_A_CLONE = Source(PLUGIN_BASE_H, "IPluginV3::clone", SINCE_10)
CAPABILITY_STATE = Source(
    RUNTIME_H, "IPluginV3OneRuntime::setTactic, onShapeChange: state of one object", SINCE_10, "derived"
)
CAPABILITY_QUERIES = Source(
    CLASS_GUIDE, "plugin API description: capabilities are queried at any time", SINCE_10, "derived"
)
CAPABILITY_MISSING = Source(BINDINGS, "getCapabilityInterface: None is a null pointer", SINCE_10, "derived")
CAPABILITY_ORDER = Source(BINDINGS, "getCapabilityInterface: order of the casts", SINCE_10, "observed")
CAPABILITY_INTERNAL = Source(PLUGIN_BASE_H, "interfaces that are not to be inherited from", ALL)
BUILD_INTERFACE_TWICE = Source(BUILDER, "the build capability of a class with two C++ objects", SINCE_10, ON_RTX)
PLUGIN_DELETED = Source(
    BUILDER,
    "the end of an IPluginV3: TensorRT deletes it, and only the BUILD capability keeps a reference",
    SINCE_10,
    ON_RTX,
    note="whether TensorRT 10 and 11 delete it too was not observed; their bindings drop the reference in the same way",
)
ATTACHED_IN_A_BUILD = Source(BUILDER, "attach_to_context: the builder configures what it returns", SINCE_10, ON_RTX)

# -- tactics --------------------------------------------------------------------------------------------------

TACTICS = Source(
    RUNTIME_H,
    "IPluginV3OneBuild::getValidTactics",
    SINCE_10,
    note="the header says unique and non-zero, the Python documentation unique and positive; negative ones are refused",
)
TACTICS_RESULT = Source(BINDINGS, "getValidTactics: conversion of the result", SINCE_10, "observed")
TACTICS_OF_A_CONFIGURATION = Source(
    RUNTIME_H, "IPluginV3OneBuild::getValidTactics: of the last configurePlugin", SINCE_10
)
TACTIC_DEFAULT = Source(RUNTIME_H, "IPluginV3OneRuntime::setTactic: 0 is the default tactic", SINCE_10)
TACTICS_ALIKE = Source(RUNTIME_H, "IPluginV3OneBuild::getValidTactics", SINCE_10, "derived")
TACTIC_REQUIRED = Source(
    BINDINGS,
    "setTactic: required",
    SINCE_10,
    "observed",
    note="the C++ interface has a default, and no document says that Python has none",
)
TACTIC_OF_AN_OBJECT = Source(RUNTIME_H, "IPluginV3OneRuntime::setTactic: for the next enqueue calls", SINCE_10)
TACTIC_UNKNOWN = Source(RUNTIME_H, "IPluginV3OneRuntime::setTactic: may fail", SINCE_10, "derived")
TACTICS_COUNTED = Source(BINDINGS, "getValidTactics: the number is kept and compared", SINCE_10, "observed")
TIMING_CACHE_ID = Source(RUNTIME_H, "IPluginV3OneBuild::getTimingCacheID", SINCE_10)
TIMING_CACHE_KEY = Source(
    RUNTIME_H, "IPluginV3OneBuild::getTimingCacheID: inputs, outputs and suffix", SINCE_10, "derived"
)
TACTIC_IN_AN_ENGINE = Source(
    RUNTIME_H, "IPluginV3OneRuntime::setTactic, IPluginCreatorV3One::createPlugin for kRUNTIME", SINCE_10, "derived"
)
COMBINATION_LIMIT = Source(RUNTIME_H, "IPluginV3OneBuild::getFormatCombinationLimit", SINCE_10)
METADATA_STRING = Source(RUNTIME_H, "IPluginV3OneBuild::getMetadataString", SINCE_10)

# -- IPluginV3: creation, shapes, contexts and fields ----------------------------------------------------------

OUTPUT_TYPES = Source(RUNTIME_H, "IPluginV3OneBuild::getOutputDataTypes", SINCE_10)
OUTPUT_SHAPES = Source(RUNTIME_H, "IPluginV3OneBuild::getOutputShapes", SINCE_10)
CREATE_FOR_AN_ENGINE = Source(RUNTIME_H, "IPluginCreatorV3One::createPlugin for kRUNTIME", SINCE_10)
CONFIGURE_RESULT = Source(CLASS_GUIDE, "configure_plugin, on_shape_change: errors are raised", SINCE_10)
CONFIGURED_NEVER = Source(RUNTIME_H, "IPluginV3OneRuntime: configurePlugin belongs to the build", SINCE_10, "derived")
SHAPE_CHANGE = Source(
    RUNTIME_H,
    "IPluginV3OneRuntime::onShapeChange",
    SINCE_10,
    note="the Python documentation does not name addresses, the header does",
)
WORKSPACE_BOUNDS = Source(
    RUNTIME_H, "IPluginV3OneBuild::getWorkspaceSize: DynamicPluginTensorDesc", SINCE_10, "derived"
)
ATTACH = Source(RUNTIME_H, "IPluginV3OneRuntime::attachToContext", SINCE_10)
ATTACH_RESULT = Source(BINDINGS, "attachToContext: required, None is a null pointer", SINCE_10, "observed")
CLONE_V3 = Source(PLUGIN_BASE_H, "IPluginV3::clone: fully initialized", SINCE_10)
FIELDS_SUFFICE = Source(RUNTIME_H, "IPluginV3OneRuntime::getFieldsToSerialize", SINCE_10)
FIELDS_RESULT = Source(BINDINGS, "getFieldsToSerialize: conversion of the result", SINCE_10, "observed")
FIELDS_CONSTANT = Source(RUNTIME_H, "IPluginV3OneRuntime::getFieldsToSerialize", SINCE_10, "derived")
FIELDS_ALONE = Source(RUNTIME_H, "IPluginV3OneRuntime::getFieldsToSerialize", SINCE_10, "derived")
DESTROY_ATTACHED = Source(RUNTIME_H, "IPluginV3OneRuntime::attachToContext: life of the clone", SINCE_10, "derived")

# -- size tensors ---------------------------------------------------------------------------------------------

SIZE_TENSOR_TYPE = Source(
    RUNTIME_H,
    "IExprBuilder::declareSizeTensor: type of the output",
    SINCE_10,
    note="the header says INT32, the NonZero sample's README INT32 or INT64, the sample itself INT64 since 10.15",
)
SIZE_TENSOR_RANK = Source(RUNTIME_H, "IExprBuilder::declareSizeTensor: rank of the output", SINCE_10)
SIZE_TENSOR_INDEX = Source(RUNTIME_H, "IExprBuilder::declareSizeTensor: outputIndex", SINCE_10)
SIZE_TENSOR_OPTIMUM = Source(RUNTIME_H, "IExprBuilder::declareSizeTensor: opt", SINCE_10)
SIZE_TENSOR_BOUND = Source(RUNTIME_H, "IExprBuilder::declareSizeTensor: upper", SINCE_10)
SIZE_TENSOR_WRITTEN = Source(RUNTIME_H, "IExprBuilder::declareSizeTensor: written by enqueue", SINCE_10)
SIZE_TENSOR_DIRECT = Source(BUILDER, "IExprBuilder::operation: a size tensor gives a null pointer", SINCE_10, ON_RTX)
SIZE_TENSOR_ESTIMATE = Source(RUNTIME_H, "IExprBuilder::declareSizeTensor: opt and upper", SINCE_10, "derived")
SHAPE_INPUT_VALUES = Source(RUNTIME_H, "IPluginV3OneBuild::getOutputShapes: note on shapeInputs", SINCE_10)
SHAPE_INPUT_NUMBER = Source(RUNTIME_H, "IPluginV3OneBuild::getOutputShapes: nbShapeInputs", SINCE_10, "derived")
ENQUEUE_UNDECIDED = Source(RUNTIME_H, "IPluginV3OneRuntime::enqueue: dimensions that data decide", SINCE_10, "derived")

# -- shared resources and the resources of contexts ----------------------------------------------------------

RESOURCE_CLONE = Source(PLUGIN_BASE_H, "IPluginResource::clone", SINCE_10)
RESOURCE_RELEASE = Source(PLUGIN_BASE_H, "IPluginResource::release", SINCE_10)
RESOURCE_TEMPLATE = Source(PLUGIN_BASE_H, "IPluginResource::release: called for clones only", SINCE_10)
RESOURCE_COUNTED = Source(COMMON_H, "IPluginRegistry::acquirePluginResource, releasePluginResource", SINCE_10)
RESOURCE_ACQUIRED = Source(
    COMMON_H, "IPluginRegistry::acquirePluginResource: the result is the registered clone", SINCE_10, "observed"
)
RESOURCE_RELEASED = Source(COMMON_H, "IPluginRegistry::releasePluginResource: deleted after its last release", SINCE_10)
RESOURCE_REFUSED = Source(OBSERVED, "acquire_plugin_resource: None where there is no resource", SINCE_10, "observed")
RESOURCE_STATUS = Source(
    OBSERVED,
    "release_plugin_resource: 1 for the last release",
    SINCE_10,
    "observed",
    note="the header says 0 for success; the bindings report -1 to the registry for each release()",
)
RESOURCE_KEY = Source(COMMON_H, "IPluginRegistry: one for the whole process", SINCE_10, "derived")
RESOURCE_THREADS = Source(PLUGIN_BASE_H, "IPluginResource, usage notes of clone and release", SINCE_10)
CONTEXT_RESOURCES = Source(
    RUNTIME_H, "IPluginV3OneRuntime::attachToContext: until the plugin that is returned is deleted", SINCE_10
)
CONTEXT_RESOURCES_OWN = Source(
    RUNTIME_H, "IPluginV3OneRuntime::attachToContext: another resource context for each context", SINCE_10, "derived"
)
CONTEXT_RESOURCES_MISSING = Source(
    RUNTIME_H, "IPluginResourceContext::getGpuAllocator, getErrorRecorder: may be null", SINCE_10, "derived"
)
CONTEXT_MEMORY = Source(RUNTIME_H, "IGpuAllocator: the allocator of the memory frees it", SINCE_10, "derived")

# -- aliased inputs -------------------------------------------------------------------------------------------

ALIASED_INPUT = Source(RUNTIME_H, "IPluginV3OneBuildV2::getAliasedInput", SINCE_10)
ALIASED_ONCE = Source(RUNTIME_H, "IPluginV3OneBuildV2::getAliasedInput: one output for an input", SINCE_10)
ALIASED_CONSTANT = Source(
    RUNTIME_H, "IPluginV3OneBuildV2::getAliasedInput: the index is all that is passed", SINCE_10, "derived"
)
ALIASED_ALIKE = Source(RUNTIME_H, "IPluginV3OneBuildV2::getAliasedInput: one buffer for both", SINCE_10, "derived")
ALIASED_IN_PLACE = Source(RUNTIME_H, "IPluginV3OneBuildV2::getAliasedInput: read-modify-write", SINCE_10, "derived")
ALIASED_FEATURE = Source(
    RUNTIME_H,
    "IPluginV3OneBuildV2::getAliasedInput: PreviewFeature::kALIASED_PLUGIN_IO_10_03",
    SINCE_10,
    note="NVIDIA's sample aliased_io_plugin writes to the input alone, and needs the feature; the rule is a warning",
)
ALIASED_ONLY = Source(RUNTIME_H, "IPluginV3OneRuntime::enqueue: inputs are constant", SINCE_10, "derived")
ALIASED_RESULT = Source(BINDINGS, "getAliasedInput: conversion of the result", SINCE_10, "observed")

# -- ONNX import ----------------------------------------------------------------------------------------------

ONNX_ATTRIBUTES = Source(
    GUIDE,
    "ONNX parser: attributes of a node are passed to the creator as fields",
    SINCE_10,
    note="onnx-tensorrt, loadFields: integers become INT32, floats FLOAT32, STRING CHAR with a NUL. "
    "INT64 tensors are not supported",
)

# -- decorated plugins ----------------------------------------------------------------------------------------

DECORATORS = "tensorrt.plugin (Python API)"
DECORATOR_CODE = "tensorrt.plugin (source of the Python package)"

REGISTERED_OUTPUTS = Source(DECORATOR_CODE, "register: the annotation alone fixes the number of outputs", SINCE_10)
REGISTERED_FAKE = Source(DECORATORS, "ShapeExpr.is_fake", SINCE_10)
REGISTERED_INPUTS = Source(DECORATORS, "TensorDesc.like, aliased: inputs are immutable", SINCE_10)
REGISTERED_SIZES = Source(DECORATORS, "SizeTensorShapeExpr; size_tensor", SINCE_10, "sample")
IMPL_ATTRIBUTES = Source(DECORATORS, "impl: only attributes in its signature are serialized", SINCE_10)
IMPL_TACTIC = Source(DECORATORS, "impl: the argument tactic", SINCE_10)
IMPL_STATELESS = Source(
    "TensorRT samples (quickly_deployable_plugins)", "README: decorated functions are stateless", SINCE_10, "derived"
)
IMPL_DEFINED = Source(
    "TensorRT samples (quickly_deployable_plugins)", "README: what an engine needs to be loaded", SINCE_10, "sample"
)
AUTOTUNE_TACTICS = Source(DECORATORS, "AutoTuneCombination: tactics are positive integers", SINCE_10)
AUTOTUNE_RESULT = Source(
    DECORATORS,
    "autotune: returns a list of AutoTuneCombination",
    SINCE_10,
    note="the annotation may name a bare AutoTuneCombination, and one that is returned fails",
)
AUTOTUNE_TEXT = Source(DECORATORS, "AutoTuneCombination: io_types and layouts", SINCE_10)
AUTOTUNE_POSITIONS = Source(
    DECORATORS,
    "AutoTuneCombination.pos",
    SINCE_10,
    "observed",
    note="the documented call pos(2, ...) raises TypeError: an iterable of positions is needed",
)
AOT_IMPL = Source(DECORATORS, "aot_impl: what it returns", SINCE_10)
AOT_ARGUMENTS = Source(DECORATOR_CODE, "get_launch_params: arguments are SymInt32", SINCE_10, "observed")

# -- implicit batch -------------------------------------------------------------------------------------------

ITEM_SHAPE = Source(
    PLUGIN_H,
    "IPluginV2::getOutputDimensions: the shapes do not have the batch",
    ALL,
    note='TensorRT 8.6 says "should", the header says "must" since TensorRT 10',
    softer=("8.6",),
)
ITEM_SHAPE_BAD_INDEX = Source(PLUGIN_H, "IPluginV2::getOutputDimensions: an invalid index gives invalid Dims", SINCE_10)
BROADCAST_READ = Source(PLUGIN_H, "IPluginV2Ext::canBroadcastInputAcrossBatch: one item is shared, or copied", UNTIL_10)
BROADCAST_SEMANTIC = Source(
    PLUGIN_H, "IPluginV2Ext::isOutputBroadcastAcrossBatch: not affected by whether inputs are copied", UNTIL_10
)
BROADCAST_CONFIGURED = Source(PLUGIN_H, "IPluginV2Ext::configurePlugin: what is broadcast has a batch of one", ALL)
BROADCAST_BAD_INDEX = Source(PLUGIN_H, "IPluginV2Ext::canBroadcastInputAcrossBatch: false for no input", ("10",))
OBSOLETE_METHODS = Source(PLUGIN_H, "IPluginV2Ext, IPluginV2IOExt, IPluginV2DynamicExt: obsolete methods", ALL)
CONTEXT_DETACHED = Source(PLUGIN_H, "IPluginV2Ext::attachToContext, detachFromContext", ALL)
CONTEXT_HANDLES = Source(PLUGIN_H, "IPluginV2Ext::attachToContext: handles may be null", ALL)
EXECUTE_STATUS = Source(V2, "execute_async: 0 for success, else non-zero", ALL)
FORMAT_ALONE = Source(PLUGIN_H, "IPluginV2::supportsFormat: a type and a format; none of CHW4, CHW16, CHW32", ALL)
CONFIGURATION_STORED = Source(GUIDE, "PoolPlugin: the arguments of configurePlugin are stored and serialized", ALL)
WORKSPACE_OF_A_BATCH = Source(V2, "get_workspace_size: sufficient for any batch size up to the maximum", ALL)
THREAD_SHARED = Source(
    GUIDE,
    "shared plugins: contexts of an engine share IPluginV2 plugins, which manage resources in a thread-safe way",
    ALL,
    note="the header's comment on IPluginV2::clone has the runtime clone them for each context",
)

# -- NVIDIA's builder -----------------------------------------------------------------------------------------

BUILT_FROM_A_MODEL = Source(BUILDER, "OnnxParser.parse of a model with the plugin as a node", SINCE_9, ON_RTX)
BUILT_TO_A_PLAN = Source(BUILDER, "Builder.build_serialized_network of that model", SINCE_9, ON_RTX)
BUILDER_ENDS = Source(BUILDER, "the end of its process, after what it held has been released", SINCE_9, ON_RTX)
BUILDER_LOGS = Source(
    BUILDER,
    "messages of severity ERROR; lines of the bindings about failed callbacks",
    SINCE_9,
    ON_RTX,
)
BUILT_AGAIN = Source(BUILDER, "two builds of one model: what the plugin is asked and answers", SINCE_9, ON_RTX)
BUILT_ALIKE = Source(
    BUILDER,
    "its questions and their answers, beside those of the reference runtime",
    SINCE_9,
    ON_RTX,
    note="either of the two can be wrong; docs/genuine.md lists where they differ",
)
