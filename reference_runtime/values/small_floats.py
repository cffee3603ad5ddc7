"""BF16 and FP8, which NumPy does not have: their bits from float32 numbers, and back."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt


def to_bf16(data: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the bits of BF16, rounded to nearest even; all NaNs have the same bits."""
    bits = np.ascontiguousarray(data).view(np.uint32)
    rounded = (bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16
    coded: npt.NDArray[Any] = np.where(np.isnan(data), 0x7FC0, rounded.reshape(data.shape)).astype(np.uint16)
    return coded


def from_bf16(coded: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the numbers that bits of BF16 encode."""
    bits = np.ascontiguousarray(coded).astype(np.uint32) << 16
    return bits.view(np.float32).reshape(coded.shape)


_FP8_SIGN: Final = 0x80
_FP8_NAN: Final = 0x7F


def _fp8_values() -> npt.NDArray[Any]:
    """Return the number of each code of FP8 E4M3: four bits of exponent, no infinities, a NaN for each sign."""
    code = np.arange(256)
    exponent, mantissa = (code >> 3) & 15, code & 7
    normal = (1 + mantissa / 8) * 2.0 ** (exponent - 7)
    magnitude = np.where(exponent == 0, mantissa / 8 * 2.0**-6, normal)
    magnitude[[_FP8_NAN, _FP8_NAN | _FP8_SIGN]] = np.nan
    values: npt.NDArray[Any] = np.where(code < _FP8_SIGN, magnitude, -magnitude).astype(np.float32)
    return values


_FP8_VALUES: Final = _fp8_values()


def to_fp8(data: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the codes of FP8 E4M3, rounded to nearest even; a number that is too large becomes the largest one."""
    positive = _FP8_VALUES[:_FP8_NAN]
    size = np.minimum(np.abs(data), positive[-1])
    above = np.clip(np.searchsorted(positive, size), 1, 0x7E)
    low, high = size - positive[above - 1], positive[above] - size
    up = (high < low) | ((high == low) & (above % 2 == 0))
    code = np.where(up, above, above - 1) | np.where(np.signbit(data), _FP8_SIGN, 0)
    coded: npt.NDArray[Any] = np.where(np.isnan(data), _FP8_NAN, code).astype(np.uint8)
    return coded


def from_fp8(coded: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the numbers that FP8 E4M3 codes encode."""
    numbers: npt.NDArray[Any] = _FP8_VALUES[coded]
    return numbers
