"""Level 11: the surface of TensorRT 11.4, and what changed in meaning with it."""

import json
from pathlib import Path

import pytest
from pages.surfaces import load

from tests.support.runtime.levels.snippets import Gave, run_snippets

CASES = json.loads((Path(__file__).parents[2] / "data" / "runtime" / "behaviours.json").read_text())
LATER = load("11")
NOW = load("10")


@pytest.fixture(scope="module")
def gave():
    return Gave(run_snippets("11", "snippets_11.py"))


def test_the_version_is_that_of_11_4(gave):
    assert gave("version") == ["11.4.0.106", 110400]


def test_enumerations_have_the_members_of_11_4(gave):
    shown = gave("surface")
    assert {name: numbers for name, numbers in LATER.enums.items() if shown.get(name) != numbers} == {}


def test_no_name_of_10_16_is_left_that_11_4_does_not_have(gave):
    assert sorted(set(gave("surface")) & (NOW.names - LATER.names)) == []


def test_no_member_of_10_16_is_left_that_11_4_does_not_have(gave):
    surface = gave("surface")
    owners = set(NOW.classes) & set(LATER.classes)
    gone = {owner: set(NOW.classes[owner]) - set(LATER.classes[owner]) for owner in owners}
    left = {owner: sorted(gone[owner] & set(surface.get(owner) or [])) for owner in owners}
    assert any(gone.values())
    assert {owner: members for owner, members in left.items() if members} == {}


@pytest.mark.parametrize("owner", ["IBuilderConfig", "IOptimizationProfile", "Runtime", "IPluginRegistry", "ITensor"])
def test_a_class_that_tools_use_has_every_member_of_11_4(gave, owner):
    assert sorted(set(LATER.classes[owner]) - set(gave("surface")[owner])) == []


def test_v2_plugins_and_their_creators_are_still_there(gave):
    assert {"IPluginV2DynamicExt", "IPluginV2Ext", "IPluginCreator"} <= set(gave("surface"))


def test_one_overload_registers_every_creator(gave):
    assert gave("a_registry") == [True, True, True]
    refused = gave.raised("a_registration_of_what_is_no_creator")
    assert refused.count("creator: ") == 2
    assert refused.count("IPluginCreatorInterface") == 2


def test_networks_are_strongly_typed_whatever_their_flags(gave):
    assert gave("a_network") == [[False, True], ["DataType.HALF", "DataType.HALF"]]
    assert gave.raised("a_type_that_is_set").startswith("AttributeError")
    assert gave("a_layer_keeps_the_type_of_its_input") == "DataType.HALF"


def test_quantization_wants_its_type(gave):
    refused = gave.raised("a_quantization_without_a_type")
    assert refused.startswith("TypeError")
    assert "output_type: " in refused


def test_a_squeeze_without_axes_drops_every_extent_of_one(gave):
    assert gave("a_squeeze_without_axes") == [2, 3]


def test_new_settings_are_kept(gave):
    assert gave("settings") == [["default", ["default"], 0, True], ["default", 7], True]
    assert gave.raised("a_route_that_is_none").startswith("ValueError: there is no build route 'scenic'")


def test_no_preview_feature_is_on_from_the_start(gave):
    assert gave("preview_features") == [False, False]


def test_flags_go_by_the_numbers_of_11(gave):
    assert gave("flags") == [1 << 6 | 1 << 17, ["TF32", "DISABLE_COMPILATION_CACHE"]]


def test_an_allocator_gets_its_arguments_in_the_order_of_the_signature(gave):
    assert gave("an_asynchronous_allocator") == [11, 22, 33, 44]


def test_every_measured_case_gives_what_11_4_gave(gave):
    found = gave("measured_cases")
    wrong = {case["id"]: found[case["id"]] for case in CASES if not agrees(case, found[case["id"]])}
    assert wrong == {}
    assert len(found) == len(CASES)


def agrees(case, outcome):
    """Tell whether a case gave what it gave in 11.4; where that crashes, any exception will do."""
    expected = case.get("expect_11", case["expect"])
    if "crash" in expected:
        return "raises" in outcome
    if "raises" in expected:
        return expected["raises"] in outcome.get("raises", ())
    return any(key in outcome and outcome[key] == value for key, value in expected.items())
