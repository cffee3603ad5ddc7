"""What is still to be judged, item by item."""

from harness.contract.interface import Interface
from harness.controller.remaining_items import Remaining
from harness.results.run_plan import CasePlan, ItemId, ModulePlan, PluginPlan

RULES = ("FMT-001", "FMT-002")


def module(*labels):
    cases = (CasePlan("a"), CasePlan("b"))
    plugins = [PluginPlan(each, each, "m", Interface.V3, "Creator", "", 0, cases) for each in labels]
    return ModulePlan("m", "m", tuple(plugins))


def places(label, case):
    return [ItemId(label, case, rule) for rule in RULES]


def test_a_case_ends_with_its_last_item_in_any_order():
    left = Remaining(places("/Bar/1", "a") + places("/Bar/1", "b"))
    first, second = places("/Bar/1", "a")
    assert [left.ends_with(second), left.ends_with(first)] == [False, True]


def test_an_item_that_runs_again_counts_once():
    left = Remaining(places("/Bar/1", "a"))
    first, second = places("/Bar/1", "a")
    assert [left.ends_with(each) for each in (first, first, second, second)] == [False, False, True, False]


def test_an_item_that_two_tests_ask_for_is_left_until_both_did():
    first, second = places("/Bar/1", "a")
    left = Remaining([first, second, first])
    assert [left.ends_with(each) for each in (first, second, first)] == [False, False, True]


def test_a_module_has_items_until_the_last_case_of_its_last_plugin():
    left = Remaining(places("/Bar/1", "a") + places("/Foo/1", "b"))
    both = module("/Bar/1", "/Foo/1")
    for place in places("/Bar/1", "a"):
        left.ends_with(place)
    assert left.has_any_of(both)
    assert not left.has_any_of(module("/Bar/1"))
    for place in places("/Foo/1", "b"):
        left.ends_with(place)
    assert not left.has_any_of(both)
