import copy
import pickle

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.bound import bound_class
from reference_runtime.bound.conversions import Mismatch
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.interfaces.resources import new_resource_context
from reference_runtime.interfaces.v3 import as_capability

CORE, BUILD, RUNTIME = (trt.PluginCapabilityType(number) for number in range(3))
UNSET = "[ERROR] Exception caught in {0}(): AttributeError: {0} not initialized\n"
ONE = ("IPluginV3", "IPluginV3OneCore", "IPluginV3OneBuild", "IPluginV3OneBuildV2", "IPluginV3OneRuntime")


def initialise_all(self):
    for base in type(self).__bases__:
        base.__init__(self)


def plugin_of(*names, **members):
    bases = tuple(getattr(trt, name) for name in names)
    return type("Plugin", bases, {"__init__": initialise_all, **members})()


@pytest.fixture
def whole():
    def refuse(*_):
        raise ValueError("Python must not get here")

    overridden = (
        "clone destroy get_output_data_types get_output_shapes supports_format_combination configure_plugin "
        "get_workspace_size get_valid_tactics get_aliased_input on_shape_change set_tactic enqueue attach_to_context "
        "get_fields_to_serialize"
    )
    members = dict.fromkeys(overridden.split(), refuse)
    return plugin_of("IPluginV3", "IPluginV3OneCore", "IPluginV3OneBuildV2", "IPluginV3OneRuntime", **members)


@pytest.mark.parametrize(
    ("interface", "method", "arguments", "gives"),
    [
        ("IPluginV3", "clone", (), None),
        ("IPluginV3", "destroy", (), None),
        ("IPluginV3OneBuild", "get_output_data_types", ([trt.float32],), []),
        ("IPluginV3OneBuild", "get_output_shapes", ([], [], trt.IExprBuilder()), []),
        ("IPluginV3OneBuild", "supports_format_combination", (0, [], 0), False),
        ("IPluginV3OneBuild", "configure_plugin", ([trt.DynamicPluginTensorDesc()], []), None),
        ("IPluginV3OneBuild", "get_workspace_size", ([], []), 0),
        ("IPluginV3OneBuild", "get_valid_tactics", (), []),
        ("IPluginV3OneRuntime", "on_shape_change", ([trt.PluginTensorDesc()], []), None),
        ("IPluginV3OneRuntime", "set_tactic", (1,), None),
        ("IPluginV3OneRuntime", "enqueue", ([], [], [], [], 0, 0), None),
        ("IPluginV3OneRuntime", "attach_to_context", (new_resource_context(),), None),
        ("IPluginV3OneRuntime", "get_fields_to_serialize", (), None),
    ],
)
class TestMethodsThatAreThereForTheirDocumentation:
    def test_gives_the_empty_value_whatever_is_overridden(self, whole, interface, method, arguments, gives, capfd):
        assert getattr(getattr(trt, interface), method)(whole, *arguments) == gives
        assert capfd.readouterr().err == ""

    def test_wants_a_plugin_for_self(self, interface, method, arguments, gives):  # noqa: ARG002 - one table
        if interface == "IPluginV3":
            return
        with pytest.raises(TypeError, match=rf"{method}\(\): incompatible function arguments(.|\n)*self: .*IPluginV3"):
            getattr(getattr(trt, interface)(), method)(*arguments)

    def test_takes_no_other_arguments(self, whole, interface, method, arguments, gives):  # noqa: ARG002 - one table
        with pytest.raises(TypeError, match="incompatible function arguments"):
            getattr(getattr(trt, interface), method)(whole, *arguments, 1)


def test_attach_to_context_takes_no_none(whole):
    with pytest.raises(TypeError, match="nvinfer1::IPluginResourceContext"):
        trt.IPluginV3OneRuntime.attach_to_context(whole, None)


@pytest.mark.parametrize("wrong", ["x", 1.0, 2**31, None])
def test_get_aliased_input_wants_a_number_where_self_belongs(wrong):
    assert trt.IPluginV3OneBuildV2.get_aliased_input(7) == -1
    with pytest.raises(TypeError, match=r"1\. \(self: typing\.SupportsInt\) -> int"):
        trt.IPluginV3OneBuildV2.get_aliased_input(wrong)
    with pytest.raises(TypeError, match=r"Invoked with: kwargs: self=3|get_aliased_input"):
        trt.IPluginV3OneBuildV2.get_aliased_input(self=3)


@pytest.mark.parametrize("name", ONE)
def test_a_copy_has_nothing_of_its_source(name):
    cls = getattr(trt, name)
    source = cls()
    attributes = [member for member in vars(cls) if isinstance(vars(cls)[member], bound_class.attribute)]
    for attribute in attributes:
        setattr(source, attribute, 3 if attribute in ("num_outputs", "format_combination_limit") else "text")
    made = cls(source)
    assert [getattr(made, attribute) for attribute in attributes] == [getattr(cls(), each) for each in attributes]
    assert type(made) is cls


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("other", [None, 5, trt.IPluginResource()])
def test_a_copy_is_made_of_the_same_class_only(name, other):
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        getattr(trt, name)(other)


@pytest.mark.parametrize("name", ONE)
def test_it_can_neither_be_copied_nor_pickled(name):
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=rf"cannot pickle 'tensorrt\.tensorrt\.{name}' object"):
            way(getattr(trt, name)())


@pytest.mark.parametrize("name", ONE)
def test_a_base_that_was_not_initialised_is_refused_when_the_object_is_made(name):
    with pytest.raises(TypeError, match=rf"tensorrt\.tensorrt\.{name}\.__init__\(\) must be called"):
        type("Plugin", (getattr(trt, name),), {"__init__": lambda _: None})()


def test_the_first_base_that_was_left_out_is_named():
    def initialise(self):
        trt.IPluginV3OneBuild.__init__(self)

    bases = (trt.IPluginV3OneBuild, trt.IPluginV3, trt.IPluginV3OneCore)
    with pytest.raises(TypeError, match=r"^tensorrt\.tensorrt\.IPluginV3\.__init__\(\) must be called"):
        type("Plugin", bases, {"__init__": initialise})()


class TestAttributes:
    @pytest.mark.parametrize("name", ["plugin_name", "plugin_version", "plugin_namespace"])
    def test_the_core_needs_its_names(self, name, capfd):
        core = trt.IPluginV3OneCore()
        assert getattr(core, name) is None
        assert capfd.readouterr().err == UNSET.format(name)
        setattr(core, name, "a\0b")
        assert getattr(core, name) == "a"
        for wrong in (None, 3, ["x"]):
            with pytest.raises(TypeError, match="incompatible function arguments"):
                setattr(core, name, wrong)

    def test_the_build_needs_the_number_of_outputs(self, capfd):
        build = trt.IPluginV3OneBuild()
        assert build.num_outputs == -1
        assert capfd.readouterr().err == UNSET.format("num_outputs")
        build.num_outputs = np.int32(2)
        assert build.num_outputs == 2
        with pytest.raises(TypeError, match="incompatible function arguments"):
            build.num_outputs = 1.0

    @pytest.mark.parametrize(
        ("name", "unset", "given"),
        [("format_combination_limit", 100, -4), ("timing_cache_id", None, ""), ("metadata_string", None, "text")],
    )
    def test_the_build_does_not_need_the_others(self, name, unset, given, capfd):
        build = trt.IPluginV3OneBuildV2()
        assert getattr(build, name) == unset
        assert capfd.readouterr().err == ""
        setattr(build, name, given)
        assert getattr(build, name) == given
        with pytest.raises(TypeError, match="incompatible function arguments"):
            setattr(build, name, None)

    def test_the_limit_of_a_build_is_100_and_cannot_be_assigned(self):
        assert trt.IPluginV3OneBuild.DEFAULT_FORMAT_COMBINATION_LIMIT == 100
        for where in (trt.IPluginV3OneBuild, trt.IPluginV3OneBuildV2()):
            with pytest.raises(AttributeError):
                where.DEFAULT_FORMAT_COMBINATION_LIMIT = 3

    def test_what_python_puts_before_an_attribute_is_not_what_c_plus_plus_sees(self):
        plugin = plugin_of("IPluginV3OneCore", plugin_name="shadow")
        assert bound_class.read(plugin, trt.IPluginV3OneCore, "plugin_name") is None
        assert not bound_class.is_assigned(plugin, trt.IPluginV3OneCore, "plugin_name")

    def test_each_class_keeps_its_own_of_one_name(self, capfd):
        plugin = plugin_of("IPluginV3OneCore", "IPluginV3QuickCore", "IPluginCreatorV3One", "IPluginV2DynamicExt")
        plugin.plugin_version = "1"
        seen = {
            owner: bound_class.read(plugin, getattr(trt, owner), "plugin_version")
            for owner in ("IPluginV3OneCore", "IPluginV3QuickCore", "IPluginCreatorV3One", "IPluginV2DynamicExt")
        }
        assert seen == {
            "IPluginV3OneCore": "1",
            "IPluginV3QuickCore": None,
            "IPluginCreatorV3One": None,
            "IPluginV2DynamicExt": None,
        }
        assert capfd.readouterr().err == ""

    def test_an_attribute_of_a_base_before_its_init_is_where_the_original_crashes(self):
        def initialise(self):
            trt.IPluginV3.__init__(self)
            self.plugin_name = "early"

        bases = (trt.IPluginV3, trt.IPluginV3OneCore)
        with pytest.raises(NativeCrash, match=r"IPluginV3OneCore\.__init__\(\) ran"):
            type("Plugin", bases, {"__init__": initialise})()


class TestCapabilities:
    @pytest.mark.parametrize(
        ("kind", "names"),
        [
            (CORE, ["IPluginV3OneCore", "IPluginV3QuickCore"]),
            (
                BUILD,
                ["IPluginV3OneBuild", "IPluginV3OneBuildV2", "IPluginV3QuickBuild", "IPluginV3QuickAOTBuild"],
            ),
            (RUNTIME, ["IPluginV3OneRuntime", "IPluginV3QuickRuntime"]),
        ],
    )
    def test_every_class_of_a_kind_will_do_and_no_other(self, kind, names, capfd):
        everything = [
            "IPluginV3OneCore", "IPluginV3QuickCore", "IPluginV3OneBuild", "IPluginV3OneBuildV2",
            "IPluginV3QuickBuild", "IPluginV3QuickAOTBuild", "IPluginV3OneRuntime", "IPluginV3QuickRuntime",
            "IPluginV3", "IPluginV2DynamicExt",
        ]  # fmt: skip
        for name in everything:
            capability = getattr(trt, name)()
            plugin = plugin_of("IPluginV3", get_capability_interface=lambda _self, _kind, it=capability: it)
            assert trt.IPluginV3.get_capability_interface(plugin, kind) is (capability if name in names else None)
        complaint = f"could not be interpreted as  a valid {kind.name.lower()} capability interface\n"
        assert capfd.readouterr().err.count(complaint) == len(everything) - len(names)

    def test_none_is_no_capability_and_no_complaint(self, capfd):
        plugin = plugin_of("IPluginV3", get_capability_interface=lambda *_: None)
        assert [trt.IPluginV3.get_capability_interface(plugin, kind) for kind in (CORE, BUILD, RUNTIME)] == [None] * 3
        assert capfd.readouterr().err == ""

    def test_an_unknown_kind_is_asked_for_and_the_answer_ignored(self, capfd):
        asked = []
        plugin = plugin_of("IPluginV3", get_capability_interface=lambda _, kind: asked.append(kind) or 5)
        assert trt.IPluginV3.get_capability_interface(plugin, trt.PluginCapabilityType(9)) is None
        assert (asked, capfd.readouterr().err) == ([trt.PluginCapabilityType(9)], "")

    def test_a_capability_whose_init_did_not_run_is_where_the_original_crashes(self):
        with pytest.raises(NativeCrash, match=r"IPluginV3OneCore\.__init__ did not run"):
            as_capability(CORE, trt.IPluginV3OneCore.__new__(trt.IPluginV3OneCore))

    def test_a_value_that_is_no_capability_does_not_convert(self):
        with pytest.raises(Mismatch):
            as_capability(CORE, trt.IPluginV3OneBuild())


def test_nobody_makes_a_capability_that_is_none_of_the_kinds():
    with pytest.raises(TypeError, match=r"^tensorrt\.tensorrt\.IPluginCapability: No constructor defined!$"):
        trt.IPluginCapability()
    assert {name for name in ONE if issubclass(getattr(trt, name), trt.IPluginCapability)} == set(ONE) - {"IPluginV3"}
