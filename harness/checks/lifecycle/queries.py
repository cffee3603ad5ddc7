"""List the queries that TensorRT may put to a plugin from any thread, with two sets of arguments."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from harness.checks.formats.choices import output_types, plain_combination
from harness.checks.formats.formats import Asker, Question, candidate_forms
from harness.checks.sampling.sampling import best_shapes
from harness.checks.shapes.shapes import ask_output_dimensions, network_shapes, output_indices, plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.subject.subject import Subject

Queries = dict[str, "Callable[[], Any]"]


def two_ways_of_asking(subject: Subject, plugin: Any) -> tuple[Queries, Queries]:
    """Return the queries by name, with the first types and the network's shapes, and with other types and shapes.

    Raises:
        CallbackFailedError: A callback failed.
        NotRun: The plugin accepts no combination.
    """
    choices = list(subject.case.type_choices)
    shapes: list[list[Any]] = [network_shapes(subject), list(best_shapes(subject.case))]
    forms = plain_combination(subject, choices[0]).forms
    asker = Asker(subject, plugin)
    usual: Queries = {"serialize": lambda: subject.serialize(plugin)}
    other: Queries = dict(usual)
    for queries, names, dims, plain_forms in (
        (usual, choices[0], shapes[0], True),
        (other, choices[-1], shapes[1], False),
    ):
        types = [subject.data_type(name) for name in names]
        type_query = f"get_output_datatype with inputs of {', '.join(names)}"
        queries[type_query] = functools.partial(output_types, subject, plugin, types)
        _add_shapes(queries, subject, plugin, dims)
        for pos, accepted in {0: forms[0], len(forms) - 1: forms[-1]}.items() if forms else ():
            form = accepted if plain_forms else candidate_forms(subject, len(asker.dims[pos]))[-1]
            question = Question(forms[:pos], form)
            queries[f"supports_format_combination({question})"] = functools.partial(asker.ask, question)
    return usual, other


def _add_shapes(queries: Queries, subject: Subject, plugin: Any, dims: list[Any]) -> None:
    for index in output_indices(subject, plugin):
        query = f"{subject.caller.words.output_shapes} of output {index} with inputs {[list(each) for each in dims]}"
        queries[query] = lambda index=index: plain(ask_output_dimensions(subject, plugin, index, dims).answer)  # type: ignore[misc]
