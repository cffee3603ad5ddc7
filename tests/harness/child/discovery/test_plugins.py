"""Which creators of a process are those of the module under test."""

import pytest

from harness.cases.case import Case, CaseError
from harness.child.discovery.plugins import UsageProblem, discover, put_to
from harness.contract.interface import Interface
from reference_runtime.registry.registry import get_plugin_registry
from tests.support.decorated_plugins import forgotten
from tests.support.stubs.creator_modules import REGISTER, defined, registered


def keys(module, cases=()):
    return [(plugin.key, plugin.registered) for plugin in discover(module, cases).plugins]


def test_creators_of_imported_modules_are_left_out(imported):
    imported("library", registered("Foreign"))
    assert keys(imported("mine", registered("Own"))) == [("/Own/1", True)]


def test_creators_below_a_package_are_its_own(imported):
    imported("package.parts", registered("Part"))
    imported("package_of_another", registered("Foreign"))
    assert keys(imported("package", "")) == [("/Part/1", True)]


def test_a_module_without_creators_of_its_own_stands_for_those_it_imports(imported):
    imported("library", registered("Foreign"))
    assert keys(imported("mine", "")) == [("/Foreign/1", True)]


def test_an_unregistered_creator_keeps_imported_ones_out_and_is_registered(imported):
    imported("library", registered("Foreign"))
    assert keys(imported("mine", defined("Forgotten"))) == [("/Forgotten/1", False)]
    assert get_plugin_registry().get_creator("Forgotten", "1") is not None


def test_a_refused_registration_is_remembered_with_the_one_that_stands(imported):
    source = registered("Own") + REGISTER.format("Own")
    discovery = discover(imported("mine", source), ())
    assert [each.accepted for each in discovery.registrations] == [True, False]
    assert not discovery.refused


def test_a_registration_refused_because_of_an_imported_module_is_reported(imported):
    imported("library", registered("Same"))
    discovery = discover(imported("mine", registered("Same")), ())
    assert not discovery.plugins
    assert len(discovery.refused) == 1


def test_a_creator_whose_key_an_imported_module_has_is_reported(imported):
    imported("library", registered("Same"))
    module = imported("mine", defined("Same"))
    discovery = discover(module, [Case(plugin="Same")])
    assert not discovery.plugins
    assert [type(each.creator).__module__ for each in discovery.refused] == ["mine"]


def test_of_two_creators_with_one_key_that_which_is_not_judged_is_reported(imported):
    source = registered("Own") + defined("Other").replace('"Other"', '"Own"')
    discovery = discover(imported("mine", source), [Case(plugin="Own")])
    assert [type(plugin.creator).__name__ for plugin in discovery.plugins] == ["Own"]
    assert [type(each.creator).__name__ for each in discovery.refused] == ["Other"]


def test_the_base_class_of_a_registered_creator_is_not_missed(imported):
    source = defined("Base") + "class Own(Base): pass\n" + REGISTER.format("Own")
    discovery = discover(imported("mine", source), ())
    assert [type(plugin.creator).__name__ for plugin in discovery.plugins] == ["Own"]
    assert not discovery.refused


def test_a_creator_without_a_namespace_is_found_and_not_registered(imported):
    source = defined("Bare").replace('self.plugin_namespace = "Bare", "1", ""', 'self.rest = "Bare", "1", ""')
    assert keys(imported("mine", source)) == [("/Bare/1", False)]
    assert get_plugin_registry().all_creators == []


def test_a_creator_that_needs_arguments_is_not_made(imported):
    source = registered("Own") + defined("Needy").replace("def __init__(self):", "def __init__(self, size):")
    assert keys(imported("mine", source)) == [("/Own/1", True)]


def test_cases_go_to_their_plugins_and_lost_ones_are_a_usage_problem(imported):
    module = imported("mine", registered("Own"))
    case = Case(plugin="Own")
    assert discover(module, [case]).plugins[0].cases == (case,)
    with pytest.raises(UsageProblem, match="found: /Own/1"):
        discover(module, [Case(plugin="Other")])


def test_a_case_fits_a_creator_that_lacks_its_name_or_version():
    case = Case(plugin="Scale", version="2")
    assert put_to(case, ["/Scale/2", "/Scale/"]).key == "/Scale/"
    assert put_to(case, ["//2"]).key == "//2"
    assert put_to(case, ["/Scale/2", "/Scale/1", "/Other/", "other/Scale/"]) is case


def test_only_an_ipluginv3_can_have_shape_inputs(imported):
    module = imported("m", registered("Own"))
    size = {"shape_input": True, "types": "int32", "min": (1,), "max": (2,)}
    with pytest.raises(UsageProblem, match="a shape input, which only an IPluginV3 can have, and the plugin is an IPl"):
        discover(module, [Case(plugin="Own", inputs=[size])])


def advertising(kind):
    """A creator with one field of a type."""
    field = f"trt.PluginField('k', b'', trt.PluginFieldType.{kind})"
    assigned = f"super().__init__(); self.field_names = trt.PluginFieldCollection([{field}])"
    return registered("Own").replace("super().__init__()", assigned)


@pytest.mark.parametrize("kind", ["FLOAT32", "INT64"])
def test_text_for_a_field_of_numbers_is_a_usage_problem(imported, kind):
    with pytest.raises(
        UsageProblem, match=rf"fields\['k'\] is '0.5', and the creator advertises {kind}: write a number"
    ):
        discover(imported("mine", advertising(kind)), [Case(plugin="Own", fields={"k": "0.5"})])


@pytest.mark.parametrize("kind", ["CHAR", "UNKNOWN", "INT8"])
def test_text_is_for_fields_of_bytes(imported, kind):
    case = Case(plugin="Own", fields={"k": "0.5"})
    assert discover(imported("mine", advertising(kind)), [case]).plugins[0].cases == (case,)


def test_a_module_without_any_creator_is_a_usage_problem(imported):
    with pytest.raises(UsageProblem, match="holds no plugin"):
        discover(imported("mine", ""), ())


PLUGIN = "class {0}(trt.{1}):\n    pass\n"
BATCH = {"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)}


def interface_of_what_is_made(imported, *classes, creator=""):
    source = "".join(PLUGIN.format(*each) for each in classes) + registered("Some").replace(
        "        return None", f"        return {creator or None}"
    )
    (found,) = discover(imported("mine", source), ()).plugins
    return found.interface


@pytest.mark.parametrize("name", ["IPluginV2", "IPluginV2Ext", "IPluginV2IOExt", "IPluginV2DynamicExt"])
def test_the_interface_of_version_2_is_told_by_the_plugins_of_the_module(imported, name):
    assert interface_of_what_is_made(imported, ("A", name)) is Interface(name)


@pytest.mark.parametrize(
    ("creator", "interface"), [("A()", Interface.V2_EXT), ("B()", Interface.V2_DYNAMIC), ("", Interface.V2_DYNAMIC)]
)
def test_of_several_interfaces_it_is_that_which_create_plugin_names(imported, creator, interface):
    classes = (("A", "IPluginV2Ext"), ("B", "IPluginV2DynamicExt"))
    assert interface_of_what_is_made(imported, *classes, creator=creator) is interface


def batched(imported, *inputs, spec=None):
    """Return what is found of a plugin for an implicit batch with one case."""
    module = imported("mine", PLUGIN.format("A", "IPluginV2Ext") + registered("Some"))
    case = Case(plugin="Some", inputs=inputs, spec=spec)
    (found,) = discover(module, [case]).plugins
    return found, case


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        ([{"dims": ("N", "W"), "min": (1, 1), "max": (2, 2)}], "a dimension other than the first varies"),
        ([{"dims": ("N", 3), "min": (0, 3), "max": (2, 3)}], "a batch has at least 1 item"),
        ([BATCH, {**BATCH, "dims": ("M", 3)}], "the first dimensions have different names or numbers"),
        ([BATCH, {"dims": (2, 3)}], "the first dimensions have different names or numbers"),
        ([{"dims": ()}], "or there is none"),
    ],
)
def test_inputs_that_are_no_batch_of_items_are_a_usage_error(imported, inputs, why):
    with pytest.raises(UsageProblem, match=f"{why}.*. An input of an .* is a batch of equal items"):
        batched(imported, *inputs)


def test_after_8_6_a_batch_is_fixed_at_the_best_of_the_case(imported):
    found, case = batched(imported, BATCH, BATCH)
    assert found.at(case, "8.6").inputs == case.inputs
    assert [entry.profile for entry in found.at(case, "10").inputs] == [((2, 3),) * 3] * 2


def test_an_item_for_the_whole_batch_needs_an_implicit_one(imported):
    found, case = batched(imported, BATCH, {"dims": (1, 3)})
    with pytest.raises(
        CaseError, match=r"one item for the whole batch\. TensorRT 10 does not allow this: give the case"
    ):
        found.at(case, "10")


DECORATED = """
from reference_runtime import plugin as trtp

@trtp.register("m::{0}"{1})
def describe(x: trtp.TensorDesc, k: int) -> trtp.TensorDesc:
    return x.like()

@trtp.impl("m::{0}")
def run(x, k, outputs, stream): ...
"""


@pytest.fixture
def _forgotten():
    with forgotten():
        yield


@pytest.mark.usefixtures("_forgotten")
def test_decorated_plugins_belong_to_the_module_of_their_functions(imported):
    imported("library", DECORATED.format("foreign", ""))
    found = discover(imported("mine", DECORATED.format("own", "")), ())
    assert [(plugin.key, plugin.interface) for plugin in found.plugins] == [("m/own/1", Interface.DECORATED)]


@pytest.mark.usefixtures("_forgotten")
def test_a_decorated_plugin_that_waits_for_its_first_use_is_registered(imported):
    assert keys(imported("mine", DECORATED.format("late", ", lazy_register=True"))) == [("m/late/1", False)]
    assert get_plugin_registry().get_creator("late", "1", "m") is not None


@pytest.mark.usefixtures("_forgotten")
@pytest.mark.parametrize("fields", [{}, {"k": 1, "more": 2}])
def test_a_case_gives_a_decorated_plugin_all_its_attributes_and_no_others(fields, imported):
    module = imported("mine", DECORATED.format("own", ""))
    with pytest.raises(UsageProblem, match="give a decorated plugin exactly its attributes"):
        discover(module, [Case(plugin="own", namespace="m", fields=fields)])


@pytest.mark.usefixtures("_forgotten")
def test_there_are_no_decorated_plugins_before_tensorrt_10(imported):
    (found,) = discover(imported("mine", DECORATED.format("own", "")), []).plugins
    with pytest.raises(CaseError, match=r"case 'a' of .*: TensorRT 8.6 does not have tensorrt.plugin"):
        found.at(Case(plugin="own", name="a", spec="8.6"), "10")


def test_a_case_of_a_misspelt_plugin_names_its_line_and_the_plugin_that_is_meant(imported):
    module = imported("mine", registered("Gelu"))
    told = (
        r"""case 'default' \(gelu_cases.py:4\) is for /Gleu/1, .* \(did you mean "plugin": "Gelu"\?\); found: /Gelu/1"""
    )
    with pytest.raises(UsageProblem, match=told):
        discover(module, [Case(plugin="Gleu", place="gelu_cases.py:4")])


@pytest.mark.parametrize("typed", ["acme::Own", "acme/Own/1", "Own"])
def test_a_case_without_the_namespace_of_its_plugin_shows_the_keys_that_it_needs(imported, typed):
    module = imported("mine", registered("Own").replace('""', '"acme"'))
    with pytest.raises(UsageProblem) as raised:
        discover(module, [Case(plugin=typed, name="small", inputs=[{"dims": (4,)}])])
    assert ' (did you mean "plugin": "Own", "namespace": "acme"?); found: acme/Own/1' in str(raised.value)
