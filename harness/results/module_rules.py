"""Declare the rules about a module as a whole: its import, its registrations, and a case for each plugin.

They are not in the catalogue, because a rule there needs a plugin and a case.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

from harness.contract.rule import Rule, Severity, Source

if TYPE_CHECKING:
    from harness.contract.finding import Finding
    from harness.contract.rule import Judge

#: The ids of these rules, which end the node ids of modules.
IMPORT, REGISTRY, CASE = "IMPORT", "REGISTRY", "CASE"


def _judge(requirement: str) -> Judge:
    """Return a function with the requirement as its docstring; it is never called, because the controller judges."""

    def judge(subject: object) -> Iterator[Finding]:
        raise NotImplementedError("the controller judges it")

    judge.__doc__ = requirement
    return judge


_STATED = (
    (
        IMPORT,
        "The module can be imported.",
        Source("The Python Language Reference", "5. The import system", versions=()),
    ),
    (
        REGISTRY,
        "The registry accepts each creator, and its attributes can be read.",
        Source("IPluginRegistry (Python API)", "register_creator"),
    ),
    (
        CASE,
        "Each plugin has a case: one that is written, one of a model, or one that can be inferred.",
        Source("pytest-trt-conformance", "docs/cases.md", versions=()),
    ),
)
#: The rules that report failures of a module, by id.
MODULE_RULES = MappingProxyType(
    {
        name: Rule(id=name, judge=_judge(requirement), source=source, severity=Severity.ERROR)
        for name, requirement, source in _STATED
    }
)
