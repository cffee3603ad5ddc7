"""ENQ: execution, ``enqueue``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import contextlib
import inspect
import re
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from conformance.prerequisites import COMPUTES, CONFIGURES, REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.engines.another_process import executions_after_loading
from harness.checks.fields.trials import trial
from harness.checks.formats.choices import chosen_combinations, default_combination
from harness.checks.formats.formats import accepted_combinations
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.checks.lifecycle.destruction import ending
from harness.checks.lifecycle.parameters import with_other_parameters, with_unequal_numbers
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.global_settings import SettingsWatch, unusual_settings
from harness.checks.observation.host_fallback import ACCESSES, ADDRESSES, hand_over
from harness.checks.observation.telling import shown
from harness.checks.observation.tracking import lasting_growth
from harness.checks.observation.watching import ArgumentWatch, OutcomeLog, observing
from harness.checks.running.driver import PLAIN, Driver, fresh_driver, oracle_outputs
from harness.checks.running.graphs import CaptureError, captured
from harness.checks.running.runs import (
    LENIENT,
    deviation,
    difference_from_another,
    difference_of,
    insist_on_one_answer,
    usual_run,
)
from harness.checks.running.single_run import LATE
from harness.checks.running.size_tensors import declarations, shapes_of
from harness.checks.running.special_values import Special, faint, fate, strewn
from harness.checks.sampling.confusable import confusable_shapes
from harness.checks.sampling.oracle import reference_outputs
from harness.checks.sampling.sampling import at_one_shape, best_shapes, corner_shapes, is_dynamic, sample_shapes
from harness.contract.finding import (
    CallbackFailedError,
    Finding,
    NeedsDeviceError,
    NotApplicable,
    NotRun,
    Violation,
    check,
)
from harness.contract.language import PYTHON
from harness.contract.rule import ALL_INTERFACES, DECORATED, DYNAMIC, MADE_AS_V3, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from harness.cases.case import Shape
    from harness.checks.observation.comparing import Difference
    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

METHOD = "enqueue"


@rule("ENQ-001", languages=PYTHON, level=1, source=plugins.ENQUEUE, interfaces=DYNAMIC)
def enqueue_takes_six_arguments(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` accepts six positional arguments.

    The arguments are input descriptors, output descriptors, input addresses, output addresses, the workspace address
    and the stream. The bindings pass all of them by position.
    """
    try:
        signature = inspect.signature(subject.caller.what_runs(subject.gate, subject.create()).enqueue)
    except (AttributeError, ValueError, TypeError) as error:
        raise NotRun(f"Python cannot read the signature of enqueue: {error}") from error
    try:
        signature.bind(*[None] * 6)
    except TypeError as error:
        problem = str(error)
    else:
        problem = ""
    yield check(
        not problem,
        lambda: Violation(
            what=f"enqueue{signature} cannot be called with six positional arguments",
            where="enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)",
            expected="a method that takes six arguments",
            observed=f"{problem}; every execution fails",
            fix="Define enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream).",
        ),
    )


@rule(
    "ENQ-002",
    level=1,
    source=plugins.ENQUEUE_RESULT,
    severity=Severity.INFO,
    interfaces=DYNAMIC,
    requires=REPEATS,
)
def enqueue_returns_nothing(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` signals errors by raising, and returns nothing.

    The bindings ignore the return value. A returned 0 causes no harm, and NVIDIA's samples return it. A returned
    error code counts as success.
    """
    log = OutcomeLog(METHOD)
    driver = fresh_driver(subject)
    for shapes in corner_shapes(subject.case):
        with observing(subject.gate, log):
            driver.run(shapes)
        _, outcome = log.calls.pop()
        yield check(
            outcome.value is None,
            lambda: Violation(
                what=f"enqueue returned {shown(outcome.value)}",
                where=f"input shapes {list(shapes)}",
                expected="None",
                observed=f"{shown(outcome.value)}, which TensorRT ignores: a failure would count as success",
                fix="Raise an exception on failure and return nothing.",
            ),
        )


@rule("ENQ-003", source=plugins.ENQUEUE_STREAM, interfaces=ALL_INTERFACES, requires=RUNS)
def work_is_ordered_on_the_stream(subject: Subject) -> Iterator[Finding]:
    """All device work is ordered on the stream that TensorRT passes to ``enqueue``.

    Earlier work on that stream may still write the inputs, and the next layer reads the outputs there. Work on another
    stream, the default stream included, races with both.
    """
    is_asynchronous = subject.device.is_asynchronous
    for shapes in corner_shapes(subject.case):
        run, observed = (_done_early if is_asynchronous else _races)(subject, shapes)
        if not any(access.kind != "view" and (access.nbytes or is_asynchronous) for access in run.plugin_accesses):
            continue
        yield check(
            not observed,
            lambda: Violation(
                what="enqueue put device work on a stream that is not its stream argument",
                where=f"input shapes {list(shapes)}: {_streams(run)}",
                expected=f"all work on the stream argument of enqueue, {run.stream:#x}",
                observed=observed,
                fix="Launch kernels and copies on the stream argument, e.g. in cp.cuda.ExternalStream(stream).",
            ),
        )
    hand_over(subject, "the order of work on the device")


@rule("ENQ-004", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def inputs_stay_as_they_are(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` does not modify inputs, except those that an output aliases.

    Other layers read the same memory, and would compute with the changed values.
    """
    usual, best = default_combination(subject), best_shapes(subject.case)
    runs = [(usual, shapes, usual_run(subject, shapes).insist()) for shapes in sample_shapes(subject.case, 1)]
    others = [combination for combination in chosen_combinations(subject) if combination != usual]
    runs += [(combination, best, usual_run(subject, best, combination)) for combination in others]
    for combination, shapes, run in runs:
        yield check(
            not run.changed_inputs,
            lambda: Violation(
                what=f"enqueue modified inputs[{run.changed_inputs[0]}]",
                where=f"input shapes {list(shapes)}, {combination}",
                expected="unchanged inputs",
                observed=f"the bytes of {', '.join(f'inputs[{i}]' for i in run.changed_inputs)} changed",
                fix="Write only to outputs and workspace.",
            ),
        )


@rule("ENQ-005", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS, explained_by={"WSP-008"})
def every_output_element_is_written(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` writes every element of every output in every call.

    Elements that it does not write still hold what other layers left in the memory.
    """
    for shapes in sample_shapes(subject.case, 2):
        driver, one = fresh_driver(subject), usual_run(subject, shapes).insist()
        other = driver.run(shapes, conditions=structs.replace(PLAIN, poison=0x3B))
        difference = difference_of(driver, other, one)
        if difference is not None:
            insist_on_one_answer(driver, shapes, other.inputs)
        yield check(
            difference is None,
            lambda: Violation(
                what="an output depends on what its memory held before the call",
                where=f"enqueue with input shapes {list(shapes)}, twice, with outputs full of 0xCD and of 0x3B bytes",
                expected="the same outputs with any old content",
                observed=_unwritten(difference) if difference else "",
                fix="Write every element of every output, zeros included, and read none before you write it.",
            ),
        )


@rule("ENQ-006", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def nothing_outside_is_touched(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` accesses only its buffers and the plugin's own memory.

    The memory beside them belongs to other tensors, and the address behind the end may not exist.
    """
    for shapes in sample_shapes(subject.case, 2):
        run = usual_run(subject, shapes)
        trespasses = [sentence for label in ("inputs", "outputs") for sentence in run.trespasses(label)]
        if not trespasses:
            run.insist()
        yield check(
            not trespasses,
            lambda: Violation(
                what="enqueue accessed memory outside its buffers",
                where=f"input shapes {list(shapes)}",
                expected=f"accesses only inside inputs, outputs and workspace{_types_in(subject, trespasses)}",
                observed="; ".join(trespasses),
                fix="Compute sizes from dims and type of this call's descriptors, and limit the launch grid to them.",
            ),
        )
    hand_over(subject, ACCESSES)


@rule("ENQ-007", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS | {"ENQ-008"})
def addresses_are_not_kept(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` uses only the addresses of the current call, and keeps no data of an earlier address.

    An application may set other addresses before each execution, all of them or one, and TensorRT moves tensors
    between builds. An address may also hold another tensor: of another shape, or with other data.
    """
    shapes = best_shapes(subject.case)
    for moved in (("inputs", "outputs", "workspace"), ("inputs",), ("outputs",), ("workspace",)):
        driver = fresh_driver(subject).configure(shapes)
        run = driver.enqueue_elsewhere(shapes, moved)
        if moved == ("workspace",) and not run.workspace:
            continue
        observed = "; ".join(run.stale_uses[:1])
        if not observed:
            run.insist()
        if not observed and subject.device.is_asynchronous:
            observed = str(difference_from_another(driver, run) or "")
        yield check(
            not observed,
            lambda: Violation(
                what="enqueue used addresses of an earlier call",
                where=f"second enqueue with input shapes {list(shapes)}, {', '.join(moved)} at other addresses",
                expected="enqueue uses the buffers of this call",
                observed=observed,
                fix="Wrap inputs[i], outputs[i] and workspace anew in every call.",
            ),
        )
    yield from _same_addresses(subject, shapes)
    hand_over(subject, ACCESSES)


def _same_addresses(subject: Subject, shapes: Shapes) -> Iterator[Finding]:
    """Yield a finding for each call with other tensors at the addresses of an earlier one."""
    turns = [(shapes, ""), (shapes, "other"), *((each, "") for each in confusable_shapes(subject.case))]
    driver = fresh_driver(subject)
    runs = driver.enqueue_in_the_same_place(turns)
    for number, ((now, salt), run) in enumerate(zip(turns, runs, strict=True)):
        alone = usual_run(subject, now, salt=salt)
        observed = "" if alone.failure or number == 0 else deviation(driver, run, alone)
        if observed:  # what other shapes before it do anyway, at any address, is not for this rule to say
            apart = _at_new_addresses(driver, turns, number)
            observed = "" if apart.failure else deviation(driver, run, apart)
        yield check(
            not observed,
            lambda: Violation(
                what="enqueue used data that an address held in an earlier call",
                where=f"input shapes {list(now)}, after {list(turns[number - 1][0])} with other data there",
                expected="the outputs that the plugin computes if each tensor has a separate address",
                observed=observed,
                fix="Do not use an address as a key: wrap inputs[i], outputs[i] and workspace anew in every call.",
            ),
        )


def _at_new_addresses(driver: Driver, turns: Sequence[tuple[Shapes, str]], number: int) -> Run:
    """Return one of the same turns on a new object, all turns in separate memory."""
    other = driver.another()
    for shapes, _ in turns:
        other.configure(shapes)  # as before the turns at one place, which need to know the workspace
    done = turns[: number + 1]
    return [other.run(shapes, other.tensors.draw(shapes, salt), LENIENT) for shapes, salt in done][-1]


@rule("ENQ-008", source=plugins.ENQUEUE_OWNERSHIP, interfaces=ALL_INTERFACES, requires=RUNS)
def buffers_are_not_freed(subject: Subject) -> Iterator[Finding]:
    """The plugin never frees the buffers that ``enqueue`` gets, and never takes ownership of them.

    TensorRT or the application owns them, and uses them again.
    """
    for shapes in corner_shapes(subject.case):
        driver = fresh_driver(subject)
        run = driver.run(shapes, conditions=LENIENT)
        wrong = run.wrong_frees or ending(subject, lambda: [driver.plugin]).wrong_frees
        if not wrong:
            run.insist()
        yield check(
            not wrong,
            lambda: Violation(
                what="the plugin freed a buffer that it does not own",
                where=f"input shapes {list(shapes)}, {'enqueue' if run.wrong_frees else 'terminate, destroy'}",
                expected="the plugin only reads and writes the buffers",
                observed=wrong[0],
                fix="Wrap the addresses as unowned memory (cp.cuda.UnownedMemory) and never free them.",
            ),
        )


def _kept_dims(subject: Subject) -> str:
    """Name a second method that gives the plugin dims, to end a sentence; empty if there is none."""
    return "" if subject.interface in DECORATED else f", or from the last {subject.caller.words.prepare}"


@rule("ENQ-009", source=plugins.ENQUEUE_EXTENTS, interfaces=DYNAMIC | DECORATED, requires=RUNS)
def extents_come_from_the_call(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` takes dimensions from the descriptors of the call, not from the build.

    In the build, dynamic dimensions are -1, and the profile's bounds are not the shape that runs.
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has one shape only")
    driver = Driver(subject, subject.create())
    for shapes in sample_shapes(subject.case, subject.sampled(2), seed=subject.seed):
        exact = fresh_driver(at_one_shape(subject, shapes), driver.combination).run(shapes)
        difference = deviation(driver, usual_run(subject, shapes), exact)
        yield check(
            not difference,
            lambda: Violation(
                what="the result depends on the dimensions that the plugin saw at build time",
                where=f"enqueue with input shapes {list(shapes)}, built for {_profile(subject)}",
                expected="the outputs of a plugin that was built for this shape",
                observed=difference,
                fix=f"Read dims from input_desc and output_desc in enqueue{_kept_dims(subject)}.",
            ),
        )


@rule(
    "ENQ-010",
    level=1,
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    requires=RUNS | {"SHP-008", "V2L-011", "WSP-009"},
    owns={METHOD, "execute_async"},
    explained_by={
        "CFG",
        "CLN",
        "CRE",
        "FMT",
        "INI",
        "OUT",
        "PFD",
        "SER",
        "SHP",
        "WSP",
        "ENQ-003",
        "ENQ-004",
        "ENQ-005",
        "ENQ-006",
    },
)
def results_are_right_at_every_corner(subject: Subject) -> Iterator[Finding]:
    """Results are right at the minimum, optimum and maximum of the profile, and between them.

    TensorRT times these shapes, and the application runs them. If the case does not restrict the values, the rule also
    takes values near zero.
    """
    driver = Driver(subject, subject.create())
    tolerances = [tolerance_of(subject.case, name) for name in driver.tensors.output_types]
    for where, run in _runs_to_compare(subject, driver):
        if run.failure is not None:
            yield Finding(_failed_enqueue(run))
            continue
        if subject.case.reference is None:
            continue
        difference = first_difference(run.outputs, oracle_outputs(subject, run), tolerances)
        yield check(
            difference is None,
            lambda: Violation(
                what="the outputs of enqueue differ from the case's reference",
                where=f"{difference.where if difference else ''}, {where}",
                expected=difference.expected if difference else "",
                observed=str(difference),
                fix="Correct the computation for this shape, or the case's reference or tolerance.",
            ),
        )
    if subject.case.reference is None:
        raise NotRun("the case has no reference to compare outputs with")


def _runs_to_compare(subject: Subject, driver: Driver) -> Iterator[tuple[str, Run]]:
    """Yield runs at the shapes of the case and, if those succeed, one whose inputs are near zero."""
    failed = False
    for shapes in sample_shapes(subject.case, subject.sampled(3), seed=subject.seed):
        run = usual_run(subject, shapes)
        failed |= run.failure is not None
        yield f"input shapes {list(shapes)}", run
    if failed or subject.case.reference is None:
        return
    shapes = best_shapes(subject.case)
    small = faint(subject.case, driver.tensors.draw(shapes), driver.tensors.input_types)
    if small is not None:
        yield f"input shapes {list(shapes)}, all values near zero", driver.prepare().run(shapes, small, LENIENT)


@rule("ENQ-011", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=REPEATS)
def history_does_not_matter(subject: Subject) -> Iterator[Finding]:
    """The same inputs give the same outputs after any earlier executions.

    An application expects an engine to be a function of its inputs.
    """
    shapes = best_shapes(subject.case)
    alone = {salt: usual_run(subject, shapes, salt=salt).insist() for salt in ("other", "another")}
    driver = fresh_driver(subject).configure(shapes)
    first = driver.enqueue(shapes)
    for salt, run_alone in alone.items():
        pairs = {
            f"after others; {salt} inputs": (driver.enqueue(shapes, driver.tensors.draw(shapes, salt)), run_alone),
            "again, after others": (driver.enqueue(shapes), first),
        }
        for when, (run, expected_run) in pairs.items():
            difference = difference_of(driver, run, expected_run)
            yield check(
                difference is None,
                lambda: Violation(
                    what="the outputs depend on what the plugin computed before",
                    where=f"enqueue {when}; input shapes {list(shapes)}",
                    expected="the outputs of the same inputs if nothing ran before",
                    observed=str(difference),
                    fix="Keep no data from one enqueue to the next.",
                ),
            )


@rule("ENQ-012", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def empty_tensors_are_handled(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` handles tensors without elements, also at the null address.

    A profile may begin at 0, and an empty tensor may have the null address.
    """
    sampled = sample_shapes(subject.case, subject.sampled(4), seed=subject.seed)
    empty = [shapes for shapes in sampled if any(0 in shape for shape in shapes)]
    if not empty:
        raise NotApplicable("no shape of the case's profile is empty")
    if (usual := best_shapes(subject.case)) not in empty:
        usual_run(subject, usual).insist()  # a failure at all shapes has another rule
    for shapes in empty:
        for null in (True, False):
            conditions = structs.replace(LENIENT, null_when_empty=null)
            run = fresh_driver(subject).run(shapes, conditions=conditions)
            yield check(
                run.failure is None,
                lambda: Violation(
                    what=f"enqueue {run.failure.how if run.failure else ''}",
                    where=f"input shapes {list(shapes)}, empty tensors at {_address(null=null)}",
                    expected="enqueue returns without doing work",
                    observed=f"{run.failure.how if run.failure else ''}; the execution fails",
                    fix="Return early if a tensor's volume is 0; do not launch empty grids.",
                ),
            )


@rule("ENQ-013", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=REPEATS)
def enqueue_does_not_wait(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` does not wait for the device.

    A wait stalls the host, and layers and copies cannot overlap.
    """
    shapes = best_shapes(subject.case)
    driver = fresh_driver(subject).configure(shapes)
    driver.enqueue(shapes)
    run = driver.enqueue(shapes)
    waits = run.recording.synchronizations
    yield check(
        not waits,
        lambda: Violation(
            what="enqueue waited for the device",
            where=f"input shapes {list(shapes)}, second call",
            expected="no synchronisation",
            observed=", ".join(wait.what for wait in waits),
            fix=f"Remove the synchronisation: later work on the same stream is ordered anyway.{_hidden_wait(subject)}",
        ),
    )


def _hidden_wait(subject: Subject) -> str:
    if subject.interface not in DECORATED:
        return ""
    return " cp.asarray(tensor) is one: CuPy waits for the stream that a tensor names; make an array over data_ptr."


@rule(
    "ENQ-014",
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    severity=Severity.WARNING,
    requires=REPEATS,
)
def enqueue_can_be_captured(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` can be captured in a CUDA graph: it neither allocates nor waits, and a replay uses new data.

    Applications replay graphs to save the time of launches. A replay repeats every decision that the host made at
    capture. Only a GPU captures. Without one, the rule checks whether ``enqueue`` queries the stream or frees
    memory, which a captured stream does not allow. (WSP-010 checks allocations, ENQ-013 checks waits.)
    """
    shapes = best_shapes(subject.case)
    if not subject.device.is_asynchronous:
        hindrance = _hindrance(subject, shapes)
        yield check(
            not hindrance, lambda: _not_captured(f"enqueue {hindrance}", shapes, "a captured stream refuses it")
        )
        return
    driver = fresh_driver(subject).configure(shapes)
    standing = driver.stand(shapes)
    standing.call()  # what is loaded or allocated at first use is not captured
    standing.stream.synchronize()
    try:
        replay = captured(standing)
    except CaptureError as error:
        yield Finding(_not_captured(f"enqueue {error}", shapes, "a stream cannot capture an allocation or a wait"))
        return
    for salt in ("first replay", "second replay"):
        standing.give(driver.tensors.received(shapes, salt))
        standing.call()
        standing.stream.synchronize()
        expected_outputs = standing.results()
        standing.give(driver.tensors.received(shapes, salt))
        replay()
        tolerances = [tolerance_of(subject.case, name) for name in driver.tensors.output_types]
        difference = first_difference(standing.results(), expected_outputs, tolerances)
        yield check(
            difference is None,
            lambda: _not_captured("the outputs of a replay differ from those of a call", shapes, str(difference)),
        )


def _hindrance(subject: Subject, shapes: Shapes) -> str:
    """Say what a second call does that cannot be captured, other than allocating or waiting; empty if nothing."""
    driver = fresh_driver(subject).configure(shapes)
    driver.enqueue(shapes)
    seen = driver.enqueue(shapes).recording
    if seen.queries:
        return "asks whether the stream is idle"
    mine = [each for each in seen.allocations if each.owner == "plugin" and each.source == "malloc"]
    freed = [each for each in mine if each.freed]
    return f"frees {freed[0].nbytes} bytes of device memory" if freed and len(freed) == len(mine) else ""


def _not_captured(what: str, shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=what,
        where=f"a stream that is captured, input shapes {list(shapes)}",
        expected="a CUDA graph that computes the same as the call, from the inputs at the time of the replay",
        observed=observed,
        fix="Take memory from the workspace, do not wait, and read values that depend on data in kernels.",
    )


@rule("ENQ-015", level=1, source=plugins.ENQUEUE_UNDECIDED, interfaces=MADE_AS_V3, requires=CONFIGURES | {"ENQ-001"})
def undecided_extents_are_not_computed_with(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` computes no size from a data-dependent dimension of ``output_desc``, which is -1.

    A plugin can compute what it needs from its inputs, as ``get_output_shapes`` does.
    """
    declarations(shapes_of(subject, subject.create()))
    for shapes in sample_shapes(subject.case, subject.sampled(2)):
        driver = fresh_driver(subject)
        arrays = driver.tensors.draw(shapes)
        decided = structs.replace(LENIENT, decided=_decided(driver, shapes, arrays))
        decided_run = fresh_driver(subject).run(shapes, arrays, decided)
        if decided_run.failure is not None:
            continue  # whatever fails there is not for want of dimensions
        run = driver.run(shapes, arrays, LENIENT)
        difference = deviation(driver, run, decided_run)
        yield check(
            not difference,
            lambda: Violation(
                what="enqueue computes with a dimension that is not known yet",
                where=f"enqueue with -1 in output_desc, input shapes {list(shapes)}",
                expected=f"what it computes where output_desc says {[list(each) for each in decided.decided or ()]}",
                observed=difference,
                fix="Compute sizes from input_desc; if output_desc[i].dims holds -1, that dimension is data-dependent.",
            ),
        )


def _decided(driver: Driver, shapes: Shapes, arrays: Sequence[npt.NDArray[Any]]) -> Shapes:
    """Return the outputs' shapes as data decide them, or their bounds where the case has no reference."""
    if driver.subject.case.reference is None:
        return tuple(desc.dims for desc in driver.tensors.descriptions(shapes)[1])
    return tuple(array.shape for array in reference_outputs(driver.subject.case, shapes, arrays))


@rule("ENQ-016", source=plugins.TENSOR_SCALE, interfaces=DYNAMIC | DECORATED, requires=REPEATS)
def scale_is_read_for_int8_only(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` reads ``scale`` only for INT8 tensors.

    For every other type TensorRT sets it to -1, or to an arbitrary value.
    """
    shapes = best_shapes(subject.case)
    driver = fresh_driver(subject)
    if set(driver.tensors.types) == {"int8"}:
        raise NotApplicable("all tensors are INT8")
    plain = usual_run(subject, shapes).insist()
    for scale in (0.5, 0.0, float("nan")):
        run = driver.run(shapes, conditions=structs.replace(LENIENT, scale=scale))
        difference = deviation(driver, run, plain)
        yield check(
            not difference,
            lambda: Violation(
                what="the result depends on the scale of a tensor that is not INT8",
                where=f"enqueue with desc.scale={scale} instead of -1.0, input shapes {list(shapes)}",
                expected="the same outputs",
                observed=difference,
                fix="Read desc.scale only if desc.type is DataType.INT8.",
            ),
        )


@rule("ENQ-017", source=plugins.ENQUEUE_EXTENTS, interfaces=ALL_INTERFACES, requires=REPEATS)
def repetition_grows_nothing(subject: Subject) -> Iterator[Finding]:
    """Repeated execution does not grow memory, handles or references.

    A server calls ``enqueue`` millions of times, with tensors at other addresses each time.
    """
    shapes = best_shapes(subject.case)
    again = fresh_driver(subject).configure(shapes).repeated_elsewhere(shapes)
    rounds, calls = 2, 16  # a list grows by an eighth at a time: fewer calls may all fit in
    grown = lasting_growth(subject, again, rounds=rounds, calls=calls)
    yield check(
        not grown,
        lambda: Violation(
            what="every enqueue adds memory, handles or references",
            where=f"{rounds} times {calls} calls with input shapes {list(shapes)}",
            expected="as much memory, as many files and threads after the calls as before",
            observed=f"more {', more '.join(grown)} after each {calls} calls",
            fix="Do not append to lists or dicts, do not cache by address or call, and release what a call acquires.",
        ),
    )
    hand_over(subject, ADDRESSES)


@rule("ENQ-018", source=plugins.ENQUEUE_CONST, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=REPEATS)
def arguments_stay_as_they_are(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` does not modify its lists of descriptors and addresses.

    They belong to TensorRT, and are constant in C++.
    """
    watch = ArgumentWatch(subject.caller.words.run)
    driver = fresh_driver(subject)
    for shapes in corner_shapes(subject.case):
        with observing(subject.gate, watch):
            driver.run(shapes)
        changes, watch.changes = watch.changes, []
        yield check(
            not changes,
            lambda: Violation(
                what="enqueue modified its arguments",
                where=f"{_argument(changes[0].path)}, input shapes {list(shapes)}",
                expected=f"{changes[0].before}, as it was",
                observed=changes[0].after,
                fix="Copy a list before you change it.",
            ),
        )


@rule(
    "ENQ-019",
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    severity=Severity.WARNING,
    requires=REPEATS | {"DST-002"},
)
def global_settings_stay(subject: Subject) -> Iterator[Finding]:
    """Each callback leaves the current device and the global settings of libraries as they were.

    Default streams, default types, error handling and random states belong to the application. They have unusual values
    in this rule, so it notices a plugin that sets the usual ones. The first call may load a library that sets warning
    filters. So the rule compares these filters from the second call on.
    """
    shapes = best_shapes(subject.case)
    watch = SettingsWatch()
    with unusual_settings(), observing(subject.gate, watch):
        driver = fresh_driver(subject).configure(shapes)
        driver.enqueue(shapes)
        driver.enqueue(shapes)
        for corner in corner_shapes(subject.case):
            driver.run(corner, conditions=LENIENT)
        driver.clone().terminate().destroy()
        subject.deserialize(subject.serialize(driver.terminate().plugin))
    different = list(watch.changes)
    yield check(
        not different,
        lambda: Violation(
            what=f"{watch.changes[different[0]]} changed {', '.join(different)}",
            where=f"a plugin's whole life, with input shapes {list(shapes)}",
            expected="global settings as before the call",
            observed=f"{', '.join(different)} differs afterwards",
            fix="Use a with-block or a random generator of your own, and restore what you change.",
        ),
    )


@rule(
    "ENQ-020",
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    severity=Severity.WARNING,
    requires=COMPUTES | {"CLN-009", "ENQ-007"},
)
def types_come_from_the_descriptors(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` takes the element type and the layout from the descriptors.

    A builder tries several combinations on one object in turn.
    """
    shapes = best_shapes(subject.case)
    plugin = subject.create()
    accepted = accepted_combinations(RecordedAnswers(subject), most=subject.sampled(8))
    if len(accepted) < 2:  # noqa: PLR2004 - one cannot be mistaken for another
        raise NotApplicable("no two combinations of types and formats are accepted")
    for combination in [*accepted, *reversed(accepted[:-1])]:
        alone = usual_run(subject, shapes, combination)
        if alone.failure is not None:
            continue
        driver = Driver(subject, plugin, combination).prepare()
        difference = deviation(driver, driver.run(shapes, conditions=LENIENT), alone)
        driver.terminate()
        yield check(
            not difference,
            lambda: Violation(
                what=f"an object that served several combinations computes {combination} wrongly",
                where=f"configure_plugin, initialize, enqueue with input shapes {list(shapes)}, terminate; repeated",
                expected="the outputs of an object that serves only this combination",
                observed=difference,
                fix="Read type and format from the descriptors of the call.",
            ),
        )


@rule(
    "ENQ-021",
    source=plugins.ENQUEUE_DERIVED,
    requires=RUNS | {"CFG-007", "CLN-001", "SER-003", "SER-004", "SER-006", "SER-008"},
)
def a_fresh_process_can_run_it(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` needs no state that only the build created, in the object or outside it.

    The process that runs an engine is usually not the process that built it. No plugin was made for a network
    there, asked for shapes, formats or a workspace, configured, or timed.
    """
    for shapes, problem in executions_after_loading(subject):
        yield check(
            not problem,
            lambda: Violation(
                what="an engine computes something else in a process that did not build it",
                where=f"a process that has imported the module and has the plan alone; input shapes {list(shapes)}",
                expected="the outputs of the process that built it",
                observed=problem,
                fix="Serialize the state that enqueue needs, or create it in initialize or attach_to_context. "
                "Keep no state of the build in modules, classes and the creator.",
            ),
        )


@rule(
    "ENQ-022",
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    severity=Severity.WARNING,
    requires=COMPUTES | {"FMT-012"},
)
def infinities_are_neither_lost_nor_made(subject: Subject) -> Iterator[Finding]:
    """Outputs hold infinities and NaN exactly where the case's reference has them.

    NaN shows the user that a network has gone wrong. And if the final result is finite, intermediate results must not
    overflow, as they can in half precision. A row of zeros shows that, too. The rule puts no infinities or NaN into
    inputs whose values the case restricts.
    """
    if subject.case.reference is None:
        raise NotRun("the case has no reference to compare outputs with")
    shapes, judged_any = best_shapes(subject.case), False
    for number, combination in enumerate(chosen_combinations(subject)):
        for special in Special if number == 0 else (Special.EXTREME,):
            driver = fresh_driver(subject, combination)
            usual = driver.tensors.draw(shapes)
            arrays = strewn(subject.case, usual, driver.tensors.input_types, special)
            if all(map(np.array_equal, usual, arrays)):
                continue
            judged_any = True
            observed = _fate(driver, shapes, arrays, special)
            yield check(
                not observed,
                lambda: Violation(
                    what="enqueue loses or makes infinities or NaN, or makes zeros of a row",
                    where=f"{combination}, input shapes {list(shapes)}, {special.words} among the inputs",
                    expected="infinities and NaN as in the case's reference",
                    observed=observed,
                    fix="Compute sums and products of FP16 in FP32, and pass infinities and NaN on.",
                ),
            )
    if not judged_any:
        raise NotApplicable("no input takes real numbers without limits")


@rule(
    "ENQ-023",
    source=plugins.CREATE_PLUGIN_FIELDS,
    interfaces=ALL_INTERFACES,
    severity=Severity.WARNING,
    requires=COMPUTES | {"CLN-002", "CRE-002", "CRE-004", "CRE-013", "SER-006"},
)
def results_are_right_for_other_fields(subject: Subject) -> Iterator[Finding]:
    """Results are right for other values of the fields, too.

    Each layer of a network has its own values. Equal values in the case can hide that a plugin swaps two of them. The
    rule changes the fields that the case's reference reads, and judges what the plugin accepts and runs.
    """
    if subject.case.stand_ins:
        raise NotApplicable("the case's stand-ins of kernels may be for its own fields alone")
    own, shapes, judged_any = subject.case.fields, best_shapes(subject.case), False
    for other in (*with_unequal_numbers(subject), *with_other_parameters(subject)):
        difference = _unlike_its_reference(subject, other, shapes)
        if difference is None:
            continue
        judged_any = True
        changed = next(value for value in other.fields if other.case.fields[value.name] is not own[value.name])
        yield check(
            not difference,
            lambda: Violation(
                what="the outputs of enqueue differ from the case's reference for another value of "
                f"field {changed.name!r}",
                where=f"{changed}, input shapes {list(shapes)}",
                expected="what the reference computes with the same fields",
                observed=difference,
                fix="Correct the use of the field. If the plugin does not support this value, refuse it in "
                "create_plugin. If it is right, correct the case's reference.",
            ),
        )
    if not judged_any:
        raise NotApplicable("the case's reference reads no field of numbers that the plugin takes with other values")


def _unlike_its_reference(subject: Subject, other: Subject, shapes: Shapes) -> str | None:
    """Return the difference from the reference with other fields; None if these cannot be judged."""
    if other.case.reference is None:
        return None
    with contextlib.suppress(CallbackFailedError):  # the plugin or the reference does not take the value
        ran = _run_of_another(subject, other, shapes)
        if ran is None:
            return None
        driver, run = ran
        expected = oracle_outputs(other, run)
        is_read = first_difference(expected, reference_outputs(subject.case, run.shapes, run.inputs)) is not None
        types = driver.tensors.output_types
        if is_read and all(map(_is_in_range, expected, types, run.steps)):
            tolerances = [tolerance_of(other.case, name) for name in types]
            return str(first_difference(run.outputs, expected, tolerances) or "")
    return None


def _run_of_another(subject: Subject, other: Subject, shapes: Shapes) -> tuple[Driver, Run] | None:
    """Run a plugin with other fields; return None if they exclude the case's types, or ended a process before."""
    try:
        with trial(subject, other.fields):
            driver = fresh_driver(other)
            return driver, driver.run(shapes, conditions=LENIENT).insist()
    except NeedsDeviceError:
        raise
    except NotRun:
        return None


def _is_in_range(expected: npt.NDArray[Any], type_name: str, step: float | None) -> bool:
    """Return whether an output of a type, with its INT8 scale if it has one, can hold the expected numbers."""
    if not type_name.startswith(("int", "uint")) or not expected.size:
        return True
    limits = np.iinfo(type_name)
    low, high = expected.min() / (step or 1), expected.max() / (step or 1)
    return bool(limits.min <= low and high <= limits.max)


def _fate(driver: Driver, shapes: Shapes, arrays: Sequence[npt.NDArray[Any]], special: Special) -> str:
    with np.errstate(all="ignore"):
        run = driver.run(shapes, arrays, LENIENT)
        return (
            f"enqueue {run.failure.how}"
            if run.failure
            else fate(special, run.outputs, oracle_outputs(driver.subject, run))
        )


def _races(subject: Subject, shapes: tuple[Shape, ...]) -> tuple[Run, str]:
    """Return a run, and the accesses in it that no stream puts in order; empty if there are none."""
    run = usual_run(subject, shapes).insist()
    races = run.races
    return run, f"{len(races)} unordered accesses, first: {races[0]}" if races else ""


def _done_early(subject: Subject, shapes: tuple[Shape, ...]) -> tuple[Run, str]:
    """Return a run on a late stream, and the accesses that did not wait for it, if any.

    The run before it has loaded the kernels: loading waits for the device.
    """
    driver = fresh_driver(subject)
    before = driver.run(shapes)
    run = driver.enqueue(shapes, conditions=LATE)
    if run.early:
        return run, f"{', '.join(run.early)} were written while the stream was held"
    difference = difference_of(driver, run, before)
    return run, f"{difference}, where the inputs came late on the stream" if difference else ""


def _failed_enqueue(run: Run) -> Violation:
    how = run.failure.how if run.failure else ""
    return Violation(
        what=f"enqueue {how}",
        where=f"input shapes {list(run.shapes)}",
        expected="enqueue puts its work on the stream and returns",
        observed=f"it {how}; the execution fails, and TensorRT gives no reason",
        fix="Correct enqueue for this shape.",
    )


def _types_in(subject: Subject, trespasses: Sequence[str]) -> str:
    """Return the types of the tensors that some sentences name: a kernel may take them for others."""
    combination = default_combination(subject)
    forms = {"inputs": combination.inputs, "outputs": combination.outputs}
    named = dict.fromkeys(re.findall(r"(inputs|outputs)\[(\d+)\]", " ".join(trespasses)))
    return "".join(f"; {kind}[{place}] holds {forms[kind][int(place)][0].name}" for kind, place in named)


def _unwritten(difference: Difference) -> str:
    """Say which element differs between two runs. Neither value is right."""
    where, one, other = difference.where, difference.expected, difference.observed
    more = f" ({difference.count} elements differ)" if difference.count > 1 else ""
    return f"{where} is {one} after 0xCD bytes, and {other} after 0x3B bytes{more}"


def _address(*, null: bool) -> str:
    return "the null address" if null else "a separate address"


def _streams(run: Run) -> str:
    used = sorted({access.stream for access in run.plugin_accesses})
    return f"enqueue worked on streams {', '.join(f'{stream:#x}' for stream in used)}"


def _argument(path: str) -> str:
    names = ("input_desc", "output_desc", "inputs", "outputs", "workspace", "stream")
    for index, name in enumerate(names):
        path = path.replace(f"arguments[{index}]", name)
    return path


def _profile(subject: Subject) -> str:
    return "; ".join(f"{entry.profile[0]} to {entry.profile[2]}" for entry in subject.case.inputs)
