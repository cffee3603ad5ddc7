"""The sound examples of version 2, driven by hand on the host device and compared with their oracles.

Those of version 3 run in engines, as all examples do: test_engines.py.
"""

import importlib
import itertools
import pathlib
import sys

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import parse_case
from harness.child import import_names
from reference_runtime.devices import host
from reference_runtime.shapes.expressions import evaluate, input_dims, new_builder
from tests.support import witnesses

TYPES = {"float32": trt.DataType.FLOAT, "float16": trt.DataType.HALF, "int32": trt.DataType.INT32}
FIELD_TYPES = {"f": trt.PluginFieldType.FLOAT32, "i": trt.PluginFieldType.INT32}
HOME = pathlib.Path(__file__).parents[3] / "plugin_examples"
EXAMPLES = sorted(
    ".".join(file.relative_to(HOME).with_suffix("").parts)
    for folder in (HOME, HOME / "data_dependent", HOME / "frameworks")
    for file in witnesses.files_in(folder)
    if not file.stem.startswith(witnesses.FRAMEWORKS) and "(trt.IPluginV2DynamicExt)" in file.read_text()
)


def cases(example):
    module = importlib.import_module(f"plugin_examples.{example}_cases")
    return [parse_case(entry, origin=example) for entry in module.PLUGIN_CASES]


ALL_CASES = [(example, case) for example in EXAMPLES for case in cases(example)]
each_case = pytest.mark.parametrize(
    ("example", "case"), ALL_CASES, ids=[f"{example}-{case.name}" for example, case in ALL_CASES]
)


@pytest.fixture(scope="module", autouse=True)
def the_examples():
    """Import the examples under the names that they use, and take their creators back afterwards."""
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in ("tensorrt", "cupy")}
    import_names.install(cupy=True)
    modules = {example: importlib.import_module(f"plugin_examples.{example}") for example in EXAMPLES}
    yield modules
    for example in EXAMPLES:
        trt.get_plugin_registry().deregister_creator(creator_of(example))
        del sys.modules[f"plugin_examples.{example}"]
    import_names.uninstall()
    sys.modules.update(others)


def creator_of(example):
    return trt.get_plugin_registry().get_creator(cases(example)[0].plugin, "1", "")


def create(example, fields):
    """Return a plugin made from plain values, as a network builder would make it."""
    listed = [trt.PluginField(name, value, FIELD_TYPES[value.dtype.kind]) for name, value in fields.items()]
    return creator_of(example).create_plugin("layer", trt.PluginFieldCollection(listed))


def description(shape, kind):
    desc = trt.PluginTensorDesc()
    desc.dims, desc.type, desc.format, desc.scale = trt.Dims(shape), kind, trt.TensorFormat.LINEAR, -1.0
    return desc


def output_shapes(plugin, shapes, *, symbolic):
    dims = [[-1] * len(shape) if symbolic else shape for shape in shapes]
    found = []
    for index in range(plugin.num_outputs):
        builder = new_builder()
        inputs = [input_dims(builder, place, extents) for place, extents in enumerate(dims)]
        answer = plugin.get_output_dimensions(index, inputs, builder)
        found.append(tuple(evaluate(answer[axis], shapes) for axis in range(len(answer))))
        assert not builder.misuses
    return found


def run(plugin, arrays, seed=0):
    """Run a plugin once on a device and a stream of its own; return the outputs and what was recorded."""
    device = host.HostDevice()
    kind = TYPES[str(arrays[0].dtype)]
    shapes = [array.shape for array in arrays]
    in_desc = [description(shape, kind) for shape in shapes]
    results = output_shapes(plugin, shapes, symbolic=False)
    out_desc = [description(shape, kind) for shape in results]
    sizes = [int(np.prod(shape)) * arrays[0].itemsize for shape in results]
    inputs = [device.allocate(array.nbytes) for array in arrays]
    outputs = [device.allocate(nbytes) for nbytes in sizes]
    workspace = device.allocate(
        plugin.get_workspace_size(in_desc, out_desc) if hasattr(type(plugin), "get_workspace_size") else 0
    )
    for buffer, array in zip(inputs, arrays, strict=True):
        buffer.write(array)
    for buffer in (*outputs, workspace):
        buffer.poison(seed)
    stream = device.new_stream()
    with host.use(device), device.recording() as log:
        address = lambda buffer: buffer.address if buffer.nbytes else 0  # noqa: E731
        answer = plugin.enqueue(
            in_desc, out_desc, [*map(address, inputs)], [*map(address, outputs)], address(workspace), stream.handle
        )
    assert answer is None
    assert device.faults == []
    assert all(not buffer.damage() for buffer in (*inputs, *outputs, workspace))
    assert all(np.array_equal(b.read(a.dtype, a.shape), a) for b, a in zip(inputs, arrays, strict=True))
    read = [b.read(arrays[0].dtype, shape) for b, shape in zip(outputs, results, strict=True)]
    return read, log, stream


def problems(case):
    """Yield the input arrays of each corner of the profile, for each type."""
    rng = np.random.default_rng(0)
    for corner, types in itertools.product(range(3), case.type_choices):
        if len(set(types)) == 1:
            yield [
                (rng.integers(-9, 9, entry.profile[corner]) / (1 if name == "int32" else 4)).astype(name)
                for entry, name in zip(case.inputs, types, strict=True)
            ]


def wanted(case, arrays):
    result = case.reference(*arrays, fields=dict(case.fields))
    return result if isinstance(result, tuple) else (result,)


def assert_right(found, case, arrays):
    for got, want in zip(found, wanted(case, arrays), strict=True):
        assert got.shape == want.shape
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=2e-3 if got.dtype == np.float16 else 1e-6)


@each_case
def test_outputs_are_those_of_the_oracle(example, case):
    plugin = create(example, case.fields)
    for arrays in problems(case):
        assert_right(run(plugin, arrays)[0], case, arrays)


@each_case
def test_a_clone_and_a_deserialized_plugin_compute_the_same(example, case):
    original = create(example, case.fields)
    restored = creator_of(example).deserialize_plugin("layer", original.serialize())
    for plugin in (original.clone().clone(), restored, restored.clone()):
        assert type(plugin) is type(original)
        assert plugin.serialize() == original.serialize()
        arrays = next(iter(problems(case)))
        assert_right(run(plugin, arrays)[0], case, arrays)


@each_case
def test_all_work_is_on_the_given_stream_and_nothing_waits_or_allocates(example, case):
    plugin = create(example, case.fields)
    for arrays in problems(case):
        _, log, stream = run(plugin, arrays)
        assert {access.stream for access in log if access.kind != "view"} <= {stream.handle}
        assert log.allocations == []
        assert log.synchronizations == []
        assert log.races() == []


@each_case
def test_nothing_rests_on_what_memory_held_before(example, case):
    plugin = create(example, case.fields)
    for arrays in problems(case):
        first, second = (run(plugin, arrays, seed)[0] for seed in (0, 1))
        assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


@each_case
def test_symbolic_shapes_agree_with_constant_ones(example, case):
    plugin = create(example, case.fields)
    for shapes in zip(*(entry.profile for entry in case.inputs), strict=True):
        assert output_shapes(plugin, shapes, symbolic=True) == output_shapes(plugin, shapes, symbolic=False)


@each_case
def test_formats_are_linear_and_of_one_type(example, case):
    plugin, count = create(example, case.fields), len(case.inputs)
    positions = range(count + plugin.num_outputs)
    for kind, layout in itertools.product(trt.DataType.__members__.values(), trt.TensorFormat.__members__.values()):
        descs = [description((2, 3), kind) for _ in positions]
        for desc in descs:
            desc.format = layout
        answers = {plugin.supports_format_combination(pos, descs[: pos + 1], count) for pos in positions}
        sound = layout == trt.TensorFormat.LINEAR and kind in sys.modules[type(plugin).__module__].TYPES
        assert answers == {sound}


@each_case
def test_output_types_are_those_of_the_first_input(example, case):
    plugin = create(example, case.fields)
    for index in range(plugin.num_outputs):
        assert plugin.get_output_datatype(index, [trt.DataType.HALF] * 2) == trt.DataType.HALF
        assert plugin.get_output_datatype(index, []) == trt.DataType.FLOAT
        assert plugin.get_output_datatype(index, [trt.DataType.BOOL] * 2) == trt.DataType.FLOAT
    for index in (-1, plugin.num_outputs):
        assert plugin.get_output_datatype(index, [trt.DataType.HALF] * 2) == trt.DataType.FLOAT


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_namespace_from_outside_is_inherited_by_clones(example):
    plugin = create(example, cases(example)[0].fields)
    assert plugin.plugin_namespace == ""
    plugin.plugin_namespace = "probe"
    assert plugin.clone().clone().plugin_namespace == "probe"


@pytest.mark.parametrize("example", EXAMPLES)
def test_advertised_fields_are_empty(example):
    fields = list(creator_of(example).field_names)
    assert [field.name for field in fields] == list(
        {"leaky_relu": ["negative_slope"], "circ_pad": ["pads"]}.get(example, [])
    )
    assert all(field.size == 0 for field in fields)


def test_a_missing_or_empty_slope_is_the_documented_default():
    empty = {"negative_slope": np.array([], np.float32)}
    assert create("leaky_relu", {}).negative_slope == np.float32(0.01)
    assert create("leaky_relu", empty).negative_slope == np.float32(0.01)


@pytest.mark.parametrize(
    ("example", "fields", "words"),
    [
        ("leaky_relu", {"negative_slope": np.array([1, 2], np.float32)}, "one FLOAT32, not 2"),
        ("leaky_relu", {"negative_slope": np.array([1], np.int32)}, "one FLOAT32, not 1"),
        ("leaky_relu", {"negative_slope": np.array([np.nan], np.float32)}, "must be finite"),
        ("circ_pad", {}, "needs the field pads"),
        ("circ_pad", {"pads": np.array([], np.int32)}, "not 0 numbers"),
        ("circ_pad", {"pads": np.array([1], np.int32)}, "not 1 numbers"),
        ("circ_pad", {"pads": np.array([1, -1], np.int32)}, "must not be negative"),
        ("circ_pad", {"pads": np.array([1, 1], np.float32)}, "pads are INT32"),
    ],
)
def test_invalid_fields_are_refused(example, fields, words):
    with pytest.raises(ValueError, match=words):
        create(example, fields)


@pytest.mark.parametrize("example", EXAMPLES)
def test_truncated_extended_and_foreign_data_are_refused(example):
    sound = create(example, cases(example)[-1].fields).serialize()
    foreign = [sound[:length] for length in range(len(sound))] + [sound + b"x", b"?" * max(len(sound), 1)]
    for data in foreign:
        with pytest.raises(ValueError, match="stored"):
            creator_of(example).deserialize_plugin("layer", data)


def test_circ_pad_of_an_empty_axis_is_zeros():
    plugin = create("circ_pad", {"pads": np.array([1, 2], np.int32)})
    (padded,), _, _ = run(plugin, [np.zeros((2, 0), np.float32)])
    assert np.array_equal(padded, np.zeros((2, 3)))


def test_leaky_relu_keeps_what_is_not_finite():
    plugin = create("leaky_relu", {"negative_slope": np.array([0], np.float32)})
    x = np.array([np.inf, 2, 0, -3], np.float32)
    assert run(plugin, [x])[0][0].tolist() == [np.inf, 2, 0, 0]
