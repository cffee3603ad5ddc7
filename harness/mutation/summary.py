"""Describe the result of a search: each unnoticed defect, properties that the cases lack, and a headline."""

from __future__ import annotations

import collections
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.contract.wording import counted, named
from harness.mutation.outcome import Fate, Likeness
from harness.mutation.weak_spots import ADVICE

if TYPE_CHECKING:
    from pathlib import Path

    from harness.mutation.campaign import Findings
    from harness.mutation.kind import Spot
    from harness.mutation.outcome import Outcome


def lines(findings: Findings) -> Iterator[str]:
    """Yield the lines of a summary."""
    unnoticed = _of(findings, Fate.UNNOTICED)
    undecided = _of(findings, Fate.UNDECIDED)
    broken = sorted({rule for rule, _ in findings.original.broken})
    if broken:
        yield (
            f"{findings.module} itself breaks {named(broken)}: "
            "a defect that only these rules report counts as unnoticed"
        )
    for outcome in unnoticed:
        yield from _described(outcome)
    for outcome in undecided:
        yield f"{_where(outcome)}: not decided: {outcome.note}"
    helpful = _helpful(findings)
    if helpful:
        yield "What would help:"
        for spot, number in helpful:
            yield f"  no case has {spot.value} ({counted(number, 'unnoticed defect')} could then show): {ADVICE[spot]}"
    if any(case.inferred for case in findings.original.cases):
        yield "  some of the plugins have no written case: your own cases say which results are right"
    yield headline(findings)


def headline(findings: Findings) -> str:
    """Return one line: the number of unnoticed defects, and properties that the cases lack."""
    unnoticed, num_outcomes = len(_of(findings, Fate.UNNOTICED)), len(findings.outcomes)
    goes = "goes" if unnoticed == 1 else "go"
    head = f"{unnoticed} of {counted(num_outcomes, 'injected defect')} {goes} unnoticed"
    if num_outcomes < findings.planted:
        head += f" (a sample of {findings.planted})"
    why = "; ".join(f"no case has {spot.value}" for spot, _ in _helpful(findings)[:2])
    undecided = len(_of(findings, Fate.UNDECIDED))
    return head + (f": {why}" if why else "") + (f"; {undecided} not decided" if undecided else "")


def _of(findings: Findings, fate: Fate) -> list[Outcome]:
    return [outcome for outcome in findings.outcomes if outcome.fate is fate]


def _helpful(findings: Findings) -> list[tuple[Spot, int]]:
    """Return properties that no case has, each with the number of unnoticed defects that it could show."""
    counts: collections.Counter[Spot] = collections.Counter()
    for outcome in _of(findings, Fate.UNNOTICED):
        counts.update(spot for spot in outcome.mutant.operator.spots if spot in findings.lacking)
    return counts.most_common()


def _where(outcome: Outcome) -> str:
    return f"{_short(outcome.mutant.file)}:{outcome.mutant.line}"


def _short(file: Path) -> str:
    near = os.path.relpath(file)
    return near if not near.startswith("..") else str(file)


def _described(outcome: Outcome) -> Iterator[str]:
    mutant = outcome.mutant
    yield f"{_where(outcome)} in {mutant.place}: {mutant.operator.defect.replace('``', '')} ({mutant.operator.name})"
    yield from (f"    {line}" for line in mutant.diff)
    if outcome.likeness is Likeness.DIFFERENT:
        yield f"    {outcome.likeness.value}: {outcome.difference}"
    elif outcome.likeness is not Likeness.UNKNOWN:
        yield f"    {outcome.likeness.value}"
