"""The enumerations in the API of plugins: types, formats, fields, phases, locations and error codes."""

from __future__ import annotations

from reference_runtime.bound.bound_class import attribute
from reference_runtime.bound.enumeration import Enumeration, enumeration

_ITEM_SIZES = {
    "FLOAT": 4,
    "HALF": 2,
    "BF16": 2,
    "INT8": 1,
    "INT32": 4,
    "INT64": 8,
    "BOOL": 1,
    "UINT8": 1,
    "FP8": 1,
    "INT4": 0.5,
    "FP4": 0.5,
}


class _lambda_in_python(attribute):  # noqa: N801 - used like ``property``
    """An attribute that NVIDIA's Python code adds to a bound class.

    From CPython 3.13 on, error messages use the name of its getter. So it does not know its own name.
    """

    def __set_name__(self, owner: type, name: str, /) -> None:
        """Keep the class, but not the name."""
        self.owner = owner


@enumeration(FLOAT=0, HALF=1, BF16=7, INT8=2, INT32=3, INT64=8, BOOL=4, UINT8=5, FP8=6, INT4=9, FP4=10, E8M0=11)
class DataType(Enumeration, bound=True):
    """The element types of tensors."""

    itemsize = _lambda_in_python(lambda self: _ITEM_SIZES.get(self.name))


@enumeration(
    ordered=True,
    LINEAR=0,
    CHW2=1,
    HWC8=2,
    CHW4=3,
    CHW16=4,
    CHW32=5,
    DHWC8=6,
    CDHW32=7,
    HWC=8,
    DLA_LINEAR=9,
    DLA_HWC4=10,
    HWC16=11,
    DHWC=12,
)
class TensorFormat(Enumeration, bound=True):
    """The memory layouts of tensors."""


@enumeration(ordered=True, SUM=0, PROD=1, MAX=2, MIN=3, SUB=4, EQUAL=5, LESS=6, FLOOR_DIV=7, CEIL_DIV=8)
class DimensionOperation(Enumeration, bound=True):
    """The operations of dimension expressions."""


@enumeration(
    FLOAT16=0,
    FLOAT32=1,
    FLOAT64=2,
    INT8=3,
    INT16=4,
    INT32=5,
    CHAR=6,
    DIMS=7,
    UNKNOWN=8,
    BF16=9,
    INT64=10,
    FP8=11,
    INT4=12,
    FP4=13,
)
class PluginFieldType(Enumeration, bound=True):
    """The element types of plugin fields."""


@enumeration(V1=0, V1_PYTHON=64)
class PluginCreatorVersion(Enumeration, bound=True):
    """The kinds of IPluginCreator."""


@enumeration(ordered=True, CORE=0, BUILD=1, RUNTIME=2)
class PluginCapabilityType(Enumeration, bound=True):
    """The capabilities that an IPluginV3 offers."""


@enumeration(ordered=True, BUILD=0, RUNTIME=1)
class TensorRTPhase(Enumeration, bound=True):
    """The phase of TensorRT: it builds an engine or runs it."""


@enumeration(ordered=True, UNKNOWN=0, PREFER_JIT=1, PREFER_AOT=2, STRICT_JIT=3, STRICT_AOT=4)
class QuickPluginCreationRequest(Enumeration, bound=True):
    """The requested implementation of a quick plugin."""


@enumeration(ordered=True, INT=0)
class PluginArgType(Enumeration, bound=True):
    """The kinds of arguments of a compiled plugin kernel."""


@enumeration(ordered=True, INT8=0, INT16=1, INT32=2)
class PluginArgDataType(Enumeration, bound=True):
    """The types of scalar arguments of a compiled plugin kernel."""


@enumeration(CPP=0, PYTHON=1)
class APILanguage(Enumeration, bound=True):
    """The language an interface is implemented in."""


@enumeration(NONE=0, INPUT=1, OUTPUT=2)
class TensorIOMode(Enumeration, bound=True):
    """The role of an engine's tensor: input, output or neither."""


@enumeration(DEVICE=0, HOST=1)
class TensorLocation(Enumeration, bound=True):
    """The location of a tensor's data."""


@enumeration(
    SUCCESS=0,
    INTERNAL_ERROR=1,
    MEM_ALLOC_FAILED=2,
    MODEL_DESERIALIZE_FAILED=3,
    INVALID_VALUE=4,
    INVALID_GRAPH=5,
    INVALID_NODE=6,
    UNSUPPORTED_GRAPH=7,
    UNSUPPORTED_NODE=8,
    UNSUPPORTED_NODE_ATTR=9,
    UNSUPPORTED_NODE_INPUT=10,
    UNSUPPORTED_NODE_DATATYPE=11,
    UNSUPPORTED_NODE_DYNAMIC=12,
    UNSUPPORTED_NODE_SHAPE=13,
    REFIT_FAILED=14,
)
class ErrorCode(Enumeration, bound=True):
    """The errors of the ONNX parser."""


@enumeration(
    ordered=True,
    SUCCESS=0,
    UNSPECIFIED_ERROR=1,
    INTERNAL_ERROR=2,
    INVALID_ARGUMENT=3,
    INVALID_CONFIG=4,
    FAILED_ALLOCATION=5,
    FAILED_INITIALIZATION=6,
    FAILED_EXECUTION=7,
    FAILED_COMPUTATION=8,
    INVALID_STATE=9,
    UNSUPPORTED_STATE=10,
)
class ErrorCodeTRT(Enumeration, bound=True):
    """The errors that an error recorder gets."""


@enumeration(ordered=True, SET=0, CUR=1, END=2)
class SeekPosition(Enumeration, bound=True):
    """The position from which a stream reader seeks."""


@enumeration(ordered=True, RESIZABLE=0)
class AllocatorFlag(Enumeration, bound=True):
    """The later uses that an allocation must allow."""
