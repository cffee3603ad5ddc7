from __future__ import annotations

import gc

import pytest

from reference_runtime import plan
from reference_runtime.bound import lifetimes
from reference_runtime.builder.builder import Builder
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.values.enums_building import BuilderFlag
from reference_runtime.values.logger import Logger
from tests.support.runtime.recording import Recorder, shop

SEEDS = range(6)


@pytest.fixture
def made():
    with shop() as made:
        yield made


def test_a_builder_needs_a_logger():
    assert isinstance(Builder(Logger()).logger, Logger)
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        Builder()


def test_a_builder_works_as_a_deprecated_context_manager():
    with pytest.warns(DeprecationWarning, match="Context managers for TensorRT types"), Builder(Logger()) as builder:
        assert builder.max_threads == 1


def test_a_builder_has_a_registry_of_its_own_below_that_of_the_process(made):
    registry, other = made.builder.get_plugin_registry(), Builder(made.log)
    assert registry is made.builder.get_plugin_registry()
    assert registry is not other.get_plugin_registry()
    assert registry.all_creators == []
    found = get_plugin_registry().get_creator("Recorder", "1")
    assert (registry.get_creator("Recorder", "1"), registry.all_creators_recursive.count(found)) == (found, 1)
    network = made.network()
    made.profile()
    assert made.builder.build_engine_with_config(network, made.config) is not None
    get_plugin_registry().deregister_creator(found)
    assert registry.register_creator(found, "")
    assert get_plugin_registry().get_creator("Recorder", "1") is None
    assert made.builder.build_engine_with_config(network, made.config) is not None
    data = made.builder.build_serialized_network(network, made.config)
    assert made.runtime.deserialize_cuda_engine(data) is None
    assert "Cannot find plugin: Recorder" in made.log.errors[-1]


def test_flags_are_bits(made):
    config = made.config
    assert config.get_flag(BuilderFlag.TF32)
    config.set_flag(BuilderFlag.FP16)
    assert config.flags == 1 << int(BuilderFlag.FP16) | 1 << int(BuilderFlag.TF32)
    config.clear_flag(BuilderFlag.TF32)
    config.flags |= 1 << int(BuilderFlag.BF16)
    assert [config.get_flag(flag) for flag in (BuilderFlag.TF32, BuilderFlag.FP16, BuilderFlag.BF16)] == [
        False,
        True,
        True,
    ]
    config.reset()
    assert not config.get_flag(BuilderFlag.FP16)


def test_a_network_without_outputs_gives_no_engine(made):
    network = made.builder.create_network()
    assert made.builder.build_serialized_network(network, made.config) is None
    assert made.log.errors == [
        "IBuilder::buildSerializedNetwork: Error Code 4: Internal Error (Network must have at least one output)"
    ]


def test_names_must_be_different(made):
    made.profile()
    network = made.network()
    network.get_output(0).name = "x0"
    assert made.builder.build_serialized_network(network, made.config) is None
    assert "need different names" in made.log.errors[0]


def test_a_layer_that_no_output_depends_on_is_dropped(made):
    made.profile()
    network = made.network()
    network.add_plugin_v2([network.get_input(0)], Recorder(made.tape))
    assert len(plan.read(made.build(network)).layers) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_network_has_the_same_bytes(seed):
    def build():
        with shop(seed) as made:
            made.profile()
            made.config.set_flag(BuilderFlag.FP16)
            network = made.network(chain=2)
            data = made.build(network)
            assert made.build(network) == data
            return data

    assert build() == build()


def test_a_builders_copy_that_cannot_be_cloned_gives_no_engine(made):
    class Once(Recorder):
        def clone(self):
            if self.number > 1:
                raise MemoryError
            return super().clone()

    made.profile()
    assert made.builder.build_serialized_network(made.network(kind=Once), made.config) is None
    assert "could not be cloned for the builder" in made.log.errors[0]


def test_an_absurd_serialization_size_gives_no_engine(made):
    class Boasting(Recorder):
        def get_serialization_size(self):
            return 2**63

    made.profile()
    assert made.builder.build_serialized_network(made.network(kind=Boasting), made.config) is None
    assert f"announces {2**63} bytes" in made.log.errors[0]


def test_an_input_from_a_later_layer_is_refused(made):
    made.profile()
    network = made.network(chain=2)
    network.get_layer(0).set_input(0, network.get_layer(1).get_output(0))
    assert made.builder.build_serialized_network(network, made.config) is None
    assert "comes from a later layer" in made.log.errors[0]


def test_an_engine_can_be_built_at_once(made):
    made.profile()
    engine = made.builder.build_engine_with_config(made.network(), made.config)
    assert engine.num_io_tensors == 2


def test_closing_a_network_destroys_its_copies_once(made):
    network = made.network(chain=2)
    lifetimes.close(network)
    lifetimes.close(network)
    assert not lifetimes.is_open(network)
    assert made.tape.methods().count("destroy") == 2
    made.profile()
    assert made.builder.build_serialized_network(network, made.config) is None
    del network
    gc.collect()
    assert made.tape.methods().count("destroy") == 2


def test_copies_that_live_as_long_as_the_builder_go_with_it():
    for seed in range(1, 20):
        with shop(seed) as made:
            made.profile()
            made.build(made.network())
            gc.collect()
            left = [owned for owned in made.gate.owned if not owned.destroyed]
            lifetimes.close(made.builder)
            assert all(owned.destroyed for owned in made.gate.owned)
            if left:
                return
    pytest.fail("no seed kept a copy")


def test_two_builders_live_side_by_side():
    with shop() as one, shop() as other:
        assert one.builder.create_network().builder is one.builder
        assert other.gate is not one.gate
