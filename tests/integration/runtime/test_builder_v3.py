"""Building layers with plugins of version 3, from the first query to the plan; long, for one phase rests on another."""

from __future__ import annotations

import numpy as np
import pytest

from reference_runtime import plan
from reference_runtime.application.progress import IProgressMonitor
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.field_collections import PluginField, PluginFieldCollection
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType, PluginCapabilityType, PluginFieldType, TensorFormat, TensorLocation
from reference_runtime.values.enums_building import (
    BuilderFlag,
    MemoryPoolType,
    NetworkDefinitionCreationFlag,
    PreviewFeature,
)
from tests.support.runtime.recording_v3 import Aliasing, RecorderV3, shop_v3

QUERIES = (
    "get_capability_interface",
    "get_output_data_types",
    "get_output_shapes",
    "supports_format_combination",
    "destroy",
)
STRONG = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
SEEDS = range(6)


@pytest.fixture
def made():
    with shop_v3() as made:
        yield made


def refused(made, network):
    assert made.builder.build_serialized_network(network, made.config) is None
    return made.log.errors[-1]


def layer_of(made, network):
    return plan.read(made.build(network)).layers[0]


def with_(**overrides):
    """A recorder with other attributes, or methods, from the beginning."""

    class Other(RecorderV3):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            for name, value in overrides.items():
                if not callable(value):
                    setattr(self, name, value)

    for name, value in overrides.items():
        if callable(value):
            setattr(Other, name, value)
    return Other


def raising(*_):
    raise ValueError("no")


def built_calls(made, network, *ignored):
    made.tape.calls.clear()
    made.build(network)
    return made.tape.without(*QUERIES, *ignored)


def test_one_layer_of_one_profile_is_built_in_the_documented_order(made):
    made.profile()
    calls = built_calls(made, made.network())
    builder, timing = 3, 4
    assert calls == [
        (2, "clone"),
        (builder, "configure_plugin"),
        (builder, "get_valid_tactics"),
        (builder, "get_workspace_size"),
        (builder, "attach_to_context"),
        (timing, "set_tactic"),
        (timing, "on_shape_change"),
        (timing, "enqueue"),
        (builder, "configure_plugin"),
        (builder, "get_valid_tactics"),
        (builder, "get_workspace_size"),
        (builder, "set_tactic"),
        (builder, "get_fields_to_serialize"),
    ]


def test_types_and_shapes_come_before_formats_and_formats_before_configuration(made):
    made.profile()
    made.build(made.network())
    order = ("get_output_data_types", "get_output_shapes", "supports_format_combination", "configure_plugin")
    methods = [method for who, method, _ in made.tape.of(*order) if who == 3]
    firsts = list(dict.fromkeys(methods))
    assert firsts == list(order)


def test_each_tactic_is_timed_on_an_object_of_its_own_in_every_profile(made):
    made.profile()
    made.profile((1, 3, 1), (1, 3, 1), (9, 3, 9))
    calls = built_calls(made, made.network(kind=with_(tactics=[5, 7])))
    objects = sorted({who for who, method in calls if method == "enqueue"})
    assert len(objects) == 2
    for number, tactic in zip(objects, [5, 7], strict=True):
        assert [method for who, method in calls if who == number] == [
            "set_tactic",
            "on_shape_change",
            "enqueue",
            "on_shape_change",
            "enqueue",
        ]
        assert [call[2] for call in made.tape.of("set_tactic") if call[0] == number] == [(tactic,)]


def test_the_tactics_are_asked_for_directly_after_each_configuration(made):
    made.profile()
    made.profile()
    made.config.set_flag(BuilderFlag.FP16)
    calls = [method for _, method in built_calls(made, made.network(), "attach_to_context", "clone")]
    for place, method in enumerate(calls):
        if method == "configure_plugin":
            assert calls[place + 1 : place + 3] == ["get_valid_tactics", "get_workspace_size"]


def test_only_tactics_that_every_profile_advertises_are_candidates(made):
    def get_valid_tactics(self):
        self.note("get_valid_tactics")
        return [1, 2] if len(self.tape.of("get_valid_tactics")) % 2 else [2, 3]

    made.profile()
    made.profile()
    assert layer_of(made, made.network(kind=with_(get_valid_tactics=get_valid_tactics))).plugin.tactic == 2


def test_profiles_without_a_tactic_in_common_give_no_engine(made):
    def get_valid_tactics(self):
        self.note("get_valid_tactics")
        return [len(self.tape.of("get_valid_tactics"))]

    made.profile()
    made.profile()
    message = refused(made, made.network(kind=with_(get_valid_tactics=get_valid_tactics)))
    assert "no tactic is advertised in all profiles: [[1], [2]]" in message


def test_the_application_can_limit_the_number_of_tactics(made):
    made.profile()
    made.config.max_num_tactics = 1
    made.build(made.network(kind=with_(tactics=[5, 7])))
    assert [arguments for _, _, arguments in made.tape.of("set_tactic")] == [(5,), (5,)]


def test_a_plugin_without_tactics_runs_with_tactic_0(made):
    made.profile()
    assert layer_of(made, made.network()).plugin.tactic == 0
    assert {arguments for _, _, arguments in made.tape.of("set_tactic")} == {(0,)}


def test_configuration_has_wildcards_and_bounds_and_the_shape_change_has_the_best_extents(made):
    made.profile()
    made.build(made.network())
    bounds = ((1, 3, 2), (2, 3, 4), (4, 3, 8))
    linear = (DataType.FLOAT, TensorFormat.LINEAR, -1.0)
    build = ([(((-1, 3, -1), *linear), *bounds)],) * 2
    assert {repr(arguments) for _, _, arguments in made.tape.of("configure_plugin", "get_workspace_size")} == {
        repr(build)
    }
    ((_, _, shown),) = made.tape.of("on_shape_change")
    assert shown == ([((2, 3, 4), *linear)],) * 2


def test_format_queries_show_the_prefix_with_bounds_and_an_invalid_tail(made):
    made.profile(inputs=2)
    made.build(made.network(inputs=2))
    questions = [arguments for _, _, arguments in made.tape.of("supports_format_combination")]
    assert {pos for pos, _, _ in questions} == {0, 1, 2}
    for pos, in_out, num_inputs in questions:
        assert num_inputs == 2
        for desc, least, best, greatest in in_out[: pos + 1]:
            assert desc[:2] == ((-1, 3, -1), DataType.FLOAT)
            assert (least, best, greatest) == ((1, 3, 2), (2, 3, 4), (4, 3, 8))
        for desc, *extents in in_out[pos + 1 :]:
            assert (desc[0], desc[1].name, desc[2].name, extents) == ((), "???", "???", [(), (), ()])


def test_the_search_stops_at_the_plugins_own_limit(made):
    made.profile()
    made.config.set_flag(BuilderFlag.FP16)
    made.build(made.network(kind=with_(format_combination_limit=1)))
    configured = [arguments[0][0][0][1] for _, _, arguments in made.tape.of("configure_plugin")]
    assert configured == [DataType.FLOAT, DataType.FLOAT]


def test_types_are_canonical_in_a_weakly_typed_network_and_real_in_a_strongly_typed_one():
    for flags, seen in [(0, DataType.FLOAT), (STRONG, DataType.HALF)]:
        with shop_v3() as made:
            made.profile()
            made.build(made.network(dtype=DataType.HALF, flags=flags))
            asked = [arguments for _, _, arguments in made.tape.of("get_output_data_types")]
            assert asked
            assert all(arguments == ([seen],) for arguments in asked)


def test_what_the_engine_needs_of_a_plugin_is_in_the_plan(made):
    made.profile()
    layer = layer_of(made, made.network(kind=with_(tactics=[3], metadata_string="about", workspace=128)))
    assert layer.kind == "PLUGIN_V3"
    assert (layer.plugin.type, layer.plugin.version, layer.plugin.namespace) == ("RecorderV3", "1", "")
    assert (layer.plugin.tactic, layer.plugin.metadata, layer.workspace) == (3, "about", 128)
    assert [(field.name, field.type, field.length) for field in layer.fields] == [
        ("counts", PluginFieldType.INT32, 2),
        ("factor", PluginFieldType.FLOAT64, 1),
    ]
    assert np.frombuffer(layer.fields[0].data, np.int32).tolist() == [1, 1]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({"configure_plugin": raising}, "the plugin's configure_plugin failed"),
        ({"get_valid_tactics": raising}, "the plugin's get_valid_tactics failed"),
        ({"set_tactic": raising}, "the plugin's set_tactic failed"),
        ({"on_shape_change": raising}, "the plugin's on_shape_change failed"),
        ({"enqueue": raising}, "the plugin's enqueue failed"),
        ({"get_fields_to_serialize": raising}, "get_fields_to_serialize gave no fields"),
        ({"supports_format_combination": raising}, "could not find any supported formats"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_callback_that_fails_gives_no_engine(made, broken, why):
    made.profile()
    assert why in refused(made, made.network(kind=with_(**broken)))
    assert all(owned.destroyed for owned in made.gate.owned[1:])


class OnceCloned(RecorderV3):
    def clone(self):
        return RecorderV3.clone(self) if self.number == 1 else None


@pytest.mark.parametrize("kind", [with_(attach_to_context=raising), OnceCloned])
def test_no_copy_for_the_builder_is_a_crash(made, kind):
    made.profile()
    with pytest.raises(NativeCrash, match="gave a null pointer: TensorRT dies here"):
        made.builder.build_serialized_network(made.network(kind=kind), made.config)


@pytest.mark.parametrize("method", ["get_output_data_types", "get_output_shapes"])
def test_a_query_that_fails_in_the_builder_refuses_the_build(made, method):
    def failing(self, *arguments):
        if self.number > 2:
            raise ValueError("not again")
        return getattr(RecorderV3, method)(self, *arguments)

    made.profile()
    assert f"{method} failed" in refused(made, made.network(kind=with_(**{method: failing})))


def test_another_combination_is_taken_where_one_does_not_get_through(made):
    def configure_plugin(self, in_, out):
        self.note("configure_plugin", in_, out)
        if in_[0].desc.type == DataType.FLOAT:
            raise ValueError("not this one")

    made.profile()
    made.config.set_flag(BuilderFlag.FP16)
    layer = layer_of(made, made.network(kind=with_(configure_plugin=configure_plugin)))
    assert [desc.type for desc in layer.chosen] == [DataType.HALF] * 2
    assert any("Skipping a combination: the plugin's configure_plugin failed" in text for _, text in made.log.lines)


def test_another_tactic_is_taken_where_one_does_not_get_through(made):
    def set_tactic(self, tactic):
        self.note("set_tactic", tactic)
        if tactic == 1:
            raise ValueError("not this one")

    made.profile()
    assert layer_of(made, made.network(kind=with_(set_tactic=set_tactic, tactics=[1, 2]))).plugin.tactic == 2


def test_a_layer_without_a_tactic_that_gets_through_says_so_once(made):
    def set_tactic(_self, tactic):
        raise ValueError(f"not {tactic}")

    made.profile()
    text = refused(made, made.network(kind=with_(set_tactic=set_tactic, tactics=[1, 2])))
    assert text.count("Could not find any implementation for node") == 1
    assert text.count("the plugin's set_tactic failed") == 1
    warned = [text for _, text in made.log.lines if "Skipping a " in text]
    assert [text.count("Skipping a tactic: the plugin's set_tactic failed") for text in warned] == [1, 1, 0]
    assert "Skipping a combination: the plugin's set_tactic failed" in warned[-1]


def test_a_field_of_a_type_that_does_not_exist_cannot_be_serialized(made):
    def get_fields_to_serialize(self):
        self.kept = np.zeros(4, np.int8)
        field = PluginField("odd", self.kept)
        field.type = PluginFieldType(77)
        return PluginFieldCollection([field])

    made.profile()
    message = refused(made, made.network(kind=with_(get_fields_to_serialize=get_fields_to_serialize)))
    assert "the field 'odd' has type 77" in message


def test_the_applications_limit_of_the_workspace_holds(made):
    made.profile()
    made.config.set_memory_pool_limit(MemoryPoolType.WORKSPACE, 63)
    assert "needs 64 bytes of workspace, and 63 are allowed" in refused(made, made.network())


def aliasing(made, **options):
    made.profile()
    made.config.set_preview_feature(PreviewFeature.ALIASED_PLUGIN_IO_10_03, enable=True)
    return made.network(**options)


def test_shared_memory_needs_the_preview_feature(made):
    network = aliasing(made, kind=Aliasing)
    assert layer_of(made, network).plugin.aliases == (0,)
    ((_, _, (descs, *_)), *_) = made.tape.of("enqueue")
    assert len(descs) == 1
    _, _, (_, _, inputs, outputs, *_) = made.tape.of("enqueue")[-1]
    assert inputs == outputs

    made.config.set_preview_feature(PreviewFeature.ALIASED_PLUGIN_IO_10_03, enable=False)
    assert "PreviewFeature.ALIASED_PLUGIN_IO_10_03 is not set" in refused(made, network)


def test_a_plugin_without_aliases_needs_no_preview_feature(made):
    made.profile()
    assert layer_of(made, made.network(kind=other_aliases(-1))).plugin.aliases == (-1,)


def test_a_plugin_with_the_first_build_interface_is_not_asked_about_shared_memory(made):
    assert layer_of(made, aliasing(made)).plugin.aliases == (-1,)


def other_aliases(*answers):
    class Other(Aliasing):
        def get_aliased_input(self, output):
            return answers[output]

    return Other


@pytest.mark.parametrize("answers", [(0, 0), (1, -1), (0, -2)])
def test_an_input_is_shared_by_one_output_and_must_exist(made, answers):
    network = aliasing(made, kind=other_aliases(*answers), outputs=2)
    assert f"get_aliased_input gave {list(answers)}" in refused(made, network)


def with_last_extent(number):
    class Other(Aliasing):
        def get_output_shapes(self, inputs, _shape_inputs, builder):
            return [DimsExprs([inputs[0][0], inputs[0][1], builder.constant(number)])]

    return Other


def test_an_output_in_shared_memory_may_be_smaller_than_the_input(made):
    assert layer_of(made, aliasing(made, kind=with_last_extent(1))).plugin.aliases == (0,)


def test_an_output_in_shared_memory_must_not_be_larger_than_the_input(made):
    assert "shares the memory of input 0, and can be larger" in refused(made, aliasing(made, kind=with_last_extent(99)))


def test_shared_memory_needs_one_type_and_layout(made):
    class Mixed(Aliasing):
        def supports_format_combination(self, pos, in_out, _num_inputs):
            return in_out[pos].desc.type == (DataType.FLOAT if pos == 0 else DataType.HALF)

    made.config.set_flag(BuilderFlag.FP16)
    assert "could not find any supported formats" in refused(made, aliasing(made, kind=Mixed))


class Selecting(RecorderV3):
    """Keeps some of its rows: output 0 has as many as output 1 says."""

    SIZE = DataType.INT64
    RANK = 0
    OUTPUT = 1

    def get_output_data_types(self, input_types):
        return [input_types[0], self.SIZE]

    def get_output_shapes(self, inputs, _shape_inputs, builder):
        size = builder.declare_size_tensor(self.OUTPUT, builder.constant(2), inputs[0][0])
        return [DimsExprs([size, *list(inputs[0])[1:]]), DimsExprs([builder.constant(1)] * self.RANK)]

    def supports_format_combination(self, pos, in_out, _num_inputs):
        return in_out[pos].desc.type == (self.SIZE if pos == 2 else DataType.FLOAT)

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.note("enqueue", input_desc, output_desc, inputs, outputs, workspace, stream)


def test_a_size_tensor_makes_an_extent_that_data_decide(made):
    made.profile((3, 3, 2), (3, 3, 4), (4, 3, 8))
    read = plan.read(made.build(made.network(kind=Selecting, outputs=2)))
    assert read.layers[0].plugin.sizes == (1,)
    assert [tensor.desc.dims for tensor in read.tensors] == [(-1, 3, -1), (-1, 3, -1), ()]
    configured = made.tape.of("configure_plugin")[0][2]
    assert configured[1][0][1:] == ((0, 3, 2), (2, 3, 4), (4, 3, 8))
    _, shown = made.tape.of("on_shape_change")[0][2]
    assert [desc[0] for desc in shown] == [(-1, 3, 4), ()]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"SIZE": DataType.FLOAT}, "must be a scalar of INT32 or INT64, and has 0 dimensions of DataType.FLOAT"),
        ({"RANK": 1}, "must be a scalar of INT32 or INT64, and has 1 dimensions"),
        ({"OUTPUT": 5}, "output 5 was declared a size tensor, and there are 2 outputs"),
    ],
)
def test_a_size_tensor_must_be_a_number(made, wrong, why):
    made.profile()
    assert why in refused(made, made.network(kind=type("Wrong", (Selecting,), wrong), outputs=2))


class Shaped(RecorderV3):
    """Has the shape that its shape input says."""

    def get_output_shapes(self, inputs, shape_inputs, _builder):
        self.note("get_output_shapes", inputs[0], [element.is_constant() for element in shape_inputs[0]])
        return [DimsExprs(list(shape_inputs[0]))]

    def enqueue(self, *arguments):
        self.note("enqueue", *arguments)


def shaped(made, *, values=True):
    network = made.builder.create_network()
    data = network.add_input("x", DataType.FLOAT, (4,))
    shape = network.add_input("shape", DataType.INT64, (2,))
    made.mark(network, made.add(network, [data], Shaped(made.tape), [shape]))
    profile = made.builder.create_optimization_profile()
    if values:
        profile.set_shape_input("shape", [1, 1], [2, 2], [2, 8])
        made.config.add_optimization_profile(profile)
    return network


def test_values_of_a_shape_input_are_symbols_and_come_from_the_profile(made):
    read = plan.read(made.build(shaped(made)))
    assert [tensor.location for tensor in read.tensors] == [
        TensorLocation.DEVICE,
        TensorLocation.HOST,
        TensorLocation.DEVICE,
    ]
    assert read.profiles[0].values == (None, ((1, 1), (2, 2), (2, 8)))
    assert read.layers[0].plugin.shape_inputs == (1,)
    assert read.tensors[2].desc.dims == (-1, -1)
    configured = made.tape.of("configure_plugin")[0][2]
    assert [len(tensors) for tensors in configured] == [1, 1]
    assert configured[1][0][1:] == ((1, 1), (2, 2), (2, 8))
    assert {arguments[1] == [False, False] for _, _, arguments in made.tape.of("get_output_shapes")} == {True}


def test_a_shape_input_without_values_in_the_profile_gives_no_engine(made):
    assert "no optimization profile has been defined" in refused(made, shaped(made, values=False))
    made.config.add_optimization_profile(made.builder.create_optimization_profile())
    assert "has no values for shape input 'shape'" in refused(made, shaped(made, values=False))


@pytest.mark.parametrize("count", [1, 3])
def test_a_shape_input_needs_as_many_values_as_it_has_elements(made, count):
    network = shaped(made, values=False)
    profile = made.builder.create_optimization_profile()
    profile.set_shape_input("shape", [1] * count, [1] * count, [1] * count)
    made.config.add_optimization_profile(profile)
    assert "values, and it has 2" in refused(made, network)


def test_a_shape_tensor_cannot_come_from_a_plugin(made):
    network = made.builder.create_network()
    data = network.add_input("x", DataType.FLOAT, (4,))
    shape = network.add_input("n", DataType.INT32, (2,))
    kind = with_(types=[DataType.INT32])
    computed = made.add(network, [shape], kind(made.tape))
    made.mark(network, made.add(network, [data], Shaped(made.tape), computed))
    assert "is needed as a shape tensor, and a plugin computes it on the device" in refused(made, network)


def test_the_timing_cache_spares_timing_and_keeps_the_tactic(made):
    made.profile()
    kind = with_(timing_cache_id="id", tactics=[4, 6])
    cache = made.config.create_timing_cache(b"")
    assert made.config.set_timing_cache(cache, ignore_mismatch=False)
    first = layer_of(made, made.network(kind=kind))
    assert len(made.tape.of("enqueue")) == 2
    assert len(cache.queryKeys()) == 1
    made.tape.calls.clear()
    assert layer_of(made, made.network(kind=kind)).plugin.tactic == first.plugin.tactic == 4
    assert made.tape.of("enqueue") == []


@pytest.mark.parametrize("flag", [None, BuilderFlag.DISABLE_TIMING_CACHE])
def test_without_an_id_or_with_the_cache_disabled_everything_is_timed(made, flag):
    made.profile()
    if flag is not None:
        made.config.set_flag(flag)
    cache = made.config.create_timing_cache(b"")
    made.config.set_timing_cache(cache, ignore_mismatch=False)
    kind = with_(**({} if flag is None else {"timing_cache_id": "id"}))
    for _ in range(2):
        made.tape.calls.clear()
        made.build(made.network(kind=kind))
        assert len(made.tape.of("enqueue")) == 1
    assert cache.queryKeys() == []


def test_a_miss_can_be_made_an_error(made):
    made.profile()
    made.config.set_flag(BuilderFlag.ERROR_ON_TIMING_CACHE_MISS)
    network = made.network(kind=with_(timing_cache_id="id"))
    assert "is not in the timing cache, and ERROR_ON_TIMING_CACHE_MISS is set" in refused(made, network)


def test_equal_layers_are_timed_once_in_a_build(made):
    made.profile()
    made.build(made.network(kind=with_(timing_cache_id="id"), chain=3))
    assert len(made.tape.of("enqueue")) == 1


class Monitor(IProgressMonitor):
    def __init__(self, stop_at=None):
        super().__init__()
        self.seen = []
        self.stop_at = stop_at

    def phase_start(self, phase_name, parent_phase, num_steps):
        self.seen.append(("start", phase_name, parent_phase, num_steps))

    def step_complete(self, phase_name, step):
        self.seen.append(("step", phase_name, step))
        return (phase_name, step) != self.stop_at

    def phase_finish(self, phase_name):
        self.seen.append(("finish", phase_name))


def test_a_monitor_follows_the_build(made):
    made.profile()
    made.config.progress_monitor = monitor = Monitor()
    made.build(made.network(chain=2))
    whole, layers = "Building the engine", "Building layers"
    assert monitor.seen == [
        ("start", whole, None, 2),
        ("step", whole, 0),
        ("start", layers, whole, 2),
        ("step", layers, 0),
        ("step", layers, 1),
        ("finish", layers),
        ("step", whole, 1),
        ("finish", whole),
    ]


def test_a_monitor_can_stop_the_build(made):
    made.profile()
    made.config.progress_monitor = monitor = Monitor(("Building layers", 0))
    assert "cancelled the build in step 0 of 'Building layers'" in refused(made, made.network(chain=2))
    assert monitor.seen[-2:] == [("finish", "Building layers"), ("finish", "Building the engine")]
    assert all(owned.destroyed for owned in made.gate.owned[2:])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_network_has_the_same_bytes_and_the_seed_replays_the_calls(seed):
    def build():
        with shop_v3(seed) as made:
            made.profile()
            made.profile()
            made.config.set_flag(BuilderFlag.FP16)
            network = made.network(kind=with_(tactics=[1, 2, 3]), chain=2)
            data = made.build(network)
            trace = [(who, method) for who, method, _ in made.tape.calls]
            assert made.build(network) == data
            return data, trace

    assert build() == build()


def test_seeds_other_than_0_change_what_no_document_fixes():
    traces = set()
    for seed in range(8):
        with shop_v3(seed) as made:
            made.profile()
            made.build(made.network(kind=with_(tactics=[1, 2])))
            traces.add(tuple((who, method) for who, method, _ in made.tape.calls))
    assert len(traces) > 4


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_seed_each_timing_object_is_given_tactic_then_shape_then_runs(seed):
    with shop_v3(seed) as made:
        made.profile()
        made.profile()
        made.build(made.network(kind=with_(tactics=[1, 2])))
        runs = {who for who, method, _ in made.tape.of("enqueue")}
        for number in runs:
            methods = [method for method in made.tape.methods(number) if method not in QUERIES]
            assert methods[:3] == ["set_tactic", "on_shape_change", "enqueue"]
            assert methods.count("on_shape_change") == 2
        assert made.gate.failures == []


def test_a_lone_candidate_need_not_be_timed():
    timed = set()
    for seed in range(12):
        with shop_v3(seed) as made:
            made.profile()
            made.build(made.network())
            timed.add(bool(made.tape.of("enqueue")))
    assert timed == {True, False}


def test_plugins_of_both_versions_and_operations_stand_in_one_network(made):
    network = made.builder.create_network()
    x = network.add_input("x", DataType.FLOAT, (2, 3))
    (doubled,) = made.add(network, [x], RecorderV3(made.tape))
    same = network.add_identity(doubled).get_output(0)
    (last,) = made.add(network, [same], RecorderV3(made.tape))
    network.add_identity(last)
    made.mark(network, [last])
    assert [layer.kind for layer in plan.read(made.build(network)).layers] == ["PLUGIN_V3", "IDENTITY", "PLUGIN_V3"]


def test_layers_are_built_in_the_order_in_which_they_depend_on_each_other(made):
    network = made.builder.create_network()
    x = network.add_input("x", DataType.FLOAT, (2, 3))
    shuffle = network.add_shuffle(x)
    shape = network.add_constant(Dims((2,)), np.array([3, 2], np.int64)).get_output(0)
    shuffle.set_input(1, shape)
    made.mark(network, [shuffle.get_output(0)])
    read = plan.read(made.build(network))
    assert [layer.kind for layer in read.layers] == ["CONSTANT", "SHUFFLE"]
    assert read.tensors[1].desc.dims == (3, 2)
    assert [tensor.location for tensor in read.tensors] == [
        TensorLocation.DEVICE,
        TensorLocation.DEVICE,
        TensorLocation.HOST,
    ]


@pytest.mark.parametrize("tactics", [[0], [-1], [3, 0]])
def test_tactics_that_are_not_positive_give_no_engine(made, tactics):
    made.profile()
    network = made.network(kind=with_(get_valid_tactics=lambda *_: tactics))
    assert "custom tactic values must be positive" in refused(made, network)


def orders(**attributes):
    """The calls of a build that ask for sizes, tactics and fields, under some seeds."""
    seen = set()
    for seed in range(12):
        with shop_v3(seed, kind=with_(**attributes)) as made:
            made.profile()
            made.build(made.network())
            seen.add(tuple(name for _, name, _ in made.tape.calls if name in ASKED))
    return seen


ASKED = ("configure_plugin", "get_valid_tactics", "get_workspace_size", "set_tactic", "get_fields_to_serialize")


def test_the_orders_of_nvidias_builder_are_among_those_of_the_seeds():
    found = [" ".join(order) for order in orders()]
    assert any("configure_plugin get_workspace_size get_valid_tactics" in order for order in found)
    assert any("set_tactic get_workspace_size" in order for order in found)
    assert {order.count("get_fields_to_serialize") for order in found} == {1, 2, 3}


ATTACHED, ON_CLONES = 1, 5
"""Seeds with which a build goes the ways of NVIDIA's builder without a GPU."""


def asked(made, method):
    return [who for who, _, _ in made.tape.of(method)]


def test_what_is_attached_in_a_build_is_configured_and_gives_the_fields():
    with shop_v3(ATTACHED) as made:
        made.profile()
        made.build(made.network())
        assert asked(made, "enqueue") == []
        (cloned,) = set(asked(made, "attach_to_context"))
        (chosen,) = set(asked(made, "get_fields_to_serialize"))
        assert cloned not in asked(made, "configure_plugin")
        assert chosen == asked(made, "set_tactic")[0] == asked(made, "configure_plugin")[-1]
        assert chosen not in asked(made, "get_valid_tactics")
        assert {owned.destroyed for owned in made.gate.owned if owned.born is Call.ATTACH_TO_CONTEXT} == {True}


def test_each_profile_may_have_a_clone_of_its_own():
    with shop_v3(ON_CLONES) as made:
        made.profile()
        made.profile()
        made.build(made.network())
        assert asked(made, "enqueue") == []
        assert len(set(asked(made, "configure_plugin"))) == len(set(asked(made, "get_fields_to_serialize"))) == 2


class InTwoLayouts(Aliasing):
    """Takes its input in one layout also where the output in the same memory is in the other."""

    def supports_format_combination(self, pos, in_out, num_inputs):
        self.note("supports_format_combination", pos, in_out, num_inputs)
        desc = in_out[pos].desc
        return desc.type == DataType.FLOAT and desc.format in {TensorFormat.LINEAR, TensorFormat.CHW32}


def layouts(configured):
    """The formats of the input and the output that an object was configured with."""
    return tuple(side[0][0][2] for side in configured)


@pytest.mark.parametrize(("seed", "questions"), [(ATTACHED, 5), (ON_CLONES, 1)])
def test_layouts_that_cannot_share_memory_are_configured_and_not_chosen(seed, questions):
    """NVIDIA's builder attaches an object for each combination, and negotiates before each again."""
    with shop_v3(seed, kind=InTwoLayouts) as made:
        layer = layer_of(made, aliasing(made))
        firsts = [in_out[0] for _, _, (pos, in_out, _) in made.tape.of("supports_format_combination") if pos == 0]
        assert len(firsts) == questions * len(set(firsts))
        tried = {layouts(arguments) for _, _, arguments in made.tape.of("configure_plugin")}
        assert len({layout for layout in tried if layout[0] != layout[1]}) == 2
        chosen = made.tape.of("configure_plugin")[-1][2]
        assert layouts(chosen)[0] == layouts(chosen)[1]
        assert layer.plugin.aliases == (0,)


def test_a_build_dies_of_an_attached_object_without_the_build_capability():
    class RuntimeAlone(RecorderV3):
        def get_capability_interface(self, kind):
            return None if kind == PluginCapabilityType.BUILD else self

    kind = with_(attach_to_context=lambda self, _context: RuntimeAlone(self.tape))
    with shop_v3(ATTACHED) as made:
        made.profile()
        network = made.network(kind=kind)
        with pytest.raises(NativeCrash, match="get_capability_interface of a RuntimeAlone gave a null pointer"):
            made.build(network)


def test_a_plugin_that_computes_nothing_is_cloned_and_destroyed_without_a_question(made):
    made.profile()
    network = made.network()
    network.add_plugin_v3([network.get_input(0)], [], RecorderV3(made.tape))
    before = len(made.tape.calls)
    made.build(network)
    silent = [owned for owned in made.gate.owned if owned.born is Call.CLONE and owned.phase is Phase.ANALYSIS]
    names = {who: [name for each, name, _ in made.tape.calls[before:] if each == who] for who in asked(made, "destroy")}
    assert len(silent) == 2
    assert ["destroy"] in names.values()


@pytest.mark.parametrize("answers", [(64, 1, 1), (1, 64, 1), (1, 1, 64)])
def test_the_greatest_answer_is_the_workspace(answers):
    sizes = set()
    for seed in range(12):
        left = list(answers)

        def asked(*_, left=left):
            left.append(left.pop(0))
            return left[-1]

        with shop_v3(seed, kind=with_(get_workspace_size=asked)) as made:
            made.profile()
            sizes.add(layer_of(made, made.network()).workspace)
    assert 64 in sizes


def test_a_plugin_must_not_produce_an_output_of_uint8(made):
    made.profile()
    network = made.network(kind=with_(get_output_data_types=lambda *_: [DataType.UINT8]))
    assert "is of UINT8, and a plugin produces it" in refused(made, network)
