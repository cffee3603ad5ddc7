"""Define the outcome of a mutant, and compare its run with the original's run."""

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
    """The fate of a mutant: a rule reports it, or none does.

    It is UNDECIDED if no rule reported it before the time was over or a rule had an internal error.
    """

    NOTICED = "noticed"
    UNNOTICED = "unnoticed"
    UNDECIDED = "undecided"


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
        fate: Whether a rule reports it.
        rules: The rules that it breaks, as far as they were judged.
        likeness: The relation of an unnoticed mutant to the original.
        difference: The first difference of its run from the original's run, in words.
        note: Why the mutant was not decided, or why its import or its cases failed.
        seconds: The time that judging took.
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
        """Return the outcome as data for JSON."""
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
    """Return the outcome of a mutant, from its results and those of the original.

    ``is_reached`` says whether the original executes a changed line.
    """
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


def likeness(mutated: tuple[CaseSeen, ...], original: tuple[CaseSeen, ...]) -> tuple[Likeness, str]:
    """Compare the calls of a mutant's run with the original's; return the relation, and the first difference or ""."""
    original_calls = {(case.plugin, case.name): case.calls for case in original}
    if {(case.plugin, case.name) for case in mutated} != {*original_calls}:
        return Likeness.DIFFERENT, "it has other plugins or cases"
    for case in mutated:
        other = original_calls[case.plugin, case.name]
        for call, original_call in zip(case.calls, other, strict=False):
            if call != original_call:
                instead = f"{_in_words(call)}, where the original has {_in_words(original_call)}"
                return Likeness.DIFFERENT, f"in case {case.name}: {instead}"
        if len(case.calls) != len(other):
            return (
                Likeness.DIFFERENT,
                f"in case {case.name}: {len(case.calls)} calls, where the original has {len(other)}",
            )
    return Likeness.ALIKE, ""


def _in_words(call: tuple[str, ...]) -> str:
    target, method, _, arguments, outcome, value = call
    return f"{method} of {target} with {arguments} {outcome} {value}"
