"""Collect the defects of a run from its document: all results that show one defect become one entry.

The terminal and all reports use this module, so they show the same defects. Results of a rule on a plugin show one
defect if they have the same fingerprint. Fingerprints leave out numbers, which depend on shapes and memory.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import structs

from harness.contract.fingerprint import without_numbers
from harness.contract.rule import Source
from harness.contract.verdict import Verdict
from harness.contract.wording import encoded
from harness.results.module_rules import IMPORT, MODULE_RULES

if TYPE_CHECKING:
    from harness.results.report import Document

    Violation = Mapping[str, str]

_Thing = TypeVar("_Thing")

#: The fields that are equal in all results of one defect of a plugin; a missing ``known`` means False.
_SAME = ("id", "verdict", "fingerprint", "reason", "known")
#: Verdicts that are defects even if they do not fail the run, the most urgent first.
_DEFECTS = (Verdict.FAIL.value, Verdict.XPASS.value, Verdict.WARN.value, Verdict.NOTE.value, Verdict.XFAIL.value)


class Sighting(msgspec.Struct, frozen=True):
    """An item that shows a defect.

    Attributes:
        id: The node id of the item.
        entry: The document's entry of the result.
        subject: The document's entry that contains it: of a plugin on a case, or of a module.
    """

    id: str
    entry: Mapping[str, Any]
    subject: Mapping[str, Any]

    @property
    def digits(self) -> int:
        """Return the number of digits in the violation's text: small examples have few and short dimensions."""
        return min(map(_digits, self.entry["violations"]), default=0)


class Defect(msgspec.Struct, frozen=True, dict=True):
    """One rule broken in one way by one plugin, on one case or several.

    Attributes:
        rule: The rule.
        requirement: The rule's requirement, in one line.
        source: The place in TensorRT's documents that states the requirement.
        subject: The plugin as node ids name it, or the module's name.
        seen: The items that show the defect.
        explained_by: The rules, or families of rules, whose failure probably explains this failure.
    """

    rule: str
    requirement: str
    source: str
    subject: str
    seen: tuple[Sighting, ...]
    explained_by: tuple[str, ...] = ()

    @functools.cached_property
    def smallest(self) -> Sighting:
        """Return the item with the smallest example of the defect."""
        return min(self.seen, key=lambda sighting: sighting.digits)

    @property
    def entry(self) -> Mapping[str, Any]:
        """Return the report's entry for the smallest example."""
        return self.smallest.entry

    @property
    def verdict(self) -> str:
        """Return the verdict of the rule."""
        return str(self.entry["verdict"])

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Return the violations; of those that differ only in numbers, the smallest example."""
        by_text: dict[str, list[Violation]] = {}
        for violation in self.entry["violations"]:
            by_text.setdefault(without_numbers(violation["what"]), []).append(violation)
        return tuple(min(alike, key=_digits) for alike in by_text.values())

    @property
    def cases(self) -> tuple[str, ...]:
        """Return the cases that show the defect; empty for a defect of a module."""
        return tuple(dict.fromkeys(each.subject["case"] for each in self.seen if "case" in each.subject))

    @property
    def broken(self) -> int:
        """Return the number of violations, over all cases."""
        return sum(each.entry["broken"] for each in self.seen)

    @property
    def evidence(self) -> int:
        """Return the number of findings, over all cases."""
        return sum(each.entry.get("evidence", each.entry["broken"]) for each in self.seen)

    @property
    def fails(self) -> bool:
        """Return whether the defect fails the run; a defect of a module always does."""
        return any(each.entry.get("fails", True) for each in self.seen)

    @property
    def known(self) -> bool:
        """Return whether the run's baseline has the defect on each of its cases."""
        return bool(self.entry.get("known"))

    @property
    def expected(self) -> bool:
        """Return whether the user expects the failure."""
        return self.verdict == Verdict.XFAIL.value

    @property
    def word(self) -> str:
        """Return the verdict as headings show it."""
        return f"{self.verdict}, known from the baseline" if self.known else self.verdict

    @property
    def summary(self) -> str:
        """Return the first violation, or the reason, in one line."""
        text = self.entry["reason"] if self.expected or not self.violations else self.violations[0]["what"]
        return str(text).partition("\n")[0] or self.verdict

    @property
    def identity(self) -> str:
        """Return a text that identifies the defect of the plugin: it is equal in all runs that find the defect."""
        return ":".join((self.subject, self.rule, self.entry["fingerprint"] or self.verdict))

    @property
    def heading(self) -> str:
        """Return the rule and its requirement, as a title."""
        return f"{self.rule}: {self.requirement}"

    @property
    def title(self) -> str:
        """Return the rule, the verdict, and the plugin with its cases or the module, as the title of an annotation."""
        cases = f" on {', '.join(self.cases)}" if self.cases else ""
        return f"{self.rule} {self.word}, {self.subject}{cases}"

    @property
    def examples(self) -> list[Defect]:
        """The same defect, once for each example that differs from the others."""
        same = _alike((repr(each.entry["violations"]), each) for each in self.seen)
        return [structs.replace(self, seen=tuple(seen)) for seen in same]

    @property
    def raised_at(self) -> tuple[str, int, bool] | None:
        """Return file and line of the user's code that raised, and ``known``; None if there is no exception."""
        spot, failure = self.entry.get("spot"), self.entry.get("mishap") or {}
        raised = failure.get("stack") or self.entry.get("stack")
        return (spot["file"], spot["line"], self.known) if spot and raised else None

    @property
    def cause(self) -> Hashable:
        """Return a value that is equal for defects with the same violations, or with the same blocking rule."""
        if self.entry.get("blocked_by"):
            return self.entry["blocked_by"], self.known
        texts = frozenset(without_numbers(violation["what"]) for violation in self.entry["violations"])
        return texts or (self.rule, self.entry["reason"]), self.known


def defects_of(document: Document) -> list[Defect]:
    """Return all defects: first those of modules, then failures, warnings, notes, expected failures, known defects.

    Defects with one cause in one plugin follow each other. A defect follows the defect that explains it.
    """
    defects = list(_of_plugins(document))
    groups = _alike(((defect.subject, defect.cause), defect) for defect in defects)
    groups.sort(key=lambda group: any(is_explained(defect, defects) for defect in group))
    by_urgency = sorted(groups, key=lambda group: min(map(_urgency, group)))
    return [
        *map(_of_module, document["modules"]),
        *(defect for group in by_urgency for defect in sorted(group, key=_urgency)),
    ]


def causes_of(defects: Sequence[Defect]) -> list[tuple[Defect, list[Defect]]]:
    """Return each cause among the defects of one plugin, with its probable consequences.

    A defect is a consequence of an earlier defect with the same cause, or whose rule explains it.
    """
    causes: list[tuple[Defect, list[Defect]]] = []
    for defect in defects:
        also = next(
            (also for cause, also in causes if _is_same(cause, defect) or _explains(cause, defect)),
            None,
        )
        if also is None:
            causes.append((defect, []))
        else:
            also.append(defect)
    return causes


def _is_same(one: Defect, other: Defect) -> bool:
    """Return whether two defects of a plugin have the same cause, or were raised by the same line."""
    return one.cause == other.cause or (one.raised_at is not None and one.raised_at == other.raised_at)


def is_explained(defect: Defect, defects: Iterable[Defect]) -> bool:
    """Return whether another failure of the plugin probably explains this failure."""
    return any(_explains(other, defect) for other in defects)


def _explains(cause: Defect, defect: Defect) -> bool:
    """Return whether a failure probably explains a second: its rule or family is in the second's list of causes."""
    if cause.subject != defect.subject or {cause.rule, cause.rule.partition("-")[0]}.isdisjoint(defect.explained_by):
        return False
    return cause.verdict == defect.verdict == Verdict.FAIL.value and not cause.known and not defect.known


def _urgency(defect: Defect) -> tuple[bool, int]:
    return defect.known, _DEFECTS.index(defect.verdict) if defect.verdict in _DEFECTS else 0


def _of_module(entry: Mapping[str, Any]) -> Defect:
    rule = MODULE_RULES[entry.get("rule", IMPORT)]
    seen = (Sighting(f"conformance::{encoded(entry['module'])}::{rule.id}", entry, entry),)
    return Defect(rule.id, rule.requirement, str(rule.source), entry["module"], seen)


def _of_plugins(document: Document) -> Iterator[Defect]:
    sightings = (
        ((label_of(plugin), *map(rule.get, _SAME)), Sighting(f"{plugin['id']}::{rule['id']}", rule, plugin))
        for plugin in document["plugins"]
        for rule in plugin["rules"]
        if rule["verdict"] in _DEFECTS or rule["fails"]
    )
    for seen in _alike(sightings):
        facts = document["rules"][seen[0].entry["id"]]
        source = str(Source(**facts["source"]))
        causes = tuple(facts.get("explained_by", ()))
        yield Defect(facts["id"], facts["requirement"], source, label_of(seen[0].subject), tuple(seen), causes)


def label_of(plugin: Mapping[str, Any]) -> str:
    """Return the label of a plugin, as node ids have it."""
    return str(plugin["id"]).split("::")[1]


def _digits(violation: Violation) -> int:
    text = violation["where"] + violation["what"] + violation["expected"] + violation["observed"]
    return sum(letter.isdecimal() for letter in text)


def _alike(things: Iterable[tuple[Hashable, _Thing]]) -> list[list[_Thing]]:
    """Return lists of the things with equal keys, in the order of the first thing of each list."""
    groups: dict[Hashable, list[_Thing]] = {}
    for key, thing in things:
        groups.setdefault(key, []).append(thing)
    return list(groups.values())
