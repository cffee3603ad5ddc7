import pytest

import reference_runtime as trt
from reference_runtime.bound.bound_class import made
from reference_runtime.interfaces.v2_ext import IPluginV2Ext

SHAPES, TYPES = [trt.Dims([1, 2])], [trt.float32]
CONFIGURATION = (SHAPES, SHAPES, TYPES, TYPES, [True], [False], trt.TensorFormat.LINEAR, 1)


@pytest.mark.parametrize("name", ["IPluginV2", "IPluginV2Ext", "IPluginV2IOExt", "IPluginV2DynamicExtBase"])
def test_the_class_itself_has_no_constructor(name):
    with pytest.raises(TypeError, match=rf"^tensorrt\.tensorrt\.{name}: No constructor defined!$"):
        getattr(trt, name)()


@pytest.mark.parametrize(("name", "kind"), [("IPluginV2", 0x40), ("IPluginV2Ext", 0x41), ("IPluginV2IOExt", 0x42)])
def test_a_python_class_may_derive_from_it_which_is_an_extension(name, kind):
    base = getattr(trt, name)
    plugin = type("Plugin", (base,), {})()
    assert plugin.tensorrt_version >> 24 == kind
    with pytest.raises(TypeError, match="takes no arguments"):
        base.__init__(plugin, 1)
    with pytest.raises(TypeError, match=rf"{name}\.__init__\(\) must be called when overriding __init__"):
        type("Plugin", (base,), {"__init__": lambda _self: None})()


def test_no_class_derives_from_the_base_of_the_dynamic_one():
    with pytest.raises(TypeError, match=r"No constructor defined!$"):
        type("Plugin", (trt.IPluginV2DynamicExtBase,), {})()


def test_a_name_that_the_bindings_do_not_have_is_not_listed():
    assert "IPluginV2IOExt" not in dir(trt)
    assert "IPluginV2IOExt" not in trt.__all__


def test_a_python_plugin_is_none():
    assert not isinstance(trt.IPluginV2DynamicExt(), trt.IPluginV2Ext)
    assert isinstance(made(IPluginV2Ext), trt.IPluginV2)


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
    assert getattr(made(IPluginV2Ext), method)(*arguments) == gives
    for wrong in ((*arguments, 1), ("x",)):
        with pytest.raises(TypeError, match=rf"{method}\(\): incompatible function arguments"):
            getattr(made(IPluginV2Ext), method)(*wrong)
    with pytest.raises(TypeError, match=rf"{method}\(\): incompatible function arguments"):
        getattr(trt.IPluginV2Ext, method)(trt.IPluginV2DynamicExt(), *arguments)


def test_what_it_inherits_is_that_of_a_plugin_of_version_2():
    plugin = made(IPluginV2Ext)
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
