"""FUZ: formats, asked in any order and at every shape; the FMT rules use a fixed order and one shape.

An example is drawn without knowledge of the accepted forms: its numbers choose among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.prerequisites import ANALYSES, COMPUTES
from conformance.sources import plugins
from harness.checks.formats.choices import default_combination
from harness.checks.formats.format_dialogues import conversation
from harness.checks.formats.format_tree import FormatTree
from harness.checks.observation.host_fallback import ACCESSES, hand_over
from harness.checks.running.driver import fresh_driver, oracle_outputs
from harness.checks.running.expected_outputs import difference_from_reference, difference_from_twin
from harness.checks.running.runs import LENIENT, difference_from_another, insist_on_one_answer
from harness.checks.sampling.sampling import drawn_shapes
from harness.contract.finding import NotRun, Violation, check
from harness.contract.rule import DECORATED, FORMAT_QUERYING, rule
from harness.strategies.formats import combinations, conversations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.running.driver import Driver, Run
    from harness.contract.finding import Finding
    from harness.subject.subject import Subject

METHOD = "supports_format_combination"


@rule(
    "FUZ-005",
    source=plugins.FORMAT_ANSWERS_DERIVED,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES | {"FMT-001", "FMT-002", "FMT-006"},
    strategy=conversations,
)
def answers_do_not_depend_on_the_conversation(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """``supports_format_combination`` gives one answer, after any calls and with any descriptors after ``pos``.

    TensorRT asks in its own order, about parts of one combination and then of another. Descriptors from earlier calls
    stay in place after ``pos``. If an answer depends on them, the choice of formats depends on chance.
    """
    tree = FormatTree(subject)
    questions = list(conversation(tree, example["questions"]))
    plugin = subject.create()
    copy = None
    for number, posed in enumerate(questions):
        if posed.of_clone and copy is None:
            copy = subject.clone(plugin)
        expected_answer = tree.answer(posed.question)
        answer = posed.ask(tree.asker(copy if posed.of_clone else plugin))
        yield check(
            answer == expected_answer and not isinstance(answer, str),
            lambda: Violation(
                what=f"{METHOD} {_at_fault(answer, expected_answer)}",
                where=f"question {number + 1} of {len(questions)}: {posed}",
                expected="True or False"
                if isinstance(expected_answer, str)
                else f"{expected_answer}, as a new plugin answers",
                observed=f"{answer}, after {', then '.join(map(str, questions[:number])) or 'no other question'}",
                fix="Answer from in_out[0] to in_out[pos] alone; store nothing between calls.",
            ),
        )


def _at_fault(answer: bool | str, expected_answer: bool | str) -> str:  # noqa: FBT001 - an answer is a bool
    failed = next((each for each in (answer, expected_answer) if isinstance(each, str)), None)
    return failed or "gave another answer to a question than a new plugin does"


@rule(
    "FUZ-006",
    source=plugins.FORMAT_TRUE,
    interfaces=FORMAT_QUERYING | DECORATED,
    requires=COMPUTES | {"CFG-012", "FMT-012", "FUZ-003", "FUZ-005"},
    strategy=combinations,
)
def accepted_combinations_compute_at_every_shape(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """Every accepted combination gives right results at every shape of the profile.

    Usually each combination has its own kernel. Vectors are cut short if channels are no multiple of their width. Pairs
    of halves are cut short if a row is odd. TensorRT takes the combination that is fastest at the optimum, for all
    shapes. (FUZ-003 judges the default combination at many shapes; this rule judges mainly the others.)
    """
    shapes = drawn_shapes(subject.case, example["shapes"])
    combination = FormatTree(subject).combination(example["forms"])
    if combination == default_combination(subject) and shapes != subject.once("the plainest at", lambda: shapes):
        raise NotRun("FUZ-003 judges the default combination of types and formats")
    driver = fresh_driver(subject, combination)
    run = driver.run(shapes, conditions=LENIENT)
    problem = _problem_with(driver, run)
    yield check(
        not problem,
        lambda: Violation(
            what=f"an accepted combination {'fails' if run.failure else 'does not work'} at this shape",
            where=f"{combination}, enqueue with input shapes {[list(each) for each in shapes]}",
            expected=f"accesses within the tensors, and {_wanted(driver)}",
            observed=problem,
            fix=f"Refuse the combination in {METHOD}, or correct enqueue for its types and formats.",
        ),
    )
    hand_over(subject, ACCESSES)


def _problem_with(driver: Driver, run: Run) -> str:
    """Return what is wrong with a run of a combination; empty if it is right."""
    if run.failure is not None:
        return f"enqueue {run.failure.how}"
    trespasses = run.trespasses("")
    if trespasses:
        return f"it touched {'; '.join(trespasses[:3])}"
    if driver.subject.case.reference is not None:
        return str(difference_from_reference(driver, run, oracle_outputs(driver.subject, run)) or "")
    twin = FormatTree(driver.subject).linear_twin(driver.combination)
    if twin in {None, driver.combination}:
        return str(difference_from_another(driver, run) or "")
    plain = fresh_driver(driver.subject, twin).run(run.shapes, run.inputs, LENIENT)
    difference = difference_from_twin(driver, run, plain.insist())
    if difference is not None:
        insist_on_one_answer(driver, run.shapes, run.inputs)
    return str(difference or "")


def _wanted(driver: Driver) -> str:
    if driver.subject.case.reference is not None:
        return "the outputs of the case's reference"
    return "the outputs of a new plugin with the same types in linear tensors"
