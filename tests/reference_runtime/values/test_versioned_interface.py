import itertools

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash

KINDS = {
    "IPluginV3OneCore": "PLUGIN_V3ONE_CORE 1",
    "IPluginV3OneBuildV2": "PLUGIN_V3ONE_BUILD 2",
    "IPluginV3OneBuild": "PLUGIN_V3ONE_BUILD 1",
    "IPluginV3QuickCore": "PLUGIN_V3QUICK_CORE 1",
    "IPluginV3QuickAOTBuild": "PLUGIN_V3QUICKAOT_BUILD 1",
    "IPluginV3QuickBuild": "PLUGIN_V3QUICK_BUILD 1",
    "IPluginV3OneRuntime": "PLUGIN_V3ONE_RUNTIME 1",
    "IPluginV3QuickRuntime": "PLUGIN_V3QUICK_RUNTIME 1",
    "IPluginV3": "PLUGIN 1",
    "IPluginCreator": "PLUGIN CREATOR_V1 1",
    "IPluginCreatorV3One": "PLUGIN CREATOR_V3ONE 1",
    "IPluginCreatorV3Quick": "PLUGIN CREATOR_V3QUICK 1",
    "IPluginResource": "IPluginResource 1",
    "IGpuAllocator": "IGpuAllocator 1",
    "IGpuAsyncAllocator": "IGpuAllocator 1",
}
"""Measured, in the order in which the first of two is the one that answers."""


def told(instance):
    info = instance.interface_info
    return f"{info.kind} {info.major}"


def initialise_all(self):
    for base in type(self).__bases__:
        base.__init__(self)


@pytest.mark.parametrize("name", KINDS)
def test_every_interface_tells_its_kind_version_and_language(name):
    made = getattr(trt, name)()
    assert told(made) == KINDS[name]
    assert made.interface_info.minor == 0
    assert made.api_language == (trt.APILanguage.CPP if "Allocator" in name else trt.APILanguage.PYTHON)


def unrelated_pairs():
    for first, second in itertools.combinations(KINDS, 2):
        one, other = getattr(trt, first), getattr(trt, second)
        if not issubclass(one, other) and not issubclass(other, one):
            yield first, second


def test_of_two_interfaces_the_one_that_was_registered_first_answers_in_either_order():
    for first, second in unrelated_pairs():
        for names in ((first, second), (second, first)):
            bases = tuple(getattr(trt, name) for name in names)
            made = type("Both", bases, {"__init__": initialise_all})()
            assert told(made) == KINDS[first], names


def test_asking_before_the_init_of_the_one_that_answers_is_where_the_original_crashes():
    def initialise(self):
        trt.IPluginV3.__init__(self)
        self.interface_info  # noqa: B018 - reading it is the test

    bases = (trt.IPluginV3, trt.IPluginV3OneCore)
    with pytest.raises(NativeCrash, match=r"before tensorrt\.tensorrt\.IPluginV3OneCore\.__init__\(\) ran"):
        type("Plugin", bases, {"__init__": initialise})()


@pytest.mark.parametrize("name", ["api_language", "interface_info"])
def test_what_an_interface_tells_cannot_be_assigned(name):
    with pytest.raises(AttributeError):
        setattr(trt.IPluginV3(), name, trt.APILanguage.CPP)


def test_a_description_is_a_copy_whose_parts_can_be_assigned():
    plugin = trt.IPluginV3()
    info = plugin.interface_info
    info.kind, info.major, info.minor = "other", 2, 3
    assert (info.kind, info.major, info.minor) == ("other", 2, 3)
    assert told(plugin) == "PLUGIN 1"
    with pytest.raises(TypeError, match="incompatible function arguments"):
        info.major = "x"


@pytest.mark.parametrize("name", ["IVersionedInterface", "InterfaceInfo"])
def test_python_makes_neither(name):
    with pytest.raises(TypeError, match=r"No constructor defined!$"):
        getattr(trt, name)()
