import gc

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime import native
from reference_runtime.errors import NativeCrash


class Recording(trt.IPluginCreator):
    def create_plugin(self, name, field_collection):
        self.seen = (name, type(field_collection).__name__, [field.name for field in field_collection])
        return trt.IPluginV2DynamicExt()

    def deserialize_plugin(self, name, data):
        self.seen = (name, data)
        return trt.IPluginV2DynamicExt()


def test_called_as_cpp_does_the_override_gets_a_pointer_to_the_records():
    creator = Recording()
    made = trt.IPluginCreator.create_plugin(creator, "layer", trt.PluginFieldCollection([trt.PluginField("a")]))
    assert isinstance(made, trt.IPluginV2DynamicExt)
    assert creator.seen == ("layer", "PluginFieldCollection_", ["a"])


def test_called_as_cpp_does_the_override_gets_bytes():
    creator = Recording()
    trt.IPluginCreator.deserialize_plugin(creator, "layer", np.array([1, 2], np.uint8))
    assert creator.seen == ("layer", b"\1\2")


@pytest.mark.parametrize("wrong", ["text", 5, [], trt.Dims()])
def test_what_is_no_plugin_becomes_none_with_a_complaint(wrong, capfd):
    class Creator(trt.IPluginCreator):
        def create_plugin(self, _name, _field_collection):
            return wrong

    assert trt.IPluginCreator.create_plugin(Creator(), "x", None) is None
    assert capfd.readouterr().err == "[ERROR] Return value of create_plugin() could not be interpreted as IPluginV2*\n"


def test_advertised_fields_are_read_back_as_often_as_wanted():
    creator = trt.IPluginCreator()
    creator.field_names = trt.PluginFieldCollection([trt.PluginField("a"), trt.PluginField("b")])
    gc.collect()
    for _ in range(2):
        assert [field.name for field in creator.field_names] == ["a", "b"]
    assert native.read(creator, trt.IPluginCreator, "field_names") is creator.field_names


def test_default_values_over_temporary_arrays_are_gone_when_read():
    creator = trt.IPluginCreator()
    creator.field_names = trt.PluginFieldCollection(
        [trt.PluginField("a", np.array([1, 2], np.int32), trt.PluginFieldType.INT32)]
    )
    assert creator.field_names[0].data.tobytes() == b"\xa5" * 8


def test_a_namespace_of_none_is_where_the_original_crashes():
    creator = trt.IPluginCreator()
    with pytest.raises(NativeCrash, match=r"IPluginCreator\.plugin_namespace = None"):
        creator.plugin_namespace = None


def test_a_creator_in_python_says_so():
    creator = trt.IPluginCreator()
    assert creator.api_language == trt.APILanguage.PYTHON
    assert (creator.interface_info.kind, creator.interface_info.major) == ("PLUGIN CREATOR_V1", 1)
