"""Record a new object's answers to format questions, so that each question is asked once in a process.

Rules that only need the answers read the record. Rules about repeated questions, about other objects, or about the
descriptions after ``pos`` ask a plugin themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np

from harness.checks.formats.formats import Asker, Question, questions
from harness.checks.observation.telling import shown
from harness.checks.observation.watching import ArgumentWatch, OutcomeLog, observing
from harness.checks.shapes.shapes import known_dims, network_dims, usual_answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.checks.formats.formats import Form
    from harness.subject.callers.decorated import DecoratedCaller
    from harness.subject.subject import Subject
    from reference_runtime.values.descriptions import Bounds

METHOD = "supports_format_combination"
#: The number of accepted questions, and about the number of refused ones, that are asked to compare two plugins.
_ACCEPTED, _REFUSED = 24, 8


class Reply(msgspec.Struct, frozen=True):
    """The plugin's reply to one question about formats.

    Attributes:
        outcome: The answer, or how the method failed.
        returned: The value that the method returned in place of a bool, and the name of its type; None otherwise.
        change: The path of an argument that the method modified, and its value before and after; None otherwise.
        missing: Whether the plugin lacks the method.
    """

    outcome: bool | str
    returned: tuple[str, str] | None = None
    change: tuple[str, str, str] | None = None
    missing: bool = False


class RecordedAnswers:
    """Answers format questions from the record.

    A question without a recorded answer goes to a new object of the plugin, after the questions about its head.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.num_inputs = len(subject.case.data_inputs)
        self.dims = [*network_dims(subject), *map(known_dims, usual_answers(subject))]
        self._asker: Asker | None = None

    def ask(self, question: Question) -> bool:
        """Return the answer.

        Raises:
            CallbackFailedError: ``supports_format_combination`` failed.
        """
        outcome = self.outcome(question)
        return self._object(question).ask(question) if isinstance(outcome, str) else outcome

    def outcome(self, question: Question) -> bool | str:
        """Return the answer, or how the method failed: ``raised ValueError: no``."""
        return self.reply(question).outcome

    def reply(self, question: Question) -> Reply:
        """Return the answer to a question, with what else was observed during the call."""
        return self.subject.known(("format", question), lambda: self._put(question))

    def settle(self, head: Sequence[Form]) -> None:
        """Do nothing: a question without a recorded answer settles its head itself."""

    def offered(self, caller: DecoratedCaller, inputs: Sequence[Bounds]) -> list[tuple[Form, ...]]:
        """Return the combinations that a new object of a decorated plugin offers for inputs."""
        return self.subject.known(("offered", tuple(inputs)), lambda: self._object().offered(caller, inputs))

    def _put(self, question: Question) -> Reply:
        log, watch = OutcomeLog(METHOD), ArgumentWatch(METHOD)
        asker = self._object(question)
        with observing(self.subject.gate, log, watch):
            outcome = asker.outcome(question)
        if not log.calls:  # the interface has another method, or asks for all combinations at once
            return Reply(outcome)
        call = log.calls[-1][1]
        no_bool = call.error is None and not call.missing and not isinstance(call.value, (bool, np.bool_))
        return Reply(
            outcome,
            (shown(call.value), type(call.value).__name__) if no_bool else None,
            next(((each.path, each.before, each.after) for each in watch.changes), None),
            call.missing,
        )

    def _object(self, question: Question | None = None) -> Asker:
        if self._asker is None:
            self._asker = Asker(self.subject, self.subject.create(), dims=self.dims)
        if question is not None:
            self._asker.come_to(question)
        return self._asker


def all_questions(subject: Subject) -> list[Question]:
    """Return the questions of a new object's tree, as :func:`questions` yields them."""
    return subject.known("format questions", lambda: list(questions(RecordedAnswers(subject))))


def telling_questions(subject: Subject) -> list[Question]:
    """Return questions that distinguish plugins: the first that are accepted, and some that are refused.

    The refused questions include every refused type of the first tensor in linear format.
    """
    return subject.known("distinguishing questions", lambda: _telling(RecordedAnswers(subject), all_questions(subject)))


def _telling(record: RecordedAnswers, every: list[Question]) -> list[Question]:
    linear = record.subject.trt.TensorFormat.LINEAR
    accepted = [question for question in every if record.outcome(question) is True]
    refused = [question for question in every if record.outcome(question) is not True]
    plain = [each for each in refused if not each.pos and each.form[1] == linear]
    some = {*accepted[:_ACCEPTED], *plain, *refused[:: max(1, len(refused) // _REFUSED)]}
    return [question for question in every if question in some]
