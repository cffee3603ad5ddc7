import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash


def plugin_with(**methods):
    return type("Plugin", (trt.IPluginV2DynamicExt,), methods)()


def raiser(error):
    def method(*_):
        raise error

    return method


@pytest.mark.parametrize(
    ("methods", "size", "payload"),
    [
        ({"serialize": lambda _: b"abc"}, 3, b"abc"),
        ({"serialize": lambda _: "é"}, 2, b"\xc3\xa9"),
        ({"serialize": lambda _: bytearray(b"ab")}, 2, b"ab"),
        ({"serialize": lambda _: b"abc", "get_serialization_size": lambda _: 2}, 2, b"ab"),
        ({"serialize": lambda _: b"abc", "get_serialization_size": lambda _: True}, 1, b"a"),
        ({"serialize": lambda _: b"abc", "get_serialization_size": lambda _: -1}, 0, b""),
        ({"serialize": lambda _: b"abc", "get_serialization_size": raiser(SystemExit(3))}, 0, b""),
        ({"serialize": lambda _: [1, 2]}, 0, b""),
        ({}, 0, b""),
    ],
)
def test_as_many_bytes_are_written_as_were_announced(methods, size, payload):
    plugin = plugin_with(**methods)
    assert plugin.serialization_size == size
    assert bytes(trt.IPluginV2.serialize(plugin)) == payload


def test_the_bytes_that_were_announced_and_not_written_are_zero():
    plugin = plugin_with(serialize=lambda _: b"ab", get_serialization_size=lambda _: 4)
    assert bytes(trt.IPluginV2.serialize(plugin)) == b"ab\0\0"


@pytest.mark.parametrize(
    ("method", "status"), [(lambda _: 1, 0), (lambda _: "no", 0), (raiser(KeyboardInterrupt()), -1)]
)
def test_initialize_fails_by_raising_only(method, status):
    assert trt.IPluginV2.initialize(plugin_with(initialize=method)) == status


@pytest.mark.parametrize("wrong", [5, "text", trt.Dims(), trt.IPluginV2DynamicExt])
def test_a_clone_that_is_no_plugin_becomes_none_with_a_complaint(wrong, capfd):
    assert trt.IPluginV2.clone(plugin_with(clone=lambda _: wrong)) is None
    assert capfd.readouterr().err == (
        "[ERROR] Return value of clone() could not be interpreted as nvinfer1::IPluginV2DynamicExt\n"
    )


@pytest.mark.parametrize("method", ["terminate", "destroy"])
def test_what_releases_may_be_missing_and_may_raise(method, capfd):
    assert getattr(trt.IPluginV2, method)(plugin_with()) is None
    assert capfd.readouterr().err == ""
    assert getattr(trt.IPluginV2, method)(plugin_with(**{method: raiser(ValueError("boom"))})) is None
    assert capfd.readouterr().err.startswith(f"[ERROR] Exception caught in {method}(): ValueError: boom\n\nAt:\n")


def test_the_methods_of_older_interfaces_answer_with_their_fixed_values():
    plugin = plugin_with()
    assert trt.IPluginV2.get_workspace_size(plugin, 1) == 0
    assert trt.IPluginV2.execute_async(plugin, 1, [], [], None, 0) == 1
    assert plugin.configure_with_format([], [], trt.float32, trt.TensorFormat.LINEAR, 1) is None
    with pytest.raises(ValueError, match="__len__"):
        len(plugin.get_output_shape(0, [(1,)]))


def test_a_namespace_of_none_is_where_the_original_crashes():
    with pytest.raises(NativeCrash, match=r"IPluginV2\.plugin_namespace = None"):
        trt.IPluginV2DynamicExt().plugin_namespace = None


def test_a_string_attribute_ends_at_its_first_nul():
    plugin = trt.IPluginV2DynamicExt()
    plugin.plugin_type = "a\0b"
    assert plugin.plugin_type == "a"


def test_an_attribute_before_init_is_where_the_original_crashes():
    class Plugin(trt.IPluginV2DynamicExt):
        def __init__(self):
            self.num_outputs = 1

    with pytest.raises(NativeCrash, match=r"Call super\(\).__init__\(\) before anything else"):
        Plugin()
