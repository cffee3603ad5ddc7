"""The installed rules are found, and one that does not fit is told with where it comes from."""

import importlib.metadata

import pytest

from harness.contract import catalogue
from harness.contract.catalogue import GROUP, CatalogueError, UnknownRuleError, checked
from harness.contract.interface import Interface
from harness.contract.rule import Severity, Source, rule
from harness.contract.sanitizer_tool import Tool
from harness.contract.thoroughness import Thoroughness


def a_rule(rule_id, **facts):
    def judge(subject):
        """It holds."""

    return rule(rule_id, **{"source": Source("a document", "a section"), **facts})(judge)


def of(*rules):
    return checked({each.id: each for each in rules})


@pytest.fixture
def offer(monkeypatch, tmp_path):
    """Offer the rules of some files, as an installed distribution would."""
    monkeypatch.syspath_prepend(tmp_path)

    def offer_files(value, files):
        for name, text in files.items():
            path = tmp_path / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        entries = [importlib.metadata.EntryPoint("theirs", value, GROUP)] if value else []
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: entries if group == GROUP else [])

    return offer_files


RULE = """
from harness.contract.rule import Source, rule
@rule("{0}", source=Source("a document", "a section"))
def {1}(subject):
    "It holds."
"""


def test_rules_of_a_package_and_its_modules_are_found(offer):
    again = "from offered_a.fmt import one"
    offer("offered_a", {"offered_a/__init__": again, "offered_a/fmt": RULE.format("FMT-001", "one")})
    assert list(catalogue.load().rules) == ["FMT-001"]


@pytest.mark.parametrize(
    ("value", "files", "told"),
    [
        ("", {}, r"no installed distribution offers rules \(entry-point group 'trt_conformance.rules'\): install"),
        ("offered_missing", {}, "entry point theirs = offered_missing .* cannot be imported: ModuleNotFoundError"),
        ("offered_b:RULES", {"offered_b": "RULES = []"}, "names a list; it must name a package or module of rules"),
        ("offered_c", {"offered_c": "1 / 0"}, "cannot be imported: ZeroDivisionError: division by zero"),
        (
            "offered_d",
            {"offered_d": RULE.format("FMT-001", "one") + RULE.format("FMT-001", "two")},
            r"rule id FMT-001 is used twice: FMT-001 \(offered_d\) and FMT-001 \(offered_d\)",
        ),
    ],
)
def test_an_offer_that_does_not_work_is_told_with_its_entry_point(offer, value, files, told):
    offer(value, files)
    with pytest.raises(CatalogueError, match=told):
        catalogue.load()


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ([a_rule("FMT-001", requires={"FMT-009"})], "requires FMT-009, which is not installed"),
        ([a_rule("FMT-001", requires={"FMT-002"}), a_rule("FMT-002", requires={"FMT-001"})], "requires itself"),
        ([a_rule("FMT-001", owns={"clone"}), a_rule("FMT-002", owns={"clone"})], "clone of .* has two owners"),
    ],
)
def test_rules_that_do_not_fit_together_are_refused(rules, told):
    with pytest.raises(CatalogueError, match=told):
        of(*rules)


def test_a_callback_may_have_an_owner_for_each_interface():
    of(a_rule("FMT-001", owns={"clone"}), a_rule("FMT-002", owns={"clone"}, interfaces=()))


def test_a_callback_leads_to_its_owner():
    rules = of(a_rule("CLN-001", owns={"clone"}), a_rule("FMT-001"))
    assert rules.owner("clone", Interface.V2_DYNAMIC).id == "CLN-001"
    assert rules.owner("enqueue", Interface.V2_DYNAMIC) is None


def test_rules_of_a_tool_are_there_where_the_tool_is_named(offer):
    source = "from harness.contract.rule import Source, rule\nfrom harness.contract.sanitizer_tool import Tool\n"
    for number, tool in enumerate(("None", "Tool.MEMCHECK", "Tool.RACECHECK"), 1):
        facts = f"source=Source('a document', 'a section'), tool={tool}"
        source += f"@rule('SAN-00{number}', {facts})\ndef judge_{number}(subject):\n    'It holds.'\n"
    offer("rules_of_tools", {"rules_of_tools": source})
    assert set(catalogue.load().rules) == {"SAN-001"}
    assert set(catalogue.load([Tool.MEMCHECK]).rules) == {"SAN-001", "SAN-002"}
    assert set(catalogue.load_rules()) == {"SAN-001", "SAN-002", "SAN-003"}


def test_foundations_include_those_of_foundations():
    rules = of(a_rule("FMT-001"), a_rule("FMT-002", requires={"FMT-001"}), a_rule("FMT-003", requires={"FMT-002"}))
    assert rules.foundations("FMT-003") == {"FMT-001", "FMT-002"}


def test_ids_and_families_name_rules():
    rules = of(a_rule("CLN-001"), a_rule("FMT-001"), a_rule("FMT-002"))
    assert rules.matching(["FMT", "CLN-001"]) == {"CLN-001", "FMT-001", "FMT-002"}
    with pytest.raises(UnknownRuleError, match="no rule, family or severity 'FTM'"):
        rules.matching(["FTM"])


def test_beginnings_of_ids_name_rules_from_their_dash_on():
    rules = of(a_rule("FMT-001"), a_rule("FMT-002"), a_rule("FMT-011"))
    assert rules.matching(["FMT-00"]) == {"FMT-001", "FMT-002"}
    with pytest.raises(UnknownRuleError):
        rules.matching(["FM"])


def test_severities_name_rules_as_they_are_at_the_level():
    softer = Source("a document", "a section", softer=("8.6",))
    rules = of(a_rule("CLN-001", severity=Severity.WARNING), a_rule("FMT-001", source=softer))
    assert rules.matching(["warning"]) == {"CLN-001"}
    assert rules.matching(["error"], "8.6") == frozenset()
    assert rules.matching(["warning"], "8.6") == {"CLN-001", "FMT-001"}


def test_a_level_judges_the_rules_of_those_below_it():
    rules = of(a_rule("CLN-001", level=1), a_rule("CLN-002"), a_rule("CLN-003", level=10))
    assert [len(rules.up_to(level)) for level in Thoroughness] == [1, 2, 3]
