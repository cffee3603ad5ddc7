"""Generate input data for a plugin, which are the same for the same case, shapes, types and seed."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from harness.cases.case import Case, Shape

#: The ranges of values if the case has none: small, finite, of both signs.
FLOAT_RANGE = (-4.0, 4.0)
INTEGER_RANGE = (-100, 100)


def draw_inputs(
    case: Case, shapes: Sequence[Shape], types: Sequence[str], *, seed: int, salt: str = ""
) -> list[npt.NDArray[Any]]:
    """Return an array for each data input, with the given shapes and types; another ``salt`` gives other data.

    BF16 values are float32 values that BF16 can represent. INT8 values with a scale are real numbers in float32.
    """
    arrays = []
    inputs = case.data_inputs
    for index, (entry, shape, dtype) in enumerate(zip(inputs, shapes[: len(inputs)], types, strict=True)):
        rng = np.random.default_rng(zlib.crc32(f"{seed}/{salt}/{index}/{shape}/{dtype}".encode()))
        arrays.append(_draw(rng, entry.values, tuple(shape), dtype, entry.scale))
    return arrays


def shape_values(case: Case, shapes: Sequence[Shape]) -> list[npt.NDArray[Any]]:
    """Return an array for each shape input, with its values in ``shapes``."""
    inputs = case.shape_inputs
    values = shapes[len(case.data_inputs) :]
    return [
        np.array(each, array_dtype(entry.types[0])).reshape([int(extent) for extent in entry.network_dims])
        for entry, each in zip(inputs, values, strict=True)
    ]


def array_dtype(type_name: str) -> np.dtype[Any]:
    """Return the NumPy type for values of a tensor type; it is float32 for BF16."""
    return np.dtype(np.float32) if type_name == "bfloat16" else np.dtype(type_name)


def _draw(rng: np.random.Generator, values: Any, shape: Shape, type_name: str, scale: float | None) -> npt.NDArray[Any]:
    dtype = array_dtype(type_name)
    if callable(values):
        drawn: npt.NDArray[Any] = np.asarray(values(rng, shape, dtype), dtype=dtype).reshape(shape)
        return drawn
    if type_name == "int8" and scale is not None:
        steps = rng.integers(-127, 128, shape)
        steps.reshape(-1)[:2] = [127, -127][: steps.size]  # the extreme values make outputs saturate
        real_values: npt.NDArray[Any] = steps.astype(np.float32) * np.float32(scale)
        return real_values
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(np.bool_)
    low, high = values if values is not None else (FLOAT_RANGE if dtype.kind == "f" else INTEGER_RANGE)
    if dtype.kind in "iu":
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        low, high = (min(max(int(bound), least), most) for bound in (low, high))
        return rng.integers(low, high, shape, endpoint=True).astype(dtype)
    real = rng.uniform(low, high, shape).astype(np.float32)
    if type_name != "bfloat16":
        return real.astype(dtype)
    bits: npt.NDArray[Any] = np.ascontiguousarray(real).view(np.uint32) & np.uint32(0xFFFF0000)
    return bits.view(np.float32)
