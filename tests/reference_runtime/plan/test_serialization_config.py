import pytest

import reference_runtime as trt
from reference_runtime.plan.serialization_config import chosen_flags, new_serialization_config

FLAG = trt.SerializationFlag


@pytest.fixture
def config():
    return new_serialization_config(engine=None)


def test_no_flag_is_set_at_first(config):
    assert (config.flags, chosen_flags(config)) == (0, set())


def test_flags_are_set_and_cleared_one_by_one(config):
    assert config.set_flag(FLAG.INCLUDE_REFIT) is True
    assert config.get_flag(FLAG.INCLUDE_REFIT) is True
    assert config.flags == 1 << int(FLAG.INCLUDE_REFIT)
    assert config.clear_flag(FLAG.INCLUDE_REFIT) is True
    assert config.get_flag(FLAG.INCLUDE_REFIT) is False


def test_flags_are_set_as_bits(config):
    config.flags = 3
    assert chosen_flags(config) == {FLAG.EXCLUDE_WEIGHTS, FLAG.EXCLUDE_LEAN_RUNTIME}


def test_unknown_bits_are_refused(config):
    config.flags = 1
    with pytest.raises(RuntimeError, match="Provided serialization flags is incorrect"):
        config.flags = 8
    assert config.flags == 1


def test_an_unknown_flag_is_refused(config):
    assert config.set_flag(FLAG(9)) is False
    assert config.clear_flag(FLAG(9)) is False
    assert config.flags == 0
