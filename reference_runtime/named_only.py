"""The classes of TensorRT that no object here belongs to: layers that no network can hold, and readers of ONNX.

User code names them, in ``isinstance`` and in annotations, so that the names are there and derive from each other as in
the original. In the original, too, Python can make none of the layers. What it can make there is refused here with the
reason.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.layers import ILayer
from reference_runtime.native import pybind11_object, spelling
from reference_runtime.signatures import Overload, bound_function

_ONNX_PARSER_VERSION = 100
"""NV_ONNX_PARSER_VERSION: major, minor and patch as 0.1.0."""


def _refuse(cls: type, why: str) -> TypeError:
    return TypeError(f"{spelling(cls)}: the reference runtime makes none, since {why}")


class IAssertionLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IAttention(pybind11_object, bound=True):
    """Part of a network that cannot be added here."""


class IAttentionBoundaryLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IAttentionInputLayer(IAttentionBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class IAttentionOutputLayer(IAttentionBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class IIfConditionalBoundaryLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IConditionLayer(IIfConditionalBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class IConvolutionLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class ICumulativeLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IDeconvolutionLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IDistCollectiveLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IDynamicQuantizeLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IEinsumLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IFillLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IGridSampleLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IIfConditional(pybind11_object, bound=True):
    """Part of a network that cannot be added here."""


class IIfConditionalInputLayer(IIfConditionalBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class IIfConditionalOutputLayer(IIfConditionalBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class ILoopBoundaryLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IIteratorLayer(ILoopBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class IKVCacheUpdateLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class ILRNLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class ILoop(pybind11_object, bound=True):
    """Part of a network that cannot be added here."""


class ILoopOutputLayer(ILoopBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class IMoELayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class INMSLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class INonZeroLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class INormalizationLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IOneHotLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IPaddingLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IParametricReLULayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IPoolingLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IRaggedSoftMaxLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IRecurrenceLayer(ILoopBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class IResizeLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IReverseSequenceLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IRotaryEmbeddingLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IScaleLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class IScatterLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class ITopKLayer(ILayer, bound=True):
    """A layer that cannot be added here."""


class ITripLimitLayer(ILoopBoundaryLayer, bound=True):
    """A layer that cannot be added here."""


class NodeIndices(pybind11_object, bound=True):
    """Numbers of nodes of an ONNX model."""

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise _refuse(NodeIndices, "it reads no ONNX models")


class OnnxParser(pybind11_object, bound=True):
    """A reader of ONNX models."""

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise _refuse(OnnxParser, "it reads no ONNX models")


class OnnxParserRefitter(pybind11_object, bound=True):
    """A reader of weights from ONNX models."""

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise _refuse(OnnxParserRefitter, "it reads no ONNX models")


class ParserError(pybind11_object, bound=True):
    """What an ONNX parser found wrong."""


class SubGraphCollection(pybind11_object, bound=True):
    """Parts of an ONNX model."""

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise _refuse(SubGraphCollection, "it reads no ONNX models")


@bound_function(Overload("() -> int"))
def get_nv_onnx_parser_version() -> int:
    """Return the version of the ONNX parser's interface."""
    return _ONNX_PARSER_VERSION
