"""The enumerations of layers: kinds, operations and modes."""

from __future__ import annotations

from reference_runtime.bound.enumeration import Enumeration, enumeration


@enumeration(
    RELU=0,
    SIGMOID=1,
    TANH=2,
    LEAKY_RELU=3,
    ELU=4,
    SELU=5,
    SOFTSIGN=6,
    SOFTPLUS=7,
    CLIP=8,
    HARD_SIGMOID=9,
    SCALED_TANH=10,
    THRESHOLDED_RELU=11,
    GELU_ERF=12,
    GELU_TANH=13,
)
class ActivationType(Enumeration, bound=True):
    """The functions of an activation layer."""


@enumeration(NONE=0, SOFTMAX=1)
class AttentionNormalizationOp(Enumeration, bound=True):
    """The normalisation of attention scores."""


@enumeration(CORNER_PAIRS=0, CENTER_SIZES=1)
class BoundingBoxFormat(Enumeration, bound=True):
    """The format of a bounding box."""


@enumeration(ALL_REDUCE=0, ALL_GATHER=1, BROADCAST=2, REDUCE=3, REDUCE_SCATTER=4)
class CollectiveOperation(Enumeration, bound=True):
    """The operations of a distributed collective layer."""


@enumeration(SUM=0)
class CumulativeOperation(Enumeration, bound=True):
    """The operations of a cumulative layer."""


@enumeration(
    SUM=0, PROD=1, MAX=2, MIN=3, SUB=4, DIV=5, POW=6, FLOOR_DIV=7, AND=8, OR=9, XOR=10, EQUAL=11, GREATER=12, LESS=13
)
class ElementWiseOperation(Enumeration, bound=True):
    """The operations of an element-wise layer."""


@enumeration(LINSPACE=0, RANDOM_UNIFORM=1, RANDOM_NORMAL=2)
class FillOperation(Enumeration, bound=True):
    """The operation with which a fill layer fills its output."""


@enumeration(DEFAULT=0, ELEMENT=1, ND=2)
class GatherMode(Enumeration, bound=True):
    """The meaning of the indices of a gather layer."""


@enumeration(NEAREST=0, LINEAR=1, CUBIC=2)
class InterpolationMode(Enumeration, bound=True):
    """The interpolation of a resize or grid sampling layer."""


@enumeration(LINEAR=0)
class KVCacheMode(Enumeration, bound=True):
    """The way in which a key-value cache is updated."""


@enumeration(
    CONVOLUTION=0,
    GRID_SAMPLE=42,
    NMS=43,
    ACTIVATION=2,
    POOLING=3,
    LRN=4,
    SCALE=5,
    SOFTMAX=6,
    DECONVOLUTION=7,
    CONCATENATION=8,
    ELEMENTWISE=9,
    PLUGIN=10,
    UNARY=11,
    PADDING=12,
    SHUFFLE=13,
    REDUCE=14,
    TOPK=15,
    GATHER=16,
    MATRIX_MULTIPLY=17,
    RAGGED_SOFTMAX=18,
    CONSTANT=19,
    IDENTITY=20,
    CAST=1,
    PLUGIN_V2=21,
    SLICE=22,
    SHAPE=23,
    PARAMETRIC_RELU=24,
    RESIZE=25,
    TRIP_LIMIT=26,
    RECURRENCE=27,
    ITERATOR=28,
    LOOP_OUTPUT=29,
    SELECT=30,
    ASSERTION=39,
    FILL=31,
    QUANTIZE=32,
    DEQUANTIZE=33,
    CONDITION=34,
    CONDITIONAL_INPUT=35,
    CONDITIONAL_OUTPUT=36,
    SCATTER=37,
    EINSUM=38,
    ONE_HOT=40,
    NON_ZERO=41,
    REVERSE_SEQUENCE=44,
    NORMALIZATION=45,
    PLUGIN_V3=46,
    SQUEEZE=47,
    UNSQUEEZE=48,
    CUMULATIVE=49,
    DYNAMIC_QUANTIZE=50,
    ATTENTION_INPUT=51,
    ATTENTION_OUTPUT=52,
    ROTARY_EMBEDDING=53,
    KV_CACHE_UPDATE=54,
    MOE=55,
    DIST_COLLECTIVE=56,
)
class LayerType(Enumeration, bound=True):
    """The kinds of layers."""


@enumeration(LAST_VALUE=0, CONCATENATE=1, REVERSE=2)
class LoopOutput(Enumeration, bound=True):
    """The kind of a loop's output layer."""


@enumeration(NONE=0, TRANSPOSE=1, VECTOR=2)
class MatrixOperation(Enumeration, bound=True):
    """The operation on an operand before a matrix multiplication."""


@enumeration(NONE=0, SILU=1)
class MoEActType(Enumeration, bound=True):
    """The activation of a mixture-of-experts layer."""


@enumeration(EXPLICIT_ROUND_DOWN=0, EXPLICIT_ROUND_UP=1, SAME_UPPER=2, SAME_LOWER=3)
class PaddingMode(Enumeration, bound=True):
    """The padding of convolutions and poolings."""


@enumeration(MAX=0, AVERAGE=1, MAX_AVERAGE_BLEND=2)
class PoolingType(Enumeration, bound=True):
    """The operation of a pooling layer."""


@enumeration(SUM=0, PROD=1, MAX=2, MIN=3, AVG=4, NONE=5)
class ReduceOperation(Enumeration, bound=True):
    """The operations of a reduce layer."""


@enumeration(ALIGN_CORNERS=0, ASYMMETRIC=1, HALF_PIXEL=2)
class ResizeCoordinateTransformation(Enumeration, bound=True):
    """The mapping of coordinates in a resize layer."""


@enumeration(HALF_UP=0, HALF_DOWN=1, FLOOR=2, CEIL=3)
class ResizeRoundMode(Enumeration, bound=True):
    """The rounding of coordinates in a resize layer."""


@enumeration(FORMULA=0, UPPER=1)
class ResizeSelector(Enumeration, bound=True):
    """The coordinate that a resize layer selects for an output axis of length 1."""


@enumeration(STRICT_BOUNDS=0, WRAP=1, CLAMP=2, FILL=3, REFLECT=4)
class SampleMode(Enumeration, bound=True):
    """The handling of samples outside the bounds."""


@enumeration(UNIFORM=0, CHANNEL=1, ELEMENTWISE=2)
class ScaleMode(Enumeration, bound=True):
    """The granularity of the factors of a scale layer."""


@enumeration(ELEMENT=0, ND=1)
class ScatterMode(Enumeration, bound=True):
    """The meaning of the indices of a scatter layer."""


@enumeration(MAX=0, MIN=1)
class TopKOperation(Enumeration, bound=True):
    """The elements that a top-k layer selects."""


@enumeration(COUNT=0, WHILE=1)
class TripLimit(Enumeration, bound=True):
    """The kind of condition that ends a loop."""


@enumeration(
    EXP=0,
    LOG=1,
    SQRT=2,
    RECIP=3,
    ABS=4,
    NEG=5,
    SIN=6,
    COS=7,
    TAN=8,
    SINH=9,
    COSH=10,
    ASIN=11,
    ACOS=12,
    ATAN=13,
    ASINH=14,
    ACOSH=15,
    ATANH=16,
    CEIL=17,
    FLOOR=18,
    ERF=19,
    NOT=20,
    SIGN=21,
    ROUND=22,
    ISINF=23,
    ISNAN=24,
)
class UnaryOperation(Enumeration, bound=True):
    """The operations of a unary layer."""


@enumeration(KERNEL=0, BIAS=1, SHIFT=2, SCALE=3, CONSTANT=4, ANY=5)
class WeightsRole(Enumeration, bound=True):
    """The purpose of a layer's weights."""
