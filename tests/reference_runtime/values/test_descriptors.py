import reference_runtime as trt


def test_assigning_a_shape_copies_into_the_one_that_was_read():
    desc = trt.PluginTensorDesc()
    held = desc.dims
    source = trt.Dims([1, 2])
    desc.dims = source
    source[0] = 9
    assert held == (1, 2)
    assert desc.dims is held


def test_assigning_a_description_copies_all_of_it():
    source = trt.PluginTensorDesc()
    source.dims, source.type, source.format, source.scale = (2, 3), trt.int8, trt.TensorFormat.CHW4, 0.25
    dynamic = trt.DynamicPluginTensorDesc()
    dynamic.desc = source
    source.dims = ()
    copied = dynamic.desc
    assert (list(copied.dims), copied.type, copied.format, copied.scale) == (
        [2, 3],
        trt.int8,
        trt.TensorFormat.CHW4,
        0.25,
    )


def test_the_three_shapes_of_a_profile_are_separate():
    dynamic = trt.DynamicPluginTensorDesc()
    dynamic.min, dynamic.opt, dynamic.max = (1,), (2,), (3,)
    assert [list(shape) for shape in (dynamic.min, dynamic.opt, dynamic.max)] == [[1], [2], [3]]
