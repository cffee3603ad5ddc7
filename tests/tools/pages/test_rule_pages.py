"""The pages of the rules on the site."""

import functools
import re

import pytest
from pages import rule_pages

from harness.contract import catalogue
from harness.contract.extra_tools import ALL

pytestmark = pytest.mark.new_rule

RULES = catalogue.load(ALL).rules


@functools.cache
def pages():
    return rule_pages.pages()


def test_each_rule_and_each_family_has_a_page():
    families = {rule.family for rule in RULES.values()}
    assert set(pages()) == {"rules/index.md"} | {f"rules/{name}.md" for name in (*RULES, *families)}


def test_a_page_has_what_there_is_to_say():
    page = pages()["rules/CLN-002.md"]
    for word in (
        "# CLN-002",
        "The clone carries the same parameters as its source.",
        "Everything that TensorRT runs is a clone.",
        "| severity | error |",
        "`IPluginV2DynamicExt`",
        "--plugin-select=CLN-002",
        '"CLN-002": {"reason"',
        "plugin_examples/faulty/cloning/clone_forgets_the_factor.py",
    ):
        assert word in page


def test_each_rule_shows_a_planted_fault():
    assert [name for name in RULES if "## A planted fault" not in pages()[f"rules/{name}.md"]] == []


def test_each_rule_names_the_rules_that_it_rests_on():
    links = {(name, f"[{each}]({each}.md)") for name, rule in RULES.items() for each in rule.requires}
    assert [link for name, link in links if link not in pages()[f"rules/{name}.md"]] == []


def test_links_between_the_pages_lead_somewhere():
    there = {name.removeprefix("rules/") for name in pages()}
    for name, text in pages().items():
        targets = re.findall(r"\]\(([\w-]+\.md)\)", text)
        assert set(targets) <= there, name


def test_what_is_not_implemented_is_on_the_page_of_its_family():
    assert "**REG-004**: tested: " in pages()["rules/REG.md"]


def test_pages_that_are_made_here_are_told_from_others():
    assert rule_pages.is_generated("rules/FMT-001.md")
    assert rule_pages.is_generated("rules/FMT.md")
    assert not rule_pages.is_generated("rules/all.md")
    assert not rule_pages.is_generated("options.md")
