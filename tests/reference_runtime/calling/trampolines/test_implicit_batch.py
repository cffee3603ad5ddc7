import pytest

import reference_runtime as trt
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.trampolines import implicit_batch as trampolines
from reference_runtime.shapes.expressions import evaluate, input_dims, new_builder
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.refusals import Refused

LINEAR = trt.TensorFormat.LINEAR


@pytest.fixture
def gate():
    return Gate(quiet=True)


def plugin_of(base, **methods):
    plugin = type("Plugin", (base,), methods)()
    plugin.plugin_type, plugin.plugin_version, plugin.plugin_namespace, plugin.num_outputs = "P", "1", "", 1
    return plugin


def shape_of(gate, plugin, *shapes):
    builder = new_builder()
    given = [input_dims(builder, place, dims) for place, dims in enumerate(shapes)]
    return trampolines.get_output_dimensions(gate, plugin, 0, given, builder)


def float_desc(*dims, dtype=trt.float32, layout=LINEAR):
    return Description(dims, dtype, layout)


def bounds(*dims, most=4, **form):
    greatest = (most, *dims[1:]) if dims[0] == -1 else dims
    return Bounds(float_desc(*dims, **form), (1, *dims[1:]), greatest, greatest)


def test_a_plugin_is_shown_one_item_and_the_batch_is_put_in_front(gate):
    asked = []

    def get_output_shape(_self, index, shapes):
        asked.append((index, [tuple(dims) for dims in shapes]))
        return (2 * shapes[0][0], 5)

    found = shape_of(gate, plugin_of(trt.IPluginV2, get_output_shape=get_output_shape), (-1, 3), (1, 3))
    assert asked == [(0, [(3,), (3,)])]
    assert [evaluate(found[axis], [(7, 3), (1, 3)]) for axis in range(3)] == [7, 6, 5]


@pytest.mark.parametrize("answer", [None, "no shape", trt.Dims()])
def test_what_is_no_shape_of_an_item_is_told_apart_from_a_scalar(gate, answer):
    found = shape_of(gate, plugin_of(trt.IPluginV2, get_output_shape=lambda *_: answer), (-1, 3))
    if isinstance(answer, trt.Dims):
        assert len(found) == 1
    else:
        with pytest.raises(ValueError, match=r"__len__\(\) should return >= 0"):
            len(found)


def test_a_shape_with_another_wildcard_is_refused(gate):
    with pytest.raises(Refused, match="all but the batch has to be known"):
        shape_of(gate, plugin_of(trt.IPluginV2), (-1, -1))


def test_an_output_that_is_one_item_has_one_as_its_batch(gate):
    told = []
    methods = {
        "get_output_shape": lambda _self, _index, shapes: shapes[0],
        "is_output_broadcast_across_batch": lambda _self, _index, shared: told.append(shared) or True,
    }
    found = shape_of(gate, plugin_of(trt.IPluginV2Ext, **methods), (-1, 3), (1, 3))
    assert evaluate(found[0], [(7, 3), (1, 3)]) == 1
    assert told == [[False, True]]


def test_one_item_alone_is_a_batch_of_its_own(gate):
    assert trampolines.broadcasts([(1, 3), (1, 3)]) == [False, False]
    found = shape_of(gate, plugin_of(trt.IPluginV2, get_output_shape=lambda _self, _index, s: s[0]), (1, 3))
    assert evaluate(found[0], [(1, 3)]) == 1


def test_the_tensors_of_an_ipluginv2_are_alike(gate):
    plugin = plugin_of(trt.IPluginV2, supports_format=lambda *_: True)
    half = float_desc(-1, 3, dtype=trt.float16)
    assert trampolines.supports_format_combination(gate, plugin, 0, [half], 1)
    assert trampolines.supports_format_combination(gate, plugin, 1, [half, half], 1)
    assert not trampolines.supports_format_combination(gate, plugin, 1, [half, float_desc(-1, 3)], 1)


def test_integers_of_an_ipluginv2ext_may_stand_beside_halves(gate):
    plugin = plugin_of(trt.IPluginV2Ext, supports_format=lambda *_: True)
    half, whole = float_desc(-1, 3, dtype=trt.float16), float_desc(-1, 3, dtype=trt.int32)
    assert trampolines.supports_format_combination(gate, plugin, 1, [half, whole], 1)
    assert trampolines.supports_format_combination(gate, plugin, 2, [half, whole, half], 1)


def test_formats_that_came_later_are_not_offered(gate):
    asked = []
    plugin = plugin_of(trt.IPluginV2, supports_format=lambda _self, _dtype, layout: asked.append(layout.name) or True)
    later = float_desc(-1, 32, 4, 4, layout=trt.TensorFormat.CHW32)
    assert not trampolines.supports_format_combination(gate, plugin, 0, [later], 1)
    assert asked == []


def test_an_ipluginv2_is_configured_with_a_form_and_the_greatest_batch(gate):
    told = []
    plugin = plugin_of(trt.IPluginV2, configure_with_format=lambda _self, *given: told.append(given))
    trampolines.configure_plugin(gate, plugin, [bounds(-1, 3)], [bounds(-1, 5)])
    ((shapes, out_shapes, dtype, layout, most),) = told
    assert ([tuple(each) for each in (*shapes, *out_shapes)], dtype, layout, most) == (
        [(3,), (5,)],
        trt.float32,
        LINEAR,
        4,
    )


def test_an_ipluginv2ext_is_told_what_is_one_item(gate):
    told = []
    plugin = plugin_of(trt.IPluginV2Ext, configure_plugin=lambda _self, *given: told.append(given))
    trampolines.configure_plugin(gate, plugin, [bounds(-1, 3), bounds(1, 3)], [bounds(-1, 5)])
    assert told[0][4:] == ([False, True], [False], LINEAR, 4)


@pytest.mark.parametrize(
    ("returned", "status", "what"),
    [(0, 0, None), (3, -1, "returned 3"), (None, -1, "returned None, which is no integer of 32 bits")],
)
def test_an_execution_tells_by_its_status_whether_it_succeeded(gate, returned, status, what):
    plugin = plugin_of(trt.IPluginV2, execute_async=lambda *_: returned)
    trampolines.initialize(gate, plugin)
    desc = [float_desc(3, 2)]
    assert trampolines.enqueue(gate, plugin, desc, desc, [1], [2], 0, 0) == status
    assert [failure.what for failure in gate.failures] == ([what] if what else [])


@pytest.mark.parametrize(("returned", "status"), [(None, 0), (0, 0), (1, -1)])
def test_an_initialization_may_return_nothing(gate, returned, status):
    plugin = plugin_of(trt.IPluginV2, initialize=lambda _self: returned)
    assert trampolines.initialize(gate, plugin) == status
    assert bool(gate.failures) == bool(status)


def test_a_clone_has_the_interface_of_its_source(gate):
    other = plugin_of(trt.IPluginV2)
    assert trampolines.clone(gate, plugin_of(trt.IPluginV2, clone=lambda _self: other)) is other
    assert trampolines.clone(gate, plugin_of(trt.IPluginV2Ext, clone=lambda _self: other)) is None
    assert "which is no IPluginV2Ext" in gate.failures[0].what
