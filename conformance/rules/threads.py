"""THR: threads; the switches between them are at chosen places, so that a verdict does not depend on chance."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, CONFIGURES, REPEATS
from conformance.sources import plugins
from harness.checks.engines.resources import Register, copy_of, whole_life
from harness.checks.formats.choices import chosen_combinations, default_combination
from harness.checks.formats.formats import Asker
from harness.checks.formats.recorded_answers import RecordedAnswers, all_questions
from harness.checks.lifecycle.parameters import with_other_parameters
from harness.checks.lifecycle.queries import two_ways_of_asking
from harness.checks.observation.own_code import OwnCode
from harness.checks.observation.shared_state import SharedThings, rewritten
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import deviation, usual_run
from harness.checks.sampling.sampling import best_shapes, other_shapes
from harness.checks.threads.guarded_writes import written_without_a_lock
from harness.checks.threads.line_interleaving import Switches, attempted
from harness.contract.finding import CallbackFailedError, Finding, NotRun, Violation, check
from harness.contract.rule import (
    ALL_INTERFACES,
    FORMAT_QUERYING,
    INITIALIZED,
    VERSION_2,
    VERSION_3,
    Interface,
    Severity,
    rule,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.checks.engines.resources import Life
    from harness.checks.formats.formats import Combination, Question
    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.checks.threads.line_interleaving import Done
    from harness.subject.subject import Subject

#: To use objects again and again, and clones beside each other, without any switch.
REPEATED = {"CFG-008", "CFG-009", "CLN-006", "CLN-007", "INI-007"}
#: Interfaces of which each context has a clone.
CLONED = ALL_INTERFACES - {Interface.V2}
OWN_STATE = "Keep the data of a call in local variables, or hold a lock while they are in an attribute."


@rule(
    "THR-001",
    source=plugins.THREAD_QUERIES,
    requires=CONFIGURES | {"FMT-002", "OUT-007", "SER-002", "SHP-006"},
    interfaces=VERSION_2,
)
def queries_may_come_from_several_threads(subject: Subject) -> Iterator[Finding]:
    """Queries give the same answers when several threads ask the same object at once.

    TensorRT may ask one object from several threads. The rule asks for output types, output shapes, formats and
    serialization. It interrupts each query at each of its lines by all other queries.
    """
    plugin = subject.create()
    usual, others = two_ways_of_asking(subject, plugin)
    expected_answers = {question: query() for question, query in usual.items()}
    answers = [query() for query in others.values()]
    threads = Switches(plugin)
    for question, query in usual.items():
        problems = (functools.partial(_otherwise, expected_answers[question]), functools.partial(_otherwise, answers))
        work = threads.disturbances(query, lambda: [other() for other in others.values()], problems, most=6)
        for where, problem in work:
            yield check(
                not problem,
                lambda: Violation(
                    what="a query gave another answer because another thread asked, too",
                    where=f"{question}, interrupted in {where}",
                    expected="the answers that each thread gets alone",
                    observed=problem,
                    fix=OWN_STATE,
                ),
            )


@rule("THR-002", source=plugins.THREAD_SHARED, interfaces={Interface.V2}, requires=REPEATS | REPEATED)
def one_object_serves_several_contexts(subject: Subject) -> Iterator[Finding]:
    """Several contexts can run one ``IPluginV2`` object at once.

    The contexts of an engine have no clones of it. The rule interrupts one execution at each of its lines by another
    execution, with another batch and other memory.
    """
    best = best_shapes(subject.case)
    shapes = (best, other_shapes(subject.case, best, seed=subject.seed))
    driver = fresh_driver(subject)
    salts = ("first", "second")
    data = [driver.tensors.draw(each, salt) for each, salt in zip(shapes, salts, strict=True)]
    alone = [usual_run(subject, each, salt=salt).insist() for each, salt in zip(shapes, salts, strict=True)]
    for where, difference in Switches(driver.plugin).disturbances(
        lambda: driver.run(shapes[0], data[0]),
        lambda: driver.run(shapes[1], data[1]),
        (lambda done: _unlike(driver, done, alone[0]), lambda done: _unlike(driver, done, alone[1])),
    ):
        yield check(
            not difference,
            lambda: Violation(
                what="two contexts that run one shared object disturb each other",
                where=f"inputs {list(shapes[0])}, interrupted in {where} by inputs {list(shapes[1])}",
                expected="the outputs of each alone",
                observed=difference,
                fix=f"{OWN_STATE} Use the workspace for scratch memory.",
            ),
        )


@rule("THR-003", source=plugins.THREAD_CONTEXTS, interfaces=CLONED, requires=CLONES | REPEATED)
def contexts_run_concurrently(subject: Subject) -> Iterator[Finding]:
    """Objects of different contexts can run at the same time.

    Each context has a clone, and may run in its own thread. The rule interrupts one object at each of its lines,
    and configures and runs the other object at other shapes.
    """
    best = best_shapes(subject.case)
    shapes = (best, other_shapes(subject.case, best, seed=subject.seed))
    source = fresh_driver(subject)
    first, second = source.clone(), source.clone()
    salts = ("first", "second")
    data = [source.tensors.draw(each, salt) for each, salt in zip(shapes, salts, strict=True)]
    alone = [usual_run(subject, each, salt=salt).insist() for each, salt in zip(shapes, salts, strict=True)]
    for where, difference in Switches(source.plugin).disturbances(
        lambda: first.run(shapes[0], data[0]),
        lambda: second.run(shapes[1], data[1]),
        (lambda done: _unlike(first, done, alone[0]), lambda done: _unlike(second, done, alone[1])),
    ):
        yield check(
            not difference,
            lambda: Violation(
                what="two contexts that run at once disturb each other",
                where=f"inputs {list(shapes[0])}, interrupted in {where} by inputs {list(shapes[1])}",
                expected="the outputs of each alone",
                observed=difference,
                fix="Give each clone its own buffers, not in a class or module, and not shared with the source.",
            ),
        )


@rule("THR-004", source=plugins.THREAD_CLONE, requires=CLONES | REPEATED)
def clone_works_while_others_clone_and_run(subject: Subject) -> Iterator[Finding]:
    """``clone`` can run while other objects run or are cloned.

    An application may create contexts in several threads, while others run.
    """
    shapes = best_shapes(subject.case)
    source = fresh_driver(subject)
    context, alone = source.clone(), usual_run(subject, shapes).insist()
    works = {"clone": source.clone, "enqueue": lambda: context.run(shapes)}
    threads = Switches(source.plugin)

    def problem(done: Done) -> str:
        return _unlike(source, _run(done, shapes), alone)

    for name, other in (("clone", "clone"), ("clone", "enqueue"), ("enqueue", "clone")):
        for where, difference in threads.disturbances(works[name], works[other], (problem, problem), most=8):
            yield check(
                not difference,
                lambda: Violation(
                    what="a clone that is made while another thread clones or runs does not work",
                    where=f"{name} interrupted in {where} by {other}; input shapes {list(shapes)}",
                    expected="the outputs of a plugin without other threads",
                    observed=difference,
                    fix="Read the source in clone(), and change nothing in it, not even for a moment.",
                ),
            )


@rule("THR-005", source=plugins.THREAD_ENGINES, interfaces=INITIALIZED, requires=CLONES | REPEATED | {"THR-006"})
def engines_may_begin_and_end_at_once(subject: Subject) -> Iterator[Finding]:
    """``initialize`` and ``terminate`` of different objects may overlap.

    An application may load one engine in one thread while it loads or drops another engine in another thread.
    """
    shapes = best_shapes(subject.case)
    alone, first = usual_run(subject, shapes).insist(), Driver(subject, subject.create())
    for switch in Switches(subject.create()).between(
        lambda: fresh_driver(subject).terminate(), lambda: fresh_driver(subject)
    ):
        other = switch.second.value
        difference = switch.first.failure or _unlike(first, _run(switch.second, shapes), alone)
        yield check(
            not difference,
            lambda: Violation(
                what="initialize and terminate of one object disturb initialize of another object",
                where=f"initialize and terminate, interrupted in {switch.where} by initialize of another object",
                expected="the outputs of a plugin without other threads",
                observed=difference,
                fix="Guard shared state, such as a count of users, with a lock.",
            ),
        )
        if isinstance(other, Driver):
            attempted(other.terminate)


@rule("THR-006", source=plugins.THREAD_CREATOR, interfaces=VERSION_2, requires=CLONES | {"CRE-013"})
def creators_may_be_used_by_several_threads(subject: Subject) -> Iterator[Finding]:
    """One creator makes plugins for several threads at once.

    The process has one creator, and any thread may build a network or load an engine.
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
    """One creator of ``IPluginV3`` objects makes plugins for several threads at once.

    The headers of these creators do not mention threads. Several threads may use the registry, and so they may use
    the creators in it.
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

    Several threads may acquire resources at once. The rule interrupts one clone at each of its lines by another clone
    of the same object. Then it uses and releases one clone, and after it the other.
    """
    life = whole_life(subject).insist()
    for key, template in life.register.templates().items():
        for switch in Switches(template).between(
            lambda: copy_of(subject, template), lambda: copy_of(subject, template)
        ):
            clones = [done.value for done in (switch.first, switch.second)]
            failure = switch.first.failure or switch.second.failure or _use_in_turn(subject, key, clones, life)
            yield check(
                not failure,
                lambda: Violation(
                    what="two threads clone a resource at once, and the clones do not work",
                    where=f"IPluginResource.clone, interrupted in {switch.where} by another clone of the same object",
                    expected="clones that work independently",
                    observed=failure,
                    fix="Keep the data of clone() in local variables, and guard shared state with a lock.",
                ),
            )


@rule(
    "THR-009",
    source=plugins.THREAD_STATE,
    interfaces=ALL_INTERFACES,
    severity=Severity.WARNING,
    requires=CLONES | {"CRE-004"},
)
def state_belongs_to_the_instance(subject: Subject) -> Iterator[Finding]:
    """The plugin writes shared state once, or under a lock, and not in every use.

    A cache that the first use fills does no harm. But another thread may read a class, a module, the creator or a
    closure while each use writes to it. The rule first uses the plugin at two shapes and with two types. Then it uses
    them in turn, and asks for accepted and refused formats at each position.
    """
    best = best_shapes(subject.case)
    shapes = (best, other_shapes(subject.case, best, seed=subject.seed))
    driver = _used(subject, best)
    own = OwnCode(subject.creator, driver.plugin)
    questions = _questions(subject)
    turns = [
        functools.partial(_used, subject, shapes[0], questions),
        functools.partial(_used, subject, shapes[1], questions[::-1]),
    ]
    other = _of_other_types(subject, best)
    if other is not None:
        use_of_other_types = functools.partial(_used, subject, best, questions, other)
        failure = attempted(use_of_other_types).failure
        if not failure:
            turns.append(use_of_other_types)
        if not failure or not attempted(functools.partial(_used, subject, best, (), other)).failure:
            yield check(not failure, lambda: _mixed_up(other, failure))  # else it fails alone: other rules report that
    for use in turns:
        use()
    shared = SharedThings(driver.plugin, subject.creator, own.modules())
    before, changed, unguarded = shared.look(), dict[str, None](), dict[str, None]()
    for use in turns:
        use()
        before, earlier = shared.look(), before
        changed.update(dict.fromkeys(rewritten(earlier, before)))
    for use in turns if changed else ():
        unguarded.update(dict.fromkeys(written_without_a_lock(own, shared, changed, use)))
    yield check(
        not unguarded,
        lambda: Violation(
            what=f"the plugin writes to {', '.join(unguarded)} each time that it is used",
            where="create_plugin, format query, configure_plugin, initialize, enqueue, clone; again, with shapes that "
            "it has seen",
            expected="classes, modules and the creator hold what they held before, or are written under a lock",
            observed=f"{next(iter(unguarded))} holds something else",
            fix="Keep the data in the instance, or in a local variable.",
        ),
    )


def _questions(subject: Subject) -> list[Question]:
    """Return a format question that the plugin answers with yes, and then some that it answers with no."""
    if subject.interface not in FORMAT_QUERYING:
        return []
    record, questions = RecordedAnswers(subject), all_questions(subject)
    accepted = [question for question in questions if record.reply(question).outcome is True]
    refused = [question for question in questions if record.reply(question).outcome is False]
    linear = [question for question in refused if question.form[1] == subject.trt.TensorFormat.LINEAR]
    places = [
        next((question for question in group if question.pos == pos), None)
        for pos in sorted({question.pos for question in accepted})
        for group in (accepted, linear)
    ]
    return [*accepted[:1], *refused[:2], *linear[:4], *filter(None, places)]


def _mixed_up(combination: Combination, failure: str) -> Violation:
    return Violation(
        what="a plugin fails where another object of its class is made after it was configured",
        where=f"{combination}; create_plugin and the format query of another plugin, then enqueue",
        expected="what it computes where no other plugin is made",
        observed=failure,
        fix="Keep in the instance, and not in the class or the module, what configure_plugin learns.",
    )


def _of_other_types(subject: Subject, shapes: Shapes) -> Combination | None:
    """Return a combination whose types differ from the usual types and that runs; None if none exists."""
    usual = default_combination(subject)
    for combination in chosen_combinations(subject, 2):
        if combination.forms != usual.forms:
            with contextlib.suppress(CallbackFailedError, NotRun):
                return combination if usual_run(subject, shapes, combination).failure is None else None
    return None


def _used(
    subject: Subject, shapes: Shapes, questions: Sequence[Question] = (), combination: Combination | None = None
) -> Driver:
    """Let a new plugin and a clone of it live through everything once; return the plugin."""
    driver = fresh_driver(subject, combination)
    if questions:
        asker = Asker(subject, subject.create())
        for question in questions:
            asker.outcome(question)
    driver.run(shapes)
    driver.clone().run(shapes)
    return driver


def _creation_at_once(subject: Subject) -> Iterator[Finding]:
    """Judge two plugins of different fields that two threads make at once."""
    other = next(with_other_parameters(subject), subject)
    expected_data = [each.serialize(each.create()) for each in (subject, other)]
    for switch in Switches(subject.creator).between(subject.create, other.create):
        failures = [done.failure for done in (switch.first, switch.second) if done.failure]
        seen = [] if failures else [subject.serialize(done.value) for done in (switch.first, switch.second)]
        yield check(
            seen == expected_data,
            lambda: Violation(
                what="create_plugin makes another plugin when another thread calls it, too",
                where=f"interrupted in {switch.where}; the other thread asks for {_shown(other)}",
                expected="the same plugins as in one thread",
                observed=failures[0] if failures else "a plugin with other parameters",
                fix="Keep in local variables what create_plugin reads, not in the creator.",
            ),
        )


def _use_in_turn(subject: Subject, key: str, clones: list[Any], usual: Life) -> str:
    """Let the plugin use each clone of its resource for the last time; return in words what went wrong."""
    for clone in clones:
        life = whole_life(subject, Register(functools.partial(_handed_out, subject, key, [clone])))
        new = [each.what for each in life.failures if each.what not in {known.what for known in usual.failures}]
        if new:
            return new[0]
        for run, expected_run in zip(life.runs, usual.runs, strict=True):
            if difference := deviation(usual.driver, run, expected_run.insist()):
                return difference
    return ""


def _handed_out(subject: Subject, key: str, handed: list[Any], requested_key: str, offered: Any) -> Any:
    """Return the objects to hand out under a key, and clones of objects that are offered later or elsewhere."""
    return handed.pop() if handed and requested_key == key else copy_of(subject, offered)


def _shown(subject: Subject) -> str:
    return ", ".join(str(value) for value in subject.fields) or "the same"


def _run(done: Done, shapes: Shapes) -> Done:
    """Return what a clone computes that was made; a run as it is."""
    return attempted(lambda: done.value.run(shapes)) if isinstance(done.value, Driver) else done


def _otherwise(expected_answer: Any, done: Done) -> str:
    return done.failure or ("" if done.value == expected_answer else f"{done.value}, and not {expected_answer}")


def _unlike(driver: Driver, done: Done, alone: Run) -> str:
    return done.failure or deviation(driver, done.value, alone)
