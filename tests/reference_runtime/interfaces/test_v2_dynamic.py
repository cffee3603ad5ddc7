import pytest

import reference_runtime as trt

EMPTY = {
    "initialize": ((), -1),
    "terminate": ((), None),
    "serialize": ((), b""),
    "get_serialization_size": ((), 0),
    "get_output_datatype": ((0, [trt.float32]), trt.DataType.FLOAT),
    "destroy": ((), None),
    "get_workspace_size": (([trt.PluginTensorDesc()], []), 0),
    "configure_plugin": (([trt.DynamicPluginTensorDesc()], []), None),
    "supports_format_combination": ((0, [trt.PluginTensorDesc()], 1), False),
    "enqueue": (([], [], [1], [2], 0, 0), None),
    "clone": ((), None),
}


@pytest.mark.parametrize("method", EMPTY)
def test_an_interface_has_no_behaviour(method, capfd):
    arguments, empty = EMPTY[method]
    assert getattr(trt.IPluginV2DynamicExt(), method)(*arguments) == empty
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("get_output_datatype", (0, [0])),
        ("get_output_dimensions", (0, [trt.Dims()], trt.IExprBuilder())),
        ("supports_format_combination", (0, [trt.DynamicPluginTensorDesc()], 1)),
        ("configure_plugin", ([trt.PluginTensorDesc()], [])),
        ("get_workspace_size", ([trt.DynamicPluginTensorDesc()], [])),
        ("enqueue", ([], [], [None], [], 0, 0)),
    ],
)
def test_arguments_of_another_type_are_refused(method, arguments):
    with pytest.raises(TypeError, match=rf"{method}\(\): incompatible function arguments"):
        getattr(trt.IPluginV2DynamicExt(), method)(*arguments)


def test_the_copy_constructor_copies_nothing():
    first = trt.IPluginV2DynamicExt()
    first.plugin_type = "P"
    assert trt.IPluginV2DynamicExt(first).plugin_type is None
