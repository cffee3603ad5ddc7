"""SHP: output shapes as expressions, ``get_output_dimensions``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from msgspec import structs

from conformance.prerequisites import ANALYSES, CONFIGURES, COUNTED, RUNS
from conformance.sources import plugins
from harness.checks.formats.output_types import questions_about_types, try_type
from harness.checks.lifecycle.repeated_queries import occasions
from harness.checks.observation.comparing import first_difference
from harness.checks.observation.intent import is_deliberate
from harness.checks.observation.no_device import without_device
from harness.checks.observation.watching import OutcomeLog, observing
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.extents import extents_at
from harness.checks.running.shape_inputs import asked_with_other_numbers, consequences, insist_on_shape_inputs
from harness.checks.running.single_run import LENIENT
from harness.checks.running.size_tensors import (
    adversarial,
    computed_with,
    declarations,
    needed_size,
    shapes_of,
    written_size,
)
from harness.checks.sampling.oracle import place_of
from harness.checks.sampling.sampling import best_shapes, corner_shapes, extreme_shapes, is_dynamic, sample_shapes
from harness.checks.shapes.divisions import Division, boundary_shapes, divisions
from harness.checks.shapes.shapes import (
    MisuseKind,
    ShapeAnswer,
    ask_output_dimensions,
    asked_dims,
    evaluated,
    late_uses,
    network_shapes,
    output_indices,
    question_of,
    sizing_outputs,
    try_output_dimensions,
)
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import MADE_AS_V3, SYMBOLIC, VERSION_2, VERSION_3, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.cases.case import Shape
    from harness.subject.subject import Subject

METHOD = "get_output_dimensions"
MAX_DIMS = 8


@rule(
    "SHP-002",
    level=1,
    source=plugins.OUTPUT_SHAPE,
    interfaces=VERSION_2,
    requires=COUNTED | {"SHP-005"},
    owns={METHOD, "get_output_shape"},
)
def every_output_has_a_shape(subject: Subject) -> Iterator[Finding]:
    """``get_output_dimensions`` answers for every index from 0 to ``num_outputs - 1``.

    If it raises, the bindings print the exception and take the output as a scalar. TensorRT then builds the network
    with a wrong shape.
    """
    for answer in _tried(subject):
        yield check(
            answer.failure is None,
            lambda: Violation(
                what=f"{_shape_query(subject)} {answer.failure.what if answer.failure else ''}",
                where=str(answer),
                expected="the DimsExprs of the output",
                observed=f"it {answer.failure.what}; {answer.failure.becomes}" if answer.failure else "",
                fix="Define the method, and return a DimsExprs for every output_index.",
            ),
        )


@rule("SHP-003", level=1, source=plugins.DIMS_EXPRS, interfaces=SYMBOLIC, requires=COUNTED | {"SHP-009"})
def every_dimension_has_an_expression(subject: Subject) -> Iterator[Finding]:
    """A returned ``DimsExprs`` has at most eight dimensions, and each holds an expression.

    ``DimsExprs(n)`` begins with empty slots; TensorRT follows each slot as a pointer.
    """
    plugin = subject.create()
    for index, dims in itertools.product(output_indices(subject, plugin), asked_dims(subject)):
        answer = ask_output_dimensions(subject, plugin, index, dims)
        empty = [axis for axis, expr in enumerate(answer.expressions) if expr is None]
        yield check(
            not empty and 0 <= answer.rank <= MAX_DIMS,
            lambda: Violation(
                what=f"{_shape_query(subject)} returned a shape with {_shape_problem(answer, empty)}",
                where=str(answer),
                expected=f"0 to {MAX_DIMS} dimensions with an expression each",
                observed=f"{answer.rank} dimensions; empty are {empty or 'none'}",
                fix="Assign an expression to each dimension; DimsExprs(inputs[0]) begins with those of an input.",
            ),
        )


def _shape_query(subject: Subject) -> str:
    """The query for shapes, as the plugin's interface names it."""
    return subject.caller.words.output_shapes


def _shape_problem(answer: ShapeAnswer, empty: list[int]) -> str:
    return f"no expression in dimension {empty[0]}" if empty else f"{answer.rank} dimensions"


@rule("SHP-004", source=plugins.EXPR_BUILDER, interfaces=SYMBOLIC, requires=COUNTED)
def expressions_end_with_their_call(subject: Subject) -> Iterator[Finding]:
    """The plugin does not keep or use builders and expressions after the call that received them.

    TensorRT destroys them when the call returns; a kept pointer then leads to other memory.
    """
    plugin = subject.create()
    log = OutcomeLog(_shape_query(subject))
    with observing(subject.gate, log):
        for index, dims, _ in itertools.product(output_indices(subject, plugin), asked_dims(subject), range(2)):
            answer = try_output_dimensions(subject, plugin, index, dims)
            kept = [f"dimension {axis} is {text}, made in an earlier call" for axis, text in answer.strays]
            yield _kept(str(answer), kept, "returned")
        Driver(subject, plugin, stranger=True).prepare().run(best_shapes(subject.case), conditions=LENIENT)
    for event, _ in log.calls:
        if event.receiver is not plugin:  # other rules may have asked another object already
            continue
        late = [f"{use.what}, at {use.where}" for use in late_uses(event.arguments[2])]
        yield _kept(f"{event.target}.{event.method}, phase {event.phase.value}", late, "used")


def _kept(where: str, uses: Sequence[str], how: str) -> Finding:
    return check(
        not uses,
        lambda: Violation(
            what=f"an expression or builder was {how} after the call that it belongs to",
            where=where,
            expected="expressions made by the expr_builder of the same call, or inputs of that call",
            observed=uses[0],
            fix="Make new expressions in each call; keep numbers, not expressions.",
        ),
    )


@rule("SHP-005", level=1, source=plugins.EXPR_BUILDER_ONLY, interfaces=SYMBOLIC, requires=COUNTED)
def expressions_come_from_the_builder(subject: Subject) -> Iterator[Finding]:
    """Every dimension is an expression of the passed builder or of the inputs.

    The bindings refuse a Python number with a TypeError, print it, and take the output as a scalar. A builder that
    was made in Python crashes.
    """
    for answer in _tried(subject):
        yield check(
            not answer.misfit,
            lambda: Violation(
                what=f"{_shape_query(subject)} used a value that is no expression of its builder",
                where=str(answer),
                expected="expr_builder.constant() and expr_builder.operation() on expressions",
                observed=f"{answer.misfit}; TensorRT takes the output as a scalar",
                fix="Wrap numbers in expr_builder.constant(n), and compute with expr_builder.operation(kind, a, b).",
            ),
        )


@rule("SHP-006", source=plugins.OUTPUT_SHAPE_PURE, interfaces=SYMBOLIC, requires=ANALYSES)
def shapes_are_a_function_of_input_shapes(subject: Subject) -> Iterator[Finding]:
    """Output shapes depend only on the input shapes, at any time.

    Network and builder ask the same object, on several threads and as often as they like.
    """
    plugin = subject.create()
    first = _shapes_at_samples(subject, plugin)
    for when, other in occasions(subject, plugin):
        again = _shapes_at_samples(subject, other)
        for (index, shapes), answer in first.items():
            yield check(
                again.get((index, shapes)) == answer,
                lambda: Violation(
                    what=f"{_shape_query(subject)} gave two answers to one question",
                    where=question_of(subject, index, network_shapes(subject)),
                    expected=f"{answer} for inputs {list(shapes)}, as when it was asked first",
                    observed=f"{again.get((index, shapes), 'no output')} when {when}",
                    fix="Compute the shape only from the input shapes and the plugin's parameters.",
                ),
            )


def _shapes_at_samples(subject: Subject, plugin: object) -> dict[tuple[int, tuple[Shape, ...]], Shape]:
    samples = sample_shapes(subject.case, 2)
    answers = [ask_output_dimensions(subject, plugin, index) for index in output_indices(subject, plugin)]
    return {(each.index, shapes): evaluated(each, shapes) for each in answers for shapes in samples}


@rule("SHP-007", level=1, source=plugins.EXPR_CONSTANT, interfaces=SYMBOLIC, requires=COUNTED | {"SHP-003"})
def constants_are_read_where_they_are_constant(subject: Subject) -> Iterator[Finding]:
    """The plugin reads the value of an expression only if the expression is a constant.

    Otherwise it gets the smallest integer, which becomes part of the shape.
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("every dimension of the case is constant")
    plugin = subject.create()
    for index in output_indices(subject, plugin):
        symbolic = try_output_dimensions(subject, plugin, index)
        reads = symbolic.misuses(MisuseKind.NON_CONSTANT_VALUE)
        yield check(
            not reads,
            lambda: Violation(
                what=f"{_shape_query(subject)} read the value of a dimension that is not known yet",
                where=str(symbolic),
                expected="get_constant_value() only after is_constant() returned True",
                observed=f"{reads[0].what}, at {reads[0].where}",
                fix="Compute with expr_builder.operation(), which works for constants as well.",
            ),
        )
        if not reads and symbolic.failure is None:
            yield from _agrees_with_constants(subject, plugin, symbolic)


def _agrees_with_constants(subject: Subject, plugin: object, symbolic: ShapeAnswer) -> Iterator[Finding]:
    for shapes in sample_shapes(subject.case, subject.sampled(4)):
        constant = ask_output_dimensions(subject, plugin, symbolic.index, shapes)
        one, other = evaluated(symbolic, shapes), evaluated(constant, shapes)
        yield check(
            one == other,
            lambda: Violation(
                what=f"{_shape_query(subject)} returns another shape if the input dimensions are constants",
                where=str(constant),
                expected=f"{one}, as the expressions for {[list(dims) for dims in symbolic.dims]} say at this shape",
                observed=f"{other}",
                fix="Compute the same shape for constant and symbolic dimensions.",
            ),
        )


@rule(
    "SHP-008",
    source=plugins.OUTPUT_SHAPE_DERIVED,
    interfaces=SYMBOLIC,
    requires=RUNS | {"SHP-007", "SHP-010", "SHP-014"},
)
def shapes_are_those_of_the_computation(subject: Subject) -> Iterator[Finding]:
    """The expressions, evaluated for concrete inputs, give the shape of the computed output.

    TensorRT allocates by the expressions. A plugin that writes more corrupts memory; one that writes less leaves
    old data in the output.
    """
    for shapes in sample_shapes(subject.case, subject.sampled(4)):
        yield from _shape_findings(subject, shapes, "is not that of the computation")


@rule("SHP-009", level=1, source=plugins.EXPR_OPERATION, interfaces=SYMBOLIC, requires=COUNTED)
def operations_exist(subject: Subject) -> Iterator[Finding]:
    """The plugin passes only members of ``DimensionOperation`` to ``operation()``.

    For anything else ``operation()`` returns None, and the dimension stays empty.
    """
    for answer in _tried(subject):
        invalid = answer.misuses(MisuseKind.INVALID_OPERATION)
        yield check(
            not invalid,
            lambda: Violation(
                what=f"{_shape_query(subject)} asked for an operation that does not exist",
                where=str(answer),
                expected="SUM, PROD, MAX, MIN, SUB, EQUAL, LESS, FLOOR_DIV or CEIL_DIV",
                observed=f"{invalid[0].what}, which makes no expression, at {invalid[0].where}",
                fix="Pass a member of trt.DimensionOperation; compose missing operations from its members.",
            ),
        )


@rule("SHP-010", source=plugins.EXPR_DIVISION, interfaces=SYMBOLIC, requires=RUNS | {"SHP-007"})
def rounding_is_that_of_the_computation(subject: Subject) -> Iterator[Finding]:
    """Divisions in a shape round as the computation does: down with FLOOR_DIV, up with CEIL_DIV.

    The two differ only where the divisor does not divide the dimension.
    """
    rounded_divisions = [each for each in _divisions(subject) if boundary_shapes(subject.case, each)]
    if not rounded_divisions:
        raise NotApplicable("no output dimension is a varying dimension divided by a constant")
    for division in rounded_divisions:
        for shapes in boundary_shapes(subject.case, division):
            yield from _shape_findings(subject, shapes, f"does not round as the computation does: {division}")


def _shape_findings(subject: Subject, shapes: tuple[Shape, ...], problem: str) -> Iterator[Finding]:
    """Judge all outputs at one shape of the inputs: by the reference or, without one, by the outputs of enqueue."""
    plugin = subject.create()
    if subject.case.reference is None:
        yield from _written_findings(subject, plugin, shapes, problem)
        return
    place = place_of(subject.case.reference)
    for each in extents_at(subject, plugin, shapes):
        yield check(
            each.stated == each.expected,
            lambda: Violation(
                what=f"the shape of output {each.answer.index} {problem}",
                where=f"{each.answer}, evaluated for inputs {[list(shape) for shape in shapes]}",
                expected=f"{each.expected}, as the case's reference returns",
                observed=f"{each.stated}",
                fix=f"Correct the expressions in {_shape_query(subject)}; CEIL_DIV rounds up, FLOOR_DIV down. "
                f"Or correct the reference, in {place}.",
            ),
        )


def _written_findings(subject: Subject, plugin: object, shapes: tuple[Shape, ...], problem: str) -> Iterator[Finding]:
    driver = Driver(subject, plugin).prepare()
    poisons = (0xCD, 0x3B, 0xCD)
    runs = [driver.run(shapes, conditions=structs.replace(LENIENT, poison=poison)) for poison in poisons]
    if any(run.failure for run in runs):
        raise NotRun("enqueue fails, and the case has no reference to compare shapes with")
    if first_difference(runs[0].outputs, runs[2].outputs) is not None:
        raise NotRun("enqueue gives different outputs each time, and the case has no reference to compare shapes with")
    trespasses = [sentence for run in runs for sentence in run.trespasses("outputs")]
    left = first_difference(runs[0].outputs, runs[1].outputs)
    yield check(
        left is None and not trespasses,
        lambda: Violation(
            what=f"the shape of an output {problem}",
            where=f"enqueue with input shapes {[list(each) for each in shapes]}",
            expected=f"filled outputs of the shapes {[list(each.shape) for each in runs[0].outputs]}, no access beyond",
            observed=trespasses[0] if trespasses else f"{left.where if left else ''} was not written",
            fix=f"Return from {_shape_query(subject)} the shape that enqueue computes.",
        ),
    )


@rule(
    "SHP-011",
    level=1,
    source=plugins.OUTPUT_SHAPE_NEGATIVE,
    interfaces=SYMBOLIC,
    requires=COUNTED | {"SHP-003", "SHP-007"},
)
def no_extent_is_negative(subject: Subject) -> Iterator[Finding]:
    """No output dimension is negative for any input shape that the profile allows.

    TensorRT refuses to run this shape, long after the plugin could have reported it.
    """
    plugin = subject.create()
    for index in output_indices(subject, plugin):
        answer = ask_output_dimensions(subject, plugin, index)
        for shapes in dict.fromkeys((*extreme_shapes(subject.case), *sample_shapes(subject.case, subject.sampled(4)))):
            shape = evaluated(answer, shapes)
            yield check(
                min(shape, default=0) >= 0,
                lambda: Violation(
                    what=f"output {index} has a negative dimension",
                    where=f"{answer}, evaluated for inputs {[list(each) for each in shapes]}",
                    expected="dimensions of at least 0 for every shape that the profile allows",
                    observed=f"{shape}",
                    fix="Limit the dimension from below with DimensionOperation.MAX, or narrow the case's profile.",
                ),
            )


@rule(
    "SHP-012",
    source=plugins.EXPR_DIVISION,
    severity=Severity.WARNING,
    interfaces=SYMBOLIC,
    requires=COUNTED | {"SHP-003"},
)
def no_divisor_is_zero(subject: Subject) -> Iterator[Finding]:
    """No divisor in a shape is zero for any input shape that the profile allows.

    No document says how TensorRT divides by zero.
    """
    all_divisions = _divisions(subject)
    if not all_divisions:
        raise NotApplicable("no output shape holds a division")
    everywhere = dict.fromkeys((*extreme_shapes(subject.case), *sample_shapes(subject.case, subject.sampled(4))))
    for division, shapes in itertools.product(all_divisions, everywhere):
        yield check(
            division.divisor_at(shapes) != 0,
            lambda: Violation(
                what=f"the shape of output {division.output} divides by zero",
                where=f"{division}, for inputs {[list(each) for each in shapes]}",
                expected="a divisor other than 0 for every shape that the profile allows",
                observed="0",
                fix="Limit the divisor with DimensionOperation.MAX, or narrow the profile of the case.",
            ),
        )


@rule(
    "SHP-013",
    languages=PYTHON,
    source=plugins.OUTPUT_SHAPE_COPY,
    severity=Severity.WARNING,
    interfaces=SYMBOLIC,
    requires=COUNTED,
)
def passed_shapes_are_copied_before_they_are_changed(subject: Subject) -> Iterator[Finding]:
    """The plugin does not change the passed shapes of the inputs; it changes a copy.

    Later readers of the same input's shape, for another output or a message, would read the output's shape.
    """
    for answer in _tried(subject):
        yield check(
            not answer.edited,
            lambda: Violation(
                what=f"{_shape_query(subject)} changed the passed shape of an input",
                where=f"{answer.edited[0][0]}, {answer}",
                expected=f"{answer.edited[0][1]}, as it was",
                observed=answer.edited[0][2],
                fix="Start with output = trt.DimsExprs(inputs[0]), and change the copy.",
            ),
        )


@rule("SHP-022", source=plugins.OUTPUT_SHAPE_EARLY, interfaces=SYMBOLIC, requires=COUNTED)
def shapes_and_types_need_no_device(subject: Subject) -> Iterator[Finding]:
    """Queries for shapes and types work on a new object: not configured, not initialized, and without a device.

    TensorRT asks while the network is made, before it allocates anything.
    """
    for index in output_indices(subject, subject.create()):
        plugin = subject.create()
        with without_device(), subject.device.recording() as used:
            answer = try_output_dimensions(subject, plugin, index)
        if answer.failure is None or try_output_dimensions(subject, subject.create(), index).failure is None:
            yield _deviceless(str(answer), answer.failure.what if answer.failure else "", len(used))
    for question in questions_about_types(subject, subject.create()):
        plugin = subject.create()
        with without_device(), subject.device.recording() as used:
            _, failure = try_type(subject, plugin, question)
        if failure is None or try_type(subject, subject.create(), question)[1] is None:
            yield _deviceless(str(question), failure.what if failure else "", len(used))


def _deviceless(where: str, how: str, accesses: int) -> Finding:
    return check(
        not how and not accesses,
        lambda: Violation(
            what="a query for shapes or types needs a device",
            where=f"{where}, on an object that is neither configured nor initialized",
            expected="an answer without use of the device",
            observed=f"without a device it {how}" if how else f"it accessed device memory {accesses} times",
            fix="Allocate in initialize or configure_plugin, and compute shapes and types on the host.",
        ),
    )


def _tried(subject: Subject) -> Iterator[ShapeAnswer]:
    """Ask a fresh plugin for every output's shape, with symbolic and with constant input dimensions."""
    plugin = subject.create()
    for index, dims in itertools.product(output_indices(subject, plugin), asked_dims(subject)):
        yield try_output_dimensions(subject, plugin, index, dims)


def _divisions(subject: Subject) -> list[Division]:
    plugin = subject.create()
    answers = [ask_output_dimensions(subject, plugin, index) for index in output_indices(subject, plugin)]
    return [division for each in answers for division in divisions(each)]


@rule(
    "SHP-001", level=1, source=plugins.OUTPUT_SHAPES, interfaces=VERSION_3, requires=COUNTED, owns={"get_output_shapes"}
)
def each_output_has_its_shape(subject: Subject) -> Iterator[Finding]:
    """``get_output_shapes`` returns a list with one DimsExprs for each output.

    The bindings refuse any other answer, and so TensorRT refuses the network.
    """
    plugin = subject.create()
    for dims in asked_dims(subject):
        answer = try_output_dimensions(subject, plugin, 0, dims)
        yield check(
            answer.failure is None,
            lambda: Violation(
                what=f"get_output_shapes {answer.failure.what if answer.failure else ''}",
                where=f"inputs {[list(each) for each in dims]}",
                expected="a list of DimsExprs, as long as num_outputs says",
                observed=answer.failure.becomes if answer.failure else "",
                fix="Return a list with one DimsExprs for each output.",
            ),
        )


@rule("SHP-014", source=plugins.SHAPE_INPUT_VALUES, interfaces=VERSION_3, requires=ANALYSES | {"SHP-007"})
def shape_inputs_are_flat_lists(subject: Subject) -> Iterator[Finding]:
    """``get_output_shapes`` indexes a shape input as the flat, row-major list of its values.

    The argument looks like the shape of an input, but holds values: six for a 2x3 tensor, not two dimensions.
    """
    insist_on_shape_inputs(subject)
    for each in consequences(subject, subject.create()):
        if not each.expected:
            continue  # a value that changes nothing tells nothing of its place
        before, after = ([list(shape) for shape in shapes] for shapes in (each.change.before, each.change.after))
        yield check(
            each.stated == each.expected,
            lambda: Violation(
                what=f"the shape of output {each.output} does not follow {each.change.value} as the computation does",
                where=f"get_output_shapes, evaluated for inputs and values of shape inputs {before}, then {after}",
                expected=f"{_changing(each.expected)}, as in the outputs of the case's reference",
                observed=_changing(each.stated),
                fix="Index shape_inputs[i] as the list of the tensor's values, row by row.",
            ),
        )
    if all(entry.min == entry.max for entry in subject.case.shape_inputs):
        raise NotApplicable("the values of the shape inputs do not vary in this case")


def _changing(axes: Sequence[int]) -> str:
    return f"dimensions {', '.join(map(str, axes))} change" if axes else "no dimension changes"


@rule(
    "SHP-024",
    source=plugins.SHAPE_INPUT_NUMBER,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=COUNTED | {"SHP-001"},
)
def shape_inputs_are_counted(subject: Subject) -> Iterator[Finding]:
    """``get_output_shapes`` raises if the number of shape inputs is wrong.

    ``add_plugin_v3`` accepts any number. If the plugin does not check ``len(shape_inputs)``, the network gets a
    wrong shape, or an IndexError as its only message.
    """
    insist_on_shape_inputs(subject)
    usual = len(subject.case.shape_inputs)
    for number, answer in asked_with_other_numbers(subject, subject.create()):
        error = answer.failure.error if answer.failure else None
        refused = error is not None and (is_deliberate(error) or not isinstance(error, LookupError))
        yield check(
            refused,
            lambda: Violation(
                what=f"get_output_shapes does not notice that there are {number} shape inputs",
                where=f"{answer}; the case has {usual}",
                expected=f"an exception that names their number and the {usual} that the plugin needs",
                observed=f"it {answer.failure.what}" if answer.failure else "it returned shapes",
                fix="Check len(shape_inputs) first, and raise; write a case for each other number that is legal.",
            ),
        )


@rule(
    "SHP-015",
    level=1,
    source=plugins.SIZE_TENSOR_RANK,
    interfaces=MADE_AS_V3,
    requires=COUNTED | {"SHP-001", "SHP-016"},
)
def size_tensors_are_scalars(subject: Subject) -> Iterator[Finding]:
    """An output that is a size tensor has rank 0.

    TensorRT reads one number from it.
    """
    stated = shapes_of(subject, subject.create())
    for each in declarations(stated):
        rank = stated[each.output].rank
        yield check(
            rank == 0,
            lambda: Violation(
                what=f"the size tensor, output {each.output}, has rank {rank}",
                where=str(each),
                expected="rank 0: trt.DimsExprs(0)",
                observed=f"rank {rank}",
                fix=f"Return trt.DimsExprs(0) as the shape of output {each.output}.",
            ),
        )


@rule("SHP-016", level=1, source=plugins.SIZE_TENSOR_INDEX, interfaces=MADE_AS_V3, requires=COUNTED | {"SHP-001"})
def size_tensors_are_outputs(subject: Subject) -> Iterator[Finding]:
    """``declare_size_tensor`` names an output that exists, and whose own shape does not depend on that size.

    TensorRT reads the size there when the plugin has run.
    """
    stated = shapes_of(subject, subject.create())
    for each in declarations(stated):
        exists = 0 <= each.output < len(stated)
        depends = exists and each.output in sizing_outputs(stated[each.output])
        yield check(
            exists and not depends,
            lambda: Violation(
                what=f"declare_size_tensor names output {each.output}",
                where=f"the shape of output {each.answer.index}; there are {len(stated)} outputs",
                expected="the index of the output that enqueue writes the size to",
                observed="its own dimension depends on that size" if depends else "this output does not exist",
                fix="Name the index of the size tensor among all outputs, from 0.",
            ),
        )


@rule("SHP-017", level=1, source=plugins.SIZE_TENSOR_OPTIMUM, interfaces=MADE_AS_V3, requires=COUNTED | {"SHP-001"})
def optimum_depends_on_extents_alone(subject: Subject) -> Iterator[Finding]:
    """The optimum of a size tensor does not depend on a size tensor.

    The builder tunes for the optimum before anything has run.
    """
    for each in declarations(shapes_of(subject, subject.create())):
        yield check(
            not each.nests,
            lambda: Violation(
                what="the optimum of a size tensor depends on a size tensor",
                where=str(each),
                expected="an expression of dimensions of inputs and of values of shape inputs",
                observed="it has no value when the engine is built",
                fix="Estimate the optimum from the dimensions of the inputs.",
            ),
        )


@rule(
    "SHP-018",
    level=1,
    source=plugins.SIZE_TENSOR_BOUND,
    interfaces=MADE_AS_V3,
    requires=CONFIGURES | {"ENQ-001", "SHP-019"},
)
def sizes_stay_below_their_bound(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` writes a size between 0 and the declared upper bound, for all data.

    TensorRT allocates memory for the bound, and a larger output does not fit.
    """
    driver = fresh_driver(subject)
    size_tensors = declarations(shapes_of(subject, subject.create()))
    for shapes in corner_shapes(subject.case):
        for name, arrays in adversarial(driver, shapes):
            run = driver.configure(shapes).enqueue(shapes, arrays, LENIENT)
            for each in size_tensors:
                size, (_, upper) = needed_size(subject.case, run, each), each.bounds(shapes)
                if size is None:
                    continue  # it failed before it had a size; the rules about that say so
                yield check(
                    0 <= size <= upper,
                    lambda: Violation(
                        what=f"the size tensor, output {each.output}, is {size}",
                        where=f"input shapes {list(shapes)}, data {name}; {each}",
                        expected=f"from 0 to {upper}, the declared upper bound",
                        observed=f"{size}: TensorRT allocated less memory than the output needs",
                        fix=f"Declare in {_shape_query(subject)} an upper bound for all data.",
                    ),
                )


@rule(
    "SHP-019",
    level=1,
    source=plugins.SIZE_TENSOR_WRITTEN,
    interfaces=MADE_AS_V3,
    requires=CONFIGURES | {"ENQ-001", "ENQ-015"},
)
def sizes_are_written_by_every_call(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` writes each size tensor in every call, and its result does not depend on the old content.

    TensorRT reuses the memory, so it holds arbitrary bytes.
    """
    driver = fresh_driver(subject)
    size_tensors = declarations(shapes_of(subject, subject.create()))
    for shapes in corner_shapes(subject.case):
        for name, arrays in adversarial(driver, shapes):
            memory = [structs.replace(LENIENT, poison=poison) for poison in (0xCD, 0x3B, 0x00)]
            runs = [driver.run(shapes, arrays, conditions) for conditions in memory]
            if any(run.failure is not None for run in runs):
                continue  # it owes no size; the rules about failures say so
            for each in size_tensors:
                held = [run.raw_outputs[each.output] for run in runs]
                yield check(
                    len(set(held)) == 1,
                    lambda: Violation(
                        what=f"the size tensor, output {each.output}, depends on what its memory held",
                        where=f"input shapes {list(shapes)}, data {name}, on different memory",
                        expected="the same size each time",
                        observed=f"{[written_size(raw) for raw in held]}",
                        fix=_how_to_write(held, driver.tensors.output_types[each.output]),
                    ),
                )


def _how_to_write(held: Sequence[bytes], dtype: str) -> str:
    """Return the fix for a size tensor that varies, from its contents after several calls."""
    same = sum(len(set(column)) == 1 for column in zip(*held, strict=True))
    if same:
        return f"Write all {len(held[0])} bytes of it as {dtype}, its reported type; enqueue wrote {same}."
    return "Write the whole size tensor in every call; set a counter to zero before it counts."


@rule(
    "SHP-020",
    source=plugins.SIZE_TENSOR_DIRECT,
    interfaces=MADE_AS_V3,
    requires=COUNTED | {"SHP-001"},
)
def sizes_are_used_as_they_are(subject: Subject) -> Iterator[Finding]:
    """A plugin uses a size tensor as a dimension without arithmetic.

    NVIDIA's expression builder gives a null pointer for arithmetic with a size tensor, and the process dies.
    """
    stated = shapes_of(subject, subject.create())
    declarations(stated)
    for answer in stated:
        computed = computed_with(answer)
        yield check(
            not computed,
            lambda: Violation(
                what=f"a dimension of output {answer.index} is computed from a size tensor",
                where=f"the shape of output {answer.index}: {computed[0]}",
                expected="the expression that declare_size_tensor returned, without arithmetic",
                observed=f"{computed[0]}: TensorRT gets a null pointer and dies here",
                fix="Write the number that the dimension needs to the size tensor.",
            ),
        )


@rule(
    "SHP-021",
    source=plugins.SIZE_TENSOR_ESTIMATE,
    severity=Severity.WARNING,
    interfaces=MADE_AS_V3,
    requires=COUNTED | {"SHP-001", "SHP-017"},
)
def optimum_is_below_the_bound(subject: Subject) -> Iterator[Finding]:
    """The optimum of a size tensor is not above its upper bound.

    Otherwise TensorRT tunes the engine for a size that never comes.
    """
    shapes = best_shapes(subject.case)  # an engine is tuned for these; an optimum may well be a constant
    for each in declarations(shapes_of(subject, subject.create())):
        optimum, upper = each.bounds(shapes)
        yield check(
            optimum <= upper,
            lambda: Violation(
                what=f"the optimum {optimum} is above the upper bound {upper}",
                where=f"{each}, for input shapes {list(shapes)}",
                expected="an optimum of at most the upper bound",
                observed=f"{optimum} and {upper}",
                fix="Check the order of the arguments: declare_size_tensor(output, optimum, upper).",
            ),
        )
