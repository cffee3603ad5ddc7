"""Add properties of the run to pytest's own JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from _pytest.junitxml import xml_key

if TYPE_CHECKING:
    import pytest

    from harness.contract.rule import Rule
    from harness.contract.verdict import Result
    from harness.results.report import Document


def is_written(config: pytest.Config) -> bool:
    """Return whether pytest writes JUnit XML."""
    return xml_key in config.stash


def tell_suite(config: pytest.Config, document: Document) -> None:
    """Add to JUnit XML, if pytest writes it, the properties of the run that a reader needs to repeat it."""
    xml: Any = config.stash.get(xml_key, None)
    if xml is None:
        return
    devices = sorted({entry["device"] for entry in document["plugins"]})
    properties = {
        "trt-conformance.status": document["status"],
        "trt-conformance.spec": document["spec"],
        "trt-conformance.level": str(document["level"]),
        "trt-conformance.seeds": ", ".join(map(str, document["seeds"])),
        "trt-conformance.device": ", ".join(devices),
        **{f"version.{name}": version for name, version in document["versions"].items()},
    }
    for name, value in properties.items():
        xml.add_global_property(name, value)


def rule_properties(rule: Rule, plugin: str, case: str) -> list[tuple[str, str]]:
    """Return the properties of a test case that are known before it runs."""
    facts = {"rule": rule.id, "plugin": plugin, "case": case, "requirement": rule.requirement.replace("``", "")}
    return [(name, value) for name, value in facts.items() if value]


def case_properties(rule: Rule, result: Result) -> list[tuple[str, Any]]:
    """Return the properties that a verdict adds; ``fingerprint`` only with a violation."""
    properties: list[tuple[str, Any]] = [
        ("verdict", result.verdict.value),
        ("evidence", result.evidence),
        ("severity", result.severity.value),
        ("source", str(rule.source)),
    ]
    return [*properties, ("fingerprint", result.fingerprint)] if result.fingerprint else properties
