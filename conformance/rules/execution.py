"""ENQ: execution, ``enqueue``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import COMPUTES, CONFIGURES, REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.formats.formats import accepted_combinations
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.checks.lifecycle.destruction import ending
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.global_settings import WARNING_FILTERS, changed, global_settings
from harness.checks.observation.host_fallback import ACCESSES, hand_over
from harness.checks.observation.in_a_fork import apart
from harness.checks.observation.tracking import lasting_growth
from harness.checks.observation.watching import ArgumentWatch, OutcomeLog, observing
from harness.checks.running.driver import PLAIN, Driver, fresh_bench, oracle_outputs
from harness.checks.running.graphs import CaptureError, captured
from harness.checks.running.runs import LENIENT, deviation, difference_from_another, difference_of, usual_run
from harness.checks.running.single_run import LATE
from harness.checks.running.size_tensors import declarations, shapes_of
from harness.checks.sampling.oracle import reference_outputs
from harness.checks.sampling.sampling import at_one_shape, best_shapes, corner_shapes, is_dynamic, sample_shapes
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, judged
from harness.contract.rule import ALL_INTERFACES, DECORATED, DYNAMIC, MADE_AS_V3, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from harness.cases.case import Shape
    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

METHOD = "enqueue"


@rule("ENQ-001", level=1, source=plugins.ENQUEUE, interfaces=DYNAMIC)
def enqueue_takes_six_arguments(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` accepts six positional arguments.

    They are input descriptors, output descriptors, input addresses, output addresses, the workspace address and the
    stream. The bindings pass all of them by position.
    """
    try:
        signature = inspect.signature(subject.caller.what_runs(subject.gate, subject.create()).enqueue)
    except (AttributeError, ValueError, TypeError) as error:
        raise NotRun(f"enqueue has no signature to look at: {error}") from error
    try:
        signature.bind(*[None] * 6)
    except TypeError as error:
        problem = str(error)
    else:
        problem = ""
    yield judged(
        not problem,
        lambda: Violation(
            what=f"enqueue{signature} cannot be called with six positional arguments",
            where="enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)",
            expected="a method that takes six",
            observed=f"{problem}; every execution fails",
            fix="Define enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream).",
        ),
    )


@rule("ENQ-002", level=1, source=plugins.ENQUEUE_RESULT, interfaces=DYNAMIC, requires=RUNS)
def enqueue_returns_nothing(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` signals errors by raising, and returns nothing.

    The bindings ignore what it returns: a status code that means failure counts as success.
    """
    log = OutcomeLog(METHOD)
    bench = fresh_bench(subject)
    for shapes in corner_shapes(subject.case):
        with observing(subject.gate, log):
            bench.run(shapes)
        _, outcome = log.calls.pop()
        yield judged(
            outcome.value is None,
            lambda: Violation(
                what=f"enqueue returned {outcome.value!r}",
                where=f"input shapes {list(shapes)}",
                expected="None",
                observed=f"{outcome.value!r}, which TensorRT ignores: a failure would count as success",
                fix="Raise an exception on failure and return nothing.",
            ),
        )


@rule("ENQ-003", source=plugins.ENQUEUE_STREAM, interfaces=ALL_INTERFACES, requires=RUNS)
def work_is_ordered_on_the_stream(subject: Subject) -> Iterator[Finding]:
    """All device work is ordered on the stream that was passed in.

    Inputs may still be on their way on that stream, and the next layer reads the outputs there. Work elsewhere,
    the default stream included, races with both.
    """
    is_asynchronous = subject.device.is_asynchronous
    for shapes in corner_shapes(subject.case):
        run, observed = (_done_early if is_asynchronous else _races)(subject, shapes)
        if not any(access.kind != "view" and (access.nbytes or is_asynchronous) for access in run.plugin_accesses):
            continue
        yield judged(
            not observed,
            lambda: Violation(
                what="enqueue put device work on another stream than the given one",
                where=f"input shapes {list(shapes)}: {_streams(run)}",
                expected=f"all work on the stream that enqueue was given, {run.stream:#x}",
                observed=observed,
                fix="Launch kernels and copies on the stream argument, e.g. with cp.cuda.ExternalStream(stream):.",
            ),
        )
    hand_over(subject, "which work on the device waits for which")


@rule("ENQ-004", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def inputs_stay_as_they_are(subject: Subject) -> Iterator[Finding]:
    """Inputs are not modified, other than those that an output aliases.

    Other layers read the same memory.
    """
    for shapes in sample_shapes(subject.case, 1):
        run = usual_run(subject, shapes).insist()
        yield judged(
            not run.changed_inputs,
            lambda: Violation(
                what=f"enqueue modified inputs[{run.changed_inputs[0]}]",
                where=f"input shapes {list(shapes)}",
                expected="every input as it was",
                observed=f"the bytes of {', '.join(f'inputs[{i}]' for i in run.changed_inputs)} changed",
                fix="Write to outputs and workspace only.",
            ),
        )


@rule("ENQ-005", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def every_output_element_is_written(subject: Subject) -> Iterator[Finding]:
    """Every element of every output is written on every call.

    What was in the memory before is left over from other layers.
    """
    for shapes in sample_shapes(subject.case, 2):
        bench, one = fresh_bench(subject), usual_run(subject, shapes).insist()
        other = bench.run(shapes, surroundings=dataclasses.replace(PLAIN, poison=0x3B))
        difference = deviation(bench, other, one)
        yield judged(
            not difference,
            lambda: Violation(
                what="an output depends on what its memory held before the call",
                where=f"enqueue with input shapes {list(shapes)}, twice, with outputs full of 0xCD and of 0x3B bytes",
                expected="the same outputs, whatever the memory held before",
                observed=difference,
                fix="Write every element of every output, zeros included, and read none before it is written.",
            ),
        )


@rule("ENQ-006", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def nothing_outside_is_touched(subject: Subject) -> Iterator[Finding]:
    """Nothing outside the input and output buffers is touched.

    The memory beside them belongs to other tensors, and the address past the end may belong to nobody.
    """
    for shapes in sample_shapes(subject.case, 2):
        run = usual_run(subject, shapes)
        trespasses = [sentence for label in ("inputs", "outputs") for sentence in run.trespasses(label)]
        if not trespasses:
            run.insist()
        yield judged(
            not trespasses,
            lambda: Violation(
                what="enqueue reached outside its buffers",
                where=f"input shapes {list(shapes)}",
                expected="accesses inside inputs, outputs and workspace only",
                observed="; ".join(trespasses),
                fix="Compute sizes from the descriptors of this call, and bound the launch grid by them.",
            ),
        )
    hand_over(subject, ACCESSES)


@rule("ENQ-007", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def addresses_are_not_kept(subject: Subject) -> Iterator[Finding]:
    """Addresses are valid for the current call only; none is cached.

    An application may set other addresses before each execution, all of them or one, and TensorRT moves tensors
    between builds.
    """
    shapes = best_shapes(subject.case)
    for moved in (("inputs", "outputs", "workspace"), ("inputs",), ("outputs",), ("workspace",)):
        bench = fresh_bench(subject).configure(shapes)
        run = bench.enqueue_elsewhere(shapes, moved)
        if moved == ("workspace",) and not run.workspace:
            continue
        observed = "; ".join(run.stale_uses[:1])
        if not observed:
            run.insist()
        if not observed and subject.device.is_asynchronous:
            observed = str(difference_from_another(bench, run) or "")
        yield judged(
            not observed,
            lambda: Violation(
                what="enqueue used addresses of an earlier call",
                where=f"second enqueue with input shapes {list(shapes)}, {', '.join(moved)} at other addresses",
                expected="this call's buffers are used",
                observed=observed,
                fix="Wrap inputs[i], outputs[i] and workspace anew in every call.",
            ),
        )
    hand_over(subject, ACCESSES)


@rule("ENQ-008", source=plugins.ENQUEUE_OWNERSHIP, interfaces=ALL_INTERFACES, requires=RUNS)
def buffers_are_not_freed(subject: Subject) -> Iterator[Finding]:
    """The plugin never frees or takes ownership of the buffers that it is given.

    TensorRT, or the application, owns them and uses them again.
    """
    for shapes in corner_shapes(subject.case):
        bench = fresh_bench(subject)
        run = bench.run(shapes, surroundings=LENIENT)
        wrong = run.wrong_frees or ending(subject, lambda: [bench.plugin]).wrong_frees
        if not wrong:
            run.insist()
        yield judged(
            not wrong,
            lambda: Violation(
                what="the plugin freed memory that it was given",
                where=f"input shapes {list(shapes)}, {'enqueue' if run.wrong_frees else 'terminate, destroy'}",
                expected="the buffers are only read and written",
                observed=wrong[0],
                fix="Wrap given addresses as unowned memory (cp.cuda.UnownedMemory) and never free them.",
            ),
        )


@rule("ENQ-009", source=plugins.ENQUEUE_EXTENTS, interfaces=DYNAMIC | DECORATED, requires=RUNS)
def extents_come_from_the_call(subject: Subject) -> Iterator[Finding]:
    """Extents come from the descriptors of the call, not from dimensions seen at build time.

    At build time dynamic extents are -1, and the profile's bounds are not the shape that runs.
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has one shape only")
    bench = Driver(subject, subject.create())
    for shapes in sample_shapes(subject.case, subject.sampled(2), seed=subject.seed):
        exact = fresh_bench(at_one_shape(subject, shapes), bench.combination).run(shapes)
        difference = deviation(bench, usual_run(subject, shapes), exact)
        yield judged(
            not difference,
            lambda: Violation(
                what="the result depends on the dimensions that the plugin saw at build time",
                where=f"enqueue with input shapes {list(shapes)}, built for {_profile(subject)}",
                expected="what a plugin computes that was built for this very shape",
                observed=difference,
                fix="Read dims from input_desc and output_desc in enqueue, or from the last configure_plugin.",
            ),
        )


@rule(
    "ENQ-010",
    level=1,
    source=plugins.ENQUEUE_DERIVED,
    interfaces=ALL_INTERFACES,
    requires=RUNS | {"V2L-011", "WSP-009"},
    owns={METHOD, "execute_async"},
)
def results_are_right_at_every_corner(subject: Subject) -> Iterator[Finding]:
    """Results are right at the minimum, optimum and maximum of the profile, and between them.

    These are the shapes that TensorRT times and the application runs.
    """
    bench = Driver(subject, subject.create())
    for shapes in sample_shapes(subject.case, subject.sampled(3), seed=subject.seed):
        run = usual_run(subject, shapes)
        if run.mishap is not None:
            yield Finding(_failed_enqueue(run))
            continue
        if subject.case.reference is None:
            continue
        tolerances = [tolerance_of(subject.case, name) for name in bench.output_types]
        difference = first_difference(run.outputs, oracle_outputs(subject, run), tolerances)
        yield judged(
            difference is None,
            lambda: Violation(
                what="enqueue computed something else than the case's reference",
                where=f"{difference.where if difference else ''}, input shapes {list(shapes)}",
                expected=difference.expected if difference else "",
                observed=str(difference),
                fix="Mend the computation for this shape, or the case's reference or tolerance.",
            ),
        )
    if subject.case.reference is None:
        raise NotRun("the case has no reference to compare outputs with")


@rule("ENQ-011", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=REPEATS)
def history_does_not_matter(subject: Subject) -> Iterator[Finding]:
    """The same inputs give the same outputs, whatever ran before.

    An engine is expected to be a function of its inputs.
    """
    shapes = best_shapes(subject.case)
    alone = {salt: usual_run(subject, shapes, salt=salt).insist() for salt in ("other", "another")}
    bench = fresh_bench(subject).configure(shapes)
    first = bench.enqueue(shapes)
    for salt, wanted_alone in alone.items():
        pairs = {
            f"after others; {salt} inputs": (bench.enqueue(shapes, bench.draw(shapes, salt)), wanted_alone),
            "again, after others": (bench.enqueue(shapes), first),
        }
        for when, (run, wanted) in pairs.items():
            difference = difference_of(bench, run, wanted)
            yield judged(
                difference is None,
                lambda: Violation(
                    what="the outputs depend on what the plugin computed before",
                    where=f"enqueue {when}; input shapes {list(shapes)}",
                    expected="the outputs that the same inputs give when nothing else ran before",
                    observed=str(difference),
                    fix="Keep nothing from one enqueue to the next.",
                ),
            )


@rule("ENQ-012", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, requires=RUNS)
def empty_tensors_are_handled(subject: Subject) -> Iterator[Finding]:
    """Tensors without elements are handled, including null addresses.

    A profile may begin at 0; an empty tensor may have the null address.
    """
    sampled = sample_shapes(subject.case, subject.sampled(4), seed=subject.seed)
    empty = [shapes for shapes in sampled if any(0 in shape for shape in shapes)]
    if not empty:
        raise NotApplicable("no shape of the case's profile is empty")
    for shapes in empty:
        for null in (True, False):
            surroundings = dataclasses.replace(LENIENT, null_when_empty=null)
            run = fresh_bench(subject).run(shapes, surroundings=surroundings)
            yield judged(
                run.mishap is None,
                lambda: Violation(
                    what=f"enqueue {run.mishap.how if run.mishap else ''}",
                    where=f"input shapes {list(shapes)}, empty tensors at {_address(null=null)}",
                    expected="nothing is done where there is nothing to do",
                    observed=f"{run.mishap.how if run.mishap else ''}; the execution fails",
                    fix="Return early when a tensor's volume is 0; do not launch empty grids.",
                ),
            )


@rule("ENQ-013", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=REPEATS)
def enqueue_does_not_wait(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` only enqueues: it does not wait for the device.

    A wait stalls the host and keeps layers and copies from overlapping.
    """
    shapes = best_shapes(subject.case)
    bench = fresh_bench(subject).configure(shapes)
    bench.enqueue(shapes)
    run = bench.enqueue(shapes)
    waits = run.recording.synchronizations
    yield judged(
        not waits,
        lambda: Violation(
            what="enqueue waited for the device",
            where=f"input shapes {list(shapes)}, second call",
            expected="no synchronisation",
            observed=", ".join(wait.what for wait in waits),
            fix=f"Drop the synchronisation: what follows on the same stream is ordered anyway.{_hidden_wait(subject)}",
        ),
    )


def _hidden_wait(subject: Subject) -> str:
    if subject.interface not in DECORATED:
        return ""
    return " cp.asarray(tensor) is one: CuPy waits for the stream that a tensor names; make an array over data_ptr."


@rule("ENQ-014", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=REPEATS)
def enqueue_can_be_captured(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` can be captured in a CUDA graph: it neither allocates nor waits, and a replay takes new data.

    Applications replay graphs to save the time that launches take. What is decided on the host is decided once then.
    """
    if not subject.device.is_asynchronous:
        raise NotApplicable("only a GPU captures CUDA graphs")
    shapes = best_shapes(subject.case)
    bench = fresh_bench(subject).configure(shapes)
    standing = bench.stand(shapes)
    standing.call()  # what is loaded or allocated at first use is not captured
    standing.stream.synchronize()
    try:
        replay = captured(standing)
    except CaptureError as error:
        yield Finding(_not_captured(f"enqueue {error}", shapes, "an allocation or a wait cannot be captured"))
        return
    for salt in ("first replay", "second replay"):
        standing.give(bench.given(shapes, salt))
        standing.call()
        standing.stream.synchronize()
        wanted = standing.results()
        standing.give(bench.given(shapes, salt))
        replay()
        tolerances = [tolerance_of(subject.case, name) for name in bench.output_types]
        difference = first_difference(standing.results(), wanted, tolerances)
        yield judged(
            difference is None,
            lambda: _not_captured("a replay computes something else than a call", shapes, str(difference)),
        )


def _not_captured(what: str, shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=what,
        where=f"a stream that is captured, input shapes {list(shapes)}",
        expected="a CUDA graph that does what the call does, with what the inputs hold when it is replayed",
        observed=observed,
        fix="Take memory from the workspace, do not wait, and let kernels read what depends on data.",
    )


@rule("ENQ-015", source=plugins.ENQUEUE_UNDECIDED, interfaces=MADE_AS_V3, requires=CONFIGURES | {"ENQ-001"})
def undecided_extents_are_not_computed_with(subject: Subject) -> Iterator[Finding]:
    """Sizes are not computed from those extents in ``output_desc`` that data decide: they are -1.

    What a plugin needs to know of them it can compute as ``get_output_shapes`` does, from its inputs.
    """
    declarations(shapes_of(subject, subject.create()))
    for shapes in sample_shapes(subject.case, subject.sampled(2)):
        bench = fresh_bench(subject)
        arrays = bench.draw(shapes)
        decided = dataclasses.replace(LENIENT, decided=_decided(bench, shapes, arrays))
        told = fresh_bench(subject).run(shapes, arrays, decided)
        if told.mishap is not None:
            continue  # whatever fails there is not for want of extents
        run = bench.run(shapes, arrays, LENIENT)
        difference = deviation(bench, run, told)
        yield judged(
            not difference,
            lambda: Violation(
                what="enqueue computes with an extent that is not known yet",
                where=f"enqueue with -1 in output_desc, input shapes {list(shapes)}",
                expected=f"what it computes where output_desc says {[list(each) for each in decided.decided or ()]}",
                observed=difference,
                fix="Compute sizes from input_desc; where output_desc[i].dims holds -1, data decide the extent.",
            ),
        )


def _decided(bench: Driver, shapes: Shapes, arrays: Sequence[npt.NDArray[Any]]) -> Shapes:
    """Return the outputs' shapes as data decide them, or their bounds where the case has no reference."""
    if bench.subject.case.reference is None:
        return tuple(desc.dims for desc in bench.descriptions(shapes)[1])
    return tuple(array.shape for array in reference_outputs(bench.subject.case, shapes, arrays))


@rule("ENQ-016", source=plugins.TENSOR_SCALE, interfaces=DYNAMIC | DECORATED, requires=RUNS)
def scale_is_read_for_int8_only(subject: Subject) -> Iterator[Finding]:
    """``scale`` is read only for INT8 tensors.

    For every other type TensorRT sets it to -1, or to nothing in particular.
    """
    shapes = best_shapes(subject.case)
    bench = fresh_bench(subject)
    if {*bench.input_types, *bench.output_types} == {"int8"}:
        raise NotApplicable("all tensors are INT8")
    plain = bench.run(shapes)
    for scale in (0.5, 0.0, float("nan")):
        run = bench.run(shapes, surroundings=dataclasses.replace(LENIENT, scale=scale))
        difference = deviation(bench, run, plain)
        yield judged(
            not difference,
            lambda: Violation(
                what="the result depends on the scale of a tensor that is not INT8",
                where=f"enqueue with desc.scale={scale} instead of -1.0, input shapes {list(shapes)}",
                expected="the same outputs",
                observed=difference,
                fix="Read desc.scale only where desc.type is DataType.INT8.",
            ),
        )


@rule("ENQ-017", source=plugins.ENQUEUE_EXTENTS, interfaces=ALL_INTERFACES, requires=REPEATS)
def repetition_grows_nothing(subject: Subject) -> Iterator[Finding]:
    """Repeated execution does not grow memory, handles or references.

    A server calls ``enqueue`` millions of times.
    """
    shapes = best_shapes(subject.case)
    again = fresh_bench(subject).configure(shapes).stand(shapes).call
    rounds, calls = 2, 8
    grown = lasting_growth(subject, again, rounds=rounds, calls=calls)
    yield judged(
        not grown,
        lambda: Violation(
            what="every enqueue leaves something behind",
            where=f"{rounds} times {calls} calls with input shapes {list(shapes)}",
            expected="as much memory, as many files and threads after the calls as before",
            observed=f"more {', more '.join(grown)} after each {calls} calls",
            fix="Do not append to lists or dicts, do not cache by address or call, and release what a call acquires.",
        ),
    )


@rule("ENQ-018", source=plugins.ENQUEUE_CONST, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=RUNS)
def arguments_stay_as_they_are(subject: Subject) -> Iterator[Finding]:
    """Descriptor lists and address lists are not modified.

    They are TensorRT's, and constant in C++.
    """
    watch = ArgumentWatch(subject.caller.words.run)
    bench = fresh_bench(subject)
    for shapes in corner_shapes(subject.case):
        with observing(subject.gate, watch):
            bench.run(shapes)
        changes, watch.changes = watch.changes, []
        yield judged(
            not changes,
            lambda: Violation(
                what="enqueue modified its arguments",
                where=f"{_argument(changes[0].path)}, input shapes {list(shapes)}",
                expected=f"{changes[0].before}, as it was",
                observed=changes[0].after,
                fix="Copy a list before changing it.",
            ),
        )


@rule("ENQ-019", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=REPEATS)
def global_settings_stay(subject: Subject) -> Iterator[Finding]:
    """The current device and global library settings are the same after the call.

    Default streams, default types and random states belong to the application. Libraries that are loaded by a first
    call set filters of warnings for themselves: those are looked at from the second one on.
    """
    shapes = best_shapes(subject.case)
    bench = fresh_bench(subject).configure(shapes)
    before = global_settings()
    bench.enqueue(shapes)
    before[WARNING_FILTERS] = global_settings()[WARNING_FILTERS]
    bench.enqueue(shapes)
    different = changed(before, global_settings())
    yield judged(
        not different,
        lambda: Violation(
            what=f"enqueue changed {', '.join(different)}",
            where=f"two calls with input shapes {list(shapes)}",
            expected="global settings as before the call",
            observed=f"{', '.join(different)} differs afterwards",
            fix="Use a with-block or a generator of your own, and restore what you change.",
        ),
    )


@rule(
    "ENQ-020", source=plugins.ENQUEUE_DERIVED, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=COMPUTES
)
def types_come_from_the_descriptors(subject: Subject) -> Iterator[Finding]:
    """Element type and layout are taken from the descriptors instead of being assumed.

    A builder tries several combinations on one object in turn.
    """
    shapes = best_shapes(subject.case)
    plugin = subject.create()
    accepted = accepted_combinations(RecordedAnswers(subject), most=subject.sampled(8))
    if len(accepted) < 2:  # noqa: PLR2004 - one cannot be mistaken for another
        raise NotApplicable("no two combinations of types and formats are accepted")
    for combination in [*accepted, *reversed(accepted)]:
        alone = usual_run(subject, shapes, combination)
        if alone.mishap is not None:
            continue
        bench = Driver(subject, plugin, combination).prepare()
        difference = deviation(bench, bench.run(shapes, surroundings=LENIENT), alone)
        bench.terminate()
        yield judged(
            not difference,
            lambda: Violation(
                what=f"an object that served several combinations computes {combination} wrongly",
                where=f"configure_plugin, initialize, enqueue with input shapes {list(shapes)}, terminate; repeated",
                expected="what an object computes that serves this combination alone",
                observed=difference,
                fix="Read type and format from the descriptors of the call.",
            ),
        )


@rule(
    "ENQ-021",
    source=plugins.ENQUEUE_DERIVED,
    requires=RUNS | {"SER-003", "SER-004", "SER-006", "SER-008"},
)
def a_fresh_process_can_run_it(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` does not rely on state that only the build created.

    The process that runs an engine is usually not the one that built it.
    """
    shapes = best_shapes(subject.case)

    def build() -> dict[str, Any]:
        bench = fresh_bench(subject)
        run = bench.run(shapes)
        return {"outputs": run.outputs, "blob": subject.serialize(bench.terminate().plugin)}

    built = apart(build)
    bench = Driver(subject, subject.deserialize(built["blob"])).initialize()
    run = bench.run(shapes, surroundings=LENIENT)
    difference = deviation(bench, run, built["outputs"])
    yield judged(
        not difference,
        lambda: Violation(
            what="a deserialized plugin does not compute in a process that never built it",
            where=f"deserialize_plugin, initialize, configure_plugin, enqueue with input shapes {list(shapes)}",
            expected="the outputs that the process computed that built it",
            observed=difference,
            fix="Serialize what enqueue needs, or make it in initialize; keep it out of module globals.",
        ),
    )


def _races(subject: Subject, shapes: tuple[Shape, ...]) -> tuple[Run, str]:
    """Return a run, and what in it no stream puts in order; empty if there is nothing."""
    run = usual_run(subject, shapes).insist()
    races = run.races
    return run, f"{len(races)} unordered accesses, first: {races[0]}" if races else ""


def _done_early(subject: Subject, shapes: tuple[Shape, ...]) -> tuple[Run, str]:
    """Return a run on a stream that is late, and what did not wait for it; empty if there is nothing.

    The run before it has loaded the kernels: that waits for the device.
    """
    bench = fresh_bench(subject)
    before = bench.run(shapes)
    run = bench.enqueue(shapes, surroundings=LATE)
    if run.early:
        return run, f"{', '.join(run.early)} were written while the stream was held"
    difference = difference_of(bench, run, before)
    return run, f"{difference}, where the inputs came late on the stream" if difference else ""


def _failed_enqueue(run: Run) -> Violation:
    how = run.mishap.how if run.mishap else ""
    return Violation(
        what=f"enqueue {how}",
        where=f"input shapes {list(run.shapes)}",
        expected="enqueue returns, having put its work on the stream",
        observed=f"it {how}; the execution fails, with no word of the reason",
        fix="Mend enqueue for this shape; the traceback is in the captured output.",
    )


def _address(*, null: bool) -> str:
    return "the null address" if null else "an address of their own"


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
