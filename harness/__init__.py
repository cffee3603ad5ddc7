"""The harness: finds plugins, drives them, judges them by rules and reports; it contains no rule.

Importing this package imports nothing heavy. Its names are loaded when they are asked for: ``Case``, ``Input``,
``Tolerance`` and ``ExpectedFailure``, which a ``<module>_cases.py`` may use, and the Python API.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.case import Case, Input, Tolerance
    from harness.certifying import certify
    from harness.expectation import ExpectedFailure
    from harness.keywords import UsageError
    from harness.parametrizing import parametrize_with_rules
    from harness.python_report import CertificationError, PluginVerdict, Report, RuleResult, Standing, Verdict

__all__ = [
    "Case",
    "CertificationError",
    "ExpectedFailure",
    "Input",
    "PluginVerdict",
    "Report",
    "RuleResult",
    "Standing",
    "Tolerance",
    "UsageError",
    "Verdict",
    "certify",
    "parametrize_with_rules",
]

_HOMES = {
    "Case": "harness.case",
    "Input": "harness.case",
    "Tolerance": "harness.case",
    "ExpectedFailure": "harness.expectation",
    "CertificationError": "harness.python_report",
    "PluginVerdict": "harness.python_report",
    "Report": "harness.python_report",
    "RuleResult": "harness.python_report",
    "Standing": "harness.python_report",
    "Verdict": "harness.python_report",
    "UsageError": "harness.keywords",
    "certify": "harness.certifying",
    "parametrize_with_rules": "harness.parametrizing",
}


def __getattr__(name: str) -> Any:
    import importlib  # noqa: PLC0415 - this package must stay cheap to import

    if name not in _HOMES:
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
