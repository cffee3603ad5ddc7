from __future__ import annotations

import pytest

from reference_runtime.values.enums import DataType
from reference_runtime.values.precision import canonical, scale_of

T = DataType


@pytest.mark.parametrize("dtype", [T.FLOAT, T.HALF, T.BF16, T.FP8, T.INT8])
def test_whatever_stands_for_real_numbers_counts_as_float(dtype):
    assert canonical(dtype) == T.FLOAT


@pytest.mark.parametrize("dtype", [T.INT32, T.INT64, T.BOOL, T.UINT8])
def test_other_types_are_what_they_are(dtype):
    assert canonical(dtype) == dtype


def test_a_scale_spreads_the_range_over_127_steps():
    assert scale_of(T.INT8, (-254.0, 1.0)) == 2.0
    assert scale_of(T.INT8, (0.0, 63.5)) == 0.5


def test_int8_without_a_range_holds_plain_integers():
    assert scale_of(T.INT8, None) == 1.0


def test_no_other_type_has_a_scale():
    assert {scale_of(dtype, (-1.0, 1.0)) for dtype in T.__members__.values() if dtype != T.INT8} == {-1.0}
