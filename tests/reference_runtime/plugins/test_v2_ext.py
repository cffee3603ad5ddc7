import pytest

import reference_runtime as trt
from reference_runtime.plugins.v2_ext import empty

SHAPES, TYPES = [trt.Dims([1, 2])], [trt.float32]
CONFIGURATION = (SHAPES, SHAPES, TYPES, TYPES, [True], [False], trt.TensorFormat.LINEAR, 1)


def test_python_can_neither_make_one_nor_derive_from_it():
    with pytest.raises(TypeError, match=r"^tensorrt\.tensorrt\.IPluginV2Ext: No constructor defined!$"):
        trt.IPluginV2Ext()
    with pytest.raises(TypeError, match=r"No constructor defined!$"):
        type("Plugin", (trt.IPluginV2Ext,), {})()


def test_a_python_plugin_is_none():
    assert not isinstance(trt.IPluginV2DynamicExt(), trt.IPluginV2Ext)
    assert isinstance(empty(), trt.IPluginV2)


@pytest.mark.parametrize(
    ("method", "arguments", "gives"),
    [
        ("get_output_data_type", (0, TYPES), trt.float32),
        ("configure_plugin", CONFIGURATION, None),
        ("clone", (), None),
        ("attach_to_context", (None, None, None), None),
        ("detach_from_context", (), None),
    ],
)
def test_its_methods_take_what_they_should_and_nothing_else(method, arguments, gives):
    assert getattr(empty(), method)(*arguments) == gives
    for wrong in ((*arguments, 1), ("x",)):
        with pytest.raises(TypeError, match=rf"{method}\(\): incompatible function arguments"):
            getattr(empty(), method)(*wrong)
    with pytest.raises(TypeError, match=rf"{method}\(\): incompatible function arguments"):
        getattr(trt.IPluginV2Ext, method)(trt.IPluginV2DynamicExt(), *arguments)


def test_what_it_inherits_is_that_of_a_plugin_of_version_2():
    plugin = empty()
    plugin.plugin_type, plugin.plugin_version, plugin.plugin_namespace, plugin.num_outputs = "T", "1", "ns", 2
    assert (plugin.plugin_type, plugin.plugin_version, plugin.plugin_namespace, plugin.num_outputs) == (
        "T",
        "1",
        "ns",
        2,
    )
    assert plugin.supports_format(trt.float32, trt.TensorFormat.LINEAR) is False
    assert plugin.get_workspace_size(1) == 0
    assert plugin.execute_async(1, [], [], None, 0) == 1
    assert plugin.configure_with_format(SHAPES, SHAPES, trt.float32, trt.TensorFormat.LINEAR, 1) is None
