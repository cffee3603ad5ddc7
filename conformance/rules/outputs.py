"""OUT: the types of outputs, ``get_output_datatype``."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from msgspec import structs

from conformance.prerequisites import CONFIGURES, COUNTED, RUNS
from conformance.sources import plugins
from harness.checks.formats.choices import accepted_choices, output_types, plain_combination
from harness.checks.formats.formats import Asker, accepted_combinations
from harness.checks.formats.output_types import TypeQuestion, ask_type, questions_about_types, try_type
from harness.checks.lifecycle.repeated_queries import occasions
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.comparing import first_difference
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import usual_run
from harness.checks.running.single_run import LENIENT
from harness.checks.running.size_tensors import declarations, shapes_of
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import Finding, NotApplicable, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import DECORATED, MADE_AS_V3, TYPED, VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import leniently

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

METHOD = "get_output_datatype"
#: Interfaces that are asked for one output's type at a time.
ASKED_BY_INDEX = TYPED & VERSION_2


def _type_query(subject: Subject) -> str:
    """The query for types, as the plugin's interface names it."""
    return subject.caller.words.output_types


@rule("OUT-002", level=1, source=plugins.OUTPUT_TYPE_NO_INPUTS, interfaces=TYPED, requires=COUNTED)
def type_without_inputs_is_float(subject: Subject) -> Iterator[Finding]:
    """A plugin without inputs reports FLOAT.

    It has no input whose type it could report, and TensorRT expects FLOAT.
    """
    if subject.case.data_inputs:
        raise NotApplicable("the plugin has inputs in this case")
    plugin = subject.create()
    for question in questions_about_types(subject, plugin):
        answer = ask_type(subject, plugin, question)
        yield check(
            answer == subject.trt.DataType.FLOAT,
            lambda: Violation(
                what=f"{_type_query(subject)} reported {answer.name} for a plugin without inputs",
                where=str(question),
                expected="FLOAT",
                observed=answer.name,
                fix="Return trt.DataType.FLOAT if input_types is empty.",
            ),
        )


@rule(
    "OUT-003",
    source=plugins.OUTPUT_TYPE_BAD_INDEX,
    severity=Severity.INFO,
    interfaces=ASKED_BY_INDEX,
    requires=COUNTED,
)
def type_of_no_output_is_float(subject: Subject) -> Iterator[Finding]:
    """The plugin reports FLOAT for an index that no output has.

    An exception will do as well: the bindings turn it into FLOAT. No TensorRT was seen to ask.
    """
    plugin = subject.create()
    questions = questions_about_types(subject, plugin)
    count = 1 + max((question.index for question in questions), default=-1)
    for index, types in itertools.product(
        (-1, count, 2 * count + 5), dict.fromkeys(question.input_types for question in questions)
    ):
        question = TypeQuestion(subject.caller.words.output_types, index, types)
        answer, failure = try_type(subject, plugin, question)
        yield check(
            failure is not None or answer == subject.trt.DataType.FLOAT,
            lambda: Violation(
                what=f"{_type_query(subject)} reported {answer.name} for an output that does not exist",
                where=str(question),
                expected=f"FLOAT: the plugin has {count} outputs",
                observed=answer.name,
                fix="Return trt.DataType.FLOAT for an index outside of 0 to num_outputs - 1.",
            ),
        )


@rule(
    "OUT-004",
    level=1,
    source=plugins.OUTPUT_TYPE_FORMATS,
    interfaces=TYPED | DECORATED,
    requires=CONFIGURES | {"OUT-005"},
)
def reported_type_has_a_format(subject: Subject) -> Iterator[Finding]:
    """The plugin accepts each output type that it reports in at least one format.

    TensorRT asks for formats of exactly that type. If the plugin refuses all of them, TensorRT has none left.
    """
    asker, query = Asker(subject, subject.create()), _type_query(subject)
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        for index, dtype in enumerate(output_types(subject, subject.create(), types)):
            fixed_types = [dtype if place == index else None for place in range(len(asker.dims) - len(types))]
            accepted = accepted_combinations(asker, input_types=types, output_types=fixed_types, most=1)
            yield check(
                bool(accepted),
                lambda: Violation(
                    what=f"{query} reported {dtype.name}, refused by supports_format_combination everywhere",
                    where=str(TypeQuestion(query, index, tuple(types))),
                    expected=f"{dtype.name} accepted at pos={len(types) + index} in at least one combination",
                    observed="no combination accepts it",
                    fix=f"Report in {_type_query(subject)} only types that supports_format_combination accepts.",
                ),
            )


@rule("OUT-005", level=1, source=plugins.OUTPUT_TYPE_BOOL, interfaces=TYPED | DECORATED, requires=COUNTED)
def bool_and_uint8_are_not_reported(subject: Subject) -> Iterator[Finding]:
    """The plugin never reports BOOL or UINT8 as the type of an output.

    TensorRT does not support them as types of plugin outputs.
    """
    plugin = subject.create()
    for question in questions_about_types(subject, plugin):
        answer = ask_type(subject, plugin, question)
        yield check(
            answer not in {subject.trt.DataType.BOOL, subject.trt.DataType.UINT8},
            lambda: Violation(
                what=f"{_type_query(subject)} reported {answer.name}",
                where=str(question),
                expected="a type that plugins can have: FLOAT, HALF, BF16, INT8, INT32, INT64 or FP8",
                observed=answer.name,
                fix="Report INT32 or FLOAT, and add a cast layer behind the plugin if the network needs BOOL.",
            ),
        )


@rule("OUT-007", source=plugins.OUTPUT_TYPE_PURE, interfaces=TYPED | DECORATED, requires=RUNS)
def types_are_a_function_of_input_types(subject: Subject) -> Iterator[Finding]:
    """Output types depend on the input types alone, and the query for them changes nothing.

    TensorRT asks at any time in the build, and never at runtime. The object in an engine never gets the
    query, and must not need state from it.
    """
    plugin = subject.create()
    first = {question: ask_type(subject, plugin, question) for question in questions_about_types(subject, plugin)}
    for when, other in itertools.chain(occasions(subject, plugin), _after_all_queries(subject)):
        for question, answer in reversed(first.items()):
            again = ask_type(subject, other, question)
            yield check(
                again == answer,
                lambda: Violation(
                    what=f"{_type_query(subject)} gave two answers to one question",
                    where=str(question),
                    expected=f"{answer.name}, as when it was asked first",
                    observed=f"{again.name} when {when}",
                    fix="Answer from index and input_types alone.",
                ),
            )
    yield from _other_answers_stay(subject)
    yield from _running_needs_no_answer(subject)


def _after_all_queries(subject: Subject) -> Iterator[tuple[str, Any]]:
    plugin = subject.create()
    portrait(subject, plugin)
    yield "asked after all other queries and serialization", plugin


def _other_answers_stay(subject: Subject) -> Iterator[Finding]:
    """Judge what a plugin answers before and after it is asked for types."""
    parts = ("output shapes", "formats")
    plugin = subject.create()
    before = portrait(subject, plugin, parts)
    questions = questions_about_types(subject, plugin)
    for question in questions:
        ask_type(subject, plugin, question)
    changed = differences(before, portrait(subject, plugin, parts))
    yield check(
        not changed,
        lambda: Violation(
            what=f"{_type_query(subject)} changed what the plugin answers to another query",
            where=f"{changed[0][0]}, after {questions[-1]}",
            expected=f"{changed[0][1]}, as before",
            observed=f"{changed[0][2]}",
            fix=f"Store nothing in {_type_query(subject)}; take types from in_out and the descriptors.",
        ),
    )


def _running_needs_no_answer(subject: Subject) -> Iterator[Finding]:
    """Judge an object that was never asked for types by one that was asked for all of them."""
    shapes = best_shapes(subject.case)
    for names in accepted_choices(subject):
        combination = plain_combination(subject, names)
        asked_plugin = subject.create()
        for question in questions_about_types(subject, asked_plugin):
            ask_type(subject, asked_plugin, question)
        expected = Driver(subject, asked_plugin, combination).prepare().run(shapes, conditions=LENIENT)
        if expected.failure is not None:
            continue  # it does not run in these types, asked or not: other rules have a word on that
        never = usual_run(subject, shapes, combination)
        how = f"enqueue {never.failure.how}" if never.failure else ""
        difference = how or str(first_difference(never.outputs, expected.outputs) or "")
        again = fresh_driver(subject, combination).run(shapes, conditions=LENIENT) if difference else never
        if first_difference(never.outputs, again.outputs) is not None:
            return  # it does not even repeat itself: other rules have a word on that
        yield check(
            not difference,
            lambda: Violation(
                what=f"an object that was never asked for types computes something else: {difference}",
                where=f"enqueue of {combination}, input shapes {list(shapes)}",
                expected=f"the same as after {_type_query(subject)}",
                observed=difference,
                fix=f"Store nothing in {_type_query(subject)}; take types from the descriptors of enqueue.",
            ),
        )


@rule(
    "OUT-008",
    source=plugins.OUTPUT_TYPE_WEAK,
    severity=Severity.WARNING,
    interfaces=ASKED_BY_INDEX,
    requires=COUNTED | {"OUT-010"},
)
def weakly_typed_networks_are_answered(subject: Subject) -> Iterator[Finding]:
    """The plugin reports its output types also when all input types are FLOAT or INT32.

    A weakly typed network passes only these, also if TensorRT chooses another precision later.
    """
    if subject.spec not in plugins.OUTPUT_TYPE_WEAK.versions:
        raise NotApplicable(f"networks of TensorRT {subject.spec} are always strongly typed")
    plugin = subject.create()
    for question in dict.fromkeys(_weakly(subject, each) for each in questions_about_types(subject, plugin)):
        _, failure = try_type(subject, plugin, question)
        yield check(
            failure is None,
            lambda: Violation(
                what=f"{_type_query(subject)} fails for the types of a weakly typed network",
                where=str(question),
                expected="a type, here FLOAT in place of HALF, BF16 or INT8",
                observed=f"it {failure.what if failure else ''}; {failure.becomes if failure else ''}",
                fix="Report FLOAT here, and accept the types of the kernels in supports_format_combination.",
            ),
        )


def _weakly(subject: Subject, question: TypeQuestion) -> TypeQuestion:
    reduced = dict.fromkeys(subject.real_types, subject.trt.DataType.FLOAT)
    return structs.replace(question, input_types=tuple(reduced.get(dtype, dtype) for dtype in question.input_types))


@rule(
    "OUT-009",
    languages=PYTHON,
    level=1,
    source=plugins.OUTPUT_TYPE_RESULT,
    interfaces=TYPED,
    requires=COUNTED | {"OUT-001"},
)
def reported_types_are_data_types(subject: Subject) -> Iterator[Finding]:
    """The query for output types returns a ``tensorrt.DataType``.

    The bindings take any other value, None included, as FLOAT.
    """
    plugin = subject.create()
    for question in questions_about_types(subject, plugin):
        _, failure = try_type(subject, plugin, question)
        if failure is not None and failure.kind.name != "RETURNED":
            continue
        yield check(
            failure is None,
            lambda: Violation(
                what=f"{_type_query(subject)} {failure.what if failure else ''}",
                where=str(question),
                expected="a tensorrt.DataType, such as trt.DataType.FLOAT or one of input_types",
                observed=f"it {failure.what if failure else ''}; {failure.becomes if failure else ''}",
                fix="Return a DataType on every path of the method, not a NumPy type, a string or None.",
            ),
        )


@rule(
    "OUT-010",
    level=1,
    source=plugins.OUTPUT_TYPE_INDEX,
    interfaces=ASKED_BY_INDEX,
    requires=COUNTED | {"OUT-009"},
    owns={METHOD, "get_output_data_type"},
)
def every_output_has_a_type(subject: Subject) -> Iterator[Finding]:
    """``get_output_datatype`` answers for every index from 0 to ``num_outputs - 1``.

    If it raises, the bindings print the exception and use FLOAT: TensorRT builds the network with a wrong type.
    """
    plugin = subject.create()
    for question in questions_about_types(subject, plugin):
        _, failure = try_type(subject, plugin, question)
        yield check(
            failure is None,
            lambda: Violation(
                what=f"{_type_query(subject)} {failure.what if failure else ''}",
                where=str(question),
                expected="the type of the output",
                observed=f"it {failure.what if failure else ''}; {failure.becomes if failure else ''}",
                fix="Define the method, and return a type for every index and every input type of the case.",
            ),
        )


@rule(
    "OUT-001",
    level=1,
    source=plugins.OUTPUT_TYPES,
    interfaces=VERSION_3,
    requires=COUNTED,
    owns={"get_output_data_types"},
)
def each_output_has_a_type(subject: Subject) -> Iterator[Finding]:
    """``get_output_data_types`` returns a list with one DataType for each output.

    The bindings refuse any other answer, and so TensorRT refuses the network.
    """
    plugin = subject.create()
    for names in subject.case.type_choices:
        with leniently(subject.gate) as failures:
            subject.caller.output_types(subject.gate, plugin, [subject.data_type(name) for name in names])
        yield check(
            not failures,
            lambda: Violation(
                what=f"get_output_data_types {failures[0].what}",
                where=f"inputs of {', '.join(names)}",
                expected="a list of DataType, as long as num_outputs says",
                observed=failures[0].becomes,
                fix="Return one type for each output, also for types that the plugin refuses later.",
            ),
        )


@rule(
    "OUT-006",
    level=1,
    source=plugins.SIZE_TENSOR_TYPE,
    interfaces=MADE_AS_V3,
    requires=COUNTED | {"OUT-001", "SHP-016"},
)
def size_tensors_are_integers(subject: Subject) -> Iterator[Finding]:
    """A size tensor is INT32 or INT64.

    The headers say INT32; NVIDIA's own samples use INT64 since TensorRT 10.15. The rule accepts both.
    """
    plugin = subject.create()
    size_tensors = declarations(shapes_of(subject, plugin))
    for names in subject.case.type_choices:
        types = output_types(subject, plugin, [subject.data_type(name) for name in names])
        for each in size_tensors:
            yield check(
                types[each.output].name in {"INT32", "INT64"},
                lambda: Violation(
                    what=f"the size tensor, output {each.output}, is {types[each.output].name}",
                    where=f"get_output_data_types with inputs of {', '.join(names)}; {each}",
                    expected="INT32",
                    observed=f"{types[each.output].name}: TensorRT cannot read a size from it",
                    fix=f"Return trt.DataType.INT32 for output {each.output}.",
                ),
            )
