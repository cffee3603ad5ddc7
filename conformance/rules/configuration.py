"""CFG: configuration, ``configure_plugin``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from typing import TYPE_CHECKING

from conformance.prerequisites import CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.formats.choices import chosen_combinations
from harness.checks.formats.formats import accepted_combinations
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.intent import is_deliberate
from harness.checks.observation.resource_use import lasting_costs
from harness.checks.observation.tracking import growth_since, holdings
from harness.checks.observation.watching import ArgumentSpoiler, ArgumentWatch, OutcomeLog, observing
from harness.checks.running.driver import Driver, fresh_bench
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import at_one_shape, corner_shapes, is_dynamic, sample_shapes
from harness.contract.finding import Finding, NotApplicable, Violation, judged
from harness.contract.rule import CONFIGURED, IMPLICIT_BATCH, VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import attempt, leniently

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.checks.formats.formats import Combination
    from harness.checks.sampling.sampling import Shapes
    from harness.contract.finding import CallbackFailure
    from harness.subject.subject import Subject

METHOD = "configure_plugin"
#: How often an object is configured to see what adds up.
_TIMES = 10


@rule("CFG-001", source=plugins.CONFIGURE_REPEATED, interfaces=CONFIGURED, requires=RUNS)
def last_configuration_wins(subject: Subject) -> Iterator[Finding]:
    """Configuration may be repeated any number of times: the last one wins, and nothing accumulates.

    A builder configures one object for every combination and profile that it tries, and once more for its choice.
    """
    once = Driver(subject, subject.create()).configure_for_build()
    often = once.of(subject.create()).configure_for_build()
    for shapes in corner_shapes(subject.case):
        _built_for(often, shapes).configure_for_build()
        often.configure_for_build()
    largest = corner_shapes(subject.case)[-1]
    sizes = [bench.workspace_size(largest) for bench in (once, often)]
    yield judged(sizes[0] == sizes[1], lambda: _adds_up(f"the workspace is {sizes[1]} bytes", f"{sizes[0]} bytes"))
    once.initialize()
    often.initialize()
    for shapes in sample_shapes(subject.case, 1):
        unlike = deviation(often, often.run(shapes, surroundings=LENIENT), once.run(shapes))
        yield judged(not unlike, lambda: _adds_up(unlike, f"the same outputs for input shapes {list(shapes)}"))
    bench = once.of(subject.create()).configure_for_build()
    before = holdings(subject)
    for _ in range(_TIMES):
        bench.configure_for_build()
    grown = growth_since(before, subject)
    yield judged(not grown, lambda: _adds_up(f"{', '.join(grown)} more after {_TIMES} times", "nothing is added"))


@rule("CFG-002", source=plugins.CONFIGURE_BUILD, interfaces=CONFIGURED, requires=CONFIGURES)
def wildcards_are_understood(subject: Subject) -> Iterator[Finding]:
    """Configuration for the build copes with -1 in ``desc.dims``, and takes bounds from ``min`` and ``max``.

    A dynamic extent has no value yet when the plugin is configured for the build.
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has no dynamic extent")
    combination = Driver(subject, subject.create()).combination
    with_wildcards = attempt(METHOD, Driver(subject, subject.create(), combination).configure_for_build)
    for shapes in corner_shapes(subject.case):
        without = attempt(
            METHOD, _built_for(Driver(subject, subject.create(), combination), shapes).configure_for_build
        )
        yield judged(
            with_wildcards is None or without is not None,
            lambda: Violation(
                what=f"{METHOD} {_how(with_wildcards)} for dynamic extents",
                where=f"desc.dims with -1, before initialize; with {list(shapes)} in its place it returns",
                expected="extents of -1 are accepted",
                observed=f"it {_how(with_wildcards)}; {_becomes(with_wildcards)}",
                fix="Use min and max where desc.dims holds -1; leave what depends on extents to the execution phase.",
            ),
        )


@rule("CFG-003", source=plugins.CONFIGURE_FIRST, interfaces=VERSION_2, requires=CONFIGURES)
def configuration_needs_no_initialization(subject: Subject) -> Iterator[Finding]:
    """Configuration for the build works before ``initialize`` has ever been called.

    That is the order in which TensorRT calls them.
    """
    combination = Driver(subject, subject.create()).combination
    for shapes in corner_shapes(subject.case):
        first = attempt(METHOD, _built_for(Driver(subject, subject.create(), combination), shapes).configure_for_build)
        second = None
        if first is not None:
            late = Driver(subject, subject.create(), combination).initialize()
            second = attempt(METHOD, lambda: late.configure(shapes))
        yield judged(
            first is None or second is not None,
            lambda: Violation(
                what=f"{METHOD} {_how(first)} before initialize",
                where=f"a fresh object, shapes {list(shapes)}; after initialize the same call returns",
                expected="configure_plugin works on a fresh object",
                observed=f"it {_how(first)}; {_becomes(first)}",
                fix="Only remember in configure_plugin what initialize or enqueue needs; acquire resources later.",
            ),
        )


@rule("CFG-004", source=plugins.CONFIGURE_EXECUTION, interfaces=VERSION_2, requires=RUNS)
def each_configuration_is_followed(subject: Subject) -> Iterator[Finding]:
    """Configuration for the execution uses the extents that it receives, and the next ``enqueue`` follows them.

    One context runs one shape after another.
    """
    shapes = sample_shapes(subject.case, 1)
    if len(shapes) == 1:
        raise NotApplicable("the case has one shape only")
    bench = fresh_bench(subject)
    alone = {each: usual_run(subject, each).insist() for each in shapes}
    for order in (shapes, shapes[::-1]):
        bench = bench.another()
        bench.run(order[0], surroundings=LENIENT)
        for before, now in itertools.pairwise(order):
            unlike = deviation(bench, bench.run(now, surroundings=LENIENT), alone[now])
            yield judged(
                not unlike,
                lambda: Violation(
                    what="enqueue does not follow the last configure_plugin",
                    where=f"configured and run for {list(before)}, then for {list(now)}",
                    expected=f"what an object computes that only ever saw {list(now)}",
                    observed=unlike,
                    fix="Compute everything that depends on extents in every configure_plugin, not in the first.",
                ),
            )


@rule("CFG-005", level=1, source=plugins.CONFIGURE_SWALLOWED, interfaces=VERSION_2, requires=CONFIGURES)
def nothing_is_rejected_by_raising(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` does not raise in order to reject a configuration.

    The C++ method returns nothing: the bindings print the exception and the build goes on with a plugin that was not
    configured. What a plugin cannot do, it refuses in ``supports_format_combination``.
    """
    for where, outcome in _configurations(subject):
        yield judged(
            not outcome.refusal,
            lambda: Violation(
                what=f"{METHOD} rejects a configuration with {outcome.refusal[0]}",
                where=where,
                expected="no raise or assert statement: TensorRT cannot see it",
                observed=f"{outcome.refusal[1]}; TensorRT goes on as if the plugin were configured",
                fix="Refuse the types in supports_format_combination; raise in enqueue what depends on the shape.",
            ),
        )


@rule("CFG-009", source=plugins.CONFIGURE_DERIVED, interfaces=CONFIGURED, requires=RUNS | {"CFG-004"})
def earlier_shapes_come_back(subject: Subject) -> Iterator[Finding]:
    """Returning to an earlier shape gives the earlier result.

    What a plugin keeps for a shape must still be that shape's when it is used again.
    """
    shapes = sample_shapes(subject.case, 1)
    if len(shapes) == 1:
        raise NotApplicable("the case has one shape only")
    bench = fresh_bench(subject)
    for tour in _tours(shapes):
        bench, first = bench.another(), {}
        for number, now in enumerate(tour):
            run = bench.run(now, surroundings=LENIENT)
            if now not in first:
                if not run.mishap:  # that it fails at all is not for this rule to say
                    first[now] = run
                continue
            unlike = deviation(bench, run, first[now])
            yield judged(
                not unlike,
                lambda: Violation(
                    what="an earlier shape gives another result when it comes back",
                    where=f"{list(now)} after {[list(each) for each in tour[:number]]}",
                    expected="the outputs of the first time",
                    observed=unlike,
                    fix="Key what is cached by the whole shape, and do not reuse memory that a cached entry refers to.",
                ),
            )


@rule(
    "CFG-010",
    source=plugins.CONFIGURE_LIGHT,
    severity=Severity.WARNING,
    interfaces=CONFIGURED,
    requires=RUNS,
)
def configuration_for_execution_is_light(subject: Subject) -> Iterator[Finding]:
    """Configuration for the execution allocates no device memory, compiles nothing and touches no file each time.

    It runs before the ``enqueue`` of every new shape. What only its first calls cost is not counted, nor is memory
    that an array library takes from its own pool.
    """
    bench = fresh_bench(subject)
    for shapes in corner_shapes(subject.case):
        bench = bench.another()
        costs = lasting_costs(subject, lambda: bench.configure(shapes))
        yield judged(
            not costs,
            lambda: Violation(
                what=f"{METHOD} {costs[0]} each time",
                where=f"configured again and again for {list(shapes)}",
                expected="nothing but computing",
                observed="; ".join(costs),
                fix="Move this to initialize, or keep the result for the next time.",
            ),
        )


@rule("CFG-011", source=plugins.CONFIGURE_DERIVED, interfaces=CONFIGURED, requires=RUNS)
def configuration_changes_no_answer(subject: Subject) -> Iterator[Finding]:
    """Configuration leaves identity, output count, output types, shapes and format answers as they are.

    TensorRT asks for them at any time, and believes the answers that it has.
    """
    parts = ("identity", "output types", "output shapes", "formats")
    bench = Driver(subject, subject.create())
    fresh = portrait(subject, bench.plugin, parts)
    bench.configure_for_build()
    looks = [("configured for the build", fresh, portrait(subject, bench.plugin, parts))]
    bench.initialize()
    ready = portrait(subject, bench.plugin, parts)
    for shapes in corner_shapes(subject.case):
        bench.configure(shapes)
        looks.append((f"configured for {list(shapes)}", ready, portrait(subject, bench.plugin, parts[:-1])))
    looks.append(("configured for the execution", ready, portrait(subject, bench.plugin, parts)))
    for when, before, after in looks:
        changes = differences(before, after)
        yield judged(
            not changes,
            lambda: Violation(
                what=f"{METHOD} changed the answer to {changes[0][0]}",
                where=when,
                expected=f"{changes[0][1]}, as before",
                observed=str(changes[0][2]),
                fix="Answer from the arguments and the plugin's parameters; keep what configuration says apart.",
            ),
        )


@rule(
    "CFG-012",
    level=1,
    source=plugins.CONFIGURE_DERIVED,
    interfaces=CONFIGURED | IMPLICIT_BATCH,
    requires=CONFIGURES,
    owns={METHOD, "configure_with_format"},
)
def accepted_combinations_can_be_configured(subject: Subject) -> Iterator[Finding]:
    """Any configuration that is built from an accepted combination is accepted.

    TensorRT drops the exception and goes on with a plugin that knows nothing of its configuration.
    """
    for where, outcome in _configurations(subject):
        mishap = outcome.mishap
        yield judged(
            mishap is None,
            lambda: Violation(
                what=f"{subject.caller.words.configure} {_how(mishap)}",
                where=where,
                expected="every accepted combination can be configured",
                observed=f"it {_how(mishap)}; {_becomes(mishap)}",
                fix="Handle every type, format and shape that the query for formats and the profile allow.",
            ),
        )


@rule(
    "CFG-014",
    source=plugins.CONFIGURE_BOUNDS,
    severity=Severity.WARNING,
    interfaces=CONFIGURED,
    requires=RUNS,
)
def bounds_decide_nothing_for_one_shape(subject: Subject) -> Iterator[Finding]:
    """What is decided from ``min`` and ``max`` is valid for every shape between them.

    In the execution phase they may be the profile's, or the very shape that runs. (Whether what was decided in the
    build is valid for every shape is ENQ-009.)
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has no dynamic extent")
    wide = fresh_bench(subject)
    for shapes in sample_shapes(subject.case, 1):
        wide, wanted = wide.another(), usual_run(subject, shapes).insist()
        mishap = attempt(METHOD, lambda: wide.configure_in_profile(shapes))
        unlike = _how(mishap) if mishap else deviation(wide, wide.enqueue(shapes, surroundings=LENIENT), wanted)
        yield judged(
            not unlike,
            lambda: Violation(
                what="the result depends on min and max, not only on the shape",
                where=f"configured for {list(shapes)} with the bounds of the profile, then enqueue",
                expected="the outputs that it computes where min and max are the shape itself",
                observed=unlike,
                fix="Decide in configure_plugin by desc.dims where it holds no -1.",
            ),
        )


@rule(
    "CFG-015",
    source=plugins.CONFIGURE_CONST,
    severity=Severity.WARNING,
    interfaces=CONFIGURED,
    requires=RUNS,
)
def descriptors_are_not_kept(subject: Subject) -> Iterator[Finding]:
    """Descriptors are read, not stored or modified.

    They are constant in C++ and belong to the call. What a plugin needs later, it copies.
    """
    bench, method = fresh_bench(subject), subject.caller.words.prepare
    for shapes in sample_shapes(subject.case, 1):
        watch, spoiler = ArgumentWatch(method), ArgumentSpoiler(method)
        wanted = usual_run(subject, shapes).insist()
        bench = bench.another()
        with observing(subject.gate, watch, spoiler):
            bench.configure(shapes)
        unlike = deviation(bench, bench.enqueue(shapes, surroundings=LENIENT), wanted)
        yield judged(
            not watch.changes,
            lambda: Violation(
                what=f"{method} modified a descriptor",
                where=f"{watch.changes[0].path}, configured for {list(shapes)}",
                expected=f"{watch.changes[0].before}, as it was",
                observed=watch.changes[0].after,
                fix="Copy what is to be changed.",
            ),
        )
        yield judged(not unlike, lambda: _kept(method, shapes, unlike))


@rule("CFG-016", source=plugins.CONFIGURATION_STORED, interfaces=IMPLICIT_BATCH, requires=RUNS | {"SER-004"})
def what_was_learned_is_in_the_data(subject: Subject) -> Iterator[Finding]:
    """What a plugin learns when it is configured - shapes, types, INT8 scales - is serialized and restored.

    Only builders configure such a plugin. An engine makes it of its data, initializes it and runs it.
    """
    for combination in chosen_combinations(subject):
        for shapes in sample_shapes(subject.case, 1):
            wanted = usual_run(subject, shapes, combination).insist()
            built = Driver(subject, subject.create(), combination).configure_for_build()
            engine = built.of(subject.deserialize(subject.serialize(built.plugin))).initialize(bare=True)
            unlike = deviation(engine, engine.run(shapes, surroundings=LENIENT), wanted)
            yield judged(
                not unlike,
                lambda: Violation(
                    what=f"the plugin of an engine lacks what {subject.caller.words.configure} told the builder's",
                    where=f"configured for {combination}, serialized, deserialized, initialized; shapes {list(shapes)}",
                    expected="what the configured plugin computes",
                    observed=unlike,
                    fix="Keep shapes, types and scales in attributes, serialize them, and restore them.",
                ),
            )


@dataclasses.dataclass(frozen=True)
class _Outcome:
    """What came of a configuration: how it failed, and the exception, by name and text, that was meant to refuse it."""

    mishap: CallbackFailure | None
    refusal: tuple[str, ...] = ()


def _configurations(subject: Subject) -> Iterator[tuple[str, _Outcome]]:
    """Yield every kind of configuration in words, and what came of it.

    Each accepted combination is configured in both phases, at the corners of the profile and between them.
    """
    for number, combination in enumerate(accepted_combinations(RecordedAnswers(subject), most=subject.sampled(16))):
        shapes = sample_shapes(subject.case, 1 if number else subject.sampled(6))
        for where, configure in _ways_to_configure(subject, combination, shapes):
            yield where, subject.known(("configured", where), lambda: _outcome(subject, configure))


def _ways_to_configure(
    subject: Subject, combination: Combination, shapes: Sequence[Shapes]
) -> Iterator[tuple[str, Callable[[], object]]]:
    def new() -> Driver:
        return Driver(subject, subject.create(), combination)

    used = functools.cache(new)
    ready = functools.cache(lambda: used().initialize())
    for each in shapes:
        yield (
            f"{combination}, built for the static shapes {list(each)}",
            lambda: _built_for(new(), each).configure_for_build(),
        )
    yield f"{combination}, built for the profile", lambda: used().configure_for_build()
    for each in shapes:
        yield f"{combination}, executed with {list(each)}", lambda: ready().configure(each)


def _outcome(subject: Subject, configure: Callable[[], object]) -> _Outcome:
    method = subject.caller.words.configure
    with leniently(subject.gate) as failures:
        mishap = attempt(method, configure)
    errors = [each.error for each in failures if each.method == method and each.error is not None]
    refusal = next(((type(errors[0]).__name__, str(errors[0])) for error in errors if is_deliberate(error)), ())
    return _Outcome(mishap, refusal)


def _built_for(bench: Driver, shapes: Shapes) -> Driver:
    """Return a bench for the same object in a network of static shapes."""
    return Driver(at_one_shape(bench.subject, shapes), bench.plugin, bench.combination)


def _tours(shapes: list[Shapes]) -> Iterator[list[Shapes]]:
    """Yield orders in which shapes come back: one of each pair, and all of them after a whole round."""
    for one, other in itertools.pairwise(shapes):
        yield [one, other, one]
    if len(shapes) > 2:  # noqa: PLR2004 - with two it is the same
        yield [*shapes, *shapes]
        yield [*shapes[::-1], *shapes[::-1]]


def _adds_up(observed: str, expected: str) -> Violation:
    return Violation(
        what=f"{METHOD} adds up when it is called again and again",
        where="configured for the build several times, for the profile and for single shapes, before initialize",
        expected=f"{expected}, as after one configuration",
        observed=observed,
        fix="Replace in configure_plugin what an earlier call left behind; do not append to it.",
    )


def _kept(method: str, shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=f"enqueue reads descriptors that {method} was given",
        where=f"configured for {list(shapes)}, the descriptors overwritten, then enqueue",
        expected="the same outputs, whatever becomes of the descriptors",
        observed=observed,
        fix="Copy values out of the descriptors, e.g. tuple(desc.dims).",
    )


def _how(mishap: CallbackFailure | None) -> str:
    return mishap.how if mishap else ""


def _becomes(mishap: CallbackFailure | None) -> str:
    return mishap.becomes if mishap else ""


@rule("CFG-006", level=1, source=plugins.CONFIGURE_RESULT, interfaces=VERSION_3, requires=RUNS)
def configuration_returns_nothing(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` and ``on_shape_change`` signal a failure by raising, and return nothing.

    The bindings ignore what they return: a status code that means failure counts as success.
    """
    log = OutcomeLog(METHOD, "on_shape_change")
    bench = Driver(subject, subject.create())
    with observing(subject.gate, log):
        bench.prepare()
        for shapes in corner_shapes(subject.case):
            bench.configure(shapes)
    for event, outcome in log.calls:
        yield judged(
            outcome.value is None,
            lambda: Violation(
                what=f"{event.method} returned {outcome.value!r}",
                where=f"{event.target}, phase {event.phase.value}",
                expected="None",
                observed=f"{outcome.value!r}, which TensorRT ignores: a failure would count as success",
                fix="Raise an exception on failure and return nothing.",
            ),
        )


@rule("CFG-007", source=plugins.CONFIGURED_NEVER, interfaces=VERSION_3, requires=RUNS | {"CRE-008"})
def what_runs_needs_no_configuration(subject: Subject) -> Iterator[Finding]:
    """A plugin of the runtime phase works although ``configure_plugin`` is never called on it.

    Only builders configure. What an engine runs is made from the stored fields, and told of shapes by
    ``on_shape_change``.
    """
    for combination in chosen_combinations(subject):
        configured = fresh_bench(subject, combination)
        for shapes in sample_shapes(subject.case, 1):
            unlike = _without_configuration(configured, shapes)
            yield judged(
                not unlike,
                lambda: Violation(
                    what="the plugin does not run as it should unless it was configured",
                    where=f"made from the stored fields, attached and run with {combination}, shapes {list(shapes)}",
                    expected="what a configured plugin computes",
                    observed=unlike,
                    fix="Take in on_shape_change, or store as a field, what enqueue needs of configure_plugin.",
                ),
            )


def _without_configuration(configured: Driver, shapes: Shapes) -> str:
    """Say how the results of an engine's object differ because nobody configured it; empty if they do not."""
    subject = configured.subject
    wanted = usual_run(subject, shapes, configured.combination).insist()
    restored = configured.of(subject.deserialize(subject.serialize(subject.create()))).initialize()
    unlike = deviation(restored, restored.run(shapes, surroundings=LENIENT), wanted)
    bare = configured.of(subject.create()).initialize()
    same_without_storing = not deviation(bare, bare.run(shapes, surroundings=LENIENT), wanted)
    return "" if same_without_storing else unlike


@rule("CFG-008", level=1, source=plugins.SHAPE_CHANGE, interfaces=VERSION_3, requires=RUNS, owns={"on_shape_change"})
def shapes_may_change_at_any_time(subject: Subject) -> Iterator[Finding]:
    """``on_shape_change`` is accepted at any time and any number of times, also where no shape has changed.

    It is called when the profile, a shape, or only an address is another one.
    """
    shapes = sample_shapes(subject.case, 1)
    bench = fresh_bench(subject)
    for now in (*shapes, *shapes[::-1]):
        for when in ("for the first time", "again", "once more"):
            mishap = attempt("on_shape_change", lambda: bench.configure(now))
            yield judged(mishap is None, lambda: _shape_refused(f"{list(now)}, {when}", _how(mishap)))
    before = holdings(subject)
    for _ in range(_TIMES):
        bench.configure(shapes[0])
    grown = growth_since(before, subject)
    yield judged(not grown, lambda: _shape_refused(f"{list(shapes[0])}, {_TIMES} times", f"leaves {', '.join(grown)}"))


def _shape_refused(where: str, how: str) -> Violation:
    return Violation(
        what=f"on_shape_change {how}",
        where=f"input shapes {where}",
        expected="it returns, and leaves nothing behind",
        observed="TensorRT does not run the plugin" if how.startswith("raised") else how,
        fix="Compare with what is known already, and replace it; do not rely on a change.",
    )
