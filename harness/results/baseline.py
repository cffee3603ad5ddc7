"""Read a baseline, and compare a run with it: only failures that the baseline lacks fail the run.

A baseline is the JSON report of an earlier run. A failure is known if the baseline has its fingerprint for the same
rule, plugin and case. A baseline of another schema, or of an incomplete run, is an error.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from harness.contract.codec import Record, said
from harness.contract.interface import Interface
from harness.contract.verdict import BAD, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from harness.contract.verdict import Result
    from harness.results.run_plan import RunPlan
    from harness.results.tally import CaseRecord

#: The schema of the reports that can be read; ``reports.document`` writes it.
_SCHEMA = 1
_BAD = {verdict.value for verdict in BAD}
_RENEW = "write it anew, with --plugin-report=json:FILE"


class BaselineError(Exception):
    """The file cannot serve as a baseline of this run; the argument says why, and what to do."""


@dataclasses.dataclass(frozen=True, order=True)
class Debt:
    """One known failure.

    Attributes:
        case: The node id of the plugin's case.
        rule: The rule that failed.
        fingerprint: The fingerprint of the defect.
    """

    case: str
    rule: str
    fingerprint: str

    @property
    def nodeid(self) -> str:
        """Return the node id of the item that failed."""
        return f"{self.case}::{self.rule}"


class Baseline(msgspec.Struct, frozen=True):
    """The failures and warnings of an earlier run.

    Attributes:
        debts: The failures and warnings.
        cases: The module of each case that the earlier run judged, by node id of the case.
    """

    debts: frozenset[Debt]
    cases: Mapping[str, str]

    @classmethod
    def read(cls, file: Path, like: Mapping[str, object]) -> Baseline:
        """Return the baseline in a file.

        Args:
            file: The JSON report.
            like: Facts that must be equal in both runs, by their names in the report.

        Raises:
            BaselineError: The file is no JSON report of this tool, or the run was not complete, or a fact differs.
        """
        try:
            document = json.loads(file.read_bytes())
        except OSError as error:
            raise BaselineError(f"cannot be read: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise BaselineError(f"is no JSON, or not all of it is there ({error}): {_RENEW}") from error
        try:
            _insist_on_a_report(document)
            _insist_on_alike(document, like)
            return cls(frozenset(_debts(document)), {case["id"]: str(case["module"]) for case in document["plugins"]})
        except (KeyError, TypeError, AttributeError) as error:
            raise BaselineError(
                f"is no JSON report of this tool ({type(error).__name__}: {error}): {_RENEW}"
            ) from error

    def knows(self, case: str, rule: str, fingerprint: str) -> bool:
        """Return whether the earlier run had this failure; false for a failure without a fingerprint."""
        return bool(fingerprint) and Debt(case, rule, fingerprint) in self.debts

    def compared(self, plan: RunPlan, seen: Mapping[str, Sequence[CaseRecord]]) -> Compared:
        """Return the differences of a run; ``seen`` has the run's records of each case, by its node id."""
        known = sum(record.known for records in seen.values() for record in records)
        gone = [debt for debt in self.debts if _is_gone(debt, seen.get(debt.case, ()))]
        changed = {debt.nodeid for debt in gone if self._has_another(debt, seen[debt.case])}
        named = {module.name for module in plan.modules} | {module.given for module in plan.modules}
        unvisited = set(self.cases.values()) - named
        return Compared(
            known=known,
            fixed=tuple(sorted({debt.nodeid for debt in gone} - changed)),
            changed=tuple(sorted(changed)),
            vanished=self._vanished(plan),
            unvisited=tuple(sorted(unvisited)),
        )

    def _has_another(self, debt: Debt, records: Iterable[CaseRecord]) -> bool:
        """Return whether the rule of a known failure now fails in another way, which the baseline does not have."""
        bad = (result for result in _results(debt, records) if result is not None and result.verdict in BAD)
        return any(not self.knows(debt.case, debt.rule, result.fingerprint) for result in bad)

    def _vanished(self, plan: RunPlan) -> tuple[str, ...]:
        """Return the plugins that the baseline judged, in modules of this run, and that this run does not find.

        A label names the module if two modules have a plugin of the same key. So a label can change although the plugin
        does not.
        """
        named = {module.name for module in plan.modules if module.failure is None}
        present = {(module.name, _key(plugin.label)) for module, plugin in plan.plugins}
        present |= {(module.name, key) for module in plan.modules for key in module.left_out}
        moved = {_key(plugin.label) for _, plugin in plan.plugins}  # a plugin of one module may be in another now
        module_by_label = {case.split("::")[1]: module for case, module in self.cases.items() if module in named}
        return tuple(
            sorted(
                label
                for label, module in module_by_label.items()
                if (module, _key(label)) not in present and label not in moved
            )
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Compared(Record):
    """The differences between a run and its baseline.

    Attributes:
        known: The number of items with a failure that the baseline has.
        fixed: The node ids of known failures that this run does not show, and whose rule does not fail anew.
        changed: The node ids of known failures whose rule now fails in a new way.
        vanished: The plugins that the baseline judged and this run does not find.
        unvisited: The modules that the baseline judged and this run does not name.
    """

    known: int = said(least=0)
    fixed: tuple[str, ...]
    changed: tuple[str, ...]
    vanished: tuple[str, ...]
    unvisited: tuple[str, ...]


def _insist_on_a_report(document: Any) -> None:
    if not isinstance(document, dict) or "schema" not in document or "plugins" not in document:
        raise BaselineError(f"is no JSON report of this tool: {_RENEW}")
    if document["schema"] != _SCHEMA or isinstance(document["schema"], bool):
        raise BaselineError(f"has schema {document['schema']!r}, and this version reads schema {_SCHEMA}: {_RENEW}")
    if document["status"] != "complete":
        raise BaselineError(f"is of a run that was {document['status']}, so it is not complete: {_RENEW}")


def _insist_on_alike(document: dict[str, Any], like: Mapping[str, object]) -> None:
    for name, value in like.items():
        other = _device_of(document, value) if name == "device" else document[name]
        if other != value:
            raise BaselineError(
                f"is of a run with {name} {other}, and this run has {name} {value}: "
                f"{_RENEW} and the options of this run"
            )


def _device_of(document: dict[str, Any], usual: object) -> object:
    """Return the device of the plugins in a report; ``usual`` without plugins: applications run on the host always."""
    devices = {case["device"] for case in document["plugins"] if case["interface"] != Interface.APPLICATION.value}
    return "cuda" if "cuda" in devices else "host" if devices else usual


def _debts(document: dict[str, Any]) -> Iterator[Debt]:
    for case in document["plugins"]:
        for rule in case["rules"]:
            if rule["verdict"] in _BAD and rule["fingerprint"]:
                yield Debt(_text(case["id"]), _text(rule["id"]), _text(rule["fingerprint"]))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _key(label: str) -> str:
    """Return the plugin's key in a label, which may have the module behind it."""
    return label.partition("+")[0]


def _is_gone(debt: Debt, records: Iterable[CaseRecord]) -> bool:
    """Return whether the rule of a known failure was judged in all its items, and none shows this failure."""
    results = _results(debt, records)
    unseen = {Verdict.NOT_RUN, Verdict.BLOCKED}
    if not results or any(result is None or result.verdict in unseen for result in results):
        return False
    return all(result is None or result.fingerprint != debt.fingerprint for result in results)


def _results(debt: Debt, records: Iterable[CaseRecord]) -> list[Result | None]:
    return [record.result for record in records if record.rule == debt.rule]
