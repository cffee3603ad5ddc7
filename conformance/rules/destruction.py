"""DST: destruction and leaks, ``destroy``."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, ENGINES
from conformance.sources import plugins as sources
from harness.checks.engines.canonical_drive import Original, completed
from harness.checks.lifecycle.destruction import ending, failures_at_the_end
from harness.checks.lifecycle.states import in_every_state
from harness.checks.observation.comparing import first_difference
from harness.checks.observation.counting import counting_calls, defines
from harness.checks.observation.host_fallback import FREES, hand_over
from harness.checks.observation.tracking import growth_since, holdings, is_gone
from harness.checks.running.driver import Driver, fresh_bench
from harness.checks.running.runs import LENIENT, usual_run
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, judged
from harness.contract.rule import VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import raise_for, stop_for_want_of_a_gpu, strictly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.engines.canonical_drive import DriveExecution
    from harness.subject.subject import Subject

METHOD = "destroy"
#: How many contexts are made on one engine.
_CONTEXTS = 10


@rule("DST-001", source=sources.DESTROY, requires=CLONES)
def everything_acquired_is_released(subject: Subject) -> Iterator[Finding]:
    """Everything that is acquired outside ``initialize`` is released by ``destroy``.

    TensorRT makes and destroys many objects for one layer; what each leaves behind adds up.
    """
    _use_and_destroy(subject)  # what a library acquires once is no leak
    before = holdings(subject)
    _use_and_destroy(subject)
    grown = growth_since(before, subject)
    yield judged(
        not grown,
        lambda: Violation(
            what=f"a destroyed plugin still holds {', '.join(grown)}",
            where="create_plugin, configure, initialize, enqueue, clone, terminate, destroy",
            expected="nothing is held after destroy",
            observed=f"{', '.join(grown)} more than before",
            fix="Release in destroy what __init__, configure_plugin and clone acquired.",
        ),
    )


@rule("DST-002", source=sources.DESTROY_OBSERVED, requires=CLONES)
def cleaning_up_twice_is_harmless(subject: Subject) -> Iterator[Finding]:
    """Cleanup is idempotent across ``destroy`` and Python finalisation.

    After ``destroy`` TensorRT drops its reference, and ``__del__`` runs on the same object.
    """
    for order, step in {"its clone first": -1, "the original first": 1}.items():
        end = ending(subject, lambda: _used_pair(subject, step))
        if not end.sentences:
            end.insist()
        yield judged(
            not end.sentences,
            lambda: Violation(
                what="releasing a plugin went wrong the second time",
                where=f"destroy() of a plugin and its clone, {order}; then Python's finalisation of the objects",
                expected="each handle is freed once, and nothing is raised",
                observed="; ".join(end.sentences),
                fix="Forget a handle when it is freed (self.handle = None), and let __del__ respect that.",
            ),
        )
    hand_over(subject, FREES)


@rule("DST-003", level=1, source=sources.DESTROY_NOEXCEPT, owns={METHOD})
def destroy_never_raises(subject: Subject) -> Iterator[Finding]:
    """``destroy`` does not raise, in any state.

    The bindings print the error and then never release the object.
    """
    for state, plugin in in_every_state(subject):
        failures = failures_at_the_end(subject, plugin)
        wrong = next((failure for failure in failures if failure.method == METHOD), None)
        if wrong is not None:
            stop_for_want_of_a_gpu(wrong)
        elif failures:
            raise_for(failures[0])
        yield judged(
            wrong is None,
            lambda: Violation(
                what=f"destroy {wrong.what if wrong else ''}",
                where=f"an object that is {state}",
                expected="destroy returns",
                observed=f"it {wrong.what}; {wrong.becomes}" if wrong else "",
                fix="Release only what was acquired, and check a handle before freeing it.",
            ),
        )
        if wrong is not None:
            return  # other states would only say it again


@rule("DST-004", source=sources.DESTROY_OBSERVED, severity=Severity.WARNING)
def an_unadopted_plugin_leaves_nothing(subject: Subject) -> Iterator[Finding]:
    """A plugin that Python code created and TensorRT never adopted does not rely on ``destroy``.

    Nobody calls it: garbage collection does not.
    """
    subject.create()  # what a library acquires once is no leak
    before = holdings(subject)
    subject.create()
    grown = growth_since(before, subject)
    yield judged(
        not grown,
        lambda: Violation(
            what=f"a plugin that was created and dropped still holds {', '.join(grown)}",
            where="create_plugin, then garbage collection, without destroy",
            expected="nothing is held",
            observed=f"{', '.join(grown)} more than before",
            fix="Acquire in initialize, or release in __del__ as well (weakref.finalize does both).",
        ),
    )


@rule("DST-005", drives=True, source=sources.DESTROY_ORIGINAL, requires=CLONES | ENGINES, interfaces=VERSION_2)
def the_engine_outlives_the_original(subject: Subject) -> Iterator[Finding]:
    """Destroying the object that was given to the network does not affect the engine.

    The application may do so as soon as the engine is built.
    """
    gone = completed(subject, original=Original.ONCE_THE_ENGINE_IS_BUILT).executions
    if all(_is_usual(subject, execution) for execution in gone):
        yield from (Finding() for _ in gone)
        return
    kept = completed(subject, original=Original.LAST_OF_ALL).executions
    for reference, execution in zip(kept, gone, strict=True):
        if reference.outputs is None:
            raise NotRun("the engine does not run, even while the original is alive")
        observed = "the execution failed" if execution.outputs is None else _difference(execution, reference)
        if observed:
            _insist_on_repeatability(subject, kept)
        yield judged(
            not observed,
            lambda: Violation(
                what="the engine does not work once the original plugin is destroyed",
                where=f"context {execution.context}, input shapes {list(execution.shapes)}",
                expected="the outputs of an engine whose original is alive",
                observed=observed,
                fix="Let clones own, or share by counting, what they need.",
            ),
        )


@rule("DST-006", source=sources.DESTROY_DERIVED, severity=Severity.WARNING, interfaces=VERSION_2, requires=CLONES)
def destroyed_plugins_are_collectable(subject: Subject) -> Iterator[Finding]:
    """Destroyed plugins are really collectable.

    Module-level lists, caches keyed by object, and running threads keep them and all they hold. (An IPluginV3 that was
    asked for a capability is never released by the bindings, whatever it does.)
    """
    for name, reference in _weak_references(subject).items():
        yield judged(
            is_gone(reference),
            lambda: Violation(
                what=f"a destroyed plugin is still alive: {name}",
                where="after destroy and garbage collection",
                expected="nothing refers to the object any more",
                observed=f"referred to by {_referrers(reference())}",
                fix="Do not keep plugins in module or class attributes; use weak references where a list is needed.",
            ),
        )


@rule("DST-007", drives=True, source=sources.DESTROY_BALANCE, requires=CLONES | ENGINES)
def each_object_is_destroyed_once(subject: Subject) -> Iterator[Finding]:
    """Each object that TensorRT came to own is destroyed exactly once.

    TensorRT sees to that; a plugin that destroys its clones itself destroys them twice.
    """
    if not defines(type(subject.create()), METHOD):
        raise NotApplicable("the plugin does not override destroy")
    with counting_calls(METHOD) as counts:
        completed(subject)
    for count in counts.values():
        yield judged(
            count.calls == 1,
            lambda: Violation(
                what=f"destroy ran {count.calls} times on one object",
                where="build, deserialization, two contexts, and the end of all of them",
                expected=f"once on each of {len(counts)} objects",
                observed=f"{count.calls} times on {subject.gate.name_of(count.plugin)}",
                fix="Let destroy release what the object itself holds, and call no other plugin's destroy.",
            ),
        )


def _used_pair(subject: Subject, step: int = 1) -> list[Any]:
    """Return a plugin that has run and its clone, which has run as well, and last what they were attached from."""
    shapes = best_shapes(subject.case)
    bench = fresh_bench(subject)
    bench.run(shapes)
    clone = bench.clone()
    clone.run(shapes)
    sources = [source for source in (clone.source, bench.source) if source is not None]
    return [*[bench.plugin, clone.plugin][::step], *sources]


def _use_and_destroy(subject: Subject) -> None:
    ending(subject, lambda: _used_pair(subject, -1)).insist()


def _weak_references(subject: Subject) -> dict[str, weakref.ref[object]]:
    pair = _used_pair(subject)
    references = {"the original": weakref.ref(pair[0]), "its clone": weakref.ref(pair[1])}
    ending(subject, lambda: [pair.pop() for _ in tuple(pair)]).insist()
    return references


def _insist_on_repeatability(subject: Subject, executions: list[DriveExecution]) -> None:
    again = completed(subject, original=Original.LAST_OF_ALL).executions
    if any(_difference(*pair) for pair in zip(again, executions, strict=True)):
        raise NotRun("two engines compute different things from the same inputs: nothing can be compared")


def _is_usual(subject: Subject, execution: DriveExecution) -> bool:
    """Whether an engine computed what a new plugin computes that never was in a network."""
    run = usual_run(subject, execution.shapes)
    return (
        execution.outputs is not None
        and run.mishap is None
        and first_difference(execution.outputs, run.outputs) is None
        and first_difference(execution.inputs, run.inputs) is None
    )


def _difference(execution: DriveExecution, reference: DriveExecution) -> str:
    difference = first_difference(execution.outputs or [], reference.outputs or [])
    return "" if difference is None else str(difference)


def _referrers(plugin: object) -> str:
    kinds = [type(each).__name__ for each in gc.get_referrers(plugin) if type(each).__name__ != "frame"]
    return ", ".join(kinds) or "something that Python cannot name"


@rule("DST-008", source=sources.DESTROY_ATTACHED, severity=Severity.WARNING, interfaces=VERSION_3, requires=CLONES)
def contexts_leave_nothing_behind(subject: Subject) -> Iterator[Finding]:
    """What an attached plugin holds is released when its context goes, and does not wait for the engine.

    A server makes and drops contexts for as long as it runs.
    """
    shapes = best_shapes(subject.case)
    source = Driver(subject, subject.deserialize(subject.serialize(subject.create())))
    _in_a_context(source, shapes)
    before = holdings(subject)
    for _ in range(_CONTEXTS):
        _in_a_context(source, shapes)
    grown = growth_since(before, subject)
    yield judged(
        not grown,
        lambda: Violation(
            what=f"{_CONTEXTS} contexts that are gone left {', '.join(grown)}",
            where="attach_to_context, on_shape_change, enqueue, destroy; again and again on one engine",
            expected="nothing is left of a context",
            observed=", ".join(grown),
            fix="Let destroy of the attached object release what it holds, and keep nothing of it in its source.",
        ),
    )


def _in_a_context(source: Driver, shapes: tuple[tuple[int, ...], ...]) -> None:
    """Attach a plugin, run what comes of it, and destroy that."""
    bench = source.of(source.plugin).initialize()
    bench.run(shapes, surroundings=LENIENT)
    with strictly(bench.gate):
        bench.caller.destroy(bench.gate, bench.plugin)
