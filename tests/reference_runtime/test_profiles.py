from __future__ import annotations

import pytest

from tests.reference_runtime.recording import shop


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
