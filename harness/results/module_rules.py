"""What a module is judged by before its plugins are: its import, its registrations, and a case for each plugin.

They are no rules of the catalogue: what they are about has no plugin, or no case, yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

from harness.contract.rule import Rule, Severity, Source

if TYPE_CHECKING:
    from harness.contract.finding import Finding

#: Their ids; the last parts of node ids of modules.
IMPORT, REGISTRY, CASE = "IMPORT", "REGISTRY", "CASE"


def _import_succeeds(subject: object) -> Iterator[Finding]:
    """The module can be imported."""
    raise NotImplementedError("the controller judges it")


def _creators_are_accepted(subject: object) -> Iterator[Finding]:
    """The registry accepts each creator, and its attributes can be read."""
    raise NotImplementedError("the controller judges it")


def _cases_are_found(subject: object) -> Iterator[Finding]:
    """Each plugin has a case: one that is written, one of a model, or one that can be inferred."""
    raise NotImplementedError("the controller judges it")


_SOURCES = (
    (IMPORT, _import_succeeds, Source("The Python Language Reference", "5. The import system", versions=())),
    (REGISTRY, _creators_are_accepted, Source("IPluginRegistry (Python API)", "register_creator")),
    (CASE, _cases_are_found, Source("pytest-trt-conformance", "docs/cases.md", versions=())),
)
#: What a module's own failure is reported as, by id.
MODULE_RULES = MappingProxyType(
    {name: Rule(id=name, judge=judge, source=source, severity=Severity.ERROR) for name, judge, source in _SOURCES}
)
