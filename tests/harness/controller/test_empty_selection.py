"""Options that leave nothing to judge: what is said of each, and which option is to be changed."""

import pytest

from harness.config.options import Options
from harness.config.overrides import Override
from harness.contract.catalogue import checked
from harness.contract.interface import Interface
from harness.contract.rule import VERSION_3, Severity, Source, rule
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Result, Verdict
from harness.controller.empty_selection import why_nothing_is_selected
from harness.results.run_plan import CasePlan, ModulePlan, PluginPlan, RunPlan
from harness.results.selection import Selection


def a_rule(rule_id, **facts):
    def judge(subject):
        """It holds."""

    return rule(rule_id, source=Source("a document", "a section"), **facts)(judge)


RULES = [a_rule("FMT-001"), a_rule("FMT-002", level=10), a_rule("TAC-001", interfaces=VERSION_3)]
CATALOGUE = checked({each.id: each for each in RULES})
BAR = PluginPlan("/Bar/1", "/Bar/1", "bar", Interface.V2_DYNAMIC, "BarCreator", "bar.py", 1, (CasePlan("a"),))


def why(*typed, failure=None, **given):
    options = Options(modules=("bar",), **given)
    plan = RunPlan((ModulePlan("bar", "bar", (BAR,), failure),))
    return why_nothing_is_selected(options, CATALOGUE, Selection.of(options, CATALOGUE, typed), plan)


def test_a_rule_that_is_left_is_enough():
    assert why() == why(select=("FMT", "TAC")) == why(ignore=("TAC",)) == ""
    assert why("conformance::/Bar/1::a::FMT-002") == "", "an id reaches beyond the level"


def test_what_is_wrong_with_a_module_is_something_to_tell():
    assert why(select=("TAC",), failure=Result("IMPORT", Severity.ERROR, Verdict.FAIL)) == ""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"select": ("FMT-001",), "ignore": ("FMT",)},
            "--plugin-ignore=FMT leaves out every rule that --plugin-select=FMT-001 selects: ignore fewer",
        ),
        ({"ignore": ("error",)}, "--plugin-ignore=error leaves out every rule there is: ignore fewer"),
        (
            {"select": ("warning",)},
            "--plugin-select=warning: no rule is of that severity; 'trt-conformance rules' lists the rules",
        ),
        (
            {"ignore": ("FMT",)},
            (
                "--plugin-ignore=FMT leaves no rule about IPluginV2DynamicExt, and there is no other plugin here. "
                "Select others; 'trt-conformance rules --interface IPluginV2DynamicExt' lists them"
            ),
        ),
        (
            {"select": ("FMT",), "ignore": ("FMT-001",), "level": Thoroughness.SMOKE},
            (
                "--plugin-level=1 judges none of what --plugin-select=FMT with --plugin-ignore=FMT-001 leaves. "
                "--plugin-level=10 does. A rule that is selected by its id is judged at any level"
            ),
        ),
    ],
)
def test_the_option_to_change_is_named(given, told):
    assert why(**given) == told


def test_an_id_whose_rule_an_option_leaves_out_is_told_with_both():
    assert why("conformance::/Bar/1::a::FMT-001", ignore=("FMT-001",)) == (
        "--plugin-ignore=FMT-001 leaves out every rule of conformance::/Bar/1::a::FMT-001: "
        "give the option or the node id, not both"
    )


def test_a_table_of_one_plugin_that_leaves_nothing_is_named():
    own = (Override("Bar", {"ignore": ("FMT",)}, "f: tool.x.plugin.Bar"),)
    assert why(overrides=own) == (
        "f: tool.x.plugin.Bar leaves out every rule that is selected: select others, or ignore fewer"
    )
    assert why(overrides=(Override("Bar", {"ignore": ("FMT-002",)}),)) == ""
