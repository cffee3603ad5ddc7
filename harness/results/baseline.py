"""Read a baseline: the report of an earlier run; the present run fails only on new failures.

It is the JSON report of that run. A failure is known if the baseline has its fingerprint for the same rule, plugin and
case. A baseline that cannot be relied on (another schema, an incomplete run) is an error.
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

#: The schema of the reports that are read, as ``reports.document`` writes it.
_SCHEMA = 1
_BAD = {verdict.value for verdict in BAD}
_RENEW = "write it anew, with --plugin-report=json:FILE"


class BaselineError(Exception):
    """The file cannot serve as a baseline of this run; the argument says why, and what to do."""


@dataclasses.dataclass(frozen=True, order=True)
class Debt:
    """One failure that is known.

    Attributes:
        case: The node id of the plugin's case.
        rule: The rule.
        fingerprint: The fingerprint of the defect that it sees.
    """

    case: str
    rule: str
    fingerprint: str

    @property
    def nodeid(self) -> str:
        """The node id of the item that shows it."""
        return f"{self.case}::{self.rule}"


class Baseline(msgspec.Struct, frozen=True):
    """The failures and warnings of an earlier run.

    Attributes:
        debts: The failures and warnings.
        cases: The modules of the cases that it judged, by node id of the case.
    """

    debts: frozenset[Debt]
    cases: Mapping[str, str]

    @classmethod
    def read(cls, file: Path, like: Mapping[str, object]) -> Baseline:
        """Return the baseline in a file.

        Args:
            file: The JSON report.
            like: What must be the same in both runs, by its name in the report.

        Raises:
            BaselineError: It is no report of this tool, or none of a complete run.
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
            told = f"{type(error).__name__}: {error}"
            raise BaselineError(f"is no JSON report of this tool ({told}): {_RENEW}") from error

    def knows(self, case: str, rule: str, fingerprint: str) -> bool:
        """Return whether the earlier run had this failure; false for a failure without a fingerprint."""
        return bool(fingerprint) and Debt(case, rule, fingerprint) in self.debts

    def compared(self, plan: RunPlan, seen: Mapping[str, Sequence[CaseRecord]]) -> Compared:
        """Return what a run says beside this; ``seen`` is what is known of each case, by its node id."""
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
        """Return whether the rule of a known failure now fails in a way that is not known."""
        bad = (result for result in _results(debt, records) if result is not None and result.verdict in BAD)
        return any(not self.knows(debt.case, debt.rule, result.fingerprint) for result in bad)

    def _vanished(self, plan: RunPlan) -> tuple[str, ...]:
        """The plugins that the baseline judged and that this run does not find in modules which it names.

        A label names the module if two have a plugin of the same key. So it changes with what else is certified.
        """
        named = {module.name for module in plan.modules if module.failure is None}
        there = {(module.name, _key(plugin.label)) for module, plugin in plan.plugins}
        there |= {(module.name, key) for module in plan.modules for key in module.left_out}
        moved = {_key(plugin.label) for _, plugin in plan.plugins}  # to another module, where one alone had it
        judged = {case.split("::")[1]: module for case, module in self.cases.items() if module in named}
        lost = (label for label, module in judged.items() if (module, _key(label)) not in there and label not in moved)
        return tuple(sorted(lost))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Compared(Record):
    """The differences between a run and its baseline.

    Attributes:
        known: How many items show what it has.
        fixed: The node ids of those that are gone, where the rule holds now.
        changed: The node ids of those that are gone, where the rule found another failure, which is not known.
        vanished: The plugins that it judged and this run does not find.
        unvisited: The modules that it judged and this run does not name.
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
        found = _device_of(document, value) if name == "device" else document[name]
        if found != value:
            raise BaselineError(
                f"is of a run with {name} {found}, and this run has {name} {value}: "
                f"{_RENEW} and the options of this run"
            )


def _device_of(document: dict[str, Any], usual: object) -> object:
    """Return where plugins ran; ``usual`` where none did, since applications run on the host in every run."""
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
    """Return a label without the module that it may name."""
    return label.partition("+")[0]


def _is_gone(debt: Debt, records: Iterable[CaseRecord]) -> bool:
    """Return whether a rule was judged in full, and no part shows the known failure."""
    results = _results(debt, records)
    unseen = {Verdict.NOT_RUN, Verdict.BLOCKED}
    if not results or any(result is None or result.verdict in unseen for result in results):
        return False
    return all(result is None or result.fingerprint != debt.fingerprint for result in results)


def _results(debt: Debt, records: Iterable[CaseRecord]) -> list[Result | None]:
    return [record.result for record in records if record.rule == debt.rule]
