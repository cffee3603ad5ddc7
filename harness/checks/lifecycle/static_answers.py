"""Collect the answers of a plugin to queries that need no run, so that two plugins can be compared.

A portrait is a dict: each query, as text, with the plugin's answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.checks.formats.choices import output_types
from harness.checks.formats.formats import Asker
from harness.checks.formats.output_types import answered_choices
from harness.checks.formats.recorded_answers import RecordedAnswers, telling_questions
from harness.checks.sampling.sampling import sample_shapes
from harness.checks.shapes.shapes import ask_output_dimensions, network_shapes, plain, question_of
from harness.subject.calling import strictly

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.subject.subject import Subject

#: The parts of a portrait, in the order in which differences are reported.
PARTS = ("identity", "output types", "output shapes", "formats", "serialized form")
#: The parts for which any object can be asked, even one of an engine or a context.
OF_ANY_OBJECT = ("identity", "serialized form")

Portrait = dict[str, Any]
#: Pairs of a query, as text, and its answer.
Answers = Iterator[tuple[str, Any]]


def portrait(subject: Subject, plugin: Any, parts: Iterable[str] = PARTS, seen: Portrait | None = None) -> Portrait:
    """Return the plugin's answers to the queries of some parts, by query.

    The answers are put into ``seen`` if it is given. So the caller has them even if a later query fails.

    Raises:
        CallbackFailedError: A query failed.
    """
    queries = {
        "identity": _identity,
        "output types": _output_types,
        "output shapes": _output_shapes,
        "formats": _formats,
        "serialized form": _serialized,
    }
    everything = subject.caller.can_be_asked(subject.gate, plugin)
    answers: Portrait = {} if seen is None else seen
    for part in parts:
        if everything or part in OF_ANY_OBJECT:
            for query, answer in queries[part](subject, plugin):
                answers[query] = answer
    return answers


def usual_portrait(subject: Subject, parts: tuple[str, ...] = PARTS) -> Portrait:
    """Return the portrait of a new plugin, which is asked once in a process.

    Raises:
        CallbackFailedError: A query failed.
    """
    return subject.known(("portrait", parts), lambda: portrait(subject, subject.create(), parts))


def differences(one: Portrait, other: Portrait) -> list[tuple[str, Any, Any]]:
    """Return (query, answer in ``one``, answer in ``other``) for each query in both whose answers differ."""
    return [(query, answer, other[query]) for query, answer in one.items() if query in other and other[query] != answer]


def number_of_outputs(subject: Subject, plugin: Any) -> int:
    """Return the plugin's number of outputs.

    Raises:
        CallbackFailedError: The query failed, for example because ``num_outputs`` was never assigned.
    """
    with strictly(subject.gate):
        return subject.caller.num_outputs(subject.gate, plugin)


def _identity(subject: Subject, plugin: Any) -> Answers:
    yield from dict(subject.caller.identity_of(subject.gate, plugin)).items()


def _output_types(subject: Subject, plugin: Any) -> Answers:
    for names in itertools.islice(answered_choices(subject), 8):
        types = output_types(subject, plugin, [subject.data_type(name) for name in names])
        yield f"{subject.caller.words.output_types} with inputs of {', '.join(names)}", [dtype.name for dtype in types]


def _output_shapes(subject: Subject, plugin: Any) -> Answers:
    input_dims = [network_shapes(subject), *sample_shapes(subject.case, 1)[:2]]
    for dims, index in itertools.product(input_dims, range(subject.caller.num_outputs(subject.gate, plugin))):
        answer = ask_output_dimensions(subject, plugin, index, dims).answer
        yield question_of(subject, index, dims), plain(answer)


def _formats(subject: Subject, plugin: Any) -> Answers:
    asker = Asker(subject, plugin, dims=RecordedAnswers(subject).dims)
    for question in telling_questions(subject):
        yield f"supports_format_combination({question})", asker.ask(question)


def _serialized(subject: Subject, plugin: Any) -> Answers:
    with strictly(subject.gate):
        stored = subject.serialize(plugin)
    yield f"{subject.caller.words.save}()", stored
