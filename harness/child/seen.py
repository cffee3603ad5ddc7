"""Note the formats and shapes that a rule asks about and executes, for the pictures of a report."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

from harness.checks.formats.formats import form_name
from harness.contract.finding import CallbackFailedError
from harness.contract.seen import MOST_CHOICES, MOST_SHAPES, Seen, extents_of, shape_text
from reference_runtime.instruments import state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.contract.finding import Finding
    from harness.contract.rule import Rule
    from harness.subject.subject import Facts, Subject
    from reference_runtime.calling.gate.records import CallOutcome, Event

#: Characters of the text about a failed query that are kept, at most.
_LONGEST: Final = 200
#: The key of the format questions in `Facts`, for a case without variants that is not compiled ahead of time.
_QUESTIONS: Final = (False, (), "format questions")


class ExecutedShapes:
    """Observer that keeps the input shapes of ``enqueue``, each with whether a finding about it has a violation.

    The shapes since the last finding are kept apart until the next finding says which shapes it is about.
    """

    def __init__(self) -> None:
        self._unsettled: dict[str, None] = {}
        self.shapes: dict[str, bool] = {}

    def before(self, event: Event) -> None:
        """Keep the shapes of an execution; with an implicit batch, no descriptions show them."""
        if event.method == "enqueue" and isinstance(event.arguments[0], (list, tuple)):
            text = shape_text(_extents(desc) for desc in event.arguments[0])
            if text and len(self.shapes) < MOST_SHAPES:
                self._unsettled.pop(text, None)  # so that it becomes the last
                self._unsettled[text] = None

    def after(self, event: Event, outcome: CallOutcome) -> None:
        """Do nothing: the rule's findings say whether an execution was right."""

    def settle(self, where: str = "", *, violates: bool = False) -> None:
        """Note whether a finding has a violation.

        It is about the shapes that ``where`` names or, if it names none, about those since the last finding.
        """
        new, self._unsettled = self._unsettled, {}
        for text in new:
            self.shapes.setdefault(text, False)
        if violates:
            named = [text for text in self.shapes if names_shapes(where, text)]
            self.shapes.update(dict.fromkeys(named or new, True))

    def _settle_failure(self, callback: str) -> None:
        """Note that a callback failed; if that was ``enqueue``, the last shapes have a violation."""
        last = next(reversed(self._unsettled), None)
        self.settle()
        if last is not None and callback == "enqueue":
            self.shapes[last] = True

    def noted_by(self, rule: Rule) -> Rule:
        """Return the rule with a judge that notes each finding here."""

        def judge(subject: Subject, *example: Any) -> Iterator[Finding]:
            try:
                for finding in rule.judge(subject, *example):
                    violation = finding.violation
                    self.settle(violation.where if violation else "", violates=violation is not None)
                    yield finding
            except CallbackFailedError as error:
                self._settle_failure(error.failure.callback)
                raise
            self.settle()

        return dataclasses.replace(rule, judge=judge)


def _extents(desc: Any) -> tuple[int, ...]:
    """Return the dimensions of a description without reading its attributes, since the runtime records that."""
    dims = state(desc)["dims"]
    return tuple(state(dims)["extents"][: len(dims)])


def names_shapes(where: str, text: str) -> bool:
    """Return whether the text ``where`` of a violation names the input shapes, written as tuples or as lists."""
    shapes = extents_of(text)
    return any(f"input shapes {each}" in where for each in (list(shapes), [list(shape) for shape in shapes]))


def format_table(facts: Facts, known_before: Facts, inputs: int) -> list[dict[str, Any]]:
    """Return the answers about formats of a plugin with so many inputs, one entry for each choice and tensor.

    Empty if no rule has asked, or if that was in an earlier request, whose answer has the table.
    """
    if _QUESTIONS in known_before or _QUESTIONS not in facts:
        return []
    table: dict[tuple[str, ...], dict[str, Any]] = {}
    for question in facts[_QUESTIONS]:
        after = tuple(map(form_name, question.head))
        if after not in table and len(table) == MOST_CHOICES:
            break
        tensor = f"input {question.pos}" if question.pos < inputs else f"output {question.pos - inputs}"
        empty: dict[str, Any] = {"tensor": tensor, "after": list(after), "accepted": [], "refused": [], "failed": {}}
        row = table.setdefault(after, empty)
        outcome = facts[(False, (), ("format", question))].outcome
        if isinstance(outcome, str):
            row["failed"][form_name(question.form)] = outcome[:_LONGEST]
        else:
            row["accepted" if outcome else "refused"].append(form_name(question.form))
    return list(table.values())


def seen_by(executed: ExecutedShapes, formats: list[dict[str, Any]]) -> Seen | None:
    """Return the formats and shapes in the form in which an answer carries them; None if there are none."""
    parts = {"formats": formats, "shapes": executed.shapes}
    return {name: part for name, part in parts.items() if part} or None
