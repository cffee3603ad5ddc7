"""What is wrong with a plugin, defect by defect: what cases, shapes and rules show of one thing stands together.

Results of a rule are about one defect where they say the same but for numbers, which come from shapes and memory.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeVar

from harness.contract.fingerprint import without_numbers
from harness.contract.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from harness.contract.finding import Violation
    from harness.contract.verdict import Result
    from harness.results.tally import CaseRecord

_Thing = TypeVar("_Thing")

#: Verdicts that are told in full.
_TOLD = (Verdict.FAIL, Verdict.XPASS, Verdict.WARN)


@dataclasses.dataclass(frozen=True)
class Defect:
    """One thing that a rule reports, on one case or on several.

    Attributes:
        record: The item with the smallest example of it.
        records: All items that report it.
    """

    record: CaseRecord
    records: tuple[CaseRecord, ...]

    @property
    def result(self) -> Result:
        """The verdict with the smallest example."""
        return _result(self.record)

    @property
    def known(self) -> bool:
        """Whether the run's baseline has it, on each of its cases."""
        return all(record.known for record in self.records)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The smallest example of each thing that was seen, where numbers make no other thing of it."""
        found: dict[str, list[Violation]] = {}
        for violation in self.result.violations:
            found.setdefault(without_numbers(violation.what), []).append(violation)
        return tuple(min(alike, key=_size) for alike in found.values())

    @property
    def broken(self) -> int:
        """How often it was seen, over all its cases."""
        return sum(_result(record).broken for record in self.records)

    @property
    def evidence(self) -> int:
        """How many questions were judged, over all its cases."""
        return sum(_result(record).evidence for record in self.records)

    @property
    def cases(self) -> list[str]:
        """The cases that show it."""
        return list(dict.fromkeys(record.case for record in self.records))


def causes(records: Iterable[CaseRecord], *, apart: bool = False) -> list[list[Defect]]:
    """Return what is wrong: for each cause the defects that come from it, one a rule; what the baseline has comes last.

    Args:
        records: What is known of the items of a plugin.
        apart: Whether cases whose examples differ are told apart.
    """
    told = [record for record in records if record.result is not None and _is_told(record)]
    defects = [_defect(same) for same in _alike(told, lambda record: _identity(record, apart=apart))]
    grouped = [sorted(group, key=_warns) for group in _alike(defects, lambda defect: _cause(defect.record))]
    return sorted(grouped, key=lambda group: (all(defect.known for defect in group), _is_mild(group)))


def _is_told(record: CaseRecord) -> bool:
    return _result(record).verdict in _TOLD or record.failed


def _is_mild(group: list[Defect]) -> bool:
    return all(map(_warns, group))


def _warns(defect: Defect) -> bool:
    return defect.result.verdict is Verdict.WARN


def _defect(records: list[CaseRecord]) -> Defect:
    return Defect(min(records, key=lambda record: _least(_result(record))), tuple(records))


def _identity(record: CaseRecord, *, apart: bool) -> Hashable:
    result = _result(record)
    seen = result.violations if apart else _seen(result)
    return result.rule, result.verdict, seen, result.reason, record.known


def _cause(record: CaseRecord) -> Hashable:
    """What two rules have in common that report the same; without a violation, nothing."""
    result = _result(record)
    return (_seen(result) or (result.rule, result.reason)), record.known


def _seen(result: Result) -> Hashable:
    return frozenset(without_numbers(violation.what) for violation in result.violations)


def _least(result: Result) -> int:
    return min(map(_size, result.violations), default=0)


def _size(violation: Violation) -> int:
    """How many digits it takes to tell: the smallest of several examples has the fewest and shortest extents."""
    told = violation.where + violation.what + violation.expected + violation.observed
    return sum(letter.isdecimal() for letter in told)


def _alike(things: Iterable[_Thing], key: Callable[[_Thing], Hashable]) -> list[list[_Thing]]:
    groups: dict[Hashable, list[_Thing]] = {}
    for thing in things:
        groups.setdefault(key(thing), []).append(thing)
    return list(groups.values())


def _result(record: CaseRecord) -> Result:
    if record.result is None:
        raise ValueError(f"{record.rule} on {record.case} was not judged")
    return record.result
