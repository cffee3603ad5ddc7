import copy

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.interfaces.quick import dispatched_to

QUICK = ("IPluginV3QuickCore", "IPluginV3QuickBuild", "IPluginV3QuickAOTBuild", "IPluginV3QuickRuntime")


@pytest.mark.parametrize("name", QUICK)
def test_its_methods_are_not_bound(name):
    own = {member for member in dir(getattr(trt, name)) if not member.startswith("_")}
    names = {"plugin_name", "plugin_version", "plugin_namespace"} if name == "IPluginV3QuickCore" else set()
    assert own == {"api_language", "interface_info"} | names


@pytest.mark.parametrize("name", ["plugin_name", "plugin_version", "plugin_namespace"])
def test_the_core_needs_its_names(name, capfd):
    core = trt.IPluginV3QuickCore()
    assert getattr(core, name) is None
    assert capfd.readouterr().err == f"[ERROR] Exception caught in {name}(): AttributeError: {name} not initialized\n"
    setattr(core, name, b"v")
    assert getattr(core, name) == "v"
    with pytest.raises(TypeError, match="incompatible function arguments"):
        setattr(core, name, None)
    assert trt.IPluginV3QuickCore(core).plugin_name is None


@pytest.mark.parametrize("name", QUICK)
def test_a_copy_is_made_of_the_same_class_only(name):
    cls = getattr(trt, name)
    assert type(cls(cls())) is cls
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        cls(trt.IPluginV3())


def test_an_aot_build_can_be_copied_as_a_build_and_not_the_other_way_round():
    assert trt.IPluginV3QuickBuild(trt.IPluginV3QuickAOTBuild()).interface_info.kind == "PLUGIN_V3QUICK_BUILD"
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        trt.IPluginV3QuickAOTBuild(trt.IPluginV3QuickBuild())


@pytest.mark.parametrize("name", ["IPluginV3QuickBuild", "IPluginV3QuickAOTBuild"])
def test_the_overrides_of_a_copied_build_are_those_of_its_source(name):
    cls = getattr(trt, name)
    source = cls()
    copied = cls(cls(source))
    assert dispatched_to(copied) is source
    assert dispatched_to(source) is source


@pytest.mark.parametrize("name", QUICK)
def test_it_can_not_be_copied_by_python(name):
    with pytest.raises(TypeError, match=rf"cannot pickle 'tensorrt\.tensorrt\.{name}' object"):
        copy.copy(getattr(trt, name)())


class Built(trt.IPluginV3, trt.IPluginV3QuickBuild):
    def __init__(self):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3QuickBuild.__init__(self)


class Compiled(Built, trt.IPluginV3QuickAOTBuild):
    def __init__(self):
        Built.__init__(self)
        trt.IPluginV3QuickAOTBuild.__init__(self)


def test_a_class_may_have_a_build_and_one_that_derives_from_it_as_nvidias_package_has():
    assert isinstance(Compiled(), trt.IPluginV3QuickAOTBuild)


def test_the_more_derived_of_the_two_builds_must_be_initialised_and_the_other_need_not():
    class Lacking(Built, trt.IPluginV3QuickAOTBuild):
        def __init__(self):
            Built.__init__(self)

    class Enough(Built, trt.IPluginV3QuickAOTBuild):
        def __init__(self):
            trt.IPluginV3.__init__(self)
            trt.IPluginV3QuickAOTBuild.__init__(self)

    assert Enough()
    with pytest.raises(TypeError, match=r"IPluginV3QuickAOTBuild.__init__\(\) must be called"):
        Lacking()


def test_the_constructor_of_a_base_that_the_class_does_not_name_crashes():
    class Wrong(trt.IPluginV3QuickAOTBuild):
        def __init__(self):
            trt.IPluginV3QuickBuild.__init__(self)

    with pytest.raises(NativeCrash, match="on an object of a derived class"):
        Wrong()
