from __future__ import annotations

import pytest

from tests.support.runtime.recording import shop


@pytest.fixture
def made():
    with shop() as made:
        yield made


def test_a_profile_gives_back_what_was_set(made):
    profile = made.builder.create_optimization_profile()
    profile.set_shape("x", (1, 2), (3, 4), (5, 6))
    assert profile.get_shape("x") == [(1, 2), (3, 4), (5, 6)]
    assert profile.get_shape("y") == []


@pytest.mark.parametrize(
    ("shapes", "selector"), [(((1,), (1, 2), (1,)), "opt"), (((-1,), (1,), (1,)), "min"), (((1,), (1,), ()), "max")]
)
def test_shapes_that_cannot_go_together_are_refused_at_once(made, shapes, selector):
    with pytest.raises(RuntimeError, match=f"Shape provided for {selector} is inconsistent with other shapes."):
        made.builder.create_optimization_profile().set_shape("x", *shapes)


def test_a_shape_must_have_the_rank_that_the_input_had_before(made):
    profile = made.builder.create_optimization_profile()
    profile.set_shape("x", (1,), (2,), (3,))
    with pytest.raises(RuntimeError, match="Shape provided for min is inconsistent with other shapes"):
        profile.set_shape("x", (1, 1), (2, 2), (3, 3))
    profile.set_shape("x", (2,), (2,), (2,))
    assert profile.get_shape("x") == [(2,), (2,), (2,)]


def test_a_profile_keeps_the_values_of_a_shape_tensor(made):
    profile = made.builder.create_optimization_profile()
    profile.set_shape_input("s", [1, 2], (3, 4), (5, 2**40))
    assert profile.get_shape_input("s") == [[1, 2], [3, 4], [5, 2**40]]
    assert profile.get_shape_input("x") == []
    assert profile.get_shape("s") == []


@pytest.mark.parametrize(
    ("values", "selector"), [(((1,), (1, 2), (1,)), "opt"), (((), (), ()), "min"), (((1,), (1,), ()), "max")]
)
def test_numbers_of_values_that_cannot_go_together_are_refused_at_once(made, values, selector):
    words = f"{selector} input provided for shape tensor is inconsistent with other inputs."
    with pytest.raises(RuntimeError, match=words):
        made.builder.create_optimization_profile().set_shape_input("s", *values)


def test_negative_values_are_allowed(made):
    profile = made.builder.create_optimization_profile()
    profile.set_shape_input("s", [-1], [0], [1])
    assert profile


@pytest.mark.parametrize("bad", [[1.5], ["x"], 3])
def test_what_is_no_list_of_integers_raises(made, bad):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        made.builder.create_optimization_profile().set_shape_input("s", bad, bad, bad)


@pytest.mark.parametrize("method", ["set_shape", "set_shape_input"])
def test_a_profile_is_true_as_long_as_its_bounds_are_in_order(made, method):
    profile = made.builder.create_optimization_profile()
    getattr(profile, method)("x", (1,), (2,), (3,))
    assert profile
    assert profile.__nonzero__() is True
    getattr(profile, method)("y", (4,), (2,), (3,))
    assert not profile
    assert profile.__nonzero__() is False
    assert made.config.add_optimization_profile(profile) == -1


def test_extra_memory_is_kept_unless_it_is_negative(made):
    profile = made.builder.create_optimization_profile()
    assert profile.extra_memory_target == 1.0
    profile.extra_memory_target = 0.5
    profile.extra_memory_target = -1
    assert profile.extra_memory_target == 0.5


def test_bounds_that_are_not_in_order_are_refused_by_the_configuration(made):
    profile = made.builder.create_optimization_profile()
    profile.set_shape("x", (1, 2), (3, 9), (5, 6))
    assert made.config.add_optimization_profile(profile) == -1
    assert "'x' needs min <= opt <= max" in made.log.errors[0]
    assert made.config.num_optimization_profiles == 0


def test_profiles_are_numbered(made):
    made.profile()
    made.profile()
    assert made.config.num_optimization_profiles == 2


@pytest.mark.parametrize("least", [(1, 3), (1, 2, 1)])
def test_a_profile_that_does_not_fit_the_network_gives_no_engine(made, least):
    made.profile(least, least, least)
    assert made.builder.build_serialized_network(made.network(), made.config) is None
    assert "optimization profile 0 gives input 'x0'" in made.log.errors[0]


def test_wildcards_need_a_profile(made):
    assert made.builder.build_serialized_network(made.network(), made.config) is None
    assert "no optimization profile has been defined" in made.log.errors[0]


def test_every_input_with_wildcards_needs_its_shapes(made):
    made.profile(inputs=1)
    assert made.builder.build_serialized_network(made.network(inputs=2), made.config) is None
    assert "optimization profile 0 has no shape for input 'x1'" in made.log.errors[0]


def test_a_network_without_wildcards_needs_no_profile(made):
    engine = made.engine(made.network(dims=(2, 3, 4)))
    assert engine.get_tensor_profile_shape("x0", 0) == [(2, 3, 4)] * 3
