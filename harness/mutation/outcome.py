"""Name the outcome of a mutant, and compare its life with the original's."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

import msgspec

from harness.mutation.kind import CASES
from harness.mutation.trial import IMPORT

if TYPE_CHECKING:
    from harness.mutation.mutant import Mutant
    from harness.mutation.trial import CaseSeen, Seen


class Fate(enum.Enum):
    """The fate of a mutant."""

    NOTICED = "noticed"
    UNNOTICED = "unnoticed"
    UNDECIDED = "undecided"  # time was up, or a rule failed by itself, before any rule was broken


class Likeness(enum.Enum):
    """The relation of an unnoticed mutant to the original. None of these proves that the mutant is equivalent."""

    NOT_REACHED = "no rule executes the changed line in any case"
    ALIKE = "in one build and execution of each case, its calls and answers equal the original's"
    DIFFERENT = "it differs from the original in one build and execution, and no rule reports it"
    UNKNOWN = ""


class Outcome(msgspec.Struct, frozen=True):
    """The result of judging one mutant.

    Attributes:
        mutant: The mutant.
        fate: What became of it.
        rules: The rules that it breaks: the first that was found, or all where all were asked.
        likeness: Of one that is not noticed, what was established.
        difference: Where its life differs from the original's, in words.
        note: Why the mutant was not decided.
        seconds: How long it took.
    """

    mutant: Mutant
    fate: Fate
    rules: tuple[str, ...] = ()
    likeness: Likeness = Likeness.UNKNOWN
    difference: str = ""
    note: str = ""
    seconds: float = 0.0

    @property
    def is_attributed(self) -> bool:
        """Return whether a rule that must report this kind of defect reports it."""
        return not {*self.rules}.isdisjoint(self.mutant.operator.rules)

    def to_plain(self) -> dict[str, Any]:
        """It all as JSON can hold it."""
        mutant = self.mutant
        return {
            "id": mutant.id,
            "operator": mutant.operator.name,
            "defect": mutant.operator.defect,
            "file": str(mutant.file),
            "line": mutant.line,
            "place": mutant.place,
            "diff": list(mutant.diff),
            "named": list(mutant.operator.rules),
            "fate": self.fate.value,
            "rules": list(self.rules),
            "attributed": self.is_attributed,
            "likeness": self.likeness.name.lower() if self.likeness is not Likeness.UNKNOWN else "",
            "difference": self.difference,
            "note": self.note,
            "seconds": round(self.seconds, 1),
        }


def outcome_of(mutant: Mutant, seen: Seen, original: Seen, *, is_reached: bool) -> Outcome:
    """Return the outcome of a mutant, from the observations of it and of the original."""
    rules = tuple(dict.fromkeys(rule for rule, _ in seen.broken))
    if rules:
        note = next((why for rule, why in seen.broken if rule in {IMPORT, CASES}), "")
        return Outcome(mutant, Fate.NOTICED, rules, note=note, seconds=seen.seconds)
    if seen.overdue or seen.internal:
        note = "; ".join(seen.internal) or f"stopped after {seen.seconds:.0f} s"
        return Outcome(mutant, Fate.UNDECIDED, note=note, seconds=seen.seconds)
    kind, difference = likeness(seen.cases, original.cases)
    if not is_reached:
        kind = Likeness.NOT_REACHED
    return Outcome(mutant, Fate.UNNOTICED, (), kind, difference, seconds=seen.seconds)


def likeness(mine: tuple[CaseSeen, ...], original: tuple[CaseSeen, ...]) -> tuple[Likeness, str]:
    """Return how lives compare, and where they differ first."""
    theirs = {(case.plugin, case.name): case.calls for case in original}
    if {(case.plugin, case.name) for case in mine} != {*theirs}:
        return Likeness.DIFFERENT, "it has other plugins or cases"
    for case in mine:
        other = theirs[case.plugin, case.name]
        for call, same in zip(case.calls, other, strict=False):
            if call != same:
                return Likeness.DIFFERENT, f"in case {case.name}: {_told(call)}, where the original has {_told(same)}"
        if len(case.calls) != len(other):
            return (
                Likeness.DIFFERENT,
                f"in case {case.name}: {len(case.calls)} calls, where the original has {len(other)}",
            )
    return Likeness.ALIKE, ""


def _told(call: tuple[str, ...]) -> str:
    target, method, _, arguments, outcome, value = call
    return f"{method} of {target} with {arguments} {outcome} {value}"
