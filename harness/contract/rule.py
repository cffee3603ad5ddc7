"""Define a rule: the facts that its decorator holds, and the function that judges."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from harness.contract import sanitizer_tool as tools
from harness.contract import thoroughness as levels
from harness.contract.interface import (
    ALL_INTERFACES,
    APPLICATIONS,
    BLOB_SERIALIZED,
    BROADCASTING,
    CLASSES,
    CONFIGURED,
    DECORATED,
    DYNAMIC,
    FIELD_SERIALIZED,
    FORMAT_QUERYING,
    IMPLICIT_BATCH,
    INITIALIZED,
    MADE_AS_V3,
    SYMBOLIC,
    TYPED,
    VERSION_2,
    VERSION_3,
    Interface,
)
from harness.contract.language import ALL_LANGUAGES

if TYPE_CHECKING:
    from harness.contract.extra_tools import Builder
    from harness.contract.finding import Finding
    from harness.contract.language import Language
    from harness.contract.sanitizer_tool import Tool

    #: Takes the subject, and for a fuzz rule an example.
    Judge = Callable[..., Iterator[Finding]]
    #: Takes the facts of a case (`harness.cases.facts.Facts`), and returns a strategy of Hypothesis, whose examples
    #: JSON can hold.
    Strategy = Callable[..., Any]

__all__ = [
    "ALL_INTERFACES",
    "APPLICATIONS",
    "BLOB_SERIALIZED",
    "BROADCASTING",
    "CLASSES",
    "CONFIGURED",
    "DECORATED",
    "DYNAMIC",
    "FIELD_SERIALIZED",
    "FORMAT_QUERYING",
    "IMPLICIT_BATCH",
    "INITIALIZED",
    "MADE_AS_V3",
    "SYMBOLIC",
    "TYPED",
    "VERSION_2",
    "VERSION_3",
    "Interface",
    "Rule",
    "Severity",
    "Source",
    "rule",
]

RULE_ID = re.compile(r"[A-Z][A-Z0-9]{1,5}-[0-9]{3}")


class Severity(enum.Enum):
    """The consequence of a broken rule.

    Attributes:
        ERROR: An engine fails, crashes or computes wrong results, with some TensorRT version that has the interface.
        WARNING: Engines work, but the defect costs time or memory, hides a cause, or may fail with the next release.
        INFO: Engines work with every released TensorRT; only TensorRT's documents ask for something else.
    """

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclasses.dataclass(frozen=True)
class Source:
    """The place in TensorRT's documents that states the requirement.

    Attributes:
        document: The document or header, for example ``IPluginV2DynamicExt (Python API)``.
        section: The section, method or field in it.
        versions: TensorRT versions for which the requirement holds. Plugins in Python came with 9.
        basis: How firm the requirement is: ``documented``, ``observed`` (on the genuine bindings), ``observed on
            TensorRT-RTX`` (NVIDIA's builder 1.7.1), ``sample`` or ``derived``.
        note: A conflict between NVIDIA's own texts, if there is one.
        softer: Versions for which the requirement is a recommendation ("should") and not a duty.
    """

    document: str
    section: str
    versions: tuple[str, ...] = ("8.6", "10", "11")
    basis: str = "documented"
    note: str = ""
    softer: tuple[str, ...] = ()

    def holds_at(self, spec: str) -> bool:
        """Return whether the requirement holds at an API level; the level 8.6 has plugins in Python, as 9 had."""
        return spec in self.versions or (spec == "8.6" and "9" in self.versions)

    def __str__(self) -> str:
        words = f"{self.document}, {self.section} (TensorRT {', '.join(self.versions)}; {self.basis})"
        return f"{words}; {self.note}" if self.note else words


@dataclasses.dataclass(frozen=True)
class Rule:
    """One thing that TensorRT requires of a plugin.

    Attributes:
        id: ``FAM-000``; never reused.
        judge: Yields one finding per question judged.
        source: Where TensorRT says so.
        severity: The consequence of a broken rule.
        interfaces: Interfaces whose plugins the rule concerns.
        languages: Languages whose plugins the rule concerns; for plugins in other languages it does not apply.
        requires: Rules whose failure this rule would only repeat.
        owns: Callbacks whose unexpected failure this rule reports.
        explained_by: Rules, or families of rules, whose failure probably explains a failure of this rule.
        level: The first level (1, 5 or 10) at which the rule is judged. Level 1 has cheap rules that drive no engine.
        drives: Whether the rule drives an engine, whose order of calls the scheduler chooses. It is then judged with
            every seed of the run.
        strategy: For a fuzz rule, the strategy that generates its examples; the rule judges one example at a time.
        tool: The sanitizer that the rule needs, or NVIDIA's builder. The rule runs only if the user asks for the tool.
    """

    id: str
    judge: Judge
    source: Source
    severity: Severity = Severity.ERROR
    interfaces: frozenset[Interface] = CLASSES
    languages: frozenset[Language] = ALL_LANGUAGES
    requires: frozenset[str] = frozenset()
    owns: frozenset[str] = frozenset()
    explained_by: frozenset[str] = frozenset()
    level: int = levels.Thoroughness.DEFAULT.number
    drives: bool = False
    strategy: Strategy | None = None
    tool: Tool | Builder | None = None

    @property
    def deadline(self) -> float | None:
        """Return the seconds that the rule may take on one case; None for the deadline of the run."""
        return tools.SECONDS if self.tool else None

    @property
    def family(self) -> str:
        """Return the letters before the number of the id."""
        return self.id.partition("-")[0]

    def severity_at(self, spec: str) -> Severity:
        """Return the severity of a failure of the rule at an API level."""
        return Severity.WARNING if spec in self.source.softer and self.severity is Severity.ERROR else self.severity

    @property
    def requirement(self) -> str:
        """Return the docstring's first paragraph in one line: a statement that is true for a correct plugin."""
        return self._paragraphs()[0].replace("\n", " ")

    @property
    def heading(self) -> str:
        """Return the id and the requirement, without the double backquotes of docstrings."""
        return f"{self.id}: {self.title}"

    @property
    def title(self) -> str:
        """Return the requirement without the double backquotes of docstrings."""
        return self.requirement.replace("``", "")

    @property
    def reason(self) -> str:
        """Return the rest of the docstring: the reason for the requirement."""
        return "\n\n".join(self._paragraphs()[1:])

    def _paragraphs(self) -> list[str]:
        return (inspect.getdoc(self.judge) or "").split("\n\n")


def rule(  # noqa: PLR0913 - the decorator holds all facts of a rule
    rule_id: str,
    *,
    source: Source,
    severity: Severity = Severity.ERROR,
    interfaces: Iterable[Interface] = CLASSES,
    languages: Iterable[Language] = ALL_LANGUAGES,
    requires: Iterable[str] = (),
    owns: Iterable[str] = (),
    explained_by: Iterable[str] = (),
    level: int = levels.Thoroughness.DEFAULT.number,
    drives: bool = False,
    strategy: Strategy | None = None,
    tool: Tool | Builder | None = None,
) -> Callable[[Judge], Rule]:
    """Make the decorated function a :class:`Rule`, without registering it.

    Raises:
        ValueError: The id is not of the form ``FAM-000``, the level does not exist, or the function has no docstring.
    """
    if not RULE_ID.fullmatch(rule_id):
        raise ValueError(f"rule id {rule_id!r} is not of the form FAM-000")
    if level not in levels.NUMBERS:
        raise ValueError(f"rule {rule_id} begins at level {level}; levels are {levels.NUMBERS}")

    def decorate(judge: Judge) -> Rule:
        if not inspect.getdoc(judge):
            raise ValueError(f"rule {rule_id} has no docstring: its first line is the requirement")
        return Rule(
            id=rule_id,
            judge=judge,
            source=source,
            severity=severity,
            interfaces=frozenset(interfaces),
            languages=frozenset(languages),
            requires=frozenset(requires),
            owns=frozenset(owns),
            explained_by=frozenset(explained_by),
            level=level,
            drives=drives,
            strategy=strategy,
            tool=tool,
        )

    return decorate
