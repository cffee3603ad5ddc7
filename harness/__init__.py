"""The harness: finds plugins, runs them, judges them by rules, and reports; it contains no rule.

The import of this package loads no other module: a name is loaded when it is first used. The names are the Python API,
and ``Case``, ``Input``, ``Tolerance`` and ``ExpectedFailure`` for ``<module>_cases.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.cases.case import Case, Input, Tolerance
    from harness.config.errors import UsageError
    from harness.contract.expected_failures import ExpectedFailure
    from harness.frontends.api.certify import certify
    from harness.frontends.api.parametrize import parametrize_with_rules
    from harness.frontends.api.report import CertificationError, PluginVerdict, Report, RuleResult, Standing, Verdict

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
    "Case": "cases.case",
    "Input": "cases.case",
    "Tolerance": "cases.case",
    "ExpectedFailure": "contract.expected_failures",
    "CertificationError": "frontends.api.report",
    "PluginVerdict": "frontends.api.report",
    "Report": "frontends.api.report",
    "RuleResult": "frontends.api.report",
    "Standing": "frontends.api.report",
    "Verdict": "frontends.api.report",
    "UsageError": "config.errors",
    "certify": "frontends.api.certify",
    "parametrize_with_rules": "frontends.api.parametrize",
}


def __getattr__(name: str) -> Any:
    import importlib  # noqa: PLC0415 - this package must stay cheap to import

    if name not in _HOMES:
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
