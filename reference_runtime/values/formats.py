"""Memory layouts: the valid combinations of type, format and rank, and conversions between NumPy data and bytes.

Theory. A format defines the position of the element at given coordinates. LINEAR is C order. Every other format cuts
the channel axis, third or fourth from the end, into vectors of a fixed width. The last vector is padded with zeros.
*Vector-minor* formats (HWC...) move the channels, padded to whole vectors, to the end. *Vector-major* formats (CHW...)
keep the vectors in place of the channels and move a vector's content to the end:

    NCHW as HWC8    [N][H][W][ceil(C/8)*8]
    NCHW as CHW32   [N][ceil(C/32)][H][W][32]

Three formats are for DLA cores alone. They exist, so a plugin may name them. But no builder for a GPU offers them, and
there is no conversion to them here.

In NumPy data, BF16, FP8, and INT8 with a scale are float32. INT8 without a scale stays integers. Conversion rounds to
nearest even. FP8, and INT8 with a scale, saturate.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct

from reference_runtime.bound.enumeration import is_member
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.helpers import NUMPY_TYPES
from reference_runtime.values.small_floats import from_bf16, from_fp8, to_bf16, to_fp8

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

    from reference_runtime.values.descriptions import Described


class FormatError(ValueError):
    """A layout that does not exist, or data that do not fit it."""


class _Layout(Struct, frozen=True):
    """One row of the table: the types that a format allows, and the arrangement of its channels."""

    types: frozenset[DataType]
    channel: int = 3  # counted from the last axis
    width: int = 1  # scalars in a vector
    minor: bool = False
    dla: bool = False


_F32, _F16, _BF16, _FP8 = DataType.FLOAT, DataType.HALF, DataType.BF16, DataType.FP8
_I8, _U8 = DataType.INT8, DataType.UINT8

REAL_TYPES: Final = (_F32, _F16, _BF16, _FP8, _I8)
"""Types between which TensorRT converts on its own; the plainest first."""

_LAYOUTS: Final[dict[TensorFormat, _Layout]] = {
    TensorFormat.CHW2: _Layout(frozenset({_F16, _BF16}), width=2),
    TensorFormat.HWC8: _Layout(frozenset({_F16, _BF16}), width=8, minor=True),
    TensorFormat.CHW4: _Layout(frozenset({_I8, _F16, _BF16}), width=4),
    TensorFormat.CHW16: _Layout(frozenset({_F16}), width=16, dla=True),
    TensorFormat.CHW32: _Layout(frozenset({_I8, _F32, _F16}), width=32),
    TensorFormat.DHWC8: _Layout(frozenset({_F16, _BF16}), channel=4, width=8, minor=True),
    TensorFormat.CDHW32: _Layout(frozenset({_F16, _I8}), channel=4, width=32),
    TensorFormat.HWC: _Layout(frozenset({_F32, _F16, _U8}), minor=True),
    TensorFormat.DLA_LINEAR: _Layout(frozenset({_F16, _I8}), dla=True),
    TensorFormat.DLA_HWC4: _Layout(frozenset({_F16, _I8}), width=4, minor=True, dla=True),
    TensorFormat.HWC16: _Layout(frozenset({_F16, _I8, _FP8}), width=16, minor=True),
    TensorFormat.DHWC: _Layout(frozenset({_F32}), channel=4, minor=True),
}
"""Every format except LINEAR, which allows any type and rank; in the order of the enum's values.

The comments of the enum do not name HALF and BF16 in CHW4 or HALF in HWC. NVIDIA's builder asks plugins for them
(observed on TensorRT-RTX 1.7.1).
"""

_ASKED_FIRST: Final = {
    _F16: (
        TensorFormat.LINEAR,
        TensorFormat.CHW2,
        TensorFormat.HWC8,
        TensorFormat.CHW32,
        TensorFormat.CHW4,
        TensorFormat.DHWC8,
        TensorFormat.CDHW32,
        TensorFormat.HWC16,
    ),
    _BF16: (TensorFormat.LINEAR, TensorFormat.HWC8, TensorFormat.CHW4, TensorFormat.DHWC8),
    _I8: (TensorFormat.CHW4, TensorFormat.CHW32, TensorFormat.LINEAR),
}
"""The formats that NVIDIA's builder asks for first, if it does not follow the order of the enum's values."""

_NUMPY: Final[dict[DataType, Any]] = {
    **NUMPY_TYPES,
    DataType.BF16: np.uint16,
    DataType.FP8: np.uint8,
}
"""The NumPy type that holds one element of a type; sub-byte types have no entry and no conversion."""


def numpy_type(dtype: DataType) -> np.dtype[Any] | None:
    """Return the NumPy type that holds one element, or None; BF16 and FP8 are held as unsigned integers."""
    return np.dtype(_NUMPY[dtype]) if dtype in _NUMPY else None


def all_formats() -> tuple[TensorFormat, ...]:
    """Return every format that a builder for a GPU offers, LINEAR first."""
    return (TensorFormat.LINEAR, *(name for name, layout in _LAYOUTS.items() if not layout.dla))


def exists(dtype: DataType, format: TensorFormat, rank: int) -> bool:  # noqa: A002 - TensorRT's word
    """Say whether TensorRT has this layout for a tensor of this type and rank."""
    if not is_member(dtype, DataType):
        return False
    if format == TensorFormat.LINEAR:
        return rank >= 0
    layout = _LAYOUTS.get(format)
    return layout is not None and dtype in layout.types and rank >= layout.channel


def candidates(
    dims: Sequence[int], types: Iterable[DataType], formats: Iterable[TensorFormat] | None = None
) -> list[tuple[DataType, TensorFormat]]:
    """Return the (type, format) pairs that a builder may offer for a tensor, in the order it tries them.

    All layouts of the first type come first, in the order of NVIDIA's builder (observed on TensorRT-RTX 1.7.1). LINEAR
    leads, except for INT8. INT8 in CHW4 needs a number of channels that is known when the engine is built. Types whose
    elements do not fill bytes are not offered.
    """
    return [
        (dtype, name)
        for dtype in types
        for name in (_in_order(dtype) if formats is None else formats)
        if dtype in _NUMPY and exists(dtype, name, len(dims)) and not (_needs_channels(dtype, name) and dims[-3] < 0)
    ]


def _in_order(dtype: DataType) -> tuple[TensorFormat, ...]:
    first = _ASKED_FIRST.get(dtype, ())
    return (*first, *(name for name in all_formats() if name not in first))


def _needs_channels(dtype: DataType, name: TensorFormat) -> bool:
    return (dtype, name) == (DataType.INT8, TensorFormat.CHW4)


def itemsize(dtype: DataType) -> int:
    """Return the number of bytes of one element; raise `FormatError` for a sub-byte type."""
    if dtype not in _NUMPY:
        raise FormatError(f"{dtype} has no whole number of bytes an element")
    return int(np.dtype(_NUMPY[dtype]).itemsize)


def components(format: TensorFormat) -> int:  # noqa: A002 - TensorRT's word
    """Return the number of scalars in a vector; 1 where there are no vectors."""
    return 1 if format == TensorFormat.LINEAR else _LAYOUTS[format].width


def vectorized_axis(format: TensorFormat, rank: int) -> int:  # noqa: A002 - TensorRT's word
    """Return the axis that is cut into vectors, or -1."""
    return -1 if components(format) == 1 else rank - _LAYOUTS[format].channel


def stored_shape(desc: Described) -> tuple[int, ...]:
    """Return the shape of the tensor's memory as an array in C order, padding included."""
    dims = tuple(desc.dims)
    layout = _layout(desc)
    if layout is None:
        return dims
    axis = len(dims) - layout.channel
    outer, channels, inner = dims[:axis], dims[axis], dims[axis + 1 :]
    vectors = -(-channels // layout.width)
    if layout.minor:
        return (*outer, *inner, vectors * layout.width)
    return (*outer, vectors, *inner, layout.width)


def nbytes(desc: Described) -> int:
    """Return the number of bytes that the tensor takes, padding included."""
    return math.prod(stored_shape(desc)) * itemsize(desc.type)


def strides(desc: Described) -> tuple[int, ...]:
    """Return for each axis the distance of neighbours: in vectors for a vector-major format, else in elements."""
    stored = stored_shape(desc)
    layout = _layout(desc)
    if layout is None:
        return _c_strides(stored)
    axis = len(stored) - layout.channel
    if layout.minor:
        *others, channel = _c_strides(stored)
        return (*others[:axis], channel, *others[axis:])
    return _c_strides(stored[:-1])


def to_device(array: npt.ArrayLike, desc: Described) -> bytes:
    """Return the bytes that linear data have in the type and layout of ``desc``."""
    data = np.asarray(array)
    dims = tuple(desc.dims)
    if data.shape != dims:
        raise FormatError(f"data of shape {list(data.shape)} for a tensor of shape {list(dims)}")
    layout = _layout(desc)
    coded = _encode(data, desc)
    return np.ascontiguousarray(coded if layout is None else _lay_out(coded, layout)).tobytes()


def from_device(raw: bytes | memoryview, desc: Described) -> npt.NDArray[Any]:
    """Return the linear data, without padding, of bytes in the type and layout of ``desc``."""
    stored = stored_shape(desc)
    if len(raw) != nbytes(desc):
        raise FormatError(f"{len(raw)} bytes for {desc.type} of stored shape {list(stored)}, {nbytes(desc)} bytes")
    coded = np.frombuffer(raw, _NUMPY[desc.type]).reshape(stored)
    layout = _layout(desc)
    return _decode(coded if layout is None else _straighten(coded, layout, tuple(desc.dims)), desc)


def convert(raw: bytes | memoryview, source: Described, target: Described) -> bytes:
    """Return the same tensor in another type and layout."""
    return to_device(from_device(raw, source), target)


def _layout(desc: Described) -> _Layout | None:
    rank = len(tuple(desc.dims))
    if desc.type not in _NUMPY or not exists(desc.type, desc.format, rank):
        raise FormatError(f"no {desc.format} layout of {desc.type} with {rank} dimensions")
    layout = _LAYOUTS.get(desc.format)
    if layout is not None and layout.dla:
        raise FormatError(f"{desc.format} is for DLA cores and is not modelled")
    return layout


def _c_strides(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _lay_out(data: npt.NDArray[Any], layout: _Layout) -> npt.NDArray[Any]:
    axis = data.ndim - layout.channel
    padding = [(0, 0)] * data.ndim
    padding[axis] = (0, -data.shape[axis] % layout.width)
    padded = np.pad(data, padding)
    if layout.minor:
        return np.moveaxis(padded, axis, -1)
    vectors = padded.shape[axis] // layout.width
    split = padded.reshape(*data.shape[:axis], vectors, layout.width, *data.shape[axis + 1 :])
    return np.moveaxis(split, axis + 1, -1)


def _straighten(data: npt.NDArray[Any], layout: _Layout, dims: tuple[int, ...]) -> npt.NDArray[Any]:
    axis = len(dims) - layout.channel
    if layout.minor:
        padded = np.moveaxis(data, -1, axis)
    else:
        split = np.moveaxis(data, -1, axis + 1)
        padded = split.reshape(*dims[:axis], split.shape[axis] * layout.width, *dims[axis + 1 :])
    return padded[(slice(None),) * axis + (slice(dims[axis]),)]


def _encode(data: npt.NDArray[Any], desc: Described) -> npt.NDArray[Any]:
    with np.errstate(all="ignore"):  # numbers that are too large become infinity without a warning
        encode = _ENCODERS.get(desc.type)
        if encode is not None:
            return encode(data.astype(np.float32))
        if desc.type == DataType.INT8 and desc.scale > 0:
            scaled = np.rint(data.astype(np.float64) / desc.scale)
            data = np.clip(np.nan_to_num(scaled), -128, 127)
        return data.astype(_NUMPY[desc.type])


def _decode(coded: npt.NDArray[Any], desc: Described) -> npt.NDArray[Any]:
    decode = _DECODERS.get(desc.type)
    if decode is not None:
        plain: npt.NDArray[Any] = decode(coded)
        return plain
    if desc.type == DataType.INT8 and desc.scale > 0:
        real: npt.NDArray[Any] = coded.astype(np.float32) * np.float32(desc.scale)
        return real
    same: npt.NDArray[Any] = coded.copy()
    return same


_ENCODERS: Final[dict[DataType, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]]] = {
    DataType.BF16: to_bf16,
    DataType.FP8: to_fp8,
}
_DECODERS: Final[dict[DataType, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]]] = {
    DataType.BF16: from_bf16,
    DataType.FP8: from_fp8,
}
