"""ALI: outputs in the memory of inputs, ``get_aliased_input`` of ``IPluginV3OneBuildV2``.

NVIDIA's builder refuses a plugin that aliases an input if the configuration does not have
``PreviewFeature.ALIASED_PLUGIN_IO_10_03`` (observed on TensorRT-RTX 1.7.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.prerequisites import ANALYSES, CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.formats.aliasing import METHOD, NO_ALIAS, aliased, claims, likenesses, may_alias
from harness.checks.formats.choices import case_combinations
from harness.checks.lifecycle.states import in_the_build
from harness.checks.running.driver import fresh_driver, oracle_outputs
from harness.checks.running.runs import APART, LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import sample_shapes
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.rule import MADE_AS_V3, VERSION_3, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.formats.formats import Combination
    from harness.subject.subject import Subject

DECLARES = frozenset({"ALI-001", "ALI-002", "ALI-003"})


@rule("ALI-001", source=plugins.ALIASED_INPUT, interfaces=VERSION_3, requires={"ALI-009"})
def an_aliased_input_exists(subject: Subject) -> Iterator[Finding]:
    """``get_aliased_input`` returns -1, or the index of an input.

    Inputs are counted from 0; TensorRT refuses a plugin that names another number.
    """
    count = len(subject.case.data_inputs)
    for claim in claims(subject, _asked(subject)):
        yield check(
            NO_ALIAS <= claim.source < count,
            lambda: Violation(
                what=f"{METHOD}({claim.output}) returned {claim.source}",
                where=f"a plugin with {count} inputs",
                expected=f"-1, or an input from 0 to {count - 1}",
                observed=f"{claim.source}: TensorRT cannot use the plugin",
                fix="Return the index of the aliased input, or -1 for an output with its own memory.",
            ),
        )


@rule("ALI-002", source=plugins.ALIASED_ONCE, interfaces=MADE_AS_V3, requires={"ALI-001"})
def an_input_is_aliased_by_one_output(subject: Subject) -> Iterator[Finding]:
    """No two outputs alias the same input.

    Two outputs in the same memory would overwrite each other.
    """
    owners: dict[int, int] = {}
    for claim in claims(subject, _asked(subject)):
        if claim.source == NO_ALIAS:
            continue
        other = owners.setdefault(claim.source, claim.output)
        yield check(
            other == claim.output,
            lambda: Violation(
                what=f"{METHOD} returned {claim.source} for outputs {other} and {claim.output}",
                where=f"{METHOD}({claim.output})",
                expected=f"-1, or an input that output {other} does not alias",
                observed=f"input {claim.source} twice: TensorRT cannot use the plugin",
                fix="Let one output alias the input, and return -1 for the other.",
            ),
        )
    if not owners:
        raise NotApplicable("no output aliases an input")


@rule("ALI-003", source=plugins.ALIASED_CONSTANT, interfaces=VERSION_3, requires=CONFIGURES | {"ALI-009"})
def aliases_never_change(subject: Subject) -> Iterator[Finding]:
    """``get_aliased_input`` returns the same answer for an index at any time, on each clone and in each configuration.

    TensorRT asks while it reads the network, before it chooses types and formats, and keeps the answers.
    """
    sources = [claim.source for claim in claims(subject, _asked(subject))]
    for state, plugin in in_the_build(subject):
        for again in (claims(subject, plugin), claims(subject, plugin)[::-1]):
            for claim in again:
                yield check(
                    claim.source == sources[claim.output],
                    lambda: Violation(
                        what=f"{METHOD}({claim.output}) returned {claim.source}",
                        where=state,
                        expected=f"{sources[claim.output]}, as on a new object",
                        observed=f"{claim.source}; TensorRT uses the answer from before the configuration",
                        fix=f"Compute the result of {METHOD} from the index alone.",
                    ),
                )


@rule("ALI-004", source=plugins.ALIASED_ALIKE, interfaces=MADE_AS_V3, requires=ANALYSES | DECLARES)
def an_output_is_like_the_input_that_it_aliases(subject: Subject) -> Iterator[Finding]:
    """An output has the type and the format of the input that it aliases, and no more elements.

    Both use the same memory. Elements of another type or format are misread, and additional elements overwrite other
    tensors.
    """
    for output, source in aliased(subject).items():
        for mine, its, where in likenesses(subject, output, source):
            yield check(
                mine == its,
                lambda: Violation(
                    what=f"output {output} is {mine}, and aliases input {source}, which is {its}",
                    where=where,
                    expected=f"{its} for both",
                    observed=f"{mine} for the output: TensorRT cannot give both the same memory",
                    fix="Give the output the type and format of the input, and no more elements; or let it alias none.",
                ),
            )


@rule("ALI-005", source=plugins.ALIASED_IN_PLACE, interfaces=MADE_AS_V3, requires=RUNS | DECLARES)
def results_are_right_in_place(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` computes the right results when an output has the address of the input that it aliases.

    A plugin that writes an element before it reads it loses that element. If the results are wrong in separate
    memory too, the rules about results report it.
    """
    aliased(subject)
    if subject.case.reference is None:
        raise NotRun("the case has no reference to compare outputs with")
    for combination in case_combinations(subject):
        for shapes in sample_shapes(subject.case, 2):
            driver = fresh_driver(subject, combination)
            run = driver.run(shapes, conditions=LENIENT)
            unlike = deviation(driver, run, oracle_outputs(subject, run))
            if unlike and _fails_apart(subject, combination, shapes):
                raise NotRun("the results are wrong in separate memory, too")
            yield check(
                not unlike,
                lambda: Violation(
                    what="enqueue computes something else when outputs alias inputs",
                    where=f"outputs {list(aliased(subject))} in place, {combination}, input shapes {list(shapes)}",
                    expected="its results in separate memory, which the case's reference confirms",
                    observed=unlike,
                    fix="Read each input element before you overwrite it, or copy the input to the workspace.",
                ),
            )


@rule(
    "ALI-006",
    source=plugins.ALIASED_FEATURE,
    severity=Severity.WARNING,
    interfaces=MADE_AS_V3,
    requires=RUNS | DECLARES | {"ALI-005"},
)
def results_are_right_in_memory_of_their_own(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` fills outputs in separate memory and leaves the inputs unchanged, or it raises.

    TensorRT gives an output other memory where it converts the output's type or format. A plugin that raises then never
    computes wrong results silently.
    """
    taken = aliased(subject).values()
    for shapes in sample_shapes(subject.case, 2):
        driver = fresh_driver(subject)
        expected_run, run = usual_run(subject, shapes).insist(), driver.run(shapes, conditions=APART)
        unlike = deviation(driver, run, expected_run) if run.failure is None else ""
        changed = ", ".join(f"inputs[{index}] changed" for index in run.changed_inputs if index in taken)
        yield check(
            not unlike and not changed,
            lambda: Violation(
                what="enqueue requires that outputs alias inputs",
                where=f"outputs in separate memory, input shapes {list(shapes)}",
                expected="the outputs that it computes in place, and unchanged inputs",
                observed="; ".join(filter(None, (unlike, changed))),
                fix="If outputs[i] is not the address of the input, copy the input there first, or raise; write "
                "only to outputs.",
            ),
        )


@rule("ALI-007", source=plugins.ALIASED_ONLY, interfaces=MADE_AS_V3, requires=RUNS | DECLARES | {"ALI-004"})
def only_aliased_inputs_are_written(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` writes only to inputs that an output aliases.

    TensorRT takes all other inputs as constant, and other layers read them.
    """
    declared = sorted(aliased(subject).values())
    for combination in case_combinations(subject):
        for shapes in sample_shapes(subject.case, 1):
            run = usual_run(subject, shapes, combination).insist()
            yield check(
                not run.changed_inputs,
                lambda: Violation(
                    what=f"enqueue modified inputs[{run.changed_inputs[0]}], which no output aliases",
                    where=f"{combination}, input shapes {list(shapes)}",
                    expected=f"only inputs {declared} are written",
                    observed=f"the bytes of {', '.join(f'inputs[{i}]' for i in run.changed_inputs)} changed",
                    fix="Write only to outputs and workspace, or declare the written input in get_aliased_input.",
                ),
            )


@rule("ALI-009", level=1, source=plugins.ALIASED_RESULT, interfaces=VERSION_3, requires=CONFIGURES, owns={METHOD})
def an_alias_is_an_integer(subject: Subject) -> Iterator[Finding]:
    """``get_aliased_input`` returns an integer for each output, and does not raise.

    TensorRT takes any other result as "aliases no input". The plugin then writes to memory that is not the input's.
    """
    _asked(subject)
    for state, plugin in in_the_build(subject):
        for claim in claims(subject, plugin):
            failure = claim.failure
            yield check(
                failure is None,
                lambda: Violation(
                    what=f"{METHOD}({claim.output}) {failure.what if failure else ''}",
                    where=state,
                    expected="the index of an input, or -1",
                    observed=failure.becomes if failure else "",
                    fix="Return -1 for an output that aliases no input.",
                ),
            )


def _asked(subject: Subject) -> Any:
    """Return a new plugin that TensorRT would ask."""
    plugin = subject.create()
    if not may_alias(subject, plugin):
        raise NotApplicable("the plugin does not define get_aliased_input of IPluginV3OneBuildV2")
    return plugin


def _fails_apart(subject: Subject, combination: Combination, shapes: tuple[tuple[int, ...], ...]) -> bool:
    """Return whether the results are also wrong where each output has separate memory."""
    driver = fresh_driver(subject, combination)
    run = driver.run(shapes, conditions=APART)
    return bool(deviation(driver, run, oracle_outputs(subject, run)))
