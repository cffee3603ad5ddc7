import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime import plugin as trtp
from reference_runtime.plugin.templates import RunningPlugin
from reference_runtime.shapes import expressions
from reference_runtime.values.descriptions import Bounds, Description

LINEAR = trt.TensorFormat.LINEAR


def bounds(dtype=trt.float32, dims=(-1, 3)):
    return Bounds(Description(dims, dtype, LINEAR), (1, 3), (2, 3), (4, 3))


def asked(plugin, dtype=trt.float32):
    plugin.get_output_data_types([dtype], [2])
    builder = expressions.new_builder(sizes=True)
    return plugin.get_output_shapes([expressions.input_dims(builder, 0, (-1, 3))], [], builder)


@pytest.fixture
def plugin(shift):
    made = RunningPlugin(shift, {"addend": 1.5, "note": "so"})
    asked(made)
    return made


def test_shapes_are_those_of_register(plugin):
    (dims,) = asked(plugin)
    assert [each.is_constant() for each in dims] == [False, True]


def test_without_autotune_the_registered_types_are_taken_linear(plugin):
    asked(plugin, trt.float16)
    found = plugin.get_supported_format_combinations([bounds().fresh(), bounds().fresh()], 1)
    assert [(desc.type, desc.format) for desc in found] == [(trt.float16, LINEAR)] * 2
    plugin.configure_plugin([bounds(trt.float16).fresh()], [bounds(trt.float16).fresh()])
    assert plugin.get_valid_tactics() == []


def test_tactics_are_those_of_all_combinations_that_are_alike(shift, plugin):
    @trtp.autotune("m::shift")
    def ways(x, outputs):
        assert x.shape.opt == (2, 3)
        return [
            trtp.AutoTuneCombination("FP32*FP16, FP32", "LINEAR", [1]),
            trtp.AutoTuneCombination("FP32, FP32", "LINEAR", [4]),
        ]

    found = plugin.get_supported_format_combinations([bounds().fresh(), bounds().fresh()], 1)
    assert len(found) == 4
    plugin.configure_plugin([bounds().fresh()], [bounds().fresh()])
    assert sorted(plugin.get_valid_tactics()) == [1, 4]


def test_impl_gets_tensors_and_its_own_attributes(shift, plugin):
    given = [Description((2, 3), trt.float16, LINEAR).fresh()]
    plugin.enqueue(given, given, [512], [1024], [(3, 1)], [(3, 1)], 7)
    x, addend, (y,), stream = shift.impl_func.seen
    assert (addend, stream, x.data_ptr, y.data_ptr, list(x.shape)) == (1.5, 7, 512, 1024, [2, 3])
    with pytest.raises(ValueError, match="immutable Tensor"):
        x.dtype = trt.float32


def test_only_what_impl_takes_is_serialized_and_stays_there(plugin):
    fields = plugin.get_fields_to_serialize()
    assert [(field.name, float(field.data[0])) for field in fields] == [("addend", 1.5)]


def test_clones_share_what_they_know(plugin):
    clone = plugin.clone()
    assert clone is not plugin
    assert clone.attrs is plugin.attrs
    assert clone.plugin_name == "shift"


def test_an_alias_is_found_by_the_very_descriptor():
    @trtp.register("m::swap")
    def describe(x: trtp.TensorDesc, y: trtp.TensorDesc) -> tuple[trtp.TensorDesc, trtp.TensorDesc]:
        return y.aliased(), x.like()

    made = RunningPlugin(trtp.op.m.swap, {})
    made.get_output_data_types([trt.float32, trt.float16], [1, 1])
    assert [made.get_aliased_input(place) for place in range(2)] == [1, -1]


def test_a_size_tensor_is_declared_by_its_output():
    @trtp.register("m::found")
    def describe(x: trtp.TensorDesc) -> tuple[trtp.TensorDesc, trtp.TensorDesc]:
        most = x.shape_expr.numel()
        size = trtp.size_tensor(most // 2, most)
        return trtp.from_shape_expr((size.expr(), 2), np.int32), size

    dims, size = asked(RunningPlugin(trtp.op.m.found, {}))
    assert dims[0].is_size_tensor()
    assert len(size) == 0
