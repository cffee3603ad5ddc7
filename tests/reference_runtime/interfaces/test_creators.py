import gc

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.bound import bound_class
from reference_runtime.bound.errors import NativeCrash


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
    assert bound_class.read(creator, trt.IPluginCreator, "field_names") is creator.field_names


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


V3 = {
    trt.IPluginCreatorV3One: (trt.TensorRTPhase.BUILD,),
    trt.IPluginCreatorV3Quick: (trt.TensorRTPhase.RUNTIME, trt.QuickPluginCreationRequest.PREFER_AOT),
}
UNSET = "[ERROR] Exception caught in {0}(): AttributeError: {0} not initialized\n"


def create(cls, creator, fields=None):
    names = ("layer", "ns") if cls is trt.IPluginCreatorV3Quick else ("layer",)
    return cls.create_plugin(creator, *names, fields, *V3[cls])


def creator_that(cls, create_plugin):
    return type("Creator", (cls,), {"create_plugin": create_plugin})()


@pytest.mark.parametrize("cls", V3)
class TestCreatorsOfVersion3:
    def test_called_as_cpp_does_the_override_gets_everything_by_position(self, cls):
        seen, made = [], trt.IPluginV3()
        creator = creator_that(cls, lambda _self, *arguments: seen.append(arguments) or made)
        assert create(cls, creator, trt.PluginFieldCollection([trt.PluginField("a")])) is made
        ((*names, fields), rest) = (seen[0][: -len(V3[cls])], seen[0][-len(V3[cls]) :])
        assert names == (["layer"] if cls is trt.IPluginCreatorV3One else ["layer", "ns"])
        assert (type(fields).__name__, [field.name for field in fields]) == ("PluginFieldCollection_", ["a"])
        assert rest == V3[cls]

    def test_no_fields_are_none(self, cls):
        seen = []
        create(cls, creator_that(cls, lambda _self, *arguments: seen.extend(arguments)))
        assert seen[-len(V3[cls]) - 1] is None

    @pytest.mark.parametrize("wrong", ["text", 5, trt.IPluginV2DynamicExt(), trt.IPluginV3OneCore(), trt.IPluginV3])
    def test_what_is_no_plugin_becomes_none_with_a_complaint(self, cls, wrong, capfd):
        assert create(cls, creator_that(cls, lambda *_: wrong)) is None
        complaint = "[ERROR] Return value of create_plugin() could not be interpreted as IPluginV3*\n"
        assert capfd.readouterr().err == complaint

    def test_a_plugin_whose_init_did_not_run_is_where_the_original_crashes(self, cls):
        with pytest.raises(NativeCrash, match=r"IPluginV3\.__init__ did not run"):
            create(cls, creator_that(cls, lambda *_: trt.IPluginV3.__new__(trt.IPluginV3)))

    def test_a_missing_override_is_told(self, cls, capfd):
        assert create(cls, cls()) is None
        first, second = capfd.readouterr().err.splitlines()
        assert first == "Method: create_plugin was not overriden. Please provide an implementation for this method."
        reason = "RuntimeError: no implementation provided for create_plugin()"
        assert second == f"[ERROR] Exception caught in create_plugin(): {reason}"

    @pytest.mark.parametrize("arguments", [(), ("layer",), ("layer", None, 0), ("layer", "ns", None, 0, 0)])
    def test_create_plugin_takes_no_other_arguments(self, cls, arguments):
        with pytest.raises(TypeError, match=r"create_plugin\(\): incompatible function arguments"):
            cls().create_plugin(*arguments)

    @pytest.mark.parametrize("name", ["name", "plugin_version", "plugin_namespace"])
    def test_its_names_are_needed(self, cls, name, capfd):
        creator = cls()
        assert getattr(creator, name) is None
        assert capfd.readouterr().err == UNSET.format(name)
        setattr(creator, name, "v\0cut")
        assert getattr(creator, name) == "v"
        with pytest.raises(TypeError, match="incompatible function arguments"):
            setattr(creator, name, None)

    def test_advertised_fields_are_read_back(self, cls, capfd):
        creator = cls()
        assert len(creator.field_names) == 0
        assert capfd.readouterr().err == UNSET.format("field_names")
        creator.field_names = trt.PluginFieldCollection([trt.PluginField("a")])
        assert [field.name for field in creator.field_names] == ["a"]
        assert bound_class.read(creator, cls, "field_names") is creator.field_names
        for wrong in ([], None):
            with pytest.raises(TypeError, match="incompatible function arguments"):
                creator.field_names = wrong

    def test_it_deserializes_nothing(self, cls):
        assert not hasattr(cls, "deserialize_plugin")

    def test_it_takes_nothing_to_be_made_of(self, cls):
        with pytest.raises(TypeError, match="incompatible constructor arguments"):
            cls(cls())


def test_each_kind_of_creator_keeps_its_own_names():
    class Both(trt.IPluginCreator, trt.IPluginCreatorV3One):
        def __init__(self):
            trt.IPluginCreator.__init__(self)
            trt.IPluginCreatorV3One.__init__(self)

    creator = Both()
    creator.name, creator.field_names = "P", trt.PluginFieldCollection([])
    for name in ("name", "field_names"):
        assert bound_class.is_assigned(creator, trt.IPluginCreator, name)
        assert not bound_class.is_assigned(creator, trt.IPluginCreatorV3One, name)


def test_nobody_makes_a_creator_of_no_kind():
    with pytest.raises(TypeError, match=r"^tensorrt\.tensorrt\.IPluginCreatorInterface: No constructor defined!$"):
        trt.IPluginCreatorInterface()
