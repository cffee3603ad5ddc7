"""FUZ: shapes between the corners of a profile, drawn by the run.

Each rule is judged on one example, which is plain data; ``strategy`` says how it is drawn. A rule requires those
that check the same at fixed shapes, so it reports only what drawn shapes find.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import ANALYSES, COMPUTES
from conformance.sources import plugins
from harness.checks.observation.host_fallback import ACCESSES, hand_over
from harness.checks.running.driver import fresh_driver, oracle_outputs
from harness.checks.running.runs import LENIENT, difference_from_another, difference_of
from harness.checks.sampling.sampling import drawn_shapes
from harness.checks.shapes.beyond_the_case import asked_again, insist_on_shapes, told_otherwise
from harness.checks.shapes.bounds import bounds_of
from harness.checks.shapes.shapes import constant_shape, evaluated, network_plugin
from harness.contract.finding import Violation, check
from harness.contract.rule import ALL_INTERFACES, SYMBOLIC, Severity, rule
from harness.strategies.beyond_the_case import any_questions
from harness.strategies.shapes import any_shapes, runnable_shapes, sequences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.running.driver import Driver, Run
    from harness.contract.finding import Finding
    from harness.subject.subject import Subject


@rule(
    "FUZ-001",
    source=plugins.EXPR_CONSTANT,
    interfaces=SYMBOLIC,
    requires=ANALYSES | {"SHP-007", "SHP-011"},
    strategy=any_shapes,
)
def expressions_say_what_constants_say(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """At every shape of the profile, expressions and constants give the same output dimensions, none negative.

    TensorRT asks with symbols if a network has dynamic dimensions, and with constants if it has none. A plugin that
    reads constants has two ways to compute a shape. Both must agree everywhere, not only at the corners.
    """
    shapes = drawn_shapes(subject.case, example["shapes"])
    plugin, stated = network_plugin(subject)
    for symbolic in stated:
        one, other = evaluated(symbolic, shapes), constant_shape(subject, plugin, symbolic.index, shapes)
        yield check(
            one == other and min(one, default=0) >= 0,
            lambda: Violation(
                what=f"output {symbolic.index} has {'another' if one != other else 'a negative'} dimension here",
                where=f"{symbolic}, evaluated for inputs {[list(each) for each in shapes]}",
                expected=f"{list(one)} with constants too, as from the expressions, and no dimension below 0",
                observed=f"{list(other)} where the input dimensions are constants",
                fix="Compute the same shape for constant and symbolic dimensions.",
            ),
        )


@rule(
    "FUZ-002",
    source=plugins.OUTPUT_BOUNDS,
    severity=Severity.WARNING,
    interfaces=SYMBOLIC,
    requires=ANALYSES | {"FUZ-001"},
    strategy=any_shapes,
)
def extents_stay_within_those_of_the_corners(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """At every shape of the profile, output dimensions are between those at the corners of the profile.

    TensorRT computes the bounds of the outputs, and asks for the workspace, at the bounds of the inputs. If an
    output is largest at a shape in between, both are too small.
    """
    shapes = drawn_shapes(subject.case, example["shapes"])
    _, stated = network_plugin(subject)
    for answer in stated:
        shape = evaluated(answer, shapes)
        bounds = subject.once(("bounds of output", answer.index), functools.partial(bounds_of, subject.case, answer))
        yield check(
            all(low <= extent <= high for extent, (low, high) in zip(shape, bounds, strict=True)),
            lambda: Violation(
                what=f"output {answer.index} leaves the bounds that the corners of the profile give it",
                where=f"{answer}, evaluated for inputs {[list(each) for each in shapes]}",
                expected=f"dimensions between {bounds}, as they are at the corners of the profile",
                observed=f"{list(shape)}",
                fix="Compute output dimensions that only grow, or only shrink, as the dimensions of the inputs grow.",
            ),
        )


@rule(
    "FUZ-003",
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    requires=COMPUTES | {"SHP-008", "ENQ-004", "ENQ-005", "ENQ-006", "ENQ-009", "ENQ-012"},
    strategy=runnable_shapes,
)
def results_are_right_at_every_shape(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """At every shape of the profile, ``enqueue`` writes its outputs, the right values, and nothing else.

    Kernels often fail if a dimension is no multiple of a tile, or if the elements outnumber the threads. One axis may
    also be longer than another. The corners of a profile rarely have these shapes.
    """
    shapes = drawn_shapes(subject.case, example["shapes"])
    driver = fresh_driver(subject)
    run = driver.run(shapes, conditions=LENIENT)
    trespasses = run.trespasses("")
    yield check(
        not trespasses,
        lambda: Violation(
            what="enqueue accessed memory that does not belong to its tensors",
            where=f"input shapes {[list(each) for each in shapes]}",
            expected="accesses within the tensors and the workspace of the call",
            observed="; ".join(trespasses[:3]),
            fix="Compute sizes and offsets from the descriptors of the call, and stop at the last element.",
        ),
    )
    yield _as_expected(driver, run.insist(), f"input shapes {[list(each) for each in shapes]}")
    hand_over(subject, ACCESSES)


@rule(
    "FUZ-004",
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    requires=COMPUTES | {"FUZ-003", "ENQ-011", "ENQ-017", "CFG-001", "CFG-004", "CFG-008", "CFG-009"},
    strategy=sequences,
)
def results_are_right_in_every_order(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """One object that runs at one shape after the other gives the right results at each of them.

    A context changes its shapes from call to call. A buffer, size or plan of an earlier call does not fit a
    later call.
    """
    sequence = [drawn_shapes(subject.case, shapes) for shapes in example["sequence"]]
    driver = fresh_driver(subject)
    for number, shapes in enumerate(sequence):
        run = driver.run(shapes, conditions=LENIENT).insist()
        yield _as_expected(driver, run, f"execution {number + 1}, input shapes {[list(each) for each in shapes]}")


def _as_expected(driver: Driver, run: Run, where: str) -> Finding:
    """Judge the outputs of a run by the case's reference or, without one, by a new plugin on other memory."""
    case = driver.subject.case
    if case.reference is not None:
        difference = difference_of(driver, run, oracle_outputs(driver.subject, run))
        expectation = "as the case's reference computes"
    else:
        difference = difference_from_another(driver, run)
        expectation = "as a new plugin computes with other old content in the memory"
    return check(
        difference is None,
        lambda: Violation(
            what="enqueue computed wrong outputs at this shape",
            where=f"{where}; {difference.where if difference else ''}",
            expected=f"{difference.expected if difference else ''}, {expectation}",
            observed=str(difference),
            fix="Correct the computation for this shape, or the case's reference or tolerance.",
        ),
    )


@rule(
    "FUZ-011",
    source=plugins.EXPR_CONSTANT,
    severity=Severity.WARNING,
    interfaces=SYMBOLIC,
    requires=ANALYSES | {"FUZ-001", "SHP-004", "SHP-005", "SHP-006", "SHP-009"},
    strategy=any_questions,
)
def shapes_follow_from_the_question_beyond_the_case(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """For any rank, and dimensions up to 2^31 - 1, the query for output shapes gives one answer or raises.

    Networks contain inputs that the plugin's author did not expect. The answer must be the same with symbols and with
    constants, and after any earlier query. It must use only expressions of the call.
    """
    shapes = insist_on_shapes(subject.case, example["shapes"])
    for pair in (*told_otherwise(subject, shapes, example["known"]), *asked_again(subject, shapes)):
        if not pair.is_comparable:
            continue
        output, uses = f"output {pair.one.answer.index}", [*pair.one.uses, *pair.other.uses]
        way = "to one question" if pair.same else "for constants and for symbols"
        yield check(
            pair.agrees and not uses,
            lambda: Violation(
                what=f"{output} is made of another call's expressions" if uses else f"{output} has two shapes {way}",
                where=f"{pair.one.answer}, for inputs {[list(shape) for shape in pair.shapes]}",
                expected=f"{list(pair.one.shape or ())}, or an exception where the plugin cannot be used so",
                observed=uses[0] if uses else f"{list(pair.other.shape or ())} {pair.later}",
                fix="Compute each shape only from the arguments of the call, or raise if the plugin cannot be used so.",
            ),
        )
