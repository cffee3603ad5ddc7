"""Values drawn for a case."""

import numpy as np
import pytest

from harness.cases.case import TYPE_NAMES, Case, Input
from harness.checks.sampling.data import draw_inputs

SHAPE = (16, 16)


def drawn(entry, dtype="float32", **options):
    case = Case(plugin="P", inputs=(entry,))
    return draw_inputs(case, [SHAPE], [dtype], **{"seed": 0, **options})[0]


ANY = Input(dims=SHAPE)


@pytest.mark.parametrize("dtype", TYPE_NAMES)
def test_the_same_seed_draws_the_same_and_another_salt_does_not(dtype):
    assert np.array_equal(drawn(ANY, dtype), drawn(ANY, dtype))
    assert not np.array_equal(drawn(ANY, dtype), drawn(ANY, dtype, salt="other"))
    assert not np.array_equal(drawn(ANY, dtype), drawn(ANY, dtype, seed=1))


@pytest.mark.parametrize("dtype", [name for name in TYPE_NAMES if name != "bfloat16"])
def test_values_have_the_type(dtype):
    assert drawn(ANY, dtype).dtype == np.dtype(dtype)


def test_floats_are_small_and_of_both_signs():
    values = drawn(ANY)
    assert values.min() < -1 < 1 < values.max()
    assert np.abs(values).max() <= 4


def test_bfloat16_comes_as_float32_that_it_can_hold():
    values = drawn(ANY, "bfloat16")
    assert values.dtype == np.float32
    assert not (values.view(np.uint32) & 0xFFFF).any()


def test_integers_lie_in_a_range_that_the_type_has():
    assert drawn(ANY, "uint8").min() >= 0
    assert np.abs(drawn(ANY, "int32")).max() <= 100


@pytest.mark.parametrize(("count", "ends"), [(1, {63.5}), (2, {63.5, -63.5}), (9, {63.5, -63.5})])
def test_int8_steps_have_the_ends_of_their_range(count, ends):
    case = Case(plugin="P", inputs=(Input(dims=(count,), scale=0.5),))
    assert ends <= set(draw_inputs(case, [(count,)], ["int8"], seed=0)[0].tolist())


def test_a_range_of_the_case_is_kept_with_its_ends():
    values = drawn(Input(dims=SHAPE, values=(2, 4)), "int32")
    assert set(values.ravel()) == {2, 3, 4}


@pytest.mark.parametrize(("bounds", "drawn_from"), [((125, 300), {125, 126, 127}), ((-999, -200), {-128})])
def test_a_range_beyond_the_type_ends_where_the_type_does(bounds, drawn_from):
    assert set(drawn(Input(dims=SHAPE, values=bounds), "int8").ravel()) == drawn_from


def test_values_can_be_made_by_the_case():
    values = drawn(Input(dims=SHAPE, values=lambda rng, shape, dtype: np.full(shape, 7)), "float16")  # noqa: ARG005
    assert values.dtype == np.float16
    assert (values == 7).all()


def test_scaled_int8_stands_for_real_numbers_that_it_can_hold():
    steps = drawn(Input(dims=SHAPE, scale=0.25), "int8") / 0.25
    assert np.array_equal(steps, steps.round())
    assert np.abs(steps).max() <= 127


def test_inputs_of_one_shape_are_drawn_apart():
    case = Case(plugin="P", inputs=(ANY, ANY))
    one, other = draw_inputs(case, [SHAPE, SHAPE], ["float32", "float32"], seed=0)
    assert not np.array_equal(one, other)
