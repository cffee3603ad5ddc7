"""THR: threads; the switches between them are at chosen places, so that a verdict does not depend on chance."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, CONFIGURES, REPEATS
from conformance.sources import plugins
from harness.checks.engines.resources import Register, copy_of, whole_life
from harness.checks.lifecycle.parameters import with_other_parameters
from harness.checks.lifecycle.queries import two_ways_of_asking
from harness.checks.observation.shared_state import rewritten, shared_state
from harness.checks.running.driver import Driver, fresh_bench
from harness.checks.running.runs import deviation, usual_run
from harness.checks.sampling.sampling import best_shapes, other_shapes
from harness.checks.threads.line_interleaving import Switches, attempted
from harness.contract.finding import Finding, Violation, judged
from harness.contract.rule import ALL_INTERFACES, INITIALIZED, VERSION_2, VERSION_3, Interface, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.engines.resources import Life
    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.threads.line_interleaving import Done
    from harness.subject.subject import Subject

#: To use objects again and again, and clones beside each other, without any switch.
REPEATED = {"CFG-008", "CFG-009", "CLN-006", "CLN-007", "INI-007"}
#: Interfaces of which each context has a clone.
CLONED = ALL_INTERFACES - {Interface.V2}
OWN_STATE = "Keep what a call needs in local variables, or hold a lock while it is in an attribute."


@rule(
    "THR-001",
    source=plugins.THREAD_QUERIES,
    requires=CONFIGURES | {"FMT-002", "OUT-007", "SER-002", "SHP-006"},
    interfaces=VERSION_2,
)
def queries_may_come_from_several_threads(subject: Subject) -> Iterator[Finding]:
    """Queries may come from several threads at once on the same object.

    Output types, output shapes, format questions and serialization; each query is interrupted at each of its lines by
    all the others.
    """
    plugin = subject.create()
    usual, others = two_ways_of_asking(subject, plugin)
    wanted = {asked: query() for asked, query in usual.items()}
    answers = [query() for query in others.values()]
    threads = Switches(plugin)
    for asked, query in usual.items():
        for switch in threads.between(query, lambda: [other() for other in others.values()], most=6):
            first = switch.first.failure or ("" if switch.first.value == wanted[asked] else str(switch.first.value))
            second = switch.second.failure or ("" if switch.second.value == answers else str(switch.second.value))
            yield judged(
                not first and not second,
                lambda: Violation(
                    what="a query was answered otherwise because another thread asked, too",
                    where=f"{asked}, interrupted in {switch.where}",
                    expected=str(wanted[asked] if first else answers),
                    observed=first or second,
                    fix=OWN_STATE,
                ),
            )


@rule("THR-002", source=plugins.THREAD_SHARED, interfaces={Interface.V2}, requires=REPEATS | REPEATED)
def one_object_serves_several_contexts(subject: Subject) -> Iterator[Finding]:
    """An ``IPluginV2`` guards what its executions share: one object is run by several contexts at once.

    The contexts of an engine have no clones of it. One execution is interrupted at each of its lines by another one,
    of another batch and with other memory.
    """
    best = best_shapes(subject.case)
    shapes = (best, other_shapes(subject.case, best, seed=subject.seed))
    bench = fresh_bench(subject)
    salts = ("first", "second")
    data = [bench.draw(each, salt) for each, salt in zip(shapes, salts, strict=True)]
    alone = [usual_run(subject, each, salt=salt).insist() for each, salt in zip(shapes, salts, strict=True)]
    for switch in Switches(bench.plugin).between(
        lambda: bench.run(shapes[0], data[0]), lambda: bench.run(shapes[1], data[1])
    ):
        difference = _unlike(bench, switch.first, alone[0]) or _unlike(bench, switch.second, alone[1])
        yield judged(
            not difference,
            lambda: Violation(
                what="two contexts that run the object which they share disturb each other",
                where=f"inputs {list(shapes[0])}, interrupted in {switch.where} by inputs {list(shapes[1])}",
                expected="what each computes alone",
                observed=difference,
                fix=f"{OWN_STATE} Scratch memory is what the workspace is for.",
            ),
        )


@rule("THR-003", source=plugins.THREAD_CONTEXTS, interfaces=CLONED, requires=CLONES | REPEATED)
def contexts_run_concurrently(subject: Subject) -> Iterator[Finding]:
    """Objects that belong to different contexts can run concurrently.

    Each context has a clone, and may be executed by a thread of its own; one is interrupted at each of its lines, while
    the other is configured and run at other shapes.
    """
    best = best_shapes(subject.case)
    shapes = (best, other_shapes(subject.case, best, seed=subject.seed))
    source = fresh_bench(subject)
    first, second = source.clone(), source.clone()
    salts = ("first", "second")
    data = [source.draw(each, salt) for each, salt in zip(shapes, salts, strict=True)]
    alone = [usual_run(subject, each, salt=salt).insist() for each, salt in zip(shapes, salts, strict=True)]
    for switch in Switches(source.plugin).between(
        lambda: first.run(shapes[0], data[0]), lambda: second.run(shapes[1], data[1])
    ):
        difference = _unlike(first, switch.first, alone[0]) or _unlike(second, switch.second, alone[1])
        yield judged(
            not difference,
            lambda: Violation(
                what="two contexts that run at once disturb each other",
                where=f"inputs {list(shapes[0])}, interrupted in {switch.where} by inputs {list(shapes[1])}",
                expected="what each computes alone",
                observed=difference,
                fix="Give each clone buffers of its own; keep none in a class, a module, or shared with the source.",
            ),
        )


@rule("THR-004", source=plugins.THREAD_CLONE, requires=CLONES | REPEATED)
def clone_works_while_others_clone_and_run(subject: Subject) -> Iterator[Finding]:
    """``clone`` can run while other objects are executing or being cloned.

    An application may create contexts in several threads, while others run.
    """
    shapes = best_shapes(subject.case)
    source = fresh_bench(subject)
    context, alone = source.clone(), usual_run(subject, shapes).insist()
    works = {"clone": source.clone, "enqueue": lambda: context.run(shapes)}
    threads = Switches(source.plugin)
    for name, other in (("clone", "clone"), ("clone", "enqueue"), ("enqueue", "clone")):
        for switch in threads.between(works[name], works[other], most=8):
            both = [_run(done, shapes) for done in (switch.first, switch.second)]
            difference = _unlike(source, both[0], alone) or _unlike(source, both[1], alone)
            yield judged(
                not difference,
                lambda: Violation(
                    what="a clone that is made while another thread clones or runs does not work",
                    where=f"{name} interrupted in {switch.where} by {other}; input shapes {list(shapes)}",
                    expected="what a plugin computes that nobody disturbs",
                    observed=difference,
                    fix="Let clone read its source only; change nothing in it, not even for a moment.",
                ),
            )


@rule("THR-005", source=plugins.THREAD_ENGINES, interfaces=INITIALIZED, requires=CLONES | REPEATED)
def engines_may_begin_and_end_at_once(subject: Subject) -> Iterator[Finding]:
    """``initialize`` and ``terminate`` of different objects may overlap.

    An application may load one engine in one thread, while it loads or drops another one in another thread.
    """
    shapes = best_shapes(subject.case)
    alone, first = usual_run(subject, shapes).insist(), Driver(subject, subject.create())
    for switch in Switches(subject.create()).between(
        lambda: fresh_bench(subject).terminate(), lambda: fresh_bench(subject)
    ):
        other = switch.second.value
        difference = switch.first.failure or _unlike(first, _run(switch.second, shapes), alone)
        yield judged(
            not difference,
            lambda: Violation(
                what="an object that begins and ends disturbs one that is initialized meanwhile",
                where=f"initialize and terminate, interrupted in {switch.where} by initialize of another object",
                expected="what a plugin computes that nobody disturbs",
                observed=difference,
                fix="Guard what objects share, such as a count of users, with a lock.",
            ),
        )
        if isinstance(other, Driver):
            attempted(other.terminate)


@rule("THR-006", source=plugins.THREAD_CREATOR, interfaces=VERSION_2, requires=CLONES | {"CRE-013"})
def creators_may_be_used_by_several_threads(subject: Subject) -> Iterator[Finding]:
    """One creator makes plugins for several threads at once.

    There is one creator in the process, and any thread may build a network or load an engine.
    """
    yield from _creation_at_once(subject)


@rule(
    "THR-007",
    source=plugins.THREAD_V3,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=CLONES | {"CRE-013", "SER-009"},
)
def creators_of_version_3_may_be_used_by_several_threads(subject: Subject) -> Iterator[Finding]:
    """One creator makes plugins for several threads at once, also in version 3.

    The headers of version 3 say nothing of threads. The registry may be used by several of them, and so may what is
    registered there.
    """
    yield from _creation_at_once(subject)


@rule(
    "THR-008",
    source=plugins.RESOURCE_THREADS,
    interfaces=VERSION_3,
    requires=CLONES | REPEATED - {"INI-007"} | {"RES-001", "RES-002"},
)
def resources_may_be_cloned_by_several_threads(subject: Subject) -> Iterator[Finding]:
    """``IPluginResource.clone`` may run in several threads at once; ``release`` need not.

    One clone is interrupted at each of its lines by another one of the same object. Then one is used and released, and
    after it the other.
    """
    life = whole_life(subject).insist()
    for key, template in life.register.templates().items():
        for switch in Switches(template).between(
            lambda: copy_of(subject, template), lambda: copy_of(subject, template), most=8
        ):
            clones = [done.value for done in (switch.first, switch.second)]
            failure = switch.first.failure or switch.second.failure or _use_in_turn(subject, key, clones, life)
            yield judged(
                not failure,
                lambda: Violation(
                    what="a resource that two threads clone at once gives clones that do not work",
                    where=f"IPluginResource.clone, interrupted in {switch.where} by another clone of the same object",
                    expected="clones that work one without the other",
                    observed=failure,
                    fix="Keep what clone() needs in local variables, and guard what all resources share with a lock.",
                ),
            )


@rule("THR-009", source=plugins.THREAD_STATE, interfaces=ALL_INTERFACES, severity=Severity.WARNING, requires=CLONES)
def state_belongs_to_the_instance(subject: Subject) -> Iterator[Finding]:
    """State is kept per instance: what is shared is written once, and not in every use.

    A cache that the first use fills is nobody's harm; what each use writes to a class or a module, another thread may
    be reading.
    """
    shapes = best_shapes(subject.case)
    fresh_bench(subject).run(shapes)
    bench = fresh_bench(subject)
    before = shared_state(bench.plugin)
    bench.run(shapes)
    bench.clone().run(shapes)
    another = fresh_bench(subject)
    another.run(shapes)
    changed = rewritten(before, shared_state(bench.plugin))
    yield judged(
        not changed,
        lambda: Violation(
            what=f"the plugin writes to {', '.join(changed)} each time that it is used",
            where="create_plugin, configure_plugin, initialize, enqueue, clone; again, with the same shapes",
            expected="classes and modules hold what they held before",
            observed=f"{changed[0]} holds something else",
            fix="Keep it in the instance, or in a local variable.",
        ),
    )


def _creation_at_once(subject: Subject) -> Iterator[Finding]:
    """Judge that plugins are what they should be which two threads have made at once, of different fields."""
    other = next(with_other_parameters(subject), subject)
    wanted = [each.serialize(each.create()) for each in (subject, other)]
    for switch in Switches(subject.creator).between(subject.create, other.create):
        failures = [done.failure for done in (switch.first, switch.second) if done.failure]
        seen = [] if failures else [subject.serialize(done.value) for done in (switch.first, switch.second)]
        yield judged(
            seen == wanted,
            lambda: Violation(
                what="create_plugin makes another plugin when another thread calls it, too",
                where=f"interrupted in {switch.where}; the other thread asks for {_shown(other)}",
                expected="the plugins that each thread gets alone",
                observed=failures[0] if failures else "a plugin with other parameters",
                fix="Keep what create_plugin reads in local variables, not in the creator.",
            ),
        )


def _use_in_turn(subject: Subject, key: str, clones: list[Any], usual: Life) -> str:
    """Let the plugin use clones of its resource, each once and for the last time; return in words what went wrong."""
    for clone in clones:
        life = whole_life(subject, Register(functools.partial(_handed_out, subject, key, [clone])))
        new = [each.what for each in life.failures if each.what not in {known.what for known in usual.failures}]
        if new:
            return new[0]
        for run, wanted in zip(life.runs, usual.runs, strict=True):
            if difference := deviation(usual.bench, run, wanted.insist()):
                return difference
    return ""


def _handed_out(subject: Subject, key: str, handed: list[Any], asked: str, offered: Any) -> Any:
    """Return what is to be handed out under a key, and clones of what is offered later or under other keys."""
    return handed.pop() if handed and asked == key else copy_of(subject, offered)


def _shown(subject: Subject) -> str:
    return ", ".join(str(value) for value in subject.fields) or "the same"


def _run(done: Done, shapes: Shapes) -> Done:
    """Return what a clone computes that was made; a run as it is."""
    return attempted(lambda: done.value.run(shapes)) if isinstance(done.value, Driver) else done


def _unlike(bench: Driver, done: Done, alone: Run) -> str:
    return done.failure or deviation(bench, done.value, alone)
