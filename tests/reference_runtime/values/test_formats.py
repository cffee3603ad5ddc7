from __future__ import annotations

import itertools

import numpy as np
import pytest

from reference_runtime.values import formats
from reference_runtime.values.descriptions import Description
from reference_runtime.values.enums import DataType, TensorFormat

T, F = DataType, TensorFormat
RNG = np.random.default_rng(0)

EXISTS = {  # what the comments of the enum state, and what NVIDIA's builder asks for beyond them: (types, least rank)
    F.CHW2: ({T.HALF, T.BF16}, 3),
    F.HWC8: ({T.HALF, T.BF16}, 3),
    F.CHW4: ({T.INT8, T.HALF, T.BF16}, 3),
    F.CHW16: ({T.HALF}, 3),
    F.CHW32: ({T.INT8, T.FLOAT, T.HALF}, 3),
    F.DHWC8: ({T.HALF, T.BF16}, 4),
    F.CDHW32: ({T.HALF, T.INT8}, 4),
    F.HWC: ({T.FLOAT, T.HALF, T.UINT8}, 3),
    F.HWC16: ({T.HALF, T.INT8, T.FP8}, 3),
    F.DHWC: ({T.FLOAT}, 4),
}


def types():
    return T.__members__.values()


def test_linear_holds_every_type_of_every_rank():
    assert all(formats.exists(dtype, F.LINEAR, rank) for dtype in types() for rank in range(9))


def test_the_other_layouts_exist_for_the_documented_types_and_ranks():
    for name, (held, least) in EXISTS.items():
        offered = {(dtype, rank) for dtype in types() for rank in range(9) if formats.exists(dtype, name, rank)}
        assert offered == set(itertools.product(held, range(least, 9)))


def test_a_format_that_the_enum_does_not_name_does_not_exist():
    assert not formats.exists(T.FLOAT, F(99), 4)
    assert not formats.exists(T.FLOAT, F.LINEAR, -1)


def test_dla_layouts_exist_and_are_never_offered():
    dla = {F.CHW16, F.DLA_LINEAR, F.DLA_HWC4}
    assert all(formats.exists(T.HALF, name, 4) for name in dla)
    assert not dla & set(formats.all_formats())


def test_candidates_come_type_by_type_in_the_order_of_nvidias_builder():
    assert formats.candidates((2, 3, 4), [T.HALF, T.INT32]) == [
        (T.HALF, F.LINEAR),
        (T.HALF, F.CHW2),
        (T.HALF, F.HWC8),
        (T.HALF, F.CHW32),
        (T.HALF, F.CHW4),
        (T.HALF, F.HWC16),
        (T.HALF, F.HWC),
        (T.INT32, F.LINEAR),
    ]


def test_candidates_can_be_narrowed_to_some_formats():
    assert formats.candidates((2, 3, 4), [T.HALF], [F.HWC8, F.DHWC8]) == [(T.HALF, F.HWC8)]


def test_int8_in_chw4_needs_a_known_number_of_channels_and_other_types_do_not():
    assert (T.INT8, F.CHW4) in formats.candidates((-1, 3, -1, -1), [T.INT8])
    assert (T.INT8, F.CHW4) not in formats.candidates((1, -1, 4, 4), [T.INT8])
    assert (T.HALF, F.CHW4) in formats.candidates((1, -1, 4, 4), [T.HALF])


@pytest.mark.parametrize("pair", [(T.HALF, F.CHW4), (T.HALF, F.HWC), (T.BF16, F.CHW4)])
def test_what_only_nvidias_builder_asks_for_is_offered_and_stored(pair):
    assert pair in formats.candidates((1, 5, 4, 4), [pair[0]])
    data = RNG.integers(-8, 8, (1, 5, 4, 4)).astype(np.float32)
    desc = Description(data.shape, *pair)
    assert np.array_equal(formats.from_device(formats.to_device(data, desc), desc).astype(np.float32), data)


def at(stored, layout, n, c, h, w, width=1):
    """Where the comments of the enum put the element (n, c, h, w)."""
    return stored[n, c // width, h, w, c % width] if layout == "major" else stored[n, h, w, c]


@pytest.mark.parametrize(
    ("dtype", "name", "layout", "width", "shape"),
    [
        (T.HALF, F.CHW2, "major", 2, (2, 3, 4, 5, 2)),
        (T.INT8, F.CHW4, "major", 4, (2, 2, 4, 5, 4)),
        (T.FLOAT, F.CHW32, "major", 32, (2, 1, 4, 5, 32)),
        (T.HALF, F.HWC8, "minor", 8, (2, 4, 5, 8)),
        (T.HALF, F.HWC16, "minor", 16, (2, 4, 5, 16)),
        (T.FLOAT, F.HWC, "minor", 1, (2, 4, 5, 5)),
    ],
)
def test_each_element_lies_where_the_format_says(dtype, name, layout, width, shape):
    dims = (2, 5, 4, 5)
    data = RNG.integers(-100, 100, dims).astype(np.float32)
    desc = Description(dims, dtype, name, 1.0)
    assert formats.stored_shape(desc) == shape
    raw = formats.to_device(data, desc)
    stored = np.frombuffer(raw, {T.HALF: np.float16, T.INT8: np.int8, T.FLOAT: np.float32}[dtype]).reshape(shape)
    for place in itertools.product(*map(range, dims)):
        assert at(stored, layout, *place, width=width) == data[place]
    assert np.count_nonzero(stored) == np.count_nonzero(data), "padding is zero"


def test_the_volumetric_formats_cut_the_axis_fourth_from_the_end():
    dims = (1, 9, 2, 3, 4)
    assert formats.stored_shape(Description(dims, T.HALF, F.DHWC8)) == (1, 2, 3, 4, 16)
    assert formats.stored_shape(Description(dims, T.HALF, F.CDHW32)) == (1, 1, 2, 3, 4, 32)
    assert formats.stored_shape(Description(dims, T.FLOAT, F.DHWC)) == (1, 2, 3, 4, 9)
    assert formats.vectorized_axis(F.CDHW32, 5) == 1
    assert formats.vectorized_axis(F.DHWC, 5) == -1


@pytest.mark.parametrize("dims", [(1, 5, 3, 4), (2, 33, 1, 2), (3, 2, 2), (1, 8, 2, 2, 3), (2, 0, 3, 4), (5,), ()])
def test_every_layout_gives_back_what_it_was_given(dims):
    every = [T.FLOAT, T.HALF, T.BF16, T.FP8, T.INT8, T.INT32, T.INT64, T.BOOL, T.UINT8]
    for dtype, name in formats.candidates(dims, every):
        data = RNG.integers(0, 2, dims).astype(np.float32)
        desc = Description(dims, dtype, name)
        raw = formats.to_device(data, desc)
        assert len(raw) == formats.nbytes(desc)
        np.testing.assert_array_equal(formats.from_device(raw, desc), data)


def test_int8_stands_for_real_numbers_by_its_scale():
    desc = Description((6,), T.INT8, F.LINEAR, 0.5)
    raw = formats.to_device(np.array([0.0, 0.25, 0.75, 1.0, 1000.0, -1000.0]), desc)
    assert list(np.frombuffer(raw, np.int8)) == [0, 0, 2, 2, 127, -128]
    assert list(formats.from_device(raw, desc)) == [0, 0, 1.0, 1.0, 63.5, -64.0]


def test_bf16_rounds_to_nearest_even():
    desc = Description((5,), T.BF16, F.LINEAR)
    one, step = 1.0, 2.0**-7
    data = np.array([one + step / 2, one + 1.5 * step, one + step * 0.51, np.inf, np.nan], np.float32)
    back = formats.from_device(formats.to_device(data, desc), desc)
    np.testing.assert_array_equal(back, [1.0, 1 + 2 * step, 1 + step, np.inf, np.nan])


def test_fp8_rounds_to_nearest_even_and_saturates():
    desc = Description((7,), T.FP8, F.LINEAR)
    data = np.array([1.0625, 1.1875, -1.07, 448.0, 1e9, -np.inf, np.nan], np.float32)
    back = formats.from_device(formats.to_device(data, desc), desc)
    np.testing.assert_array_equal(back, [1.0, 1.25, -1.125, 448, 448, -448, np.nan])


def test_every_code_of_fp8_survives():
    desc = Description((256,), T.FP8, F.LINEAR)
    values = formats.from_device(bytes(range(256)), desc)
    kept = np.frombuffer(formats.to_device(values, desc), np.uint8)
    assert [code for code in range(256) if kept[code] != code] == [0xFF], "of two NaNs one is kept"


def test_a_tensor_is_reformatted_through_its_values():
    source = Description((1, 3, 2, 2), T.FLOAT, F.LINEAR)
    target = Description((1, 3, 2, 2), T.HALF, F.HWC8)
    data = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
    raw = formats.convert(data.tobytes(), source, target)
    assert raw == formats.to_device(data, target)
    assert formats.convert(raw, target, source) == data.tobytes()


def test_strides_count_vectors_in_vector_major_formats_and_elements_otherwise():
    dims = (2, 5, 3, 4)
    assert formats.strides(Description(dims, T.FLOAT, F.LINEAR)) == (60, 12, 4, 1)
    assert formats.strides(Description(dims, T.HALF, F.HWC8)) == (96, 1, 32, 8)
    assert formats.strides(Description(dims, T.HALF, F.CHW2)) == (36, 12, 4, 1)


@pytest.mark.parametrize(
    "desc",
    [
        Description((1, 2), T.HALF, F.HWC8),
        Description((1, 2, 3), T.FLOAT, F.CHW2),
        Description((1, 2, 3), T.INT4, F.LINEAR),
        Description((1, 2, 3), T.HALF, F.CHW16),
    ],
)
def test_what_does_not_exist_or_is_not_modelled_is_refused(desc):
    with pytest.raises(formats.FormatError):
        formats.to_device(np.zeros(tuple(desc.dims)), desc)


def test_data_of_another_shape_or_length_are_refused():
    desc = Description((2, 2), T.FLOAT, F.LINEAR)
    with pytest.raises(formats.FormatError, match=r"shape \[3, 2\] for a tensor of shape \[2, 2\]"):
        formats.to_device(np.zeros((3, 2)), desc)
    with pytest.raises(formats.FormatError, match="15 bytes"):
        formats.from_device(bytes(15), desc)
