"""Options and node ids select items; what else takes items away is told from what the user did."""

import pytest

from harness.config.options import Options
from harness.contract.catalogue import checked
from harness.contract.rule import Source, rule
from harness.contract.thoroughness import Thoroughness
from harness.results.module_rules import IMPORT
from harness.results.run_plan import ItemId
from harness.results.selection import Selection, UnknownIdError, split_arguments


def a_rule(rule_id, **facts):
    def judge(subject):
        """It holds."""

    return rule(rule_id, source=Source("a document", "a section"), **facts)(judge)


CATALOGUE = checked({name: a_rule(name) for name in ("ENQ-001", "FMT-001", "FMT-002")})
PLACES = [ItemId("/Bar/1", case, name) for case in ("a", "b") for name in CATALOGUE.rules] + [
    ItemId("dies", "", IMPORT)
]


def admitted(*typed, **options):
    selection = Selection.of(Options(modules=("bar",), **options), CATALOGUE, typed)
    return [place.nodeid.partition("::")[2] for place in PLACES if selection.admits(place)]


def test_without_options_everything_is_selected():
    assert len(admitted()) == len(PLACES)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"select": ("FMT",)}, ["FMT-001", "FMT-002"]),
        ({"select": ("FMT", "ENQ-001"), "ignore": ("FMT-002",)}, ["ENQ-001", "FMT-001"]),
        ({"ignore": ("FMT",)}, ["ENQ-001"]),
    ],
)
def test_rules_are_selected_and_left_out(options, expected):
    assert admitted("conformance::/Bar/1::a", **options) == [f"/Bar/1::a::{rule_id}" for rule_id in expected]


def test_what_is_wrong_with_a_module_is_told_whatever_rules_are_selected():
    assert "dies::IMPORT" in admitted(select=("FMT",))
    assert "dies::IMPORT" not in admitted("conformance::/Bar/1")


def test_ids_select_what_they_lead_to():
    typed = ("conformance::/Bar/1::a::FMT-001", "../conformance::/Bar/1::b::ENQ-001@/Bar/1", "conformance::dies")
    assert admitted(*typed) == ["/Bar/1::a::FMT-001", "/Bar/1::b::ENQ-001", "dies::IMPORT"]


def test_parts_of_names_are_no_ids():
    assert admitted("conformance::/Bar/1::a::FMT-00") == []


@pytest.mark.parametrize("typed", ["conformance::/Baz/1", "conformance::/Bar/1::c", "conformance::/Bar/1::a::FMT-003"])
def test_an_id_that_names_nothing_is_an_error(typed):
    selection = Selection.of(Options(modules=("bar",)), CATALOGUE, [typed])
    with pytest.raises(UnknownIdError, match=f"not found: {typed}: .*did you mean 'conformance::"):
        selection.check(PLACES)


def test_only_arguments_that_begin_like_our_ids_are_ours():
    arguments = [
        "conformance::/Bar/1",
        "conformance",
        "conformance/rules",
        "tests/test_a.py::test_b",
        "../conformance::x",
    ]
    assert split_arguments(arguments) == (
        ["conformance::/Bar/1", "../conformance::x"],
        ["conformance", "conformance/rules", "tests/test_a.py::test_b"],
    )


def test_a_level_leaves_rules_out_unless_they_are_named():
    levels = {"ENQ-001": 5, "FMT-001": 1, "FMT-002": 10}
    catalogue = checked({name: a_rule(name, level=level) for name, level in levels.items()})

    def selected(*typed, **options):
        selection = Selection.of(Options(modules=("bar",), **options), catalogue, typed)
        return [name for name in levels if selection.admits(ItemId("/Bar/1", "a", name))]

    assert selected(level=Thoroughness.SMOKE) == ["FMT-001"]
    assert selected() == ["ENQ-001", "FMT-001"]
    assert selected(level=Thoroughness.EXHAUSTIVE) == list(levels)
    assert selected(level=Thoroughness.SMOKE, select=("FMT-002",)) == ["FMT-002"]
    assert selected(level=Thoroughness.SMOKE, select=("FMT",)) == ["FMT-001"]
    assert selected("conformance::/Bar/1::a::FMT-002") == ["FMT-002"]
    assert selected("conformance::/Bar/1::a::FMT-002", ignore=("FMT-002",)) == []
