"""CFG: configuration, ``configure_plugin``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from conformance.prerequisites import CONFIGURES, REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.formats.choices import chosen_combinations
from harness.checks.formats.formats import Asker, accepted_combinations
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.in_a_fork import apart
from harness.checks.observation.intent import is_deliberate
from harness.checks.observation.resource_use import lasting_costs
from harness.checks.observation.telling import shown, text_of
from harness.checks.observation.tracking import lasting_growth
from harness.checks.observation.watching import ArgumentSpoiler, ArgumentWatch, OutcomeLog, observing
from harness.checks.running.driver import DEFAULT_TACTIC, Driver, Run, fresh_driver
from harness.checks.running.runs import LENIENT, deviation, difference_of, outputs_in_reverse, usual_run
from harness.checks.sampling.confusable import confusable_shapes
from harness.checks.sampling.sampling import (
    at_one_shape,
    best_shapes,
    corner_shapes,
    is_dynamic,
    other_shapes,
    sample_shapes,
)
from harness.contract.finding import (
    CallbackFailedError,
    CallbackFailure,
    Finding,
    NotApplicable,
    NotRun,
    Violation,
    check,
)
from harness.contract.rule import CONFIGURED, IMPLICIT_BATCH, VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import attempt, leniently

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from harness.checks.formats.formats import Combination
    from harness.checks.observation.watching import Change
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

METHOD = "configure_plugin"
_COPY_VALUES = "Copy values out of the descriptors, e.g. tuple(desc.dims)."


@rule("CFG-001", source=plugins.CONFIGURE_REPEATED, interfaces=CONFIGURED, requires=RUNS | {"CFG-009"})
def last_configuration_wins(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` can be called any number of times: the last call counts, and nothing accumulates.

    A builder configures one object for every combination and profile that it tries, and once more for its choice.
    """
    once = Driver(subject, subject.create()).configure_for_build()
    often = once.of(subject.create()).configure_for_build()
    for shapes in corner_shapes(subject.case):
        _built_for(often, shapes).configure_for_build()
        often.configure_for_build()
    largest = corner_shapes(subject.case)[-1]
    sizes = [driver.workspace_size(largest) for driver in (once, often)]
    yield check(sizes[0] == sizes[1], lambda: _adds_up(f"the workspace is {sizes[1]} bytes", f"{sizes[0]} bytes"))
    often.initialize()
    for shapes in sample_shapes(subject.case, 1):
        unlike = deviation(often, often.run(shapes, conditions=LENIENT), usual_run(subject, shapes).insist())
        yield check(not unlike, lambda: _adds_up(unlike, f"the same outputs for input shapes {list(shapes)}"))
    driver = once.of(subject.create()).configure_for_build()
    grown = lasting_growth(subject, lambda: _build_for_each(driver, (largest,)), rounds=2, calls=2)
    yield check(not grown, lambda: _adds_up(f"{', '.join(grown)} more each time", "no growth"))


def _build_for_each(driver: Driver, shapes: Sequence[Shapes]) -> None:
    for each in shapes:
        _built_for(driver, each).configure_for_build()
    driver.configure_for_build()


@rule("CFG-002", source=plugins.CONFIGURE_BUILD, interfaces=CONFIGURED, requires=CONFIGURES)
def wildcards_are_understood(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` for the build accepts -1 in ``desc.dims``, and takes bounds from ``min`` and ``max``.

    A dynamic dimension has no value yet when TensorRT configures the plugin for the build.
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has no dynamic dimension")
    for combination in chosen_combinations(subject):
        with_wildcards = attempt(METHOD, Driver(subject, subject.create(), combination).configure_for_build)
        without = attempt(
            METHOD,
            _built_for(Driver(subject, subject.create(), combination), best_shapes(subject.case)).configure_for_build,
        )
        yield check(
            with_wildcards is None or without is not None,
            lambda: Violation(
                what=f"{METHOD} {_how(with_wildcards)} for dynamic dimensions",
                where=f"{combination}, desc.dims with -1, before initialize; without -1 it returns",
                expected="configure_plugin accepts dimensions of -1",
                observed=f"it {_how(with_wildcards)}; {_becomes(with_wildcards)}",
                fix="Use min and max if desc.dims holds -1; compute what depends on dimensions in the execution phase.",
            ),
        )


@rule("CFG-003", source=plugins.CONFIGURE_FIRST, interfaces=VERSION_2, requires=CONFIGURES)
def configuration_needs_no_initialization(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` for the build works before the first ``initialize``.

    TensorRT calls them in this order, and drops an exception of ``configure_plugin``.
    """
    combination = Driver(subject, subject.create()).combination
    for shapes in corner_shapes(subject.case):
        first = attempt(METHOD, _built_for(Driver(subject, subject.create(), combination), shapes).configure_for_build)
        second = None
        if first is not None:
            late = Driver(subject, subject.create(), combination).initialize()
            second = attempt(METHOD, lambda: late.configure(shapes))
        yield check(
            first is None or second is not None,
            lambda: Violation(
                what=f"{METHOD} {_how(first)} before initialize",
                where=f"a fresh object, shapes {list(shapes)}; after initialize the same call returns",
                expected="configure_plugin works on a fresh object",
                observed=f"it {_how(first)}; {_becomes(first)}",
                fix="Store in configure_plugin only what initialize or enqueue needs; acquire resources later.",
            ),
        )


@rule("CFG-004", source=plugins.CONFIGURE_EXECUTION, interfaces=VERSION_2, requires=REPEATS)
def each_configuration_is_followed(subject: Subject) -> Iterator[Finding]:
    """``enqueue`` follows the dimensions of the last ``configure_plugin`` for the execution.

    One context runs one shape after another. Values that were computed for an earlier shape give wrong results.
    """
    shapes = sample_shapes(subject.case, 1)
    if len(shapes) == 1:
        raise NotApplicable("the case has one shape only")
    driver = fresh_driver(subject)
    alone = {each: usual_run(subject, each).insist() for each in shapes}
    for order in (shapes, shapes[::-1]):
        driver = driver.another()
        driver.run(order[0], conditions=LENIENT)
        for before, now in itertools.pairwise(order):
            unlike = deviation(driver, driver.run(now, conditions=LENIENT), alone[now])
            yield check(
                not unlike,
                lambda: Violation(
                    what="enqueue does not follow the last configure_plugin",
                    where=f"configured and run for {list(before)}, then for {list(now)}",
                    expected=f"the outputs of an object that has seen only {list(now)}",
                    observed=unlike,
                    fix="Compute what depends on dimensions in every call of configure_plugin, not only in the first.",
                ),
            )


@rule("CFG-005", level=1, source=plugins.CONFIGURE_SWALLOWED, interfaces=VERSION_2, requires=CONFIGURES)
def nothing_is_rejected_by_raising(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` does not raise to reject a configuration.

    The C++ method has no result. The bindings print the exception, and the build goes on with a plugin that was not
    configured. A plugin refuses what it cannot do in ``supports_format_combination``.
    """
    for where, outcome in _configurations(subject):
        yield check(
            not outcome.refusal,
            lambda: Violation(
                what=f"{METHOD} rejects a configuration with {outcome.refusal[0]}",
                where=where,
                expected="no raise or assert statement: TensorRT cannot see it",
                observed=f"{outcome.refusal[1]}; TensorRT goes on as if the plugin were configured",
                fix="Refuse the types in supports_format_combination; raise in enqueue if the shape is not supported.",
            ),
        )


@rule("CFG-009", source=plugins.CONFIGURE_DERIVED, interfaces=CONFIGURED, requires=RUNS | {"CFG-004", "ENQ-007"})
def earlier_shapes_come_back(subject: Subject) -> Iterator[Finding]:
    """A shape gives the same result after any other shapes, also when it comes back.

    A cache must distinguish shapes with equal numbers of elements, reordered dimensions, or one common dimension. A
    cache in the module must do so, too: all plugins share it.
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has one shape only")
    confusable = confusable_shapes(subject.case)
    yield from _new_plugins_in_two_orders(subject, confusable)
    driver = fresh_driver(subject)
    for tour in _tours(sample_shapes(subject.case, 1), confusable):
        driver = driver.another()
        for number, now in enumerate(tour):
            run, alone = driver.run(now, conditions=LENIENT), usual_run(subject, now)
            if alone.failure or number == 0:  # that it fails at all is not for this rule to say
                continue
            unlike = deviation(driver, run, alone)
            yield check(
                not unlike,
                lambda: Violation(
                    what=f"a shape {'that comes back' if now in tour[:number] else 'after others'} has another result",
                    where=f"enqueue with {list(now)} after {[list(each) for each in tour[:number]]}",
                    expected=f"the outputs of a plugin that has seen only {list(now)}",
                    observed=unlike,
                    fix="Use the whole shape as the key of a cache, and do not reuse memory of a cached entry.",
                ),
            )


@rule(
    "CFG-010",
    source=plugins.CONFIGURE_LIGHT,
    severity=Severity.WARNING,
    interfaces=CONFIGURED,
    requires=RUNS | {"INI-007"},
)
def configuration_for_execution_is_light(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` for the execution does not allocate device memory, compile or touch files each time.

    TensorRT calls it before the enqueue of every new shape, and shapes alternate. The rule does not count what only the
    first calls cost, so buffers may grow to the largest shape. Nor does it count memory that an array library takes
    from its own pool.
    """
    driver, corners = fresh_driver(subject), corner_shapes(subject.case)
    for way in (corners[:1], corners) if len(corners) > 1 else (corners,):
        costs = lasting_costs(subject, lambda: [driver.configure(shapes) for shapes in way])
        yield check(
            not costs,
            lambda: Violation(
                what=f"{METHOD} {costs[0]} each time",
                where=f"configured again and again for {', then '.join(str(list(shapes)) for shapes in way)}",
                expected="configure_plugin only computes",
                observed="; ".join(costs),
                fix="Move this to initialize, or keep the result for the next call.",
            ),
        )


@rule("CFG-011", source=plugins.CONFIGURE_DERIVED, interfaces=CONFIGURED, requires=RUNS)
def configuration_changes_no_answer(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` does not change identity, output count, output types, shapes and format answers.

    TensorRT asks for them at any time, and keeps the answers.
    """
    parts = ("identity", "output types", "output shapes")
    for number, combination in enumerate(chosen_combinations(subject)):
        yield from _same_answers(subject, combination, parts if number else (*parts, "formats"))


def _same_answers(subject: Subject, combination: Combination, parts: tuple[str, ...]) -> Iterator[Finding]:
    """Judge some answers of one object before and after each of its configurations."""
    driver = Driver(subject, subject.create(), combination)
    fresh = portrait(subject, driver.plugin, parts)
    driver.configure_for_build()
    looks = [("configured for the build", fresh, portrait(subject, driver.plugin, parts))]
    driver.initialize()
    ready = portrait(subject, driver.plugin, parts)
    for shapes in corner_shapes(subject.case) if "formats" in parts else ():
        driver.configure(shapes)
        looks.append((f"configured for {list(shapes)}", ready, portrait(subject, driver.plugin, parts[:3])))
    looks.append(("configured for the execution", ready, portrait(subject, driver.plugin, parts)))
    for when, before, after in looks:
        changes = differences(before, after)
        yield check(
            not changes,
            lambda: Violation(
                what=f"{METHOD} changed the answer to {changes[0][0]}",
                where=f"{combination}, {when}",
                expected=f"{changes[0][1]}, as before",
                observed=str(changes[0][2]),
                fix="Answer from the arguments and the plugin's parameters, not from data of configure_plugin.",
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
    """``configure_plugin`` accepts every configuration of an accepted combination.

    TensorRT drops an exception here, and goes on with a plugin that does not know its configuration.
    """
    for where, outcome in _configurations(subject):
        failure = outcome.failure
        yield check(
            failure is None,
            lambda: Violation(
                what=f"{subject.caller.words.configure} {_how(failure)}",
                where=where,
                expected="configure_plugin returns for every accepted combination",
                observed=f"it {_how(failure)}; {_becomes(failure)}",
                fix=_how_to_configure(subject, _how(failure)),
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
    """``configure_plugin`` uses ``min`` and ``max`` only for decisions that are valid for every shape between them.

    In the execution phase min and max may be those of the profile, or the shape that runs. (ENQ-009 checks that what
    the build decided is valid for every shape.)
    """
    if not is_dynamic(subject.case):
        raise NotApplicable("the case has no dynamic dimension")
    wide = fresh_driver(subject)
    for shapes in sample_shapes(subject.case, 1):
        wide, expected_run = wide.another(), usual_run(subject, shapes).insist()
        failure = attempt(METHOD, lambda: wide.configure_in_profile(shapes))
        unlike = _how(failure) if failure else deviation(wide, wide.enqueue(shapes, conditions=LENIENT), expected_run)
        yield check(
            not unlike,
            lambda: Violation(
                what="the result depends on min and max, not only on the shape",
                where=f"configured for {list(shapes)} with the bounds of the profile, then enqueue",
                expected="the outputs that it computes if min and max are the shape itself",
                observed=unlike,
                fix="Decide in configure_plugin by desc.dims if it holds no -1.",
            ),
        )


@rule(
    "CFG-015",
    source=plugins.CONFIGURE_CONST,
    severity=Severity.WARNING,
    interfaces=CONFIGURED | IMPLICIT_BATCH,
    requires=RUNS | {"CFG-004", "CLN-009", "ENQ-007", "FMT-012", "SER-002", "SER-007"},
)
def descriptors_are_not_kept(subject: Subject) -> Iterator[Finding]:
    """The plugin reads descriptors; it does not store or modify them.

    They are constant in C++, and valid only during the call. A plugin copies what it needs later. The rule overwrites
    the descriptors after each call, and notes which shapes later callbacks read from them.
    """
    words = subject.caller.words
    watch = ArgumentWatch(words.configure, words.prepare, "get_workspace_size")
    best, (*_, combination) = best_shapes(subject.case), chosen_combinations(subject)
    pair = tuple(dict.fromkeys((best, other_shapes(subject.case, best))))
    expected_answers = dict(_steps_of_a_build(Driver(subject, subject.create(), combination), pair[0]))
    runs = {each: usual_run(subject, each, combination).insist() for each in pair}

    def first_unlike(*observers: ArgumentWatch | ArgumentSpoiler) -> tuple[str, str]:
        driver = Driver(subject, subject.create(), combination)
        with observing(subject.gate, *observers):
            life = itertools.chain(_steps_of_a_build(driver, pair[0]), _executions(driver, pair))
            seen = list(_as_far_as_it_goes(life))
        looks = ((step, _unlike(driver, answer, expected_answers.get(step), runs)) for step, answer in seen)
        return next((each for each in looks if each[1]), ("", ""))

    spoiler = ArgumentSpoiler()
    step, unlike = first_unlike(watch, spoiler)
    yield check(not watch.changes, lambda: _modified(watch.changes[0]))
    spoiled = bool(unlike) and not first_unlike()[1]  # else it is unlike for another reason
    yield check(
        not spoiled and not spoiler.late_reads,
        lambda: _kept(step, combination, unlike) if spoiled else _read_late(*spoiler.late_reads[0], combination),
    )


def _steps_of_a_build(driver: Driver, shapes: Shapes) -> Iterator[tuple[str, Any]]:
    """Lead a new object through a build; yield each step and its result."""
    Asker(driver.subject, driver.plugin).settle(driver.combination.forms)
    words = driver.caller.words
    yield words.configure, list(driver.configure_for_build().tactics or ())
    yield "get_workspace_size", driver.workspace_size(shapes)
    yield f"clone and {words.save}", driver.subject.serialize(driver.subject.clone(driver.plugin))
    yield words.save, driver.subject.serialize(driver.plugin)


def _executions(driver: Driver, pair: tuple[Shapes, ...]) -> Iterator[tuple[str, Run]]:
    """Run one object at some shapes, one of them twice, and its clone; yield each step and its result.

    A clone with an implicit batch may have to be configured first.
    """
    driver.initialize()
    for shapes in pair:
        driver.configure(shapes)
        yield f"enqueue with input shapes {list(shapes)}", driver.enqueue(shapes, conditions=LENIENT)
    yield "enqueue once more at the same shapes", driver.enqueue(pair[-1], conditions=LENIENT)
    if driver.subject.interface in CONFIGURED:
        yield "enqueue of a clone", driver.clone().run(pair[0], conditions=LENIENT)


def _as_far_as_it_goes(life: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the result of each step of a life, and last the failure that ends it early."""
    try:
        yield from life
    except CallbackFailedError as stop:
        yield stop.failure.callback, stop.failure


def _unlike(driver: Driver, answer: Any, expected_answer: Any, runs: Mapping[Shapes, Run]) -> str:
    """Say in words how a step differs from the right result; empty where it does not."""
    if isinstance(answer, CallbackFailure):
        return f"{answer.callback} {answer.how}"
    if isinstance(answer, Run):
        return deviation(driver, answer, runs[answer.shapes])
    return "" if answer == expected_answer else f"{answer} instead of {expected_answer}"


@rule("CFG-016", source=plugins.CONFIGURATION_STORED, interfaces=IMPLICIT_BATCH, requires=RUNS | {"SER-004"})
def what_was_learned_is_in_the_data(subject: Subject) -> Iterator[Finding]:
    """The plugin serializes and restores what it learns when it is configured: shapes, types and INT8 scales.

    Only builders configure this kind of plugin. An engine makes a plugin from the data, initializes it and runs it.
    """
    for combination in chosen_combinations(subject):
        for shapes in sample_shapes(subject.case, 1):
            expected_run = usual_run(subject, shapes, combination).insist()
            built = Driver(subject, subject.create(), combination).configure_for_build()
            engine = built.of(subject.deserialize(subject.serialize(built.plugin))).initialize(bare=True)
            unlike = deviation(engine, engine.run(shapes, conditions=LENIENT), expected_run)
            yield check(
                not unlike,
                lambda: Violation(
                    what=f"the engine's plugin lacks what the builder's plugin got in {subject.caller.words.configure}",
                    where=f"configured for {combination}, serialized, deserialized, initialized; shapes {list(shapes)}",
                    expected="the outputs of the configured plugin",
                    observed=unlike,
                    fix="Keep shapes, types and scales in attributes, serialize them, and restore them.",
                ),
            )


class _Outcome(msgspec.Struct, frozen=True):
    """The result of a configuration: how it failed, and the exception, by name and text, that refuses it."""

    failure: CallbackFailure | None
    refusal: tuple[str, ...] = ()


def _configurations(subject: Subject) -> Iterator[tuple[str, _Outcome]]:
    """Yield every kind of configuration in words, and its result.

    Each accepted combination is configured in both phases, at the corners of the profile and between them.
    """
    for number, combination in enumerate(accepted_combinations(RecordedAnswers(subject), most=subject.sampled(16))):
        shapes = _without_wrong_guesses(subject, sample_shapes(subject.case, 1 if number else subject.sampled(6)))
        for where, configure in _ways_to_configure(subject, combination, shapes):
            yield where, subject.known(("configured", where), lambda: _outcome(subject, configure))


def _without_wrong_guesses(subject: Subject, shapes: list[Shapes]) -> list[Shapes]:
    """Return shapes of a case; of an inferred case those that the plugin does not refuse with its usual types.

    Raises:
        NotRun: It refuses them all.
    """
    if not subject.case.inferred:
        return shapes

    def outcome_of(each: Shapes) -> _Outcome:
        return _outcome(subject, lambda: _built_for(Driver(subject, subject.create()), each).configure_for_build())

    outcomes = {each: subject.known(("guessed", each), lambda: outcome_of(each)) for each in shapes}
    taken = [each for each, outcome in outcomes.items() if not outcome.refusal]
    if not taken:
        how = ": ".join(next(iter(outcomes.values())).refusal)
        raise NotRun(f"configure_plugin refuses the shapes that were inferred ({how}); write a case")
    return taken


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
        failure = attempt(method, configure)
    errors = [each.error for each in failures if each.method == method and each.error is not None]
    refusal = next(((type(errors[0]).__name__, text_of(errors[0])) for error in errors if is_deliberate(error)), ())
    return _Outcome(failure, refusal)


def _built_for(driver: Driver, shapes: Shapes) -> Driver:
    """Return a driver for the same object in a network of static shapes."""
    return Driver(at_one_shape(driver.subject, shapes), driver.plugin, driver.combination)


def _new_plugins_in_two_orders(subject: Subject, shapes: list[Shapes]) -> Iterator[Finding]:
    """Judge whether a new plugin computes the same in a process whose other plugins had these shapes before it."""
    for number, (now, expected_outputs) in enumerate(zip(shapes, outputs_in_reverse(subject, shapes), strict=True)):
        if expected_outputs is None:
            continue
        unlike = deviation(fresh_driver(subject), usual_run(subject, now), expected_outputs)
        earlier, later = shapes[:number], shapes[number + 1 :]
        yield check(
            not unlike,
            lambda: Violation(
                what="the result of a new plugin depends on the shapes of other plugins in the process",
                where=f"enqueue with {list(now)}, where the plugins before it had {_listed(earlier)}",
                expected=f"the same outputs as where they had {_listed(later)}",
                observed=unlike,
                fix="Use the whole shape as the key of a cache, or keep the cache in the plugin's object.",
            ),
        )


def _listed(shapes: list[Shapes]) -> str:
    return ", ".join(str(list(each)) for each in shapes) or "no shapes, as it is the first"


def _tours(shapes: list[Shapes], confusable: list[Shapes]) -> Iterator[list[Shapes]]:
    """Yield orders of shapes: one comes back after each similar shape, two after a whole round."""
    if confusable:
        first, *others = confusable
        yield [first, *itertools.chain.from_iterable((other, first) for other in others)]
    if len(shapes) > 1:
        yield [*shapes, *shapes[:2]]
        yield [*shapes[::-1], *shapes[:1:-1]]


def _adds_up(observed: str, expected: str) -> Violation:
    return Violation(
        what=f"{METHOD} accumulates state when it is called again",
        where="configured for the build several times, for the profile and for single shapes, before initialize",
        expected=f"{expected}, as after one configuration",
        observed=observed,
        fix="Replace in configure_plugin what an earlier call stored; do not append to it.",
    )


def _modified(change: Change) -> Violation:
    return Violation(
        what=f"{change.event.method} modified a descriptor",
        where=f"{change.event.method}, {change.path}",
        expected=f"{change.before}, as it was",
        observed=change.after,
        fix="Copy the value before you change it.",
    )


def _kept(step: str, combination: Combination, observed: str) -> Violation:
    return Violation(
        what=f"the plugin reads descriptors of an earlier call: {step.partition(' ')[0].rstrip(',')}",
        where=f"{combination}; {step}; the descriptors of each call are overwritten once it has returned",
        expected="the same results after the descriptors are overwritten",
        observed=observed,
        fix=_COPY_VALUES,
    )


def _read_late(given_to: str, reader: str, combination: Combination) -> Violation:
    return Violation(
        what=f"the plugin reads descriptors of an earlier call: {reader}",
        where=f"{combination}; descriptors that {given_to} got",
        expected="no callback reads a descriptor that an earlier call got",
        observed=f"{reader} reads a shape from it",
        fix=_COPY_VALUES,
    )


def _how_to_configure(subject: Subject, how: str) -> str:
    """Return the fix for a ``configure_plugin`` that failed: a mistake in its code, or a configuration it refuses."""
    configure = subject.caller.words.configure
    if "DynamicPluginTensorDesc" in how:
        return f"In {configure}, read desc.dims and desc.type of inputs[i] and outputs[i]; min and max are beside desc."
    if re.match(r"raised (Attribute|Name|UnboundLocal|Import|ModuleNotFound|Key|Index)Error\b", how):
        return f"Correct this line of {configure}: it fails for every configuration that TensorRT may choose."
    return "Handle every type, format and shape that supports_format_combination and the profile allow."


def _how(failure: CallbackFailure | None) -> str:
    return failure.how if failure else ""


def _becomes(failure: CallbackFailure | None) -> str:
    return failure.becomes if failure else ""


@rule(
    "CFG-006",
    level=1,
    source=plugins.CONFIGURE_RESULT,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=RUNS,
)
def configuration_returns_nothing(subject: Subject) -> Iterator[Finding]:
    """``configure_plugin`` and ``on_shape_change`` signal a failure by raising, and return nothing.

    The bindings ignore what these methods return. A returned 0 causes no harm, but a returned error code counts as
    success.
    """
    log = OutcomeLog(METHOD, "on_shape_change")
    with observing(subject.gate, log):
        for combination in chosen_combinations(subject):
            driver = Driver(subject, subject.create(), combination).prepare()
            for shapes in corner_shapes(subject.case):
                driver.configure(shapes).configure(shapes)
    for event, outcome in log.calls:
        yield check(
            outcome.value is None,
            lambda: Violation(
                what=f"{event.method} returned {shown(outcome.value)}",
                where=f"{event.target}, phase {event.phase.value}",
                expected="None",
                observed=f"{shown(outcome.value)}, which TensorRT ignores: a failure would count as success",
                fix="Raise an exception on failure and return nothing.",
            ),
        )


@rule("CFG-007", source=plugins.CONFIGURED_NEVER, interfaces=VERSION_3, requires=RUNS | {"CFG-009", "CRE-008"})
def what_runs_needs_no_configuration(subject: Subject) -> Iterator[Finding]:
    """A plugin of the runtime phase works without a call of ``configure_plugin``.

    Only builders call ``configure_plugin``, usually in another process. An engine makes its plugin from the fields that
    the configured plugin stored, and passes shapes to ``on_shape_change``.
    """
    chosen = list(chosen_combinations(subject))
    everything = apart(lambda: [_as_built(subject, combination) for combination in chosen])
    for combination, built in zip(chosen, everything, strict=True):
        for shapes, configured_run in zip(sample_shapes(subject.case, 1), built["runs"], strict=True):
            unlike = _without_configuration(subject, combination, built["stored"], shapes, configured_run)
            yield check(
                not unlike,
                lambda: Violation(
                    what="the plugin runs correctly only if it was configured",
                    where=f"made from the stored fields, attached and run with {combination}, shapes {list(shapes)}, "
                    "in a process that has configured none",
                    expected="the outputs of a configured plugin",
                    observed=unlike,
                    fix="Compute in on_shape_change, or store as a field, what enqueue needs from configure_plugin.",
                ),
            )


def _as_built(subject: Subject, combination: Combination) -> dict[str, Any]:
    """Return what a plugin stores that a builder has configured, and how a plugin made from that runs."""
    built = Driver(subject, subject.create(), combination).configure_for_build()
    driver, runs = built.of(built.plugin).initialize(), []
    tactic = next(iter(built.tactics or ()), DEFAULT_TACTIC)
    for shapes in sample_shapes(subject.case, 1):
        size = built.workspace_size(shapes)
        outputs = driver.run(shapes, conditions=structs.replace(LENIENT, workspace=size)).insist().outputs
        runs.append({"outputs": outputs, "workspace": size, "tactic": tactic})
    return {"stored": subject.serialize(built.plugin), "runs": runs}


def _without_configuration(
    subject: Subject, combination: Combination, stored: Any, shapes: Shapes, configured_run: dict[str, Any]
) -> str:
    """Say how the results of an engine's object differ because none was configured; empty if they do not.

    If a new object works without configuration, the stored fields are at fault: SER-008 reports that.
    """
    conditions = structs.replace(LENIENT, workspace=configured_run["workspace"])
    runs = []
    for plugin in (subject.deserialize(stored), subject.create()):
        driver = Driver(subject, plugin, combination)
        driver.tactic = configured_run["tactic"]
        runs.append(driver.initialize().run(shapes, conditions=conditions))
    if not all(run.failure or difference_of(driver, run, configured_run["outputs"]) for run in runs):
        return ""
    return deviation(driver, runs[0], configured_run["outputs"])  # which may configure others, and so comes last


@rule("CFG-008", level=1, source=plugins.SHAPE_CHANGE, interfaces=VERSION_3, requires=RUNS, owns={"on_shape_change"})
def shapes_may_change_at_any_time(subject: Subject) -> Iterator[Finding]:
    """``on_shape_change`` returns at any time and any number of times, also where no shape has changed.

    TensorRT calls it when the profile, a shape, or only an address has changed.
    """
    shapes = sample_shapes(subject.case, 1)
    driver = fresh_driver(subject)
    for now in (*shapes, *shapes[::-1]):
        for when in ("for the first time", "again", "once more"):
            failure = attempt("on_shape_change", lambda: driver.configure(now))
            yield check(failure is None, lambda: _shape_refused(f"{list(now)}, {when}", _how(failure)))
    grown = lasting_growth(subject, lambda: _configure_for_each(driver, shapes[:2]), rounds=2, calls=2)
    yield check(not grown, lambda: _shape_refused(f"{shapes[:2]} in turns", f"leaves {', '.join(grown)}"))


def _configure_for_each(driver: Driver, shapes: Sequence[Shapes]) -> None:
    for each in shapes:
        driver.configure(each)


def _shape_refused(where: str, how: str) -> Violation:
    return Violation(
        what=f"on_shape_change {how}",
        where=f"input shapes {where}",
        expected="it returns, and holds nothing more",
        observed="TensorRT does not run the plugin" if how.startswith("raised") else how,
        fix="Replace in on_shape_change what an earlier call stored; do not require that a shape has changed.",
    )
