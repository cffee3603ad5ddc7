"""Find the inputs of a plugin in C++: its refusals say what is wrong with others."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from harness.child.discovery.layouts import Layout
from harness.child.discovery.learning import learned
from harness.contract.interface import IMPLICIT_BATCH
from harness.contract.language import Language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.case import Case
    from harness.child.discovery.attempts import Attempt, Attempts
    from harness.subject.subject import Subject

#: How many guesses are tried for the first choice of fields, and for each other.
MOST_LEARNED = (150, 50)


def with_learned_inputs(
    subject: Subject, attempts: Attempts, choices: Sequence[dict[str, Any]], kinds: Sequence[str]
) -> Attempt | None:
    """Return an attempt that the plugin takes, without an error that it logs; None if none was found."""
    if subject.language is not Language.CPP or subject.interface in IMPLICIT_BATCH:
        return None
    for number, fields in enumerate(choices):
        search = _Search(attempts, dataclasses.replace(subject.case, fields=fields), kinds)
        if learned(Layout((4,)), search.refusal_of, Layout.nearby, MOST_LEARNED[number > 0]) is not None:
            return search.last
    return None


class _Search:
    """Tries layouts with the types that the plugin takes.

    Attributes:
        last: The last attempt.
    """

    def __init__(self, attempts: Attempts, case: Case, kinds: Sequence[str]) -> None:
        self.last: Attempt | None = None
        self._attempts = attempts
        self._case = case
        self._kinds = kinds
        self._types: dict[int, Sequence[str]] = {}

    def refusal_of(self, layout: Layout) -> str:
        """Return how the plugin refuses a layout; empty if it takes it."""
        count = len(layout.ranks)
        attempt = self._with(layout, self._types.get(count, (self._kinds[0],) * count))
        if attempt.refuses_types and (better := self._with_types(layout)).reached > attempt.reached:
            self._types[count] = [each.types[0] for each in better.case.inputs]
            attempt = better
        self.last = attempt
        return attempt.refusal_text

    def _with(self, layout: Layout, types: Sequence[str]) -> Attempt:
        return self._attempts.with_case(dataclasses.replace(self._case, inputs=layout.inputs(types)))

    def _with_types(self, layout: Layout) -> Attempt:
        """Return an attempt with the types that the plugin takes in linear format, or else with the best type."""
        equal = [(kind,) * len(layout.ranks) for kind in self._kinds]
        case = dataclasses.replace(self._case, inputs=layout.inputs(equal[0]))
        types = self._attempts.types_taken(case, self._kinds)
        attempts = (self._with(layout, each) for each in ([types] if types else equal))
        return max(attempts, key=lambda attempt: attempt.reached)
