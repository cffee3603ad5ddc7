"""Node ids are made of what the children describe, and say which plugin is meant."""

from harness.contract.catalogue import checked
from harness.contract.finding import CallbackFailure
from harness.contract.rule import Source, rule
from harness.contract.verdict import Answer, Kind
from harness.contract.wording import encoded
from harness.results.run_plan import Described, ItemId, RunPlan, failed_import


def a_rule(rule_id, **facts):
    def judge(subject):
        """It holds."""

    return rule(rule_id, source=Source("a document", "a section"), **facts)(judge)


CATALOGUE = checked({each.id: each for each in (a_rule("FMT-001"), a_rule("V3Q-001", interfaces=()))})


def plugin(key, *cases):
    return {
        "key": key,
        "interface": "IPluginV2DynamicExt",
        "class": "BarCreator",
        "file": "bar.py",
        "line": 3,
        "cases": [{"name": name, "inferred": False} for name in cases],
    }


def ids(*described):
    plan = RunPlan.from_plain([each.to_plain() for each in described])
    return [place.nodeid for place in plan.places(CATALOGUE)]


def test_there_is_an_item_for_each_rule_that_concerns_the_plugin_on_each_case():
    assert ids(Described("bar", "bar", [plugin("ns/Foo/2", "a"), plugin("/Bar/1", "a", "b")])) == [
        "conformance::/Bar/1::a::FMT-001",
        "conformance::/Bar/1::b::FMT-001",
        "conformance::ns/Foo/2::a::FMT-001",
    ]


def test_a_key_that_two_modules_share_is_told_apart_by_module():
    modules = [Described("x", "x", [plugin("/Bar/1", "a")]), Described("y/x.py", "y.x", [plugin("/Bar/1", "a")])]
    assert ids(*modules) == ["conformance::/Bar/1+x::a::FMT-001", "conformance::/Bar/1+y.x::a::FMT-001"]


def test_a_key_that_two_modules_of_one_name_share_is_told_apart_by_what_the_user_typed():
    modules = [Described(f"{folder}/x.py", "x", [plugin("/Bar/1", "a")]) for folder in "pq"]
    assert ids(*modules) == ["conformance::/Bar/1+p%2Fx.py::a::FMT-001", "conformance::/Bar/1+q%2Fx.py::a::FMT-001"]


def test_other_characters_are_percent_encoded():
    assert encoded("a-b.c_1/ü") == "a-b.c_1%2F%C3%BC"


def test_a_place_of_a_module_has_no_case():
    assert ItemId("dies", "", "IMPORT").nodeid == "conformance::dies::IMPORT"


def test_an_import_that_lacks_a_package_names_the_way_on():
    how = "raised ModuleNotFoundError: No module named 'cuda.core'"
    (violation,) = failed_import(Answer(Kind.MET, mishap=CallbackFailure("import", how))).violations
    assert violation.fix.startswith("Install cuda.core, or take a stand-in for it with --plugin-stub=cuda.core ")
    other = CallbackFailure("import", "raised ValueError: No module named 'cuda.core'")
    assert "--plugin-stub" not in failed_import(Answer(Kind.MET, mishap=other)).violations[0].fix
