"""Digests of rules and code change with what they are of, and the must-run list is what the catalogue says."""

import importlib.metadata
import sys

import pytest

from harness.certificate.ruleset import must_run, rule_set
from harness.certificate.statement import digest_of
from harness.contract import catalogue
from harness.contract.extra_tools import ALL
from harness.contract.interface import Interface
from harness.contract.thoroughness import Thoroughness

RULE = '''
from harness.contract.rule import Severity, Source, rule

@rule("FMT-001", source=Source("doc", "section"), level={level})
def holds(subject):
    """{requirement}"""
    {body}
'''


@pytest.fixture
def rules_of(tmp_path, monkeypatch):
    """The rule set of a module of rules with this text."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(requirement="It holds.", level=5, body="yield 1"):
        folder = tmp_path / f"v{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "rules_here.py").write_text(RULE.format(requirement=requirement, level=level, body=body))
        monkeypatch.syspath_prepend(folder)
        sys.modules.pop("rules_here", None)
        entry = importlib.metadata.EntryPoint("here", "rules_here", catalogue.GROUP)
        monkeypatch.setattr(catalogue, "_entry_points", lambda: [entry])
        return rule_set(catalogue.load())

    yield make
    sys.modules.pop("rules_here", None)


def test_the_same_rules_have_the_same_digests(rules_of):
    assert rules_of() == rules_of()


@pytest.mark.parametrize("change", [{"requirement": "It holds always."}, {"level": 1}, {"body": "yield 2"}])
def test_another_rule_has_another_digest(rules_of, change):
    one, two = rules_of(), rules_of(**change)
    assert one.rules["FMT-001"] != two.rules["FMT-001"]
    assert one.digest != two.digest
    assert one.code["rules_here"] != two.code["rules_here"]
    assert one.code["harness"] == two.code["harness"]


@pytest.mark.new_rule
def test_the_installed_rules_and_all_packages_that_judge_are_in_it():
    installed = catalogue.load(ALL)
    found = rule_set(installed)
    assert list(found.rules) == list(installed.rules)
    assert set(found.code) == {"conformance", "harness", "pytest_trt_conformance", "reference_runtime"}
    assert len(set(found.rules.values())) == len(found.rules)
    assert found.digest.sha256 == digest_of({"rules": found.rules, "code": found.code})
    assert digest_of({}) not in found.code.values()  # no package was taken for empty


def test_a_package_is_digested_with_what_it_reads(tmp_path, monkeypatch):
    package = tmp_path / "rules_pack"
    package.mkdir()
    (package / "__init__.py").write_text(RULE.format(requirement="It holds.", level=5, body="yield 1"))
    monkeypatch.syspath_prepend(tmp_path)
    entry = importlib.metadata.EntryPoint("here", "rules_pack", catalogue.GROUP)
    monkeypatch.setattr(catalogue, "_entry_points", lambda: [entry])
    before = rule_set(catalogue.load())
    (package / "table.json").write_text("{}")
    after = rule_set(catalogue.load())
    sys.modules.pop("rules_pack")
    assert before.rules == after.rules
    assert before.code["rules_pack"] != after.code["rules_pack"]


def test_the_must_run_list_is_that_of_interface_and_level():
    installed = catalogue.load()
    found = must_run(installed, [Interface.V3, Interface.V2_DYNAMIC, Interface.V3], Thoroughness.DEFAULT)
    assert list(found) == ["IPluginV2DynamicExt", "IPluginV3"]
    concerning = installed.concerning(Interface.V3)
    assert found["IPluginV3"] == tuple(rule.id for rule in concerning if rule.level <= 5)
    smoke = must_run(installed, [Interface.V3], Thoroughness.SMOKE)
    assert set(smoke["IPluginV3"]) < set(found["IPluginV3"])
