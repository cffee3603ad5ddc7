"""Ask a plugin which outputs alias (share memory with) an input, and compare these outputs with their inputs."""

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
#: The answer for an output that aliases no input.
NO_ALIAS = -1
#: The key under which a subject's ``memory`` holds the usable answers.
ALIASES = "aliases"


class Claim(msgspec.Struct, frozen=True):
    """One answer of ``get_aliased_input``.

    Attributes:
        output: The index of the output that was asked about.
        source: The answer that C++ receives: the index of an input, or -1.
        failure: How the call failed, or None. C++ receives -1 after a failure.
    """

    output: int
    source: int
    failure: Failure | None = None


def may_alias(subject: Subject, plugin: Any) -> bool:
    """Return whether TensorRT asks for aliases, and the plugin's build capability overrides the method."""
    if subject.interface not in MADE_AS_V3:
        return False
    build = subject.caller.what_builds(subject.gate, plugin)
    return v3.has_aliases(build) and overrides(build, METHOD)


def claims(subject: Subject, plugin: Any) -> list[Claim]:
    """Ask a plugin in the build phase about each output in order, and return each answer or failure."""
    with strictly(subject.gate):
        count = subject.caller.num_outputs(subject.gate, plugin)
    return [claim(subject, plugin, output) for output in range(count)]


def claim(subject: Subject, plugin: Any, output: int) -> Claim:
    """Ask a plugin in the build phase about one output, and return its answer or failure."""
    build = subject.caller.what_builds(subject.gate, plugin)
    if subject.interface in DECORATED:  # such a plugin learns its aliases when it is asked for output types
        output_types(subject, plugin, [subject.data_type(entry.types[0]) for entry in subject.case.data_inputs])
    with leniently(subject.gate) as failures:
        source = v3.get_aliased_input(subject.gate, build, output)
    if failures:
        stop_for_want_of_a_gpu(failures[0])
    return Claim(output, source, failures[0] if failures else None)


def sources(subject: Subject, plugin: Any) -> list[int]:
    """Return for each output the index of the input that it aliases, or -1.

    Raises:
        CallbackFailedError: ``get_aliased_input`` failed.
    """
    answers = claims(subject, plugin)
    for each in answers:
        if each.failure is not None:
            raise_for(each.failure)
    return [each.source for each in answers]


def aliases_of(subject: Subject) -> Mapping[int, int]:
    """Return the index of the aliased input by the index of the output. A new plugin is asked, once in a rule.

    Empty if an index is out of range, or two outputs alias one input. TensorRT refuses these answers. Other rules
    report them.

    Raises:
        CallbackFailedError: ``get_aliased_input`` failed.
    """

    def find() -> dict[int, int]:
        plugin = subject.create() if subject.interface in MADE_AS_V3 else None
        return _usable(subject, plugin) if may_alias(subject, plugin) else {}

    return subject.once(ALIASES, find)


def aliased(subject: Subject) -> Mapping[int, int]:
    """Return the aliases as :func:`aliases_of` does, and at least one.

    Raises:
        NotApplicable: No output aliases an input.
        CallbackFailedError: ``get_aliased_input`` failed.
    """
    aliases = aliases_of(subject)
    if not aliases:
        raise NotApplicable("no output aliases an input")
    return aliases


def likenesses(subject: Subject, output: int, source: int) -> Iterator[tuple[str, str, str]]:
    """Yield the same property of an output and of an input as texts, and where it was observed.

    The properties are shapes, types, and formats. An output that has no more elements than the input fits into the
    input's memory. So its shape counts as equal.
    """
    plugin = subject.create()
    dims = ask_output_dimensions(subject, plugin, output)
    for shapes in sample_shapes(subject.case, 2):
        shape, input_shape = evaluated(dims, shapes), shapes[source]
        fits = math.prod(shape) <= math.prod(input_shape)
        yield str(input_shape if fits else shape), str(input_shape), f"input shapes {list(shapes)}"
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        reported = output_types(subject, plugin, types)
        where = f"{subject.caller.words.output_types}([{', '.join(each.name for each in types)}])"
        yield reported[output].name, types[source].name, where
    for combination in case_combinations(subject, each=8, most=32):
        forms = form_name(combination.outputs[output]), form_name(combination.inputs[source])
        yield *forms, f"supports_format_combination accepts {combination}"


def _usable(subject: Subject, plugin: Any) -> dict[int, int]:
    aliases = {output: source for output, source in enumerate(sources(subject, plugin)) if source != NO_ALIAS}
    inputs = range(len(subject.case.data_inputs))
    usable = len(set(aliases.values())) == len(aliases) and all(source in inputs for source in aliases.values())
    return aliases if usable else {}
