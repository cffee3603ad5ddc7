"""Classes of TensorRT without objects here: layers that no network can hold, and vectors of numbers.

User code names them, in ``isinstance`` and in annotations. So the classes exist and derive from each other as in the
genuine bindings. There, too, Python cannot construct the layers. It can construct the two vectors, which raise a
TypeError with the reason here.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.bound_class import pybind11_object, spelling
from reference_runtime.network.layers import ILayer


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
    """A vector of numbers of nodes of an ONNX model."""

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise _refuse(NodeIndices, "its OnnxParser returns parts of a model as lists")


class SubGraphCollection(pybind11_object, bound=True):
    """A vector of parts of an ONNX model."""

    def __init__(self, *_arguments: Any, **_named: Any) -> None:
        raise _refuse(SubGraphCollection, "its OnnxParser returns parts of a model as lists")
