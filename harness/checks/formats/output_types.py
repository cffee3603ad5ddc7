"""Ask a plugin for the types of its outputs, question by question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.choices import accepted_choices
from harness.contract.finding import CallbackFailedError, NotRun
from harness.subject.calling import leniently, raise_for, stop_for_want_of_a_gpu, strictly

if TYPE_CHECKING:
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure


class TypeQuestion(msgspec.Struct, frozen=True):
    """One question about the type of an output: the callback's name, the output's index, the inputs' types."""

    query: str
    index: int
    input_types: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.query}({self.index}, [{', '.join(dtype.name for dtype in self.input_types)}])"


def questions_about_types(subject: Subject, plugin: Any) -> list[TypeQuestion]:
    """Return a question about every output for each choice of input types in :func:`answered_choices`.

    Raises:
        CallbackFailedError: The query for the number of outputs failed.
    """
    with strictly(subject.gate):
        count = subject.caller.num_outputs(subject.gate, plugin)
    return [
        TypeQuestion(subject.caller.words.output_types, index, tuple(subject.data_type(name) for name in names))
        for names in answered_choices(subject)
        for index in range(count)
    ]


def answered_choices(subject: Subject) -> list[tuple[str, ...]]:
    """Return the choices of input types that the plugin accepts.

    If it accepts none, or a query fails, all choices of the case. A choice has a type name for each data input.
    """
    every = list(subject.case.type_choices)
    if len(every) == 1:
        return every
    try:
        return list(accepted_choices(subject)) or every
    except (CallbackFailedError, NotRun):
        return every


def ask_type(subject: Subject, plugin: Any, question: TypeQuestion) -> Any:
    """Return the type that the plugin reports.

    Raises:
        CallbackFailedError: The query failed.
    """
    answer, failure = try_type(subject, plugin, question)
    if failure is not None:
        raise_for(failure)
    return answer


def try_type(subject: Subject, plugin: Any, question: TypeQuestion) -> tuple[Any, Failure | None]:
    """Return the type that TensorRT receives, and how the call failed or None; after a failure the type is FLOAT."""
    with leniently(subject.gate) as failures:
        answer = subject.caller.output_type(subject.gate, plugin, question.index, question.input_types)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return answer, failures[0] if failures else None
