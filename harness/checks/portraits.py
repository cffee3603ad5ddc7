"""A plugin's portrait: everything it answers without being run, in a form that can be compared."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from harness.checks.calling import strictly
from harness.checks.formats import Asker, Question, output_types, questions
from harness.checks.output_types import answered_choices
from harness.checks.sampling import sample_shapes
from harness.checks.shapes import ask_output_dimensions, network_dims, plain
from reference_runtime import native, trampolines
from reference_runtime.plugins.v2_dynamic import IPluginV2DynamicExt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.subject import Subject

#: The parts of a portrait, in the order in which a difference is reported.
PARTS = ("identity", "output types", "output shapes", "formats", "serialized form")
#: How many accepted, and how many refused forms a portrait asks about.
FORMAT_QUESTIONS = 24
IDENTITY = ("plugin_type", "plugin_version", "plugin_namespace", "num_outputs")

Portrait = dict[str, Any]


def portrait(subject: Subject, plugin: Any, parts: Iterable[str] = PARTS) -> Portrait:
    """Return what the plugin answers, by what was asked.

    Raises:
        CallbackFailedError: A query failed.
    """
    painters = {
        "identity": _identity,
        "output types": _output_types,
        "output shapes": _output_shapes,
        "formats": _formats,
        "serialized form": _serialized,
    }
    seen: Portrait = {}
    for part in parts:
        seen.update(painters[part](subject, plugin))
    return seen


def differences(one: Portrait, other: Portrait) -> list[tuple[str, Any, Any]]:
    """Return (what was asked, the answer of one, the answer of the other) wherever they differ."""
    return [
        (asked, one.get(asked), other.get(asked))
        for asked in dict.fromkeys([*one, *other])
        if one.get(asked) != other.get(asked)
    ]


def identity(plugin: Any) -> dict[str, Any]:
    """Return the native attributes as C++ reads them: None or -1 where one was never assigned."""
    return {name: native.read(plugin, IPluginV2DynamicExt, name) for name in IDENTITY}


def unassigned(plugin: Any) -> list[str]:
    """Return the native attributes that were never assigned."""
    return [name for name in IDENTITY if name not in native.state(plugin)]


def number_of_outputs(subject: Subject, plugin: Any) -> int:
    """Return what the plugin says of its number of outputs.

    Raises:
        CallbackFailedError: It never said.
    """
    with strictly(subject.gate):
        return trampolines.num_outputs(subject.gate, plugin)


def assign_namespace(plugin: Any, namespace: str) -> None:
    """Assign the namespace as C++ does, past all Python code."""
    trampolines.set_plugin_namespace(plugin, namespace)


def _identity(subject: Subject, plugin: Any) -> Portrait:  # noqa: ARG001 - one signature for all parts
    return dict(identity(plugin))


def _output_types(subject: Subject, plugin: Any) -> Portrait:
    seen: Portrait = {}
    for names in itertools.islice(answered_choices(subject), 8):
        types = output_types(subject, plugin, [subject.data_type(name) for name in names])
        seen[f"get_output_datatype with inputs of {', '.join(names)}"] = [dtype.name for dtype in types]
    return seen


def _output_shapes(subject: Subject, plugin: Any) -> Portrait:
    seen: Portrait = {}
    asked_dims = [network_dims(subject), *sample_shapes(subject.case, 1)[:2]]
    for dims, index in itertools.product(asked_dims, range(trampolines.num_outputs(subject.gate, plugin))):
        answer = ask_output_dimensions(subject, plugin, index, dims).answer
        seen[f"get_output_dimensions({index}) with inputs {[list(each) for each in dims]}"] = plain(answer)
    return seen


def _formats(subject: Subject, plugin: Any) -> Portrait:
    asker = Asker(subject, plugin)
    return {f"supports_format_combination({question})": asker.ask(question) for question in _questions(subject)}


def _questions(subject: Subject) -> list[Question]:
    """Return the format questions of every portrait of this subject: those accepted, and some of the others."""
    if "portrait questions" not in subject.memory:
        asker = Asker(subject, subject.create())
        asked = {question: asker.outcome(question) is True for question in questions(asker)}
        accepted = [question for question, answer in asked.items() if answer][:FORMAT_QUESTIONS]
        refused = [question for question, answer in asked.items() if not answer]
        step = max(1, len(refused) // FORMAT_QUESTIONS)
        subject.memory["portrait questions"] = [*accepted, *refused[::step]]
    known: list[Question] = subject.memory["portrait questions"]
    return known


def _serialized(subject: Subject, plugin: Any) -> Portrait:
    with strictly(subject.gate):
        return {"serialize()": subject.serialize(plugin)}
