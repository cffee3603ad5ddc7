"""QDP: plugins that are decorated functions, ``tensorrt.plugin``.

What the decorators refuse themselves (names, signatures, annotations, order) is no rule here: the import fails with
their own words. The functions are called directly, since TensorRT sees only an object that is not the user's.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import COMPUTES, RUNS
from conformance.sources import plugins
from harness.checks.fields.other_values import one_other_value_each
from harness.checks.formats.choices import case_combinations
from harness.checks.lifecycle.heirs import original_of
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.in_a_fork import apart
from harness.checks.observation.telling import shown, text_of
from harness.checks.observation.whole_number import whole_number
from harness.checks.running.decorated import (
    IMMUTABLE,
    OF_SIZES,
    as_imported,
    defined,
    descriptions,
    elements,
    is_argument,
    kernels,
    problem_of,
    tactics_of,
    tuned,
)
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation
from harness.checks.running.tactics import advertised
from harness.checks.sampling.sampling import best_shapes, sample_shapes
from harness.contract.finding import NotApplicable, NotRun, Violation, check
from harness.contract.rule import DECORATED, rule
from harness.subject.switches import insist_on_what_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.contract.finding import Finding
    from harness.subject.subject import Subject

#: To describe: ``register`` can be called, and its answers are what they should be.
DESCRIBES = frozenset({"QDP-005", "QDP-014", "QDP-015", "QDP-016"})


@rule(
    "QDP-005",
    level=1,
    source=plugins.REGISTERED_OUTPUTS,
    interfaces=DECORATED,
    requires={"QDP-014"},
    owns={"get_output_data_types", "get_output_shapes"},
)
def register_returns_what_its_annotation_says(subject: Subject) -> Iterator[Finding]:
    """``register`` returns as many descriptors as its return annotation says.

    Only the annotation says how many outputs the plugin has; TensorRT cannot build a network with another number.
    """
    num_outputs = defined(subject).num_outputs
    for description in descriptions(subject):
        if description.error is not None:
            continue
        outputs = description.outputs
        yield check(
            len(outputs) == num_outputs and description.has_descriptors,
            lambda: Violation(
                what=f"register returned {_kinds(description.answer)}",
                where=f"register, {description}",
                expected=f"{num_outputs} TensorDesc, as its return annotation says",
                observed=_kinds(description.answer),
                fix="Annotate tuple[TensorDesc, ...] with one entry for each output, and return a tuple of as many.",
            ),
        )


def _kinds(answer: Any) -> str:
    parts = elements(answer, tuple)
    return type(answer).__name__ if parts is None else f"({', '.join(type(each).__name__ for each in parts)})"


@rule(
    "QDP-014",
    level=1,
    source=plugins.REGISTERED_FAKE,
    interfaces=DECORATED,
    requires={"QDP-015", "QDP-016", "QDP-024"},
)
def register_works_with_fake_extents(subject: Subject) -> Iterator[Finding]:
    """``register`` works with fake dimensions, and returns the same types and aliases with real dimensions.

    TensorRT asks for types before the dimensions are known. A fake ``ShapeExpr`` has no value then, and a branch on it
    raises; ``is_fake`` shows which dimensions are fake.
    """
    described = descriptions(subject)
    for description in described:
        error = description.error
        yield check(
            error is None,
            lambda: Violation(
                what=f"register raised {type(error).__name__}: {text_of(error)}",
                where=f"register, {description}",
                expected="descriptors of the outputs",
                observed=f"{type(error).__name__}; the network cannot be built",
                fix="Check is_fake before is_constant and constant_value, and never branch on a dimension.",
            ),
        )
    if any(description.error is not None for description in described):
        return
    fake, known = (description.said for description in described)
    yield check(
        fake == known,
        lambda: Violation(
            what="register returns other types or aliases when dimensions are known",
            where="dtype and aliased() of the returned descriptors",
            expected=f"the same as with fake dimensions: {fake}",
            observed=f"{known}",
            fix="Compute types and aliases only from the types of the inputs and the attributes.",
        ),
    )


@rule("QDP-015", level=1, source=plugins.REGISTERED_INPUTS, interfaces=DECORATED, requires={"QDP-024"})
def register_leaves_its_inputs_alone(subject: Subject) -> Iterator[Finding]:
    """``register`` changes no descriptor of an input.

    ``register`` makes outputs by ``like``, ``aliased`` and ``from_shape_expr``. An assignment to an input's descriptor
    raises. The objects behind the descriptor are not protected, and belong to TensorRT.
    """
    for description in descriptions(subject):
        refused = IMMUTABLE in text_of(description.error)
        if description.error is not None and not refused:
            continue
        yield check(
            not refused and not description.changed,
            lambda: Violation(
                what="register changes an input's descriptor",
                where=f"register, {description}",
                expected="unchanged descriptors of the inputs",
                observed=text_of(description.error) or f"the descriptor of input {description.changed[0]} has changed",
                fix="Change only the descriptors that like() or from_shape_expr() returns.",
            ),
        )


@rule("QDP-016", level=1, source=plugins.REGISTERED_SIZES, interfaces=DECORATED, requires={"QDP-024"})
def size_tensors_are_returned_as_they_are(subject: Subject) -> Iterator[Finding]:
    """``register`` uses the value of a size tensor only as a dimension, and returns the size tensor as an output.

    TensorRT knows the number only from that output.
    """
    judges = False
    for description in descriptions(subject):
        calculated = OF_SIZES in text_of(description.error)
        if description.error is not None and not calculated:
            continue
        used = [] if calculated else description.sizes
        judges = judges or calculated or bool(used)
        if not (calculated or used):
            continue
        missing = [size for size in used if not any(size is desc for desc in description.outputs)]
        yield check(
            not calculated and not missing,
            lambda: Violation(
                what="register computes with a size tensor" if calculated else "register does not return a size tensor",
                where=f"register, {description}",
                expected="expr() of a size tensor as a dimension, and the size tensor among the returned descriptors",
                observed=text_of(description.error) or "a dimension from a size tensor that was not returned",
                fix="Return the descriptor of size_tensor() as an output, and use its expr() without arithmetic.",
            ),
        )
    if not judges:
        raise NotApplicable("no output shape depends on a size tensor")


@rule("QDP-024", level=1, source=plugins.IMPL_DEFINED, interfaces=DECORATED, owns={"create_plugin"})
def the_module_defines_what_runs(subject: Subject) -> Iterator[Finding]:
    """The import of the module defines ``register``, and ``impl`` or ``aot_impl``.

    A process that loads an engine imports the plugin's module. It does not run the script that built the network.
    A function without parameters that defines them can be called by that process, too. The rule does not judge it.
    """
    definition = defined(subject)
    insist_on_what_runs(subject.creator)
    yield check(
        definition.impl_func is not None or definition.aot_impl_func is not None,
        lambda: Violation(
            what=f"there is neither impl nor aot_impl for {definition.plugin_id}",
            where="after the import of the module",
            expected="@trtp.impl or @trtp.aot_impl at the top level of the module that has @trtp.register",
            observed="only register: TensorRT cannot build or load an engine with the plugin",
            fix="Define impl in the module that defines register, not in the script or function that builds an engine.",
        ),
    )


@rule("QDP-008", source=plugins.IMPL_ATTRIBUTES, interfaces=DECORATED, requires=RUNS | DESCRIBES)
def impl_takes_what_it_needs(subject: Subject) -> Iterator[Finding]:
    """Every attribute that execution needs is a parameter of ``impl``.

    TensorRT serializes only these. A process that loads the engine never runs ``register`` and ``autotune``, so
    globals that they set do not exist.
    """
    definition = defined(subject)
    if definition.impl_func is None:
        raise NotApplicable("the plugin is compiled ahead of time: TensorRT serializes no part of it")
    seen = dict(definition.impl_func.__globals__)
    for combination in case_combinations(subject, each=1, most=2):
        driver = Driver(subject, subject.create(), combination).prepare()
        restored = driver.of(subject.deserialize(subject.serialize(driver.plugin)))
        for shapes in sample_shapes(subject.case, 1):
            expected_run = driver.run(shapes)
            with as_imported(definition, seen) as lost:
                run = restored.make_ready().run(shapes, conditions=LENIENT)
            difference = deviation(restored, run, expected_run)
            yield check(
                not difference,
                lambda: Violation(
                    what="a plugin that was loaded from an engine computes something else",
                    where=f"impl after a round trip through its serialized attributes, input shapes {list(shapes)}",
                    expected="the outputs of the plugin that was serialized",
                    observed=f"{difference}{_told_of(lost)}",
                    fix="Make every attribute that impl needs a parameter of impl; do not read globals that change.",
                ),
            )


def _told_of(lost: list[str]) -> str:
    return f"; globals that were set after the import: {', '.join(lost)}" if lost else ""


@rule("QDP-009", level=1, source=plugins.IMPL_TACTIC, interfaces=DECORATED, requires=DESCRIBES | {"QDP-010"})
def impl_takes_the_tactic(subject: Subject) -> Iterator[Finding]:
    """If ``autotune`` offers tactics, ``impl`` has the parameter ``tactic``.

    Otherwise every tactic runs the same code, and TensorRT times it several times.
    """
    definition = defined(subject)
    if definition.impl_func is None:
        raise NotApplicable("the plugin has aot_impl, which always gets the tactic")
    for offer in advertised(subject):
        yield check(
            definition.expects_tactic,
            lambda: Violation(
                what="autotune offers tactics, but impl has no parameter tactic",
                where=f"{offer.combination}: tactics {list(offer.tactics)}",
                expected="impl(..., outputs, stream, tactic)",
                observed="impl(..., outputs, stream)",
                fix="Add the parameter tactic after stream, and use it; or offer no tactics.",
            ),
        )


@rule(
    "QDP-010",
    level=1,
    source=plugins.AUTOTUNE_TACTICS,
    interfaces=DECORATED,
    requires=DESCRIBES | {"QDP-012"},
    owns={"get_valid_tactics"},
)
def tactics_are_positive(subject: Subject) -> Iterator[Finding]:
    """The tactics that ``autotune`` offers are integers greater than 0.

    0 is the tactic of a plugin that has none, and negative ones are TensorRT's own.
    """
    offered = [tactic for each in tuned(subject).combinations for tactic in tactics_of(each)]
    if not offered:
        raise NotApplicable("autotune offers no tactics")
    for tactic in offered:
        number = None if type(tactic) is bool else whole_number(tactic)
        yield check(
            number is not None and number > 0,
            lambda: Violation(
                what=f"autotune offers the tactic {shown(tactic)}",
                where="AutoTuneCombination(..., tactics) or tactics()",
                expected="integers greater than 0",
                observed=shown(tactic),
                fix="Number the tactics from 1.",
            ),
        )


@rule("QDP-011", level=1, source=plugins.AUTOTUNE_RESULT, interfaces=DECORATED, requires=DESCRIBES)
def autotune_returns_a_list(subject: Subject) -> Iterator[Finding]:
    """``autotune`` returns a list of ``AutoTuneCombination``.

    The annotation may name a single one, but TensorRT asks for the length of the result in any case.
    """
    tuning = tuned(subject)
    if tuning.error is not None:
        raise NotRun(f"autotune raised {type(tuning.error).__name__}")
    listed = elements(tuning.answer, list, tuple)
    yield check(
        listed is not None and len(tuning.combinations) == len(listed),
        lambda: Violation(
            what=f"autotune returned {_listing(tuning.answer)}",
            where="autotune",
            expected="a list of AutoTuneCombination",
            observed=_listing(tuning.answer),
            fix="Return a list, [combination], also for one combination.",
        ),
    )


def _listing(answer: Any) -> str:
    parts = elements(answer, list, tuple)
    kind = type(answer).__name__
    return kind if parts is None else f"a {kind} of {', '.join(type(each).__name__ for each in parts)}"


@rule(
    "QDP-012",
    level=1,
    source=plugins.AUTOTUNE_TEXT,
    interfaces=DECORATED,
    requires=DESCRIBES | {"QDP-011", "QDP-013"},
    owns={"get_supported_format_combinations"},
)
def combinations_can_be_spelled_out(subject: Subject) -> Iterator[Finding]:
    """Every combination that ``autotune`` returns has a type and a format for each tensor.

    TensorRT cannot read other texts. | or * separates the alternatives, not both. Types and formats that go together
    have equally many alternatives. Each type and format has to exist, and each input and output has one entry.
    """
    tuning = tuned(subject)
    error = tuning.error
    yield check(
        error is None,
        lambda: Violation(
            what=f"autotune raised {type(error).__name__}{f': {text_of(error)}' if text_of(error) else ''}",
            where="autotune",
            expected="a list of AutoTuneCombination",
            observed="TensorRT cannot build the network; the genuine bindings abort",
            fix="Give one layout, or as many as types; check is_dynamic before opt, min and max.",
        ),
    )
    for combination in tuning.combinations:
        problem = problem_of(combination, tuning.tensors)
        yield check(
            not problem,
            lambda: Violation(
                what=f"AutoTuneCombination({combination.io_types}, {combination.layouts}) is not valid",
                where="the result of autotune",
                expected=f"a type and a format for each of {tuning.tensors} tensors",
                observed=problem,
                fix="Separate alternatives by | (equally many for each tensor) or by *, and name each tensor.",
            ),
        )


@rule("QDP-013", level=1, source=plugins.AUTOTUNE_POSITIONS, interfaces=DECORATED, requires=DESCRIBES)
def positions_are_all_given(subject: Subject) -> Iterator[Finding]:
    """``autotune`` passes an iterable of positions to ``pos``, and names every position.

    A number in place of the iterable raises, although the documented example has one. A position that is left out
    has no type.
    """
    tuning = tuned(subject)
    misplaced = tuning.raised_in == "pos"
    if misplaced:
        yield check(
            held=False,
            violation=lambda: Violation(
                what=f"pos raised {type(tuning.error).__name__}: {tuning.error}",
                where="AutoTuneCombination.pos",
                expected="pos([0, 1], types, layouts): an iterable, and each position once",
                observed=f"{type(tuning.error).__name__}",
                fix="Write pos([2], ...), not pos(2, ...), and name each position once.",
            ),
        )
    for combination in tuning.combinations:
        missing = [place for place, text in enumerate(combination.io_types) if text is None]
        yield check(
            not missing,
            lambda: Violation(
                what=f"no type was given for position {missing[0]}",
                where="AutoTuneCombination.pos",
                expected="a type for each input and output",
                observed=f"{combination.io_types}",
                fix="Call pos for every position.",
            ),
        )


@rule(
    "QDP-020",
    level=1,
    source=plugins.AOT_IMPL,
    interfaces=DECORATED,
    requires=DESCRIBES | {"QDP-012"},
    owns={"get_kernel"},
)
def aot_impl_returns_a_kernel(subject: Subject) -> Iterator[Finding]:
    """``aot_impl`` returns a kernel's name, its PTX or cubin, a ``KernelLaunchParams``, and ``SymIntExprs``.

    The import of the module checks only the annotation; the build checks the result.
    """
    for kernel in kernels(subject):
        yield check(
            not kernel.problem,
            lambda: Violation(
                what="aot_impl did not return a kernel",
                where=str(kernel),
                expected="(name, PTX or cubin, KernelLaunchParams, SymIntExprs)",
                observed=kernel.problem,
                fix="Return a tuple of the four; without extra arguments the last is SymIntExprs(0).",
            ),
        )


@rule(
    "QDP-021",
    level=1,
    source=plugins.AOT_ARGUMENTS,
    interfaces=DECORATED,
    requires={"QDP-020"},
    owns={"get_launch_params"},
)
def arguments_are_symbolic_integers_of_32_bits(subject: Subject) -> Iterator[Finding]:
    """The extra arguments of a kernel are ``SymInt32``, and all of them are assigned.

    The build refuses ``SymInt8``, ``SymInt16``, and plain numbers, which become symbolic numbers without a width.
    """
    for kernel in kernels(subject):
        if kernel.problem:
            continue
        for place, argument in enumerate(kernel.arguments):
            yield check(
                is_argument(argument),
                lambda: Violation(
                    what=f"extra argument {place} is no SymInt32",
                    where=str(kernel),
                    expected="SymInt32, or a dimension",
                    observed=type(argument).__name__,
                    fix="Wrap the value: trtp.SymInt32(value).",
                ),
            )


@rule("QDP-025", source=plugins.IMPL_STATELESS, interfaces=DECORATED, requires=COMPUTES | DESCRIBES | {"QDP-008"})
def functions_keep_nothing(subject: Subject) -> Iterator[Finding]:
    """The functions keep no state: another plugin of the same kind does not change their results.

    One function serves every layer and every engine of a process. All of them share what it keeps in a global, or
    on itself.
    """
    if not subject.fields:
        raise NotApplicable("the plugin has no attributes")
    tolerances = [tolerance_of(subject.case, name) for name in fresh_driver(subject).tensors.output_types]
    expected_outputs = apart(lambda: _outputs(fresh_driver(subject)))
    others = 0
    for words, run_other in _others(subject):
        runs = apart(lambda: _runs_around(subject, run_other))
        others += bool(runs)
        for outputs in runs:
            difference = first_difference(outputs, expected_outputs, tolerances)
            yield check(
                difference is None,
                lambda: Violation(
                    what="the outputs depend on another plugin that ran before",
                    where=f"input shapes {list(best_shapes(subject.case))}, after a plugin with {words}",
                    expected="the outputs of a process in which no other plugin ran",
                    observed=str(difference),
                    fix="Compute from the arguments alone; keep no state in globals or on functions.",
                ),
            )
    if not others:
        raise NotApplicable("no other attributes are known with which the plugin runs")


def _runs_around(subject: Subject, run_other: Callable[[], object]) -> list[list[Any]]:
    """Return the outputs of two plugins, made before another plugin ran and after; none if that did not run."""
    before = fresh_driver(subject)
    if not run_other():
        return []
    return [_outputs(each) for each in (before, fresh_driver(subject))]


def _outputs(driver: Driver) -> list[Any]:
    return list(driver.run(best_shapes(driver.subject.case)).insist().outputs)


def _others(subject: Subject) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield plugins with other attributes, those of other cases first: which, in words, and what runs one."""
    for case in subject.origin.siblings:
        same = case.spec in (None, subject.case.spec) and case.fields.keys() == subject.case.fields.keys()
        if same and case.name != subject.case.name:
            driver = functools.partial(fresh_driver, subject.with_case(case))
            yield f"the attributes of case {case.name!r}", lambda: driver().run(best_shapes(case))
    for fields, words in one_other_value_each(subject):
        yield words, lambda: original_of(subject, fields)
