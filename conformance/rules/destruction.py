"""DST: destruction and leaks, ``destroy``."""

from __future__ import annotations

import gc
import itertools
import weakref
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, ENGINES
from conformance.sources import plugins as sources
from harness.checks.engines.canonical_drive import Original, completed
from harness.checks.formats.capabilities import OF_AN_ENGINE, capabilities
from harness.checks.lifecycle.destruction import ending, failures_at_the_end, has_ended
from harness.checks.lifecycle.states import in_every_state
from harness.checks.lifecycle.static_answers import portrait
from harness.checks.observation.comparing import first_difference
from harness.checks.observation.counting import counting_calls, defines
from harness.checks.observation.host_fallback import FREES, hand_over
from harness.checks.observation.reachable import references_from
from harness.checks.observation.shared_state import SharedThings
from harness.checks.observation.tracking import growth_since, holdings, is_gone
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.reference_execution import ReferenceExecution
from harness.checks.running.runs import LENIENT, usual_run
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import leniently, raise_for, stop_for_want_of_a_gpu, strictly

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.engines.canonical_drive import DriveExecution
    from harness.subject.subject import Subject

METHOD = "destroy"
#: How many contexts are made on one engine.
_CONTEXTS = 10
#: At how many allocations one after the other the device is made to run out of memory.
_SHORTAGES = 3


@rule("DST-001", source=sources.DESTROY, requires=CLONES)
def everything_acquired_is_released(subject: Subject) -> Iterator[Finding]:
    """``destroy`` releases everything that the plugin acquired outside ``initialize``.

    TensorRT makes and destroys many objects for one layer, and what each leaves behind adds up.
    """
    _use_and_destroy(subject)  # what a library acquires once is no leak
    before = holdings(subject)
    _use_and_destroy(subject)
    grown = growth_since(before, subject)
    yield check(
        not grown,
        lambda: Violation(
            what=f"a destroyed plugin still holds {', '.join(grown)}",
            where="create_plugin, configure, initialize, enqueue, clone, terminate, destroy",
            expected="the plugin holds nothing after destroy",
            observed=f"{', '.join(grown)} more than before",
            fix="Release in destroy() what __init__, configure_plugin and clone acquired.",
        ),
    )


@rule("DST-002", languages=PYTHON, source=sources.DESTROY_OBSERVED, requires=CLONES)
def cleaning_up_twice_is_harmless(subject: Subject) -> Iterator[Finding]:
    """``destroy`` followed by Python's finalisation frees each handle once, and raises nothing.

    After ``destroy`` TensorRT drops its reference, and ``__del__`` runs on the same object.
    """
    for order, step in {"its clone first": -1, "the original first": 1}.items():
        end = ending(subject, lambda: _used_pair(subject, step))
        if not end.sentences:
            end.insist()
        yield check(
            not end.sentences,
            lambda: Violation(
                what="the second release of a plugin failed",
                where=f"destroy() of a plugin and its clone, {order}; then Python's finalisation of the objects",
                expected="the plugin frees each handle once, and raises nothing",
                observed="; ".join(end.sentences),
                fix="Set a handle to None when you free it (self.handle = None), and check that in __del__.",
            ),
        )
    hand_over(subject, FREES)


@rule("DST-003", level=1, source=sources.DESTROY_NOEXCEPT, owns={METHOD})
def destroy_never_raises(subject: Subject) -> Iterator[Finding]:
    """``destroy`` does not raise, in any state, before or after its clones are destroyed.

    The bindings print the error and then never release the object.
    """
    for state, plugin in itertools.chain(in_every_state(subject), _relatives(subject), _never_ready(subject)):
        if has_ended(subject, plugin):
            continue  # clone returned what has ended, which CLN-001 reports
        failures = failures_at_the_end(subject, plugin)
        wrong = next((failure for failure in failures if failure.method == METHOD), None)
        if wrong is not None:
            stop_for_want_of_a_gpu(wrong)
        elif failures:
            raise_for(failures[0])
        yield check(
            wrong is None,
            lambda: Violation(
                what=f"destroy {wrong.what if wrong else ''}",
                where=f"an object that is {state}",
                expected="destroy returns",
                observed=f"it {wrong.what}; {wrong.becomes}" if wrong else "",
                fix="Release in destroy() only what was acquired, and check a handle before you free it.",
            ),
        )
        if wrong is not None:
            return  # other states would only say it again


@rule("DST-004", languages=PYTHON, source=sources.DESTROY_OBSERVED, severity=Severity.WARNING)
def an_unadopted_plugin_leaves_nothing(subject: Subject) -> Iterator[Finding]:
    """A plugin that is created and dropped releases what it holds without a call of ``destroy``.

    TensorRT destroys only the plugins of its networks and engines. Garbage collection does not call ``destroy``.
    """
    subject.create()  # what a library acquires once is no leak
    before = holdings(subject)
    subject.create()
    grown = growth_since(before, subject)
    yield check(
        not grown,
        lambda: Violation(
            what=f"a plugin that was created and dropped still holds {', '.join(grown)}",
            where="create_plugin, then garbage collection, without destroy",
            expected="no resource is held",
            observed=f"{', '.join(grown)} more than before",
            fix="Acquire in initialize, or release in __del__ as well (weakref.finalize does both).",
        ),
    )


@rule("DST-005", drives=True, source=sources.DESTROY_ORIGINAL, requires=CLONES | ENGINES, interfaces=VERSION_2)
def the_engine_outlives_the_original(subject: Subject) -> Iterator[Finding]:
    """The engine works after the application has destroyed the object that it gave to the network.

    The application may do so as soon as the engine is built. Clones must not use what it frees.
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
        yield check(
            not observed,
            lambda: Violation(
                what="the engine does not work once the original plugin is destroyed",
                where=f"context {execution.context}, input shapes {list(execution.shapes)}",
                expected="the outputs of an engine whose original is alive",
                observed=observed,
                fix="Let each clone own its resources, or count the users of shared resources.",
            ),
        )


@rule(
    "DST-006",
    languages=PYTHON,
    source=sources.DESTROY_DERIVED,
    severity=Severity.WARNING,
    interfaces=VERSION_2,
    requires=CLONES | {"CRE-012"},
)
def destroyed_plugins_are_collectable(subject: Subject) -> Iterator[Finding]:
    """Python collects a destroyed plugin.

    Module-level lists, caches keyed by object, and running threads keep plugins alive, and all that they hold. (The
    bindings never release an IPluginV3 that was asked for a capability; the rule does not count that.)
    """
    for name, reference in _weak_references(subject).items():
        yield check(
            is_gone(reference),
            lambda: Violation(
                what=f"a destroyed plugin is still alive: {name}",
                where="after destroy and garbage collection",
                expected="no references to the object",
                observed=f"referred to by {_referrers(reference())}",
                fix="Do not keep plugins in module or class attributes; use weak references if you need a list.",
            ),
        )


@rule("DST-007", drives=True, source=sources.DESTROY_BALANCE, requires=CLONES | ENGINES)
def each_object_is_destroyed_once(subject: Subject) -> Iterator[Finding]:
    """Each object that TensorRT owns is destroyed exactly once.

    TensorRT destroys its objects. A plugin that destroys its clones itself destroys them a second time.
    """
    if not defines(type(subject.create()), METHOD):
        raise NotApplicable("the plugin does not override destroy")
    with counting_calls(METHOD) as counts:
        completed(subject)
    for count in counts.values():
        yield check(
            count.calls == 1,
            lambda: Violation(
                what=f"destroy ran {count.calls} times on one object",
                where="build, deserialization, two contexts, and the end of all of them",
                expected=f"once on each of {len(counts)} objects",
                observed=f"{count.calls} times on {subject.gate.name_of(count.plugin)}",
                fix="Release in destroy() what the object itself holds, and do not call destroy() of other plugins.",
            ),
        )


_BUILT = {"fresh": lambda driver: driver, "configured": Driver.configure_for_build}


def _relatives(subject: Subject) -> Iterator[tuple[str, Any]]:
    """Yield objects of a build with their clones, which builders destroy in any order."""
    for state, make in _BUILT.items():
        source = make(Driver(subject, subject.create())).plugin
        clone = subject.clone(source)
        yield f"{state}, with a clone that is still there", source
        yield f"a clone of an object that was {state} and is gone", clone


def _never_ready(subject: Subject) -> Iterator[tuple[str, Any]]:
    """Yield objects that could not be made ready to run: the device is out of memory at each allocation."""
    for left in range(_SHORTAGES):
        plugin = Driver(subject, subject.create()).configure_for_build().plugin
        with subject.device.shortage.after(left), leniently(subject.gate) as failures:
            subject.caller.make_ready(subject.gate, plugin)
        if not failures:
            return  # it needs no more memory than that
        how = f"{subject.caller.words.ready} ran out of memory at allocation {left + 1}"
        yield f"configured, where {how}", plugin


def _used_pair(subject: Subject, step: int = 1) -> list[Any]:
    """Return a plugin that has run, its clone that has run, and last the object that they were attached from."""
    shapes = best_shapes(subject.case)
    driver = fresh_driver(subject)
    driver.run(shapes)
    clone = driver.clone()
    clone.run(shapes)
    sources = [source for source in (clone.source, driver.source) if source is not None]
    return [*[driver.plugin, clone.plugin][::step], *sources]


def _use_and_destroy(subject: Subject) -> None:
    ending(subject, lambda: _used_pair(subject, -1)).insist()


def _weak_references(subject: Subject) -> dict[str, weakref.ref[object]]:
    pair = _used_pair(subject)
    portrait(subject, pair[0], ("output types", "serialized form"))
    restored = subject.deserialize(subject.serialize(pair[1]))
    family = {"the original": pair[0], "its clone": pair[1], "one that was made of its data": restored}
    references = {name: weakref.ref(plugin) for name, plugin in family.items()}
    everything = list(family.values())[::-1]
    family.clear()
    pair.clear()
    del restored
    ending(subject, lambda: [everything.pop() for _ in tuple(everything)]).insist()
    return references


def _insist_on_repeatability(subject: Subject, executions: list[DriveExecution]) -> None:
    again = completed(subject, original=Original.LAST_OF_ALL).executions
    if any(_difference(*pair) for pair in zip(again, executions, strict=True)):
        raise NotRun("two engines compute different results from the same inputs: the rule cannot compare")


def _is_usual(subject: Subject, execution: DriveExecution) -> bool:
    """Return whether an engine computed what the case's reference or, without one, a new plugin alone computes."""
    if execution.outputs is not None and subject.case.reference is not None:
        return not ReferenceExecution(subject).difference(execution.shapes, execution.inputs, execution.outputs)
    run = usual_run(subject, execution.shapes)
    return (
        execution.outputs is not None
        and run.failure is None
        and first_difference(execution.outputs, run.outputs) is None
        and first_difference(execution.inputs, run.inputs) is None
    )


def _difference(execution: DriveExecution, reference: DriveExecution) -> str:
    difference = first_difference(execution.outputs or [], reference.outputs or [])
    return "" if difference is None else str(difference)


def _referrers(plugin: object) -> str:
    kinds = [type(each).__name__ for each in gc.get_referrers(plugin) if type(each).__name__ != "frame"]
    return ", ".join(kinds) or "an object that Python cannot name"


@rule(
    "DST-008",
    source=sources.DESTROY_ATTACHED,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=CLONES | {"RES-010"},
)
def contexts_leave_nothing_behind(subject: Subject) -> Iterator[Finding]:
    """An attached plugin releases what it holds when its context ends, and does not wait for the engine.

    A server makes and drops contexts for as long as it runs. The rule looks at device memory, files and threads.
    It also looks for objects that the engine's object, its capabilities, the creator, classes and modules keep.
    """
    shapes = best_shapes(subject.case)
    source = Driver(subject, subject.deserialize(subject.serialize(subject.create())))
    for _ in range(2):
        _in_a_context(source, shapes)  # what is prepared once is no leak
    before, kept = holdings(subject), _kept_alive(source)
    for _ in range(_CONTEXTS):
        _in_a_context(source, shapes)
    grown = growth_since(before, subject)
    more = max(now - then for now, then in zip(_kept_alive(source), kept, strict=True))
    grown += [f"{more} references to objects"] if more >= _CONTEXTS else []
    yield check(
        not grown,
        lambda: Violation(
            what=f"after {_CONTEXTS} contexts have ended, the plugin still holds {', '.join(grown)}",
            where="attach_to_context, on_shape_change, enqueue, destroy; again and again on one engine",
            expected="the plugin holds no object of an ended context",
            observed=", ".join(grown),
            fix="Release all resources in destroy() of the attached object, and keep none of them in its source.",
        ),
    )


def _kept_alive(source: Driver) -> tuple[int, int]:
    """Return the number of references in objects that live as long as the engine, and in those that always live."""
    plugin, creator = source.plugin, source.subject.creator
    parts = capabilities(source.subject, plugin, OF_AN_ENGINE)
    shared = SharedThings(plugin, creator).values()
    return references_from([plugin, *parts.values(), creator]), references_from([shared])


def _in_a_context(source: Driver, shapes: tuple[tuple[int, ...], ...]) -> None:
    """Attach a plugin, run the attached object, and destroy that."""
    driver = source.of(source.plugin).initialize()
    driver.run(shapes, conditions=LENIENT)
    with strictly(driver.gate):
        driver.caller.destroy(driver.gate, driver.plugin)
