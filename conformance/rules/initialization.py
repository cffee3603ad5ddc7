"""INI: what a plugin holds while it runs, ``initialize`` and ``terminate``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.tracking import growth_since, holdings
from harness.checks.observation.watching import OutcomeLog, observing
from harness.checks.running.driver import Driver, fresh_bench
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import best_shapes, corner_shapes, two_shapes
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, Violation, judged
from harness.contract.rule import INITIALIZED, Severity, rule
from harness.subject.calling import attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.checks.lifecycle.static_answers import Portrait
    from harness.contract.finding import CallbackFailure
    from harness.subject.subject import Subject

INITIALIZE = "initialize"
TERMINATE = "terminate"
#: At how many allocations one after the other the device is made to run out of memory.
SHORTAGES = 6


@rule("INI-001", level=1, source=plugins.INITIALIZE, interfaces=INITIALIZED, requires=CONFIGURES, owns={INITIALIZE})
def failure_to_initialize_is_raised(subject: Subject) -> Iterator[Finding]:
    """``initialize`` reports failure by raising, and returns nothing.

    The bindings ignore what it returns: with ``return 1`` the engine is created, and fails when it runs.
    """
    log, shapes = OutcomeLog(INITIALIZE), best_shapes(subject.case)
    with observing(subject.gate, log):
        mishap = attempt(INITIALIZE, lambda: fresh_bench(subject))
    outcome = log.calls[-1][1] if log.calls else None
    if outcome is None or outcome.missing:
        raise NotApplicable("initialize is not overridden")
    yield judged(mishap is None, lambda: _uninitialized(mishap))
    silent = outcome.error is not None or _says_nothing(subject, outcome.value)
    yield judged(silent, lambda: _returned(outcome.value, "it succeeds"))
    for left in _shortages(subject) if mishap is None else ():
        bench = Driver(subject, subject.create()).configure_for_build()
        with observing(subject.gate, log), subject.device.shortage.after(left):
            mishap = attempt(INITIALIZE, bench.initialize)
        value = log.calls[-1][1].value
        silent = _says_nothing(subject, value) or subject.caller.batches  # what these interfaces return is a status
        yield judged(silent, lambda: _returned(value, f"allocation {left + 1} fails"))
        if mishap is None and silent:
            unlike = deviation(bench, bench.run(shapes, surroundings=LENIENT), usual_run(subject, shapes).insist())
            yield judged(not unlike, lambda: _hushed_up(left, unlike))


def _says_nothing(subject: Subject, value: object) -> bool:
    """Whether ``initialize`` returned nothing, or the 0 of the interfaces for which that is documented as success."""
    return value is None or (subject.caller.batches and type(value) is int and value == 0)


@rule("INI-002", source=plugins.INITIALIZE_PAIRED, interfaces=INITIALIZED, requires=CONFIGURES)
def terminate_releases_what_initialize_acquired(subject: Subject) -> Iterator[Finding]:
    """Everything that ``initialize`` acquires is released by ``terminate``.

    A builder runs the pair for every combination that it times.
    """
    fresh_bench(subject).terminate()  # what a library acquires once is no leak
    bench, cycles = Driver(subject, subject.create()).configure_for_build(), 3
    before = holdings(subject)
    for _ in range(cycles):
        bench.initialize()
        bench.terminate()
    grown = growth_since(before, subject)
    yield judged(
        not grown,
        lambda: Violation(
            what=f"{', '.join(grown)} are held after terminate that were not held before initialize",
            where=f"initialize, terminate; {cycles} cycles of one object",
            expected="as much is held as before",
            observed=f"{', '.join(grown)} more",
            fix="Release in terminate everything that initialize acquires, on every path.",
        ),
    )


@rule("INI-003", source=plugins.INITIALIZE_CYCLE, interfaces=INITIALIZED, requires=RUNS)
def the_cycle_can_be_repeated(subject: Subject) -> Iterator[Finding]:
    """Configure, initialize, run and terminate can be done more than once on the same object.

    A builder does it for timing, and again for the next combination.
    """
    shapes = best_shapes(subject.case)
    bench = Driver(subject, subject.create())
    runs = []
    for number in range(1, 4):
        bench.configure_for_build()
        mishap = attempt(INITIALIZE, bench.initialize)
        if mishap is not None and number == 1:
            raise CallbackFailedError(mishap)
        if mishap is None:
            runs.append(bench.run(shapes, surroundings=LENIENT))
            bench.terminate()
        unlike = f"initialize {mishap.how}" if mishap else deviation(bench, runs[-1], runs[0].insist())
        yield judged(not unlike, lambda: _other_cycle(number, unlike, "create_plugin"))
        if mishap is not None:
            return


@rule("INI-004", source=plugins.INITIALIZE_QUERIES, interfaces=INITIALIZED, requires=CONFIGURES)
def queries_need_no_initialization(subject: Subject) -> Iterator[Finding]:
    """All queries work before ``initialize``, and give the same answers as after it.

    A network is built, analysed and serialized with objects that are never initialized.
    """
    bench = Driver(subject, subject.create()).configure_for_build()
    fresh = {part: _answers(subject, bench.plugin, part) for part in _PARTS}
    bench.initialize()
    for part, (before, failed) in fresh.items():
        after, still_failed = _answers(subject, bench.plugin, part)
        changes = [] if failed or still_failed else differences(before, after)
        yield judged(
            not changes and not (failed and not still_failed),
            lambda: Violation(
                what=f"the plugin has no right answer to queries for {part} before initialize",
                where=changes[0][0] if changes else "an object that was never initialized",
                expected=f"{changes[0][2]}, as after initialize" if changes else "an answer, as after initialize",
                observed=str(changes[0][1]) if changes else failed,
                fix="Answer from the plugin's parameters; keep what initialize acquires out of queries.",
            ),
        )


@rule(
    "INI-005", level=1, source=plugins.TERMINATE_NOEXCEPT, interfaces=INITIALIZED, requires=CONFIGURES, owns={TERMINATE}
)
def terminate_never_raises(subject: Subject) -> Iterator[Finding]:
    """``terminate`` does not raise.

    The C++ method returns nothing: the bindings print the exception, and what is left is never released.
    """
    shapes, log = best_shapes(subject.case), OutcomeLog(TERMINATE)
    for name, use in _uses(shapes).items():
        bench = Driver(subject, subject.create())
        for number in (1, 2):
            bench.prepare()
            use(bench)
            with observing(subject.gate, log):
                mishap = attempt(TERMINATE, bench.terminate)
            if log.calls[-1][1].missing:
                raise NotApplicable("terminate is not overridden")
            yield judged(
                mishap is None,
                lambda: Violation(
                    what=f"terminate {mishap.how if mishap else ''}",
                    where=f"{name}; time {number} on one object",
                    expected="terminate returns",
                    observed=f"it {mishap.how}; {mishap.becomes}" if mishap else "",
                    fix="Release each handle once, and forget it: free(self.buffer); self.buffer = None.",
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
    """If ``initialize`` fails, the object releases what it had acquired, and can still be destroyed.

    There is no ``terminate`` after a failure. The device is made to run out of memory at each allocation in turn.
    """
    shortages = _shortages(subject)
    if not shortages:
        raise NotApplicable("initialize allocates no device memory")
    for left in shortages:
        before = holdings(subject)
        bench = Driver(subject, subject.create()).configure_for_build()
        with subject.device.shortage.after(left):
            mishap = attempt(INITIALIZE, bench.initialize)
        if mishap is None:
            continue  # it does without
        bench.destroy()
        del bench
        grown = growth_since(before, subject)
        yield judged(
            not grown,
            lambda: Violation(
                what=f"a plugin whose initialize failed still holds {', '.join(grown)}",
                where=f"initialize with the device out of memory at allocation {left + 1}, then destroy",
                expected="nothing is held",
                observed=f"{', '.join(grown)} more than before",
                fix="Release in initialize what was acquired before the failure (try/except, then raise).",
            ),
        )


@rule(
    "INI-007",
    source=plugins.INITIALIZE_ONCE,
    interfaces=INITIALIZED,
    requires=RUNS | {"CFG-004", "CFG-009"},
)
def one_initialization_is_enough(subject: Subject) -> Iterator[Finding]:
    """One ``initialize`` is enough for the whole life of an engine, however often and for whatever shapes it runs.

    TensorRT initializes once, and runs until the engine is destroyed.
    """
    shapes = two_shapes(subject.case) or (best_shapes(subject.case),)
    bench, rounds = fresh_bench(subject), 12
    wanted = {each: usual_run(subject, each).insist() for each in shapes}
    for number, each in itertools.product(range(1, rounds + 1), shapes):
        mishap = attempt("configure_plugin", lambda: bench.configure(each))
        unlike = (
            f"configure_plugin {mishap.how}"
            if mishap
            else deviation(bench, bench.enqueue(each, surroundings=LENIENT), wanted[each])
        )
        yield judged(
            not unlike,
            lambda: Violation(
                what=f"the plugin stops working after {number} rounds of running",
                where=f"input shapes {list(each)}, one initialize, {len(shapes)} shapes in turn",
                expected="the outputs of the first time, however often it runs",
                observed=unlike,
                fix="Let enqueue and configure_plugin use up nothing that only initialize provides.",
            ),
        )
        if unlike:
            return


@rule("INI-008", source=plugins.INITIALIZE_RESTORED, interfaces=INITIALIZED, requires=RUNS | {"INI-003"})
def deserialized_plugins_are_initialized_like_others(subject: Subject) -> Iterator[Finding]:
    """A deserialized plugin is not taken for initialized: ``initialize`` makes it usable, each time.

    Engines initialize what they deserialize, and clones of it are asked for before and after.
    """
    shapes = best_shapes(subject.case)
    fresh_bench(subject).run(shapes)  # what only a build leaves behind is there: ENQ-021 asks what is not
    bench = Driver(subject, subject.deserialize(subject.serialize(subject.create())))
    bench.clone()
    runs = []
    for number in range(1, 3):
        mishap = attempt(INITIALIZE, bench.initialize)
        if mishap is None:
            runs.append(bench.run(shapes, surroundings=LENIENT))
            bench.terminate()
        unlike = f"initialize {mishap.how}" if mishap else deviation(bench, runs[-1], runs[0].insist())
        yield judged(not unlike, lambda: _other_cycle(number, unlike, "deserialize_plugin"))
        if mishap is not None:
            return


@rule("INI-009", source=plugins.TERMINATE_DERIVED, interfaces=INITIALIZED, requires=RUNS)
def nothing_runs_after_terminate(subject: Subject) -> Iterator[Finding]:
    """After ``terminate`` no work of the plugin is pending: none of its threads is alive.

    The memory that such work would use may be gone.
    """
    _life_until_terminate(subject)  # a pool of threads that a library starts once is no leftover
    before = holdings(subject)
    _life_until_terminate(subject)
    alive = [each for each in growth_since(before, subject) if each.endswith("threads")]
    yield judged(
        not alive,
        lambda: Violation(
            what=f"{alive[0]} of the plugin are alive after terminate",
            where="configure, initialize, enqueue at every corner of the profile, terminate",
            expected="only threads from before",
            observed=f"{alive[0]} more",
            fix="Stop and join in terminate every thread that the plugin started.",
        ),
    )


_PARTS = ("output types", "output shapes", "formats", "serialized form")


def _shortages(subject: Subject) -> range:
    """Return after how many allocations the device can run out of memory while the plugin is initialized."""
    bench = Driver(subject, subject.create()).configure_for_build()
    with subject.device.recording() as recording:
        attempt(INITIALIZE, bench.initialize)
    made = [each for each in recording.allocations if each.owner == "plugin" and not each.freed]
    return range(min(len(made), SHORTAGES))


def _answers(subject: Subject, plugin: Any, part: str) -> tuple[Portrait, str]:
    """Return the answers to the queries for one part, or how one of them failed."""
    try:
        return portrait(subject, plugin, [part]), ""
    except CallbackFailedError as error:
        return {}, f"{error.mishap.callback} {error.mishap.how}"


def _uses(shapes: tuple[tuple[int, ...], ...]) -> dict[str, Callable[[Driver], object]]:
    return {
        "initialize, terminate": lambda bench: bench,
        "initialize, enqueue, terminate": lambda bench: bench.run(shapes),
    }


def _life_until_terminate(subject: Subject) -> None:
    bench = fresh_bench(subject)
    for shapes in corner_shapes(subject.case):
        bench.run(shapes)
    bench.terminate()


def _uninitialized(mishap: CallbackFailure | None) -> Violation:
    how = mishap.how if mishap else ""
    return Violation(
        what=f"initialize {how}",
        where="a configured object, before the first enqueue",
        expected="initialize returns",
        observed=f"it {how}; {mishap.becomes if mishap else ''}",
        fix="Mend initialize; the traceback is in the captured output.",
    )


def _returned(value: Any, when: str) -> Violation:
    return Violation(
        what=f"initialize returned {value!r}",
        where=f"initialize, where {when}",
        expected="None, or an exception on failure",
        observed=f"{value!r}, which the bindings ignore: TensorRT takes the object for initialized",
        fix="Raise an exception on failure and return nothing.",
    )


def _hushed_up(left: int, observed: str) -> Violation:
    return Violation(
        what="initialize failed without a word",
        where=f"initialize with the device out of memory at allocation {left + 1}, then configure_plugin and enqueue",
        expected="an exception from initialize, or a plugin that works without the memory",
        observed=observed,
        fix="Let the exception of the allocation pass, or raise one.",
    )


def _other_cycle(number: int, observed: str, made_by: str) -> Violation:
    return Violation(
        what=f"cycle {number} of one object goes otherwise than the first one",
        where=f"{made_by}, then initialize, configure_plugin, enqueue, terminate, again and again",
        expected="the outputs of the first cycle",
        observed=observed,
        fix="Keep on the host what initialize needs, and let it acquire everything anew after terminate.",
    )
