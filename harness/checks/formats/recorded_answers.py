"""Record what a new object of the plugin answers about formats; each question is asked once.

Rules that only look at the answers take them from the record. Rules about repeated questions, about other objects, or
about questions that are put in another way ask by themselves.
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
#: How many accepted, and about how many refused questions tell one plugin from another.
_ACCEPTED, _REFUSED = 24, 8


class Reply(msgspec.Struct, frozen=True):
    """The plugin's reply to one question about formats.

    Attributes:
        outcome: The answer, or how the method failed.
        returned: What the method returned in place of a bool, and the name of its type; None where it did not.
        change: The path of an argument that the method modified, and its value before and after; None if it did not.
        missing: Whether the plugin does not have the method.
    """

    outcome: bool | str
    returned: tuple[str, str] | None = None
    change: tuple[str, str, str] | None = None
    missing: bool = False


class RecordedAnswers:
    """Answer for a new object from recorded answers. An unknown question is put to an object in TensorRT's order."""

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
        """Return all that came of a question."""
        return self.subject.known(("format", question), lambda: self._put(question))

    def settle(self, head: Sequence[Form]) -> None:
        """Do nothing: what is asked is asked in order anyway."""

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
        called = log.calls[-1][1]
        strange = called.error is None and not called.missing and not isinstance(called.value, (bool, np.bool_))
        return Reply(
            outcome,
            (shown(called.value), type(called.value).__name__) if strange else None,
            next(((each.path, each.before, each.after) for each in watch.changes), None),
            called.missing,
        )

    def _object(self, question: Question | None = None) -> Asker:
        if self._asker is None:
            self._asker = Asker(self.subject, self.subject.create(), dims=self.dims)
        if question is not None:
            self._asker.come_to(question)
        return self._asker


def all_questions(subject: Subject) -> list[Question]:
    """Return the questions of the search tree of a new object."""
    return subject.known("format questions", lambda: list(questions(RecordedAnswers(subject))))


def telling_questions(subject: Subject) -> list[Question]:
    """Return the questions that distinguish plugins: those accepted, and some of the others.

    Among the others are all types of the first tensor, in the format that most plugins take.
    """
    return subject.known("distinguishing questions", lambda: _telling(RecordedAnswers(subject), all_questions(subject)))


def _telling(record: RecordedAnswers, every: list[Question]) -> list[Question]:
    linear = record.subject.trt.TensorFormat.LINEAR
    accepted = [question for question in every if record.outcome(question) is True]
    refused = [question for question in every if record.outcome(question) is not True]
    plain = [each for each in refused if not each.pos and each.form[1] == linear]
    some = {*accepted[:_ACCEPTED], *plain, *refused[:: max(1, len(refused) // _REFUSED)]}
    return [question for question in every if question in some]
