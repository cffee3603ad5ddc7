"""CLN: copies of a plugin, ``clone``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from conformance.prerequisites import CLONES, CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.engines.context_resources import CONTEXTS, two_contexts
from harness.checks.lifecycle.states import states
from harness.checks.lifecycle.static_answers import differences, portrait, usual_portrait
from harness.checks.observation.double_frees import wrong_frees
from harness.checks.observation.host_fallback import FREES, hand_over
from harness.checks.observation.resource_use import lasting_costs
from harness.checks.observation.tracking import holdings
from harness.checks.running.driver import Driver, fresh_bench
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import best_shapes, sample_shapes, two_shapes
from harness.contract.finding import Finding, NotApplicable, Violation, judged
from harness.contract.rule import INITIALIZED, VERSION_2, VERSION_3, Interface, Severity, rule
from harness.subject.calling import attempt, leniently, raise_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.lifecycle.static_answers import Portrait
    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.contract.finding import CallbackFailure
    from harness.subject.subject import Subject

METHOD = "clone"
#: What a plugin answers of its parameters; its native attributes are CLN-005's.
PARAMETERS = ("output types", "output shapes", "formats", "serialized form")
#: The same without the many questions for formats, where an object is asked again and again.
FEW = ("output types", "output shapes", "serialized form")


@rule("CLN-001", level=1, source=plugins.CLONE, requires=CONFIGURES)
def clone_is_another_object(subject: Subject) -> Iterator[Finding]:
    """``clone`` returns a new object, never itself and never an earlier clone.

    TensorRT destroys each object that it is given, and runs them side by side.
    """
    for state in ("fresh", subject.caller.words.ready_state):
        bench = states(subject)[state]()
        family = {"the object itself": bench.plugin}
        for name in ("the first clone", "the second clone"):
            plugin = bench.clone().plugin
            same = next((who for who, other in family.items() if other is plugin), "")
            yield judged(
                not same,
                lambda: Violation(
                    what=f"clone returned {same}",
                    where=f"{name} of an object that is {state}",
                    expected="an object of its own",
                    observed=f"{same}, {subject.gate.name_of(plugin)}, which TensorRT uses and destroys twice",
                    fix="Make a new object in every call of clone.",
                ),
            )
            family[name] = plugin


@rule("CLN-002", level=1, source=plugins.CLONE, requires=RUNS | {"CLN-001"})
def clone_has_the_same_parameters(subject: Subject) -> Iterator[Finding]:
    """The clone carries the same parameters as its source.

    Everything that TensorRT runs is a clone.
    """
    plugin = subject.create()
    copy, other = subject.clone(plugin), subject.clone(plugin)
    original = portrait(subject, plugin, PARAMETERS)
    found = differences(original, portrait(subject, copy, PARAMETERS))
    for asked in original:
        yield judged(
            all(asked != question for question, _, _ in found),
            lambda: _other_answer("a clone", *next(each for each in found if each[0] == asked)),
        )
    shapes, bench = best_shapes(subject.case), Driver(subject, other).prepare()
    unlike = deviation(bench, bench.run(shapes, surroundings=LENIENT), usual_run(subject, shapes).insist())
    yield judged(not unlike, lambda: _other_result("a clone of a fresh object", shapes, unlike))


@rule(
    "CLN-003",
    source=plugins.CLONE_INITIALIZED,
    interfaces=VERSION_2 - {Interface.V2},
    requires=RUNS | {"CLN-001", "CLN-002"},
)
def clone_of_an_initialized_plugin_is_initialized(subject: Subject) -> Iterator[Finding]:
    """A clone of an initialized plugin is usable without ``initialize``.

    Contexts run such clones, and TensorRT never initializes them.
    """
    source = fresh_bench(subject)
    for shapes in sample_shapes(subject.case, 1):
        wanted = usual_run(subject, shapes).insist()
        bench = source.clone()
        mishap = attempt("configure_plugin", lambda: bench.configure(shapes))
        unlike = _failed("configure_plugin", mishap) or deviation(
            bench, bench.enqueue(shapes, surroundings=LENIENT), wanted
        )
        yield judged(
            not unlike,
            lambda: Violation(
                what="a clone of an initialized plugin does not run",
                where=f"initialize, clone; on the clone configure_plugin and enqueue with {list(shapes)}",
                expected="what its source computes",
                observed=unlike,
                fix="Give the clone in clone() what initialize acquires, shared or of its own.",
            ),
        )


@rule("CLN-004", source=plugins.CLONE_CONFIGURED, requires=CLONES)
def clone_of_a_configured_plugin_is_configured(subject: Subject) -> Iterator[Finding]:
    """A clone of a configured plugin is configured in the same way.

    Judged is what the plugin itself keeps: the bindings' count of inputs starts anew in each object, and is lent to
    the clone, which is then asked for its workspace and run without a ``configure_plugin`` of its own.
    """
    bench = Driver(subject, subject.create())
    for shapes in sample_shapes(subject.case, 1):
        built = bench.of(subject.create()).configure_for_build()
        size = built.workspace_size(shapes)
        its = built.clone().workspace_size(shapes)
        yield judged(its == size, lambda: _unconfigured(shapes, f"{its} bytes of workspace", f"{size} bytes"))
        if subject.interface not in INITIALIZED:
            continue  # what runs in a context is prepared before it runs
        source = bench.another().configure(shapes)
        size = source.workspace_size(shapes)
        clone = source.clone().take_for_configured()
        its = clone.workspace_size(shapes)
        yield judged(its == size, lambda: _unconfigured(shapes, f"{its} bytes of workspace", f"{size} bytes"))
        unlike = deviation(clone, clone.enqueue(shapes, surroundings=LENIENT), usual_run(subject, shapes).insist())
        yield judged(not unlike, lambda: _unconfigured(shapes, unlike, "the outputs of its source"))


@rule("CLN-005", level=1, source=plugins.CLONE_ATTRIBUTES, requires=CONFIGURES | {"CLN-001"})
def clone_has_the_native_attributes(subject: Subject) -> Iterator[Finding]:
    """The clone has the native attributes of its source: type, version, namespace and number of outputs.

    They are not in ``__dict__``: copying that, or calling the base class's copy constructor, leaves them unset.
    Whether a namespace that was assigned from outside is inherited is ID-013.
    """
    for state, make in states(subject).items():
        bench = make()
        ours, its = (subject.caller.identity_of(subject.gate, each.plugin) for each in (bench, bench.clone()))
        for name, value in ours.items():
            yield judged(
                its[name] == value,
                lambda: Violation(
                    what=f"a clone's {name} is {its[name]!r}",
                    where=f"{name} of a clone of an object that is {state}",
                    expected=repr(value),
                    observed=f"{its[name]!r}: TensorRT reads {_as_read(its[name])}",
                    fix=f"Assign {name} on the clone; it is not in __dict__, and nothing else copies it.",
                ),
            )


@rule("CLN-006", level=1, source=plugins.CLONE_FAILED, requires=CONFIGURES, owns={METHOD})
def clone_gives_a_whole_plugin_or_none(subject: Subject) -> Iterator[Finding]:
    """``clone`` works, and where it cannot it returns None or raises: never a half-built object.

    TensorRT can deal with no clone, and cannot see that one is incomplete. The device is made to run out of memory
    at each allocation that ``clone`` makes.
    """
    for state, make in states(subject).items():
        mishap = attempt(METHOD, lambda: make().clone())
        yield judged(mishap is None, lambda: _no_clone(state, mishap))
    shapes = best_shapes(subject.case)
    for left in _shortages(subject):
        source = fresh_bench(subject)
        clones: list[Driver] = []
        with subject.device.shortage.after(left):
            mishap = attempt(METHOD, lambda: clones.append(source.of(subject.clone(source.plugin))))
        if not clones:
            yield judged(mishap is not None, lambda: _no_clone(subject.caller.words.ready_state, mishap))
            continue
        clone = clones[0].make_ready()
        unlike = deviation(clone, clone.run(shapes, surroundings=LENIENT), source.run(shapes))
        yield judged(
            not unlike,
            lambda: Violation(
                what="clone failed, and returned an object that does not work",
                where=f"clone with the device out of memory at allocation {left + 1}, then enqueue on the clone",
                expected="None, an exception, or a clone that works",
                observed=unlike,
                fix="Let the exception of the allocation pass, or return None.",
            ),
        )


@rule("CLN-007", source=plugins.CLONE_SHARED, requires=CLONES | {"CFG-004", "CLN-009"})
def clones_do_not_affect_each_other(subject: Subject) -> Iterator[Finding]:
    """Clones share only what never changes: configuring or running one never affects another.

    Each context has its clone, and they run at different shapes, one while the other is configured.
    """
    pair = two_shapes(subject.case)
    if pair is None:
        raise NotApplicable("the case has one shape only")
    bench = Driver(subject, subject.create())
    alone = {shapes: usual_run(subject, shapes).insist() for shapes in pair}
    for here, there in (pair, pair[::-1]):
        source = bench.another()
        one, other = source.clone(), source.clone()
        for name, first, second in (("two clones", one, other), ("source and clone", source, other)):
            first.configure(here)
            second.configure(there)
            for bench, shapes in ((second, there), (first, here)):
                unlike = deviation(bench, bench.enqueue(shapes, surroundings=LENIENT), alone[shapes])
                yield judged(not unlike, lambda: _disturbed(name, (here, there), shapes, unlike))
        third = one.configure(here).clone().configure(there)
        for bench, shapes in ((one, here), (third, there)):
            unlike = deviation(bench, bench.enqueue(shapes, surroundings=LENIENT), alone[shapes])
            yield judged(not unlike, lambda: _disturbed("a clone and its clone", (here, there), shapes, unlike))


@rule("CLN-008", source=plugins.CLONE_COUNTED, requires=CLONES | {"CLN-009"})
def what_is_shared_lives_as_long_as_it_is_used(subject: Subject) -> Iterator[Finding]:
    """Shared resources are counted: destroying a source or a clone leaves the others working.

    Contexts come and go while the engine stays, and the application destroys its own object once the engine is
    built. (A source that is initialized is not destroyed before its clones: contexts end before their engine.)
    """
    shapes, bench = best_shapes(subject.case), Driver(subject, subject.create())
    wanted = usual_run(subject, shapes).insist()
    for scene, survivors in _bereavements(bench, shapes):
        for name, survivor in survivors.items():
            unlike = _life(survivor, shapes, wanted)
            yield judged(
                not unlike,
                lambda: Violation(
                    what=f"{name} does not work any more",
                    where=scene,
                    expected="what it computes where nothing is destroyed",
                    observed=unlike,
                    fix="Count the users of what is shared, one for each clone, and free it with the last.",
                ),
            )
    shared = _left_behind(bench, shapes, clones=2)
    yield judged(
        not shared or bool(_left_behind(bench, shapes, clones=0)),
        lambda: Violation(
            what=f"{', '.join(shared)} are held when source and clones are destroyed",
            where="initialize, clone twice, run and destroy the clones, terminate and destroy the source",
            expected="nothing is held, as without clones",
            observed=f"{', '.join(shared)} more than before",
            fix="Release in destroy what the clone shares or acquired.",
        ),
    )


@rule("CLN-009", source=plugins.CLONE_DERIVED, requires=CLONES)
def cloning_leaves_the_source_alone(subject: Subject) -> Iterator[Finding]:
    """Cloning does not modify the source.

    It may be cloned again, for the next context, and the method is constant in C++.
    """
    for state in ("fresh", "configured", subject.caller.words.ready_state):
        looks = [_look(states(subject)[state](), clone=clone) for clone in (False, True)]
        changes = differences(*looks)
        yield judged(not changes, lambda: _changed_source(f"{state}, {changes[0][0]}", changes[0][2], changes[0][1]))
    bench = Driver(subject, subject.create())
    for shapes in sample_shapes(subject.case, 1):
        wanted = usual_run(subject, shapes).insist()
        bench = bench.another().configure(shapes)
        bench.clone()
        unlike = deviation(bench, bench.enqueue(shapes, surroundings=LENIENT), wanted)
        where = f"configured for {list(shapes)}, then clone, then enqueue on the source"
        yield judged(not unlike, lambda: _changed_source(where, unlike, "the outputs that it computes without clone"))


@rule("CLN-010", source=plugins.CLONE_OFTEN, severity=Severity.WARNING, requires=CLONES | {"SER-008", "SER-010"})
def cloning_works_in_every_state(subject: Subject) -> Iterator[Finding]:
    """A clone has its source's parameters whatever state the source is in, and so has a clone of clones.

    (Where ``clone`` fails in some state, CLN-006 says so.)
    """
    shapes = best_shapes(subject.case)
    wanted, usual = usual_run(subject, shapes).insist(), usual_portrait(subject, FEW)
    for state, make in states(subject).items():
        bench = make()
        clone, other = bench.clone(), bench.clone()
        its, stored = portrait(subject, clone.plugin, FEW), portrait(subject, bench.plugin, ("serialized form",))
        changes = differences({**usual, **stored}, its) and differences(portrait(subject, bench.plugin, FEW), its)
        yield judged(not changes, lambda: _other_answer(f"a clone of an object that is {state}", *changes[0]))
        unlike = deviation(other, other.make_ready().run(shapes, surroundings=LENIENT), wanted)
        yield judged(not unlike, lambda: _other_result(f"a clone of an object that is {state}", shapes, unlike))


@rule("CLN-011", source=plugins.CLONE_DERIVED, severity=Severity.WARNING, requires=CONFIGURES)
def clone_has_the_same_class(subject: Subject) -> Iterator[Finding]:
    """The clone has the same concrete class as its source.

    What a subclass overrides is lost in a clone of the base class.
    """
    for state in ("fresh", subject.caller.words.ready_state):
        bench = states(subject)[state]()
        ours, its = type(bench.plugin), type(bench.clone().plugin)
        yield judged(
            ours is its,
            lambda: Violation(
                what=f"clone of a {ours.__name__} returned a {its.__name__}",
                where=f"an object that is {state}",
                expected=f"a {ours.__qualname__}",
                observed=f"a {its.__qualname__}, without what {ours.__name__} overrides",
                fix="Make the clone with type(self)(...).",
            ),
        )


@rule("CLN-012", source=plugins.CLONE_OFTEN, severity=Severity.WARNING, requires=CONFIGURES)
def cloning_is_cheap(subject: Subject) -> Iterator[Finding]:
    """``clone`` allocates no device memory, compiles nothing and touches no file each time.

    TensorRT clones for every network, builder, engine and context. What only the first clones cost is not counted,
    nor is memory that an array library takes from its own pool.
    """
    for state in ("fresh", subject.caller.words.ready_state):
        bench = states(subject)[state]()
        costs = lasting_costs(subject, functools.partial(subject.clone, bench.plugin))
        yield judged(
            not costs,
            lambda: Violation(
                what=f"clone {costs[0]} each time",
                where=f"an object that is {state}, cloned again and again",
                expected="nothing but copying parameters and sharing what never changes",
                observed="; ".join(costs),
                fix="Share what never changes with the clone, and count its users.",
            ),
        )


@rule("CLN-017", source=plugins.CLONE_DERIVED, requires=CLONES)
def each_handle_is_freed_once(subject: Subject) -> Iterator[Finding]:
    """Handles that nobody counts are not copied into clones where each object frees them.

    The second free hits memory, or a stream, that belongs to somebody else by then.
    """
    shapes, bench = best_shapes(subject.case), Driver(subject, subject.create())
    shared = _freed_wrongly(bench, shapes, clones=2)
    yield judged(
        not shared or bool(_freed_wrongly(bench, shapes, clones=0)),
        lambda: Violation(
            what="a handle was freed more than once",
            where="initialize, clone twice, run and destroy the clones, terminate and destroy the source",
            expected="each handle is freed by one of its holders",
            observed=shared[0],
            fix="Let one object own the handle, or count its users; a clone must not copy it and free it, too.",
        ),
    )
    hand_over(subject, FREES)


def _look(bench: Driver, *, clone: bool) -> Portrait:
    """Return what is seen of an object, which may have been cloned before."""
    if clone:
        bench.clone()
    return portrait(bench.subject, bench.plugin, ("identity", *FEW))


def _shortages(subject: Subject) -> range:
    """Return after how many allocations the device can run out of memory during ``clone``."""
    source, most = fresh_bench(subject), 4
    with subject.device.recording() as recording:
        attempt(METHOD, lambda: subject.clone(source.plugin))
    made = [each for each in recording.allocations if each.owner == "plugin" and not each.freed]
    return range(min(len(made), most))


def _bereavements(bench: Driver, shapes: Shapes) -> Iterator[tuple[str, dict[str, Driver]]]:
    """Yield what was destroyed, in words, and who has to work nevertheless; all are used as ``bench`` is."""
    create = bench.subject.create
    source = bench.of(create())
    clone = source.clone()
    _dispose(source)
    yield "clone of a fresh object, the source destroyed", {"the clone": clone}
    source = bench.of(create()).configure_for_build()
    _dispose(source.clone())
    yield "clone of a configured object, the clone destroyed", {"the source": source}
    source = bench.another()
    clones = {name: source.clone() for name in ("the first clone", "the second clone")}
    for name in list(clones):
        clones[name].run(shapes, surroundings=LENIENT)
        _dispose(clones.pop(name))
        yield f"two clones of an initialized object, {name} destroyed", {"the source": source, **clones}
    clone = source.clone()
    heir = clone.clone()
    _dispose(clone)
    yield "a clone's clone, the clone between destroyed", {"the source": source, "the clone's clone": heir}


def _life(bench: Driver, shapes: Shapes, wanted: Run) -> str:
    """Make a survivor ready and run it; return in words what went wrong."""
    mishap = attempt("configure_plugin", lambda: bench.make_ready().configure(shapes))
    return _failed("configure_plugin", mishap) or deviation(bench, bench.enqueue(shapes, surroundings=LENIENT), wanted)


def _dispose(bench: Driver) -> None:
    """Bring an object's life to its end; how that fails is for other rules to say."""
    attempt("terminate", lambda: attempt("destroy", bench.end))


def _whole_life(bench: Driver, shapes: Shapes, *, clones: int) -> None:
    source = bench.another()
    source.run(shapes, surroundings=LENIENT)
    copies = [source.clone() for _ in range(clones)]
    for each in copies:
        each.run(shapes, surroundings=LENIENT)
    for each in (*copies, source):
        _dispose(each)


def _left_behind(bench: Driver, shapes: Shapes, *, clones: int) -> list[str]:
    """Return what is held after a whole life that was not held before it."""
    before = holdings(bench.subject)
    _whole_life(bench, shapes, clones=clones)
    return before.growth(holdings(bench.subject))


def _freed_wrongly(bench: Driver, shapes: Shapes, *, clones: int) -> list[str]:
    """Return in words which handles were freed in a whole life that were free already."""
    with wrong_frees(bench.subject) as sentences:
        _whole_life(bench, shapes, clones=clones)
    return sentences


def _failed(callback: str, mishap: CallbackFailure | None) -> str:
    return f"{callback} {mishap.how}" if mishap else ""


def _as_read(value: object) -> str:
    return "a null pointer" if value is None else repr(value)


def _other_answer(who: str, asked: str, ours: object, its: object) -> Violation:
    return Violation(
        what=f"{who} answers otherwise than its source",
        where=asked,
        expected=str(ours),
        observed=str(its),
        fix="Hand every parameter on in clone().",
    )


def _other_result(who: str, shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=f"{who} computes something else than its source",
        where=f"enqueue with input shapes {list(shapes)}",
        expected="the outputs of its source",
        observed=observed,
        fix="Hand every parameter on in clone().",
    )


def _unconfigured(shapes: Shapes, observed: str, expected: str) -> Violation:
    return Violation(
        what="a clone of a configured plugin is not configured",
        where=f"configure_plugin for {list(shapes)}, clone; get_workspace_size and enqueue on the clone",
        expected=expected,
        observed=observed,
        fix="Hand on in clone() what configure_plugin stored.",
    )


def _no_clone(state: str, mishap: CallbackFailure | None) -> Violation:
    return Violation(
        what=f"clone {mishap.how if mishap else ''}",
        where=f"an object that is {state}",
        expected="a new plugin",
        observed=f"it {mishap.how}; {mishap.becomes}" if mishap else "",
        fix="Make clone work in every state: TensorRT clones for each network, builder, engine and context.",
    )


def _disturbed(who: str, configured: tuple[Shapes, Shapes], shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=f"{who} affect each other",
        where=f"one configured for {list(configured[0])}, then the other for {list(configured[1])}; "
        f"enqueue with {list(shapes)}",
        expected="what each computes alone",
        observed=observed,
        fix="Give each clone its own copy of what configure_plugin and enqueue change; share only what never changes.",
    )


def _changed_source(where: str, observed: object, expected: object) -> Violation:
    return Violation(
        what="clone modified its source",
        where=where,
        expected=f"{expected}, as before",
        observed=str(observed),
        fix="Only read self in clone().",
    )


@rule(
    "CLN-013",
    level=1,
    source=plugins.ATTACH,
    interfaces=VERSION_3,
    requires=CONFIGURES,
    owns={"attach_to_context of itself"},
)
def attaching_makes_another_plugin(subject: Subject) -> Iterator[Finding]:
    """``attach_to_context`` returns a clone of the whole plugin: neither itself, nor its runtime capability alone.

    Each context runs an object of its own, and destroys it.
    """
    for state, bench in _attachable(subject):
        with leniently(subject.gate) as failures:
            attached = subject.caller.make_ready(subject.gate, bench.plugin)
        wrong = next((each.what for each in failures if "which is no" in each.what), "")
        problem = "returned the plugin itself" if attached is bench.plugin else wrong
        yield judged(
            not problem,
            lambda: Violation(
                what=f"attach_to_context {problem}",
                where=f"a plugin that is {state}",
                expected="another IPluginV3, with the same parameters",
                observed="all contexts share one object"
                if attached is bench.plugin
                else "TensorRT gets a null pointer",
                fix="Return self.clone(), of the object that is the IPluginV3.",
            ),
        )


@rule(
    "CLN-014",
    level=1,
    source=plugins.ATTACH_RESULT,
    interfaces=VERSION_3,
    requires={"CLN-013"},
    owns={"attach_to_context"},
)
def attaching_returns_a_plugin(subject: Subject) -> Iterator[Finding]:
    """``attach_to_context`` is there and returns an object.

    Without one there is no context, and nobody says why.
    """
    for state, bench in _attachable(subject):
        with leniently(subject.gate) as failures:
            subject.caller.make_ready(subject.gate, bench.plugin)
        for failure in failures[:1]:
            if failure.method != "attach_to_context":
                raise_for(failure)
        yield judged(
            not failures,
            lambda: Violation(
                what=f"attach_to_context {failures[0].what}",
                where=f"a plugin that is {state}",
                expected="an IPluginV3",
                observed=failures[0].becomes,
                fix="Define attach_to_context(self, resource_context), and return self.clone().",
            ),
        )


@rule("CLN-016", source=plugins.CLONE_V3, interfaces=VERSION_3, requires=RUNS | {"CLN-001"})
def a_clone_can_be_used_at_once(subject: Subject) -> Iterator[Finding]:
    """A clone of an IPluginV3 is ready: it can be asked, attached and run at once, like its source.

    There is no ``initialize`` in which it could catch up.
    """
    for shapes in sample_shapes(subject.case, 1):
        source = Driver(subject, subject.create()).configure_for_build()
        wanted = usual_run(subject, shapes).insist()
        copies = {"a clone": source.clone(), "a clone of a clone": source.clone().clone()}
        for name, copy in copies.items():
            bench = copy.configure_for_build().initialize()
            unlike = deviation(bench, bench.run(shapes, surroundings=LENIENT), wanted)
            yield judged(not unlike, lambda: _other_result(f"{name}, configured, attached and run", shapes, unlike))


@rule("CLN-015", source=plugins.CONTEXT_RESOURCES_OWN, interfaces=VERSION_3, requires=RUNS | {"CLN-013"})
def each_context_has_its_own_plugin(subject: Subject) -> Iterator[Finding]:
    """Plugins that are attached to several contexts are independent: each uses what its own context lends.

    Contexts have allocators and recorders of their own, and end one after the other.
    """
    seen = two_contexts(subject)
    strange = [use for use in seen.uses if use.by in CONTEXTS and use.by != use.of]
    for context in CONTEXTS:
        wrong = [use for use in strange if use.by == context]
        yield judged(
            not wrong,
            lambda: Violation(
                what=f"{context} uses the {wrong[0].what.partition('.')[0]} of another context",
                where=f"two contexts side by side; {wrong[0].what} of what {wrong[0].of} was lent",
                expected="it uses what its own attach_to_context was given",
                observed=f"{len(wrong)} uses of what belongs to {wrong[0].of}",
                fix="Keep the resource context in the object that attach_to_context returns, not in its source.",
            ),
        )
    for run in seen.runs:
        unlike = deviation(seen.bench, run, seen.bench.another().run(run.shapes, run.inputs, LENIENT))
        yield judged(not unlike, lambda: _other_result("one of two attached plugins", run.shapes, unlike))


def _attachable(subject: Subject) -> Iterator[tuple[str, Driver]]:
    """Yield plugins that TensorRT attaches to contexts: those of a build, and those of an engine."""
    combination = Driver(subject, subject.create()).combination
    yield "configured", Driver(subject, subject.create(), combination).configure_for_build()
    yield "made for an engine", Driver(subject, subject.deserialize(subject.serialize(subject.create())), combination)
