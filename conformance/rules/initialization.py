"""INI: what a plugin holds while it runs, ``initialize`` and ``terminate``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CONFIGURES, REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.formats.choices import chosen_combinations
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.telling import shown
from harness.checks.observation.tracking import growth_since, holdings
from harness.checks.observation.watching import OutcomeLog, observing
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import best_shapes, corner_shapes, two_shapes
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, Violation, check
from harness.contract.rule import INITIALIZED, Severity, rule
from harness.subject.calling import attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.checks.lifecycle.static_answers import Portrait
    from harness.checks.sampling.sampling import Shapes
    from harness.contract.finding import CallbackFailure
    from harness.subject.subject import Subject

INITIALIZE = "initialize"
TERMINATE = "terminate"
#: At how many allocations one after the other the device is made to run out of memory.
SHORTAGES = 6


@rule("INI-001", level=1, source=plugins.INITIALIZE, interfaces=INITIALIZED, requires=CONFIGURES, owns={INITIALIZE})
def failure_to_initialize_is_raised(subject: Subject) -> Iterator[Finding]:
    """``initialize`` reports failure by raising, and returns no value but 0.

    The bindings ignore the return value: with ``return 1`` TensorRT creates the engine, and the engine fails when
    it runs. A 0 that every call returns causes no harm.
    """
    log, shapes = OutcomeLog(INITIALIZE), best_shapes(subject.case)
    with observing(subject.gate, log):
        failure = attempt(INITIALIZE, lambda: fresh_driver(subject))
    outcome = log.calls[-1][1] if log.calls else None
    if outcome is None or outcome.missing:
        raise NotApplicable("initialize is not overridden")
    yield check(failure is None, lambda: _uninitialized(failure))
    silent = outcome.error is not None or _says_nothing(outcome.value)
    yield check(silent, lambda: _returned(outcome.value, "it succeeds"))
    for left in _shortages(subject) if failure is None else ():
        driver = Driver(subject, subject.create()).configure_for_build()
        with observing(subject.gate, log), subject.device.shortage.after(left):
            failure = attempt(INITIALIZE, driver.initialize)
        value = log.calls[-1][1].value
        silent = _says_nothing(value) or subject.caller.batches  # what these interfaces return is a status
        yield check(silent, lambda: _returned(value, f"allocation {left + 1} fails"))
        if failure is None and silent:
            unlike = deviation(driver, driver.run(shapes, conditions=LENIENT), usual_run(subject, shapes).insist())
            yield check(not unlike, lambda: _hushed_up(left, unlike))


def _says_nothing(value: object) -> bool:
    """Return whether ``initialize`` returned nothing, or the 0 that means success in C++."""
    return value is None or (type(value) is int and value == 0)


@rule("INI-002", source=plugins.INITIALIZE_PAIRED, interfaces=INITIALIZED, requires=REPEATS)
def terminate_releases_what_initialize_acquired(subject: Subject) -> Iterator[Finding]:
    """``terminate`` releases everything that ``initialize`` acquired, with or without an execution in between.

    A builder calls the two for every combination that it times, and what remains adds up.
    """
    shapes = best_shapes(subject.case)
    for combination in chosen_combinations(subject):
        driver = Driver(subject, subject.create(), combination).configure_for_build()
        _cycle(driver, (shapes,))  # what a library acquires once is no leak
        for use, runs in {"initialize, terminate": (), "initialize, enqueue, terminate": (shapes,)}.items():
            grown = _cycle(driver, runs)
            kept = [f"{count} {kind}" for kind, count in grown.items() if count > 0]
            yield check(
                not kept,
                lambda: Violation(
                    what=f"the plugin still holds {kept[0]} of initialize after terminate",
                    where=f"{use}; one more cycle of an object that is configured for {combination}",
                    expected="the plugin holds as much as before initialize",
                    observed=f"{', '.join(kept)} more",
                    fix="Release in terminate() everything that initialize acquires, on every path.",
                ),
            )


@rule("INI-003", source=plugins.INITIALIZE_CYCLE, interfaces=INITIALIZED, requires=REPEATS)
def the_cycle_can_be_repeated(subject: Subject) -> Iterator[Finding]:
    """Configure, initialize, run and terminate can be repeated on the same object.

    A builder does it for timing, and again for the next combination.
    """
    shapes = best_shapes(subject.case)
    driver = Driver(subject, subject.create())
    runs = []
    for number in range(1, 4):
        driver.configure_for_build()
        failure = attempt(INITIALIZE, driver.initialize)
        if failure is not None and number == 1:
            raise CallbackFailedError(failure)
        if failure is None:
            runs.append(driver.run(shapes, conditions=LENIENT))
            driver.terminate()
        unlike = f"initialize {failure.how}" if failure else deviation(driver, runs[-1], runs[0].insist())
        yield check(not unlike, lambda: _other_cycle(number, unlike, "create_plugin"))
        if failure is not None:
            return


@rule(
    "INI-004",
    source=plugins.INITIALIZE_QUERIES,
    interfaces=INITIALIZED,
    requires=CONFIGURES,
    explained_by={"OUT-007", "SER-002"},
)
def queries_need_no_initialization(subject: Subject) -> Iterator[Finding]:
    """All queries work before ``initialize``, and give the same answers as after it.

    A network is built, analysed and serialized with objects that are never initialized.
    """
    driver = Driver(subject, subject.create()).configure_for_build()
    fresh = {part: _answers(subject, driver.plugin, part) for part in _PARTS}
    driver.initialize()
    for part, (before, failed) in fresh.items():
        after, still_failed = _answers(subject, driver.plugin, part)
        changes = [] if failed or still_failed else differences(before, after)
        yield check(
            not changes and not (failed and not still_failed),
            lambda: Violation(
                what=f"the plugin answers queries for {part} wrongly before initialize",
                where=changes[0][0] if changes else "an object that was never initialized",
                expected=f"{changes[0][2]}, as after initialize" if changes else "an answer, as after initialize",
                observed=str(changes[0][1]) if changes else failed,
                fix="Answer from the plugin's parameters, not from resources of initialize.",
            ),
        )


@rule(
    "INI-005",
    level=1,
    source=plugins.TERMINATE_NOEXCEPT,
    interfaces=INITIALIZED,
    requires=CONFIGURES | {"CFG-012", "ENQ-007"},
    owns={TERMINATE},
)
def terminate_never_raises(subject: Subject) -> Iterator[Finding]:
    """``terminate`` does not raise.

    The C++ method returns nothing: the bindings print the exception, and what the plugin still holds is never
    released.
    """
    log, combination = OutcomeLog(TERMINATE), Driver(subject, subject.create()).combination
    for name, make, use in _uses(subject):
        driver = Driver(subject, make(), combination)
        for number in (1, 2):
            use(driver)
            with observing(subject.gate, log):
                failure = attempt(TERMINATE, driver.terminate)
            if log.calls[-1][1].missing:
                raise NotApplicable("terminate is not overridden")
            yield check(
                failure is None,
                lambda: Violation(
                    what=f"terminate {failure.how if failure else ''}",
                    where=f"{name}; time {number} on one object",
                    expected="terminate returns",
                    observed=f"it {failure.how}; {failure.becomes}" if failure else "",
                    fix="Release each handle once, and set it to None: free(self.buffer); self.buffer = None.",
                ),
            )


@rule(
    "INI-006",
    source=plugins.INITIALIZE_FAILED,
    severity=Severity.WARNING,
    interfaces=INITIALIZED,
    requires=CONFIGURES,
)
def failed_initialization_leaves_nothing(subject: Subject) -> Iterator[Finding]:
    """If ``initialize`` fails, the object releases what it acquired, and can still be destroyed.

    TensorRT does not call ``terminate`` after a failure. The rule lets the device run out of memory at each
    allocation in turn.
    """
    shortages = _shortages(subject)
    if not shortages:
        raise NotApplicable("initialize allocates no device memory")
    for left in shortages:
        before = holdings(subject)
        driver = Driver(subject, subject.create()).configure_for_build()
        with subject.device.shortage.after(left):
            failure = attempt(INITIALIZE, driver.initialize)
        if failure is None:
            continue  # it does without
        driver.destroy()
        del driver
        grown = growth_since(before, subject)
        yield check(
            not grown,
            lambda: Violation(
                what=f"a plugin whose initialize failed still holds {', '.join(grown)}",
                where=f"initialize with the device out of memory at allocation {left + 1}, then destroy",
                expected="no resource is held",
                observed=f"{', '.join(grown)} more than before",
                fix="Release in initialize what it acquired before the failure (try/except, then raise).",
            ),
        )


@rule(
    "INI-007",
    source=plugins.INITIALIZE_ONCE,
    interfaces=INITIALIZED,
    requires=RUNS | {"CFG-004", "CFG-009"},
)
def one_initialization_is_enough(subject: Subject) -> Iterator[Finding]:
    """One ``initialize`` is enough for all executions of an engine, at all shapes.

    TensorRT initializes once, and runs until the engine is destroyed.
    """
    shapes = two_shapes(subject.case) or (best_shapes(subject.case),)
    driver, rounds = fresh_driver(subject), 10
    expected_runs = {each: usual_run(subject, each).insist() for each in shapes}
    for number, each in itertools.product(range(1, rounds + 1), shapes):
        failure = attempt("configure_plugin", lambda: driver.configure(each))
        if failure is None and each != shapes[number % len(shapes)]:
            continue  # what is configured need not run: each round runs another of the shapes
        unlike = (
            f"configure_plugin {failure.how}"
            if failure
            else deviation(driver, driver.enqueue(each, conditions=LENIENT), expected_runs[each])
        )
        yield check(
            not unlike,
            lambda: Violation(
                what=f"the plugin stops working after {number} rounds of running",
                where=f"input shapes {list(each)}, one initialize, {len(shapes)} shapes in turn",
                expected="the outputs of the first execution, in every round",
                observed=unlike,
                fix="Do not consume in enqueue or configure_plugin what only initialize provides.",
            ),
        )
        if unlike:
            return


@rule(
    "INI-008",
    source=plugins.INITIALIZE_RESTORED,
    interfaces=INITIALIZED,
    requires=RUNS | {"INI-003"},
    explained_by={"SER"},
)
def deserialized_plugins_are_initialized_like_others(subject: Subject) -> Iterator[Finding]:
    """``initialize`` makes a deserialized plugin ready to run, each time.

    Engines initialize what they deserialize. They ask the plugin for clones before and after.
    """
    shapes = best_shapes(subject.case)
    fresh_driver(subject).run(shapes)  # what only a build leaves behind is there: ENQ-021 asks what is not
    driver = Driver(subject, subject.deserialize(subject.serialize(subject.create())))
    driver.clone()
    runs = []
    for number in range(1, 3):
        failure = attempt(INITIALIZE, driver.initialize)
        if failure is None:
            runs.append(driver.run(shapes, conditions=LENIENT))
            driver.terminate()
        unlike = f"initialize {failure.how}" if failure else deviation(driver, runs[-1], runs[0].insist())
        yield check(not unlike, lambda: _other_cycle(number, unlike, "deserialize_plugin"))
        if failure is not None:
            return


@rule("INI-009", source=plugins.TERMINATE_DERIVED, interfaces=INITIALIZED, requires=REPEATS)
def nothing_runs_after_terminate(subject: Subject) -> Iterator[Finding]:
    """After ``terminate`` no thread of the plugin is alive.

    A thread could still use memory that is gone.
    """
    _life_until_terminate(subject)  # a pool of threads that a library starts once is no leftover
    before = holdings(subject)
    _life_until_terminate(subject)
    alive = [each for each in growth_since(before, subject) if each.endswith("threads")]
    yield check(
        not alive,
        lambda: Violation(
            what=f"{alive[0]} of the plugin still run after terminate",
            where="configure, initialize, enqueue at every corner of the profile, terminate",
            expected="only threads that ran before",
            observed=f"{alive[0]} more",
            fix="Stop and join in terminate() every thread that the plugin started.",
        ),
    )


def _cycle(driver: Driver, runs: tuple[Shapes, ...]) -> dict[str, int]:
    """Initialize, run and terminate an object; return what is held then, less what running acquired."""
    before = holdings(driver.subject)
    driver.initialize()
    ready = holdings(driver.subject)
    for shapes in runs:
        driver.run(shapes, conditions=LENIENT)
    used = ready.more(holdings(driver.subject))
    driver.terminate()
    growth_since(before, driver.subject)  # threads may take a while
    left = before.more(holdings(driver.subject))
    return {kind: count - max(used[kind], 0) for kind, count in left.items()}


_PARTS = ("output types", "output shapes", "formats", "serialized form")


def _shortages(subject: Subject) -> range:
    """Return after how many allocations the device can run out of memory while the plugin is initialized."""
    driver = Driver(subject, subject.create()).configure_for_build()
    with subject.device.recording() as recording:
        attempt(INITIALIZE, driver.initialize)
    made = [each for each in recording.allocations if each.owner == "plugin" and not each.freed]
    return range(min(len(made), SHORTAGES))


def _answers(subject: Subject, plugin: Any, part: str) -> tuple[Portrait, str]:
    """Return the answers to the queries for one part, or how one of them failed."""
    try:
        return portrait(subject, plugin, [part]), ""
    except CallbackFailedError as error:
        return {}, f"{error.failure.callback} {error.failure.how}"


def _uses(subject: Subject) -> Iterator[tuple[str, Callable[[], Any], Callable[[Driver], object]]]:
    """Yield the uses of a plugin before it is terminated: in words, its maker, and its steps."""
    best, others = best_shapes(subject.case), two_shapes(subject.case) or ()
    yield "initialize, terminate", subject.create, Driver.prepare
    yield "initialize, enqueue, terminate", subject.create, lambda driver: driver.prepare().run(best)
    if others:
        at = ", ".join(str(list(each)) for each in others)
        yield (
            f"initialize, enqueue at {at}, terminate",
            subject.create,
            lambda driver: [driver.run(each) for each in others if driver.make_ready()],
        )
    saved = subject.serialize(subject.create())
    yield "deserialize_plugin, initialize, terminate", lambda: subject.deserialize(saved), Driver.initialize


def _life_until_terminate(subject: Subject) -> None:
    driver = fresh_driver(subject)
    for shapes in corner_shapes(subject.case):
        driver.run(shapes)
    driver.terminate()


def _uninitialized(failure: CallbackFailure | None) -> Violation:
    how = failure.how if failure else ""
    return Violation(
        what=f"initialize {how}",
        where="a configured object, before the first enqueue",
        expected="initialize returns",
        observed=f"it {how}; {failure.becomes if failure else ''}",
        fix="Let initialize() return None, and raise an exception only if it fails.",
    )


def _returned(value: Any, when: str) -> Violation:
    return Violation(
        what=f"initialize returned {shown(value)}",
        where=f"initialize, where {when}",
        expected="None, or an exception on failure",
        observed=f"{shown(value)}, which the bindings ignore: TensorRT takes the object as initialized",
        fix="Raise an exception on failure and return nothing.",
    )


def _hushed_up(left: int, observed: str) -> Violation:
    return Violation(
        what="initialize failed without an exception",
        where=f"initialize with the device out of memory at allocation {left + 1}, then configure_plugin and enqueue",
        expected="an exception from initialize, or a plugin that works without the memory",
        observed=observed,
        fix="Do not catch the exception of the allocation in initialize, or raise another exception.",
    )


def _other_cycle(number: int, observed: str, made_by: str) -> Violation:
    return Violation(
        what=f"cycle {number} of one object differs from the first cycle",
        where=f"{made_by}, then initialize, configure_plugin, enqueue, terminate, again and again",
        expected="the outputs of the first cycle",
        observed=observed,
        fix="Keep the data that initialize needs on the host, and acquire all resources anew after terminate.",
    )
