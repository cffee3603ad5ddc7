"""Find outputs in the memory of inputs: what a plugin declares about them, and which outputs can alias."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.choices import accepted_choices, case_combinations, output_types
from harness.checks.formats.formats import form_name
from harness.checks.observation.classes import overrides
from harness.checks.sampling.sampling import sample_shapes
from harness.checks.shapes.shapes import ask_output_dimensions, evaluated
from harness.contract.finding import NotApplicable
from harness.contract.interface import DECORATED, MADE_AS_V3
from harness.subject.calling import leniently, raise_for, stop_for_want_of_a_gpu, strictly
from reference_runtime.calling.trampolines import v3

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure

METHOD = "get_aliased_input"
#: What a plugin answers for an output with memory of its own.
NO_ALIAS = -1
#: What a subject's memory holds the usable answers under.
ALIASES = "aliases"


class Claim(msgspec.Struct, frozen=True):
    """One answer of ``get_aliased_input``.

    Attributes:
        output: The output that was asked about.
        source: What C++ got: an input, or -1.
        failure: How the call failed, where it did; C++ gets -1 then.
    """

    output: int
    source: int
    failure: Failure | None = None


def may_alias(subject: Subject, plugin: Any) -> bool:
    """Return whether TensorRT asks for aliases: the build capability is of version 2, and has the method."""
    if subject.interface not in MADE_AS_V3:
        return False
    build = subject.caller.what_builds(subject.gate, plugin)
    return v3.has_aliases(build) and overrides(build, METHOD)


def claims(subject: Subject, plugin: Any) -> list[Claim]:
    """Ask a plugin of the build about each output in turn, and keep each answer or failure."""
    with strictly(subject.gate):
        count = subject.caller.num_outputs(subject.gate, plugin)
    return [claim(subject, plugin, output) for output in range(count)]


def claim(subject: Subject, plugin: Any, output: int) -> Claim:
    """Ask a plugin of the build about one output, and return its answer or failure."""
    build = subject.caller.what_builds(subject.gate, plugin)
    if subject.interface in DECORATED:  # it says so when it is asked for types
        output_types(subject, plugin, [subject.data_type(entry.types[0]) for entry in subject.case.data_inputs])
    with leniently(subject.gate) as failures:
        source = v3.get_aliased_input(subject.gate, build, output)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return Claim(output, source, failures[0] if failures else None)


def sources(subject: Subject, plugin: Any) -> list[int]:
    """Return for each output the input that it aliases, or -1.

    Raises:
        CallbackFailedError: ``get_aliased_input`` failed.
    """
    found = claims(subject, plugin)
    for each in found:
        if each.failure is not None:
            raise_for(each.failure)
    return [each.source for each in found]


def aliases_of(subject: Subject) -> Mapping[int, int]:
    """Return the aliased input of each aliasing output. Only one new plugin is asked, once.

    Empty if TensorRT would refuse the answers; other rules report that.

    Raises:
        CallbackFailedError: ``get_aliased_input`` failed.
    """

    def find() -> dict[int, int]:
        plugin = subject.create() if subject.interface in MADE_AS_V3 else None
        return _usable(subject, plugin) if may_alias(subject, plugin) else {}

    return subject.once(ALIASES, find)


def aliased(subject: Subject) -> Mapping[int, int]:
    """Return the same for a plugin that is known to alias some input.

    Raises:
        NotApplicable: It aliases none.
    """
    found = aliases_of(subject)
    if not found:
        raise NotApplicable("no output aliases an input")
    return found


def likenesses(subject: Subject, output: int, source: int) -> Iterator[tuple[str, str, str]]:
    """Yield what an output and an input are, in words, and where that was seen: shapes, types, and formats.

    An output of fewer elements fits into the memory of the input, and counts as of the same shape.
    """
    plugin = subject.create()
    asked = ask_output_dimensions(subject, plugin, output)
    for shapes in sample_shapes(subject.case, 2):
        shape, room = evaluated(asked, shapes), shapes[source]
        has_room = math.prod(shape) <= math.prod(room)
        yield str(room if has_room else shape), str(room), f"input shapes {list(shapes)}"
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        reported = output_types(subject, plugin, types)
        where = f"{subject.caller.words.output_types}([{', '.join(each.name for each in types)}])"
        yield reported[output].name, types[source].name, where
    for combination in case_combinations(subject, each=8, most=32):
        forms = form_name(combination.outputs[output]), form_name(combination.inputs[source])
        yield *forms, f"supports_format_combination accepts {combination}"


def _usable(subject: Subject, plugin: Any) -> dict[int, int]:
    found = {output: source for output, source in enumerate(sources(subject, plugin)) if source != NO_ALIAS}
    inputs = range(len(subject.case.data_inputs))
    usable = len(set(found.values())) == len(found) and all(source in inputs for source in found.values())
    return found if usable else {}
