from __future__ import annotations

import gc
from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from reference_runtime import plan
from reference_runtime.bound import lifetimes
from reference_runtime.bound.undefined_use import MisuseKind
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.interfaces.field_collections import PluginField, PluginFieldCollection
from reference_runtime.values.enums import DataType, PluginCapabilityType, PluginFieldType, TensorRTPhase
from tests.support.runtime.plans import PLANS
from tests.support.runtime.recording import Creator, Recorder, bind, registered, result, shop
from tests.support.runtime.recording_v3 import CreatorV3, RecorderV3, shop_v3


@pytest.fixture
def made():
    with shop_v3() as made:
        yield made


def serialized(made, **options):
    made.profile()
    return made.build(made.network(**options))


def refused(made, data):
    assert made.runtime.deserialize_cuda_engine(data) is None
    return made.log.errors[-1]


def test_a_plugin_of_version_3_is_created_in_the_runtime_phase_under_the_layers_name(made):
    made.profile()
    network = made.network()
    network.get_layer(0).name = "the layer"
    made.engine(network)
    ((name, phase, fields),) = made.creator.made
    assert (name, phase) == ("the layer", TensorRTPhase.RUNTIME)
    assert fields["counts"].tolist() == [1, 1]
    assert fields["factor"].dtype == np.float64


def test_only_core_and_runtime_are_asked_of_it(made):
    data = serialized(made)
    made.tape.calls.clear()
    assert made.runtime.deserialize_cuda_engine(data)
    asked = [arguments for _, _, arguments in made.tape.of("get_capability_interface")]
    assert asked == [(PluginCapabilityType.CORE,), (PluginCapabilityType.RUNTIME,)]


@pytest.mark.parametrize("missing", [PluginCapabilityType.CORE, PluginCapabilityType.RUNTIME])
def test_an_engine_needs_both(missing):
    class Partial(RecorderV3):
        def get_capability_interface(self, kind):
            return None if self.phase is not None and kind == missing else self

    with shop_v3(kind=Partial) as made:
        assert "lacks its CORE or RUNTIME capability" in refused(made, serialized(made))
        assert all(owned.destroyed for owned in made.gate.owned if owned.phase is Phase.DESERIALIZATION)


@pytest.mark.parametrize("broken", [lambda *_: None, lambda *_: 1 / 0, lambda *_: "no plugin"])
def test_a_creator_that_gives_no_plugin_gives_no_engine(made, broken):
    data = serialized(made)
    made.creator.create_plugin = broken
    assert "the creator's create_plugin gave no plugin" in refused(made, data)


def test_a_plugin_without_a_creator_is_named():
    with shop_v3() as made:
        data = serialized(made)
    with shop() as other:
        expected = "Error Code 1: Serialization (Cannot find plugin: RecorderV3, version: 1, namespace:.)"
        assert expected in refused(other, data)


def test_a_creator_of_the_other_version_is_not_used():
    with shop_v3() as made:
        data = serialized(made)
    with shop() as other, registered(Creator(other.tape, name="RecorderV3")):
        assert "Cannot find plugin: RecorderV3" in refused(other, data)


def test_what_was_made_before_a_refusal_is_destroyed(made):
    data = serialized(made, chain=3)
    right, calls = made.creator.create_plugin, []

    def twice(*arguments):
        calls.append(arguments)
        return right(*arguments) if len(calls) < 3 else None

    made.creator.create_plugin = twice
    assert "gave no plugin" in refused(made, data)
    born = [owned for owned in made.gate.owned if owned.phase is Phase.DESERIALIZATION]
    assert [owned.destroyed for owned in born] == [True, True]


def test_the_fields_are_lent_for_the_call_alone(made):
    kept = []

    class Keeping(CreatorV3):
        def create_plugin(self, name, fields, phase):
            kept.append(fields)
            return super().create_plugin(name, fields, phase)

    data = serialized(made)
    made.creator.create_plugin = Keeping(made.tape).create_plugin
    assert made.runtime.deserialize_cuda_engine(data)
    assert kept[0].misuses == []
    kept[0][0].name  # noqa: B018 - reading it is the misuse
    assert [misuse.kind for misuse in kept[0].misuses] == [MisuseKind.FREED_FIELDS]


def test_fields_of_every_type_come_back_as_they_were():
    values = {
        "FLOAT32": np.array([1.5, -2], np.float32),
        "INT8": np.array([-3], np.int8),
        "INT16": np.array([300], np.int16),
        "INT64": np.array([2**40], np.int64),
        "CHAR": np.frombuffer(b"text", np.int8),
        "FLOAT64": np.zeros(0),
    }

    class Many(RecorderV3):
        def get_fields_to_serialize(self):
            types = PluginFieldType.__members__
            return PluginFieldCollection([PluginField(name, value, types[name]) for name, value in values.items()])

    with shop_v3(kind=Many) as made:
        assert made.runtime.deserialize_cuda_engine(serialized(made))
        ((_, _, fields),) = made.creator.made
        assert fields.keys() == values.keys()
        for name, value in values.items():
            assert fields[name].tolist() == value.tolist()
            assert fields[name].dtype == value.dtype


def test_an_engine_of_version_3_can_be_serialized_again(made):
    data = serialized(made, chain=2)
    engine = made.runtime.deserialize_cuda_engine(data)
    assert bytes(engine.serialize()) == data
    again = made.runtime.deserialize_cuda_engine(engine.serialize())
    context = again.create_execution_context()
    buffers = bind(context, {"x0": (2, 3, 4)})
    assert context.execute_async_v3(0), made.log.errors
    assert result(context, buffers).reshape(-1).tolist() == [4.0 * value for value in range(24)]


def test_an_engine_whose_plugin_gives_no_fields_cannot_be_serialized():
    class Once(RecorderV3):
        def get_fields_to_serialize(self):
            return super().get_fields_to_serialize() if self.phase is None else None

    with shop_v3(kind=Once) as made:
        engine = made.engine()
        assert engine.serialize() is None
        assert "get_fields_to_serialize gave no fields" in made.log.errors[-1]


def test_a_plugin_of_version_3_is_neither_initialized_nor_terminated_only_destroyed(made):
    engine = made.engine()
    made.tape.calls.clear()
    context = engine.create_execution_context()
    del context, engine
    assert set(made.tape.methods()) == {"attach_to_context", "get_capability_interface", "destroy"}
    assert made.tape.methods().count("destroy") == 2


def test_an_engine_with_plugins_of_both_versions_and_operations_runs():
    with shop_v3() as made, registered(Creator(made.tape)):
        network = made.builder.create_network()
        x = network.add_input("x0", DataType.FLOAT, (2, 3))
        (first,) = made.add(network, [x], RecorderV3(made.tape, factor=3.0))
        same = network.add_identity(first).get_output(0)
        last = network.add_plugin_v2([same], Recorder(made.tape, factor=5.0)).get_output(0)
        made.mark(network, [last])
        engine = made.runtime.deserialize_cuda_engine(made.build(network))
        context = engine.create_execution_context()
        buffers = bind(context, {"x0": (2, 3)})
        assert context.execute_async_v3(0), made.log.errors
        assert result(context, buffers).reshape(-1).tolist() == [15.0 * value for value in range(6)]
        assert bytes(engine.serialize()) == made.build(network)


def test_damaged_plans_are_refused_with_the_reason(made):
    data = bytearray(serialized(made))
    data[60] ^= 1
    assert "Error Code 1: Serialization (the plan is damaged" in refused(made, bytes(data))


def test_a_profile_in_which_a_shape_has_no_value_is_refused(made):
    right = PLANS["v2"]
    (layer,) = right.layers
    shorter = [["INPUT", 0, 0], 99, ["SUB", 0, 1]]
    plugin = replace(layer.plugin, shapes=((shorter, *layer.plugin.shapes[0][1:]),))
    broken = replace(right, layers=(replace(layer, plugin=plugin),))
    assert "would have the shape [-97, 3, 6]" in refused(made, plan.write(broken))


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_seed_every_object_is_destroyed_once(seed):
    with shop_v3(seed) as made:
        made.profile()
        network = made.network(chain=2)
        engine = made.engine(network)
        contexts = [engine.create_execution_context() for _ in range(2)]
        for context in contexts:
            bind(context, {"x0": (2, 3, 4)})
            assert context.execute_async_v3(0), made.log.errors
        del network, engine, context, contexts
        lifetimes.close(made.builder)
        gc.collect()
        destroyed = Counter(who for who, _, _ in made.tape.of("destroy"))
        users = 2
        assert len(destroyed) == made.tape.objects - users
        assert set(destroyed.values()) == {1}
        assert made.gate.failures == []
