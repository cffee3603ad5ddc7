"""CLN: copies of a plugin, ``clone``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.engines.context_resources import CONTEXTS, two_contexts
from harness.checks.fields.attributes import differing_attribute
from harness.checks.fields.creating import create_from
from harness.checks.fields.other_values import one_other_value_each
from harness.checks.fields.saved_values import in_words
from harness.checks.formats.capabilities import OF_A_BUILD, capabilities
from harness.checks.formats.choices import chosen_combinations
from harness.checks.lifecycle.heirs import cloned, heirs_of_others
from harness.checks.lifecycle.states import states
from harness.checks.lifecycle.static_answers import differences, portrait, usual_portrait
from harness.checks.observation.double_frees import wrong_frees
from harness.checks.observation.host_fallback import FREES, hand_over
from harness.checks.observation.resource_use import lasting_work
from harness.checks.observation.telling import shown
from harness.checks.observation.tracking import holdings
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.running.tactics import ask_again, build_attribute
from harness.checks.sampling.sampling import best_shapes, sample_shapes, two_shapes
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, NotRun, Violation, check
from harness.contract.rule import INITIALIZED, VERSION_2, VERSION_3, Interface, Severity, rule
from harness.subject.calling import Fault, attempt, leniently, raise_for, stop_for_want_of_a_gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.formats.formats import Combination
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
#: What is asked of plugins with other values of the fields.
STORED = ("serialized form",)
#: What builders read of an IPluginV3's build capability beside its number of outputs.
BUILDING = ("format_combination_limit", "timing_cache_id", "metadata_string")


@rule("CLN-001", level=1, source=plugins.CLONE, requires=CONFIGURES, owns={Fault.RETURNED_ITSELF.of(METHOD)})
def clone_is_another_object(subject: Subject) -> Iterator[Finding]:
    """``clone`` returns a new object, never itself and never an earlier clone.

    TensorRT destroys each object that ``clone`` returns, and runs several of them at the same time.
    """
    for state in ("fresh", subject.caller.words.ready_state):
        source = subject.create() if state == "fresh" else states(subject)[state]().plugin
        family = {"the object itself": source}
        for name in ("the first clone", "the second clone"):
            plugin = subject.clone(source)
            same = next((who for who, other in family.items() if other is plugin), "")
            yield check(
                not same,
                lambda: Violation(
                    what=f"clone returned {same}",
                    where=f"{name} of an object that is {state}",
                    expected="a new object",
                    observed=f"{same}, {subject.gate.name_of(plugin)}, which TensorRT uses and destroys twice",
                    fix="Make a new object in every call of clone.",
                ),
            )
            family[name] = plugin


@rule("CLN-002", level=1, source=plugins.CLONE, requires=RUNS | {"CLN-001", "CLN-006"}, explained_by={"SER-002"})
def clone_has_the_same_parameters(subject: Subject) -> Iterator[Finding]:
    """The clone carries the same parameters as its source.

    Everything that TensorRT runs is a clone. A clone answers, builds and runs like its source, for each type of the
    case. It stores the same data, also when the fields have other values.
    """
    plugin = subject.create()
    copy = subject.clone(plugin)
    original = portrait(subject, plugin, PARAMETERS)
    changes = differences(original, portrait(subject, copy, PARAMETERS))
    for question in original:
        yield check(
            all(question != changed for changed, _, _ in changes),
            lambda: _other_object("a clone", plugin, copy, *next(each for each in changes if each[0] == question)),
        )
    shapes = best_shapes(subject.case)
    for number, combination in enumerate(chosen_combinations(subject)):
        source = Driver(subject, subject.create(), combination)
        other = source.clone()
        changes = differences(*(_built(driver, shapes) for driver in (source, other)))
        yield check(not changes, lambda: _other_answer("a clone", *changes[0]))
        expected_run = usual_run(subject, shapes, combination)
        if number and expected_run.failure:  # that other types do not run at all is not for this rule to say
            continue
        expected_run.insist()
        driver = other.initialize()
        unlike = deviation(driver, driver.run(shapes, conditions=LENIENT), expected_run)
        yield check(not unlike, lambda: _other_result("a clone of a fresh object", shapes, unlike))
    for changed, difference in heirs_of_others(subject, cloned):
        yield check(not difference, lambda: _other_result(f"a clone of a plugin with {changed}", shapes, difference))
    for changed, pair, lost in _stored_by_clones_of_others(subject):
        yield check(not lost, lambda: _other_object(f"a clone of a plugin with {changed}", *pair, *lost[0]))


def _stored_by_clones_of_others(subject: Subject) -> Iterator[tuple[str, tuple[Any, Any], list[tuple[str, Any, Any]]]]:
    """Yield what other value a field had, a plugin and its clone, and what differs in what they store.

    An IPluginV3 runs as a clone of itself, so its results do not show what clones lose.
    """
    for fields, changed in one_other_value_each(subject):
        with contextlib.suppress(CallbackFailedError):
            plugin = create_from(subject, fields).plugin
            copy = subject.clone(plugin)
            mine, again, its = (portrait(subject, each, STORED) for each in (plugin, plugin, copy))
            lost = [] if differences(mine, again) else differences(mine, its)
            yield changed, (plugin, copy), lost


@rule(
    "CLN-003",
    source=plugins.CLONE_INITIALIZED,
    interfaces=VERSION_2 - {Interface.V2},
    requires=RUNS | {"CLN-001", "CLN-002"},
)
def clone_of_an_initialized_plugin_is_initialized(subject: Subject) -> Iterator[Finding]:
    """A clone of an initialized plugin runs without a call of ``initialize``.

    Contexts run these clones, and TensorRT never initializes them.
    """
    source = fresh_driver(subject)
    for shapes in sample_shapes(subject.case, 1):
        expected_run = usual_run(subject, shapes).insist()
        driver = source.clone()
        failure = attempt("configure_plugin", lambda: driver.configure(shapes))
        unlike = _failed("configure_plugin", failure) or deviation(
            driver, driver.enqueue(shapes, conditions=LENIENT), expected_run
        )
        yield check(
            not unlike,
            lambda: Violation(
                what="a clone of an initialized plugin does not run",
                where=f"initialize, clone; on the clone configure_plugin and enqueue with {list(shapes)}",
                expected="what its source computes",
                observed=unlike,
                fix="Copy or share in clone() what initialize acquired.",
            ),
        )


@rule("CLN-004", source=plugins.CLONE_CONFIGURED, requires=CLONES | {"FMT-012", "TAC-009"})
def clone_of_a_configured_plugin_is_configured(subject: Subject) -> Iterator[Finding]:
    """A clone of a configured plugin is configured in the same way.

    TensorRT need not configure the clone again. The rule checks what the plugin itself keeps, for each type of the
    case. The bindings count the inputs of each object anew, so the rule passes that number on to the clone. Then it
    asks the clone for its workspace and tactics, and runs it without calling ``configure_plugin`` on it.
    """
    best = best_shapes(subject.case)
    for combination in chosen_combinations(subject):
        built = Driver(subject, subject.create(), combination).configure_for_build()
        changes = differences(*(_answers_of_a_build(driver, best) for driver in (built, built.clone())))
        yield check(not changes, lambda: _unconfigured(best, f"{changes[0][0]}: {changes[0][2]}", str(changes[0][1])))
    if subject.interface not in INITIALIZED:
        return  # what runs in a context is prepared before it runs
    for combination, shapes in _configurations(subject):
        source = fresh_driver(subject, combination).configure(shapes)
        size = source.workspace_size(shapes)
        clone = source.clone().take_for_configured()
        its = clone.workspace_size(shapes)
        yield check(its == size, lambda: _unconfigured(shapes, f"{its} bytes of workspace", f"{size} bytes"))
        expected_run = usual_run(subject, shapes, combination).insist()
        unlike = deviation(clone, clone.enqueue(shapes, conditions=LENIENT), expected_run)
        yield check(not unlike, lambda: _unconfigured(shapes, unlike, "the outputs of its source"))


@rule("CLN-005", level=1, source=plugins.CLONE_ATTRIBUTES, requires=CONFIGURES | {"CLN-001"})
def clone_has_the_native_attributes(subject: Subject) -> Iterator[Finding]:
    """The clone has the native attributes of its source: type, version, namespace and number of outputs.

    An IPluginV3 also has the limit of combinations, the key of the timing cache and the metadata. Builders read them
    from clones. Native attributes are not in ``__dict__``. If ``clone`` copies ``__dict__``, or calls
    the base class's copy constructor, they stay unset. ID-013 checks whether a clone inherits a namespace that was
    assigned from outside.
    """
    usual = _native_attributes(subject, subject.create())
    for state, make in states(subject).items():
        driver = make()
        ours, its = (_native_attributes(subject, each.plugin) for each in (driver, driver.clone()))
        ours = {name: value for name, value in ours.items() if name in its and value == usual[name]}
        for name, value in ours.items():
            yield check(
                its[name] == value,
                lambda: Violation(
                    what=f"a clone's {name} is {its[name]!r}",
                    where=f"{name} of a clone of an object that is {state}",
                    expected=repr(value),
                    observed=f"{its[name]!r}; TensorRT reads {_as_read(its[name])}",
                    fix=f"Assign {name} on the clone in clone(); a copy of __dict__ does not have it.",
                ),
            )


@rule("CLN-006", level=1, source=plugins.CLONE_FAILED, requires=CONFIGURES, owns={METHOD})
def clone_gives_a_whole_plugin_or_none(subject: Subject) -> Iterator[Finding]:
    """``clone`` returns an object that works, returns None, or raises.

    TensorRT can handle a missing clone, but cannot see that a clone is incomplete. The rule lets the device run out
    of memory at each allocation that ``clone`` makes.
    """
    for state, make in states(subject).items():
        failure = attempt(METHOD, lambda: make().clone())
        yield check(failure is None, lambda: _no_clone(state, failure))
        if failure is not None:
            return  # other states would only repeat it, and attach_to_context usually returns a clone
    shapes = best_shapes(subject.case)
    for left in _shortages(subject):
        source = fresh_driver(subject)
        clones: list[Driver] = []
        with subject.device.shortage.after(left):
            failure = attempt(METHOD, lambda: clones.append(source.of(subject.clone(source.plugin))))
        if not clones:
            yield check(failure is not None, lambda: _no_clone(subject.caller.words.ready_state, failure))
            continue
        clone = clones[0].make_ready()
        unlike = deviation(clone, clone.run(shapes, conditions=LENIENT), usual_run(subject, shapes).insist())
        yield check(
            not unlike,
            lambda: Violation(
                what="clone failed, and returned an object that does not work",
                where=f"clone with the device out of memory at allocation {left + 1}, then enqueue on the clone",
                expected="None, an exception, or a clone that works",
                observed=unlike,
                fix="Do not catch the exception of the allocation in clone(), or return None.",
            ),
        )


@rule(
    "CLN-007",
    source=plugins.CLONE_SHARED,
    requires=CLONES | {"CFG-004", "CLN-009", "CRE-004"},
    explained_by={"CFG-009"},
)
def clones_do_not_affect_each_other(subject: Subject) -> Iterator[Finding]:
    """Configuring or running one clone never affects another clone.

    Each context has its clone. Contexts run at different shapes, and one runs while another is configured.
    Clones may share only what never changes.
    """
    pair = two_shapes(subject.case)
    if pair is None:
        raise NotApplicable("the case has one shape only")
    driver = Driver(subject, subject.create())
    alone = {shapes: usual_run(subject, shapes).insist() for shapes in pair}
    for here, there in (pair, pair[::-1]):
        source = driver.another()
        one, other = source.clone(), source.clone()
        for name, first, second in (("two clones", one, other), ("source and clone", source, other)):
            first.configure(here)
            second.configure(there)
            for driver, shapes in ((second, there), (first, here)):
                unlike = deviation(driver, driver.enqueue(shapes, conditions=LENIENT), alone[shapes])
                yield check(not unlike, lambda: _disturbed(name, (here, there), shapes, unlike))
        third = one.configure(here).clone().configure(there)
        for driver, shapes in ((one, here), (third, there)):
            unlike = deviation(driver, driver.enqueue(shapes, conditions=LENIENT), alone[shapes])
            yield check(not unlike, lambda: _disturbed("a clone and its clone", (here, there), shapes, unlike))


@rule("CLN-008", source=plugins.CLONE_COUNTED, requires=CLONES | {"CLN-009"})
def what_is_shared_lives_as_long_as_it_is_used(subject: Subject) -> Iterator[Finding]:
    """Destroying a source or a clone leaves the others working.

    Contexts come and go while the engine stays, and the application destroys its own object once the engine is
    built. So shared resources need a count of users. (An initialized source is not destroyed before its clones:
    contexts end before their engine.)
    """
    shapes, driver = best_shapes(subject.case), Driver(subject, subject.create())
    expected_run = usual_run(subject, shapes).insist()
    for scene, survivors in _bereavements(driver, shapes):
        for name, survivor in survivors.items():
            unlike = _life(survivor, shapes, expected_run)
            yield check(
                not unlike,
                lambda: Violation(
                    what=f"{name} no longer works",
                    where=scene,
                    expected="the outputs that it computes without the destruction",
                    observed=unlike,
                    fix="Count the users of the shared resource, one for each clone, and free it with the last.",
                ),
            )
    shared = _left_behind(driver, shapes, clones=2)
    yield check(
        not shared or bool(_left_behind(driver, shapes, clones=0)),
        lambda: Violation(
            what=f"the plugin holds {', '.join(shared)} after source and clones are destroyed",
            where="initialize, clone twice, run and destroy the clones, terminate and destroy the source",
            expected="the plugin holds nothing, as without clones",
            observed=f"{', '.join(shared)} more than before",
            fix="Release in destroy() what the clone shares or acquired.",
        ),
    )


@rule("CLN-009", source=plugins.CLONE_DERIVED, requires=RUNS | {"CLN-006"})
def cloning_leaves_the_source_alone(subject: Subject) -> Iterator[Finding]:
    """``clone`` does not modify the source.

    TensorRT may clone the source again, for the next context, and the C++ method is constant.
    """
    for state in ("fresh", "configured", subject.caller.words.ready_state):
        changed = _changes(states(subject)[state](), clone=True)
        unsteady = _changes(states(subject)[state](), clone=False) if changed else {}
        changes = [(question, *answers) for question, answers in changed.items() if question not in unsteady]
        yield check(not changes, lambda: _changed_source(f"{state}, {changes[0][0]}", changes[0][2], changes[0][1]))
    changes = _unlike_clones(subject)
    yield check(
        not changes, lambda: _changed_source(f"{changes[0][0]} of a second clone", changes[0][2], changes[0][1])
    )
    driver = Driver(subject, subject.create())
    for shapes in sample_shapes(subject.case, 1):
        expected_run = usual_run(subject, shapes).insist()
        driver = driver.another().configure(shapes)
        if driver.clone().plugin is driver.plugin:
            raise NotRun("clone returns the plugin itself")
        unlike = deviation(driver, driver.enqueue(shapes, conditions=LENIENT), expected_run)
        where = f"configured for {list(shapes)}, then clone, then enqueue on the source"
        yield check(not unlike, lambda: _changed_source(where, unlike, "the outputs that it computes without clone"))


@rule(
    "CLN-010",
    source=plugins.CLONE_OFTEN,
    requires=CLONES | {"CLN-008", "CLN-009", "SER-004", "SER-008", "SER-010"},
)
def cloning_works_in_every_state(subject: Subject) -> Iterator[Finding]:
    """A clone has its source's parameters in every state of the source, and so has a clone of a clone.

    TensorRT clones new, configured, restored and running plugins: for networks, builders, engines and contexts. What a
    context runs is a clone of a restored plugin. (If clone fails in some state, CLN-006 reports it.)
    """
    shapes = best_shapes(subject.case)
    expected_run, usual = usual_run(subject, shapes).insist(), usual_portrait(subject, FEW)
    for state, make in states(subject).items():
        driver = make()
        clone, other = driver.clone(), driver.clone()
        its, source = portrait(subject, clone.plugin, FEW), driver.plugin
        changes = (
            differences(usual, its)
            and differences({**usual, **portrait(subject, source, ("serialized form",))}, its)
            and differences(portrait(subject, source, FEW), its)
        )
        yield check(not changes, lambda: _other_answer(f"a clone of an object that is {state}", *changes[0]))
        unlike = deviation(other, other.make_ready().run(shapes, conditions=LENIENT), expected_run)
        yield check(not unlike, lambda: _other_result(f"a clone of an object that is {state}", shapes, unlike))


@rule("CLN-011", source=plugins.CLONE_DERIVED, severity=Severity.WARNING, requires=CONFIGURES)
def clone_has_the_same_class(subject: Subject) -> Iterator[Finding]:
    """The clone has the same concrete class as its source.

    A clone of the base class loses what a subclass overrides. The same holds for the capability objects of an
    IPluginV3.
    """
    made = states(subject)
    for state in ("fresh", "configured", "deserialized", subject.caller.words.ready_state):
        driver = made[state]()
        ours, its = (_classes(subject, each.plugin) for each in (driver, driver.clone()))
        for part in (each for each in ours if each in its):
            mine, other = ours[part], its[part]
            yield check(
                mine is other,
                lambda: Violation(
                    what=f"clone of a {mine.__name__} returned a {other.__name__}",
                    where=f"{part} of an object that is {state}",
                    expected=f"a {mine.__qualname__}",
                    observed=f"a {other.__qualname__}, without the methods that {mine.__name__} overrides",
                    fix="Make the clone with type(self)(...), and its capability objects of the same classes.",
                ),
            )


@rule("CLN-012", source=plugins.CLONE_OFTEN, severity=Severity.WARNING, requires=CONFIGURES | {"CLN-006"})
def cloning_is_cheap(subject: Subject) -> Iterator[Finding]:
    """``clone`` does not allocate device memory, compile or touch files each time.

    TensorRT clones for every network, builder, engine and context. ``clone`` must not use the device or start processes
    either. The rule does not count costs that only the first clones have, or memory of an array library's pool.
    """
    made = states(subject)
    for state in ("fresh", subject.caller.words.ready_state):
        driver = made[state]()
        costs = lasting_work(subject, functools.partial(subject.clone, driver.plugin))
        yield check(
            not costs,
            lambda: Violation(
                what=f"clone {costs[0]} each time",
                where=f"an object that is {state}, cloned again and again",
                expected="clone only copies parameters and shares what never changes",
                observed="; ".join(costs),
                fix="Share in clone() what never changes, and count its users.",
            ),
        )


@rule("CLN-017", source=plugins.CLONE_DERIVED, requires=CLONES)
def each_handle_is_freed_once(subject: Subject) -> Iterator[Finding]:
    """A handle that several clones hold is freed once.

    A second free hits memory, or a stream, that belongs to another object by then.
    """
    shapes, driver = best_shapes(subject.case), Driver(subject, subject.create())
    shared = _freed_wrongly(driver, shapes, clones=2)
    yield check(
        not shared or bool(_freed_wrongly(driver, shapes, clones=0)),
        lambda: Violation(
            what="a handle was freed more than once",
            where="initialize, clone twice, run and destroy the clones, terminate and destroy the source",
            expected="one holder frees each handle",
            observed=shared[0],
            fix="Let one object own the handle, or count its users; do not free a copied handle in a clone.",
        ),
    )
    hand_over(subject, FREES)


def _built(driver: Driver, shapes: Shapes) -> Portrait:
    """Configure an object for the build, and return what builders ask then."""
    return _answers_of_a_build(driver.configure_for_build(), shapes)


def _answers_of_a_build(driver: Driver, shapes: Shapes) -> Portrait:
    """Return what builders ask of a configured object, and what it stores."""
    answers: Portrait = {f"get_workspace_size at {list(shapes)}": driver.workspace_size(shapes)}
    if driver.subject.interface in VERSION_3:
        answers["get_valid_tactics"] = list(ask_again(driver))
    return answers


def _configurations(subject: Subject) -> Iterator[tuple[Combination, Shapes]]:
    """Yield what objects are configured for: the plainest combination at some shapes, others at the best one."""
    first, *others = chosen_combinations(subject)
    yield from ((first, shapes) for shapes in sample_shapes(subject.case, 1))
    yield from ((combination, best_shapes(subject.case)) for combination in others)


def _native_attributes(subject: Subject, plugin: Any) -> dict[str, Any]:
    """Return what C++ holds for a plugin, as far as it can be asked."""
    attributes = dict(subject.caller.identity_of(subject.gate, plugin))
    if subject.interface in VERSION_3 and subject.caller.can_be_asked(subject.gate, plugin):
        attributes |= {name: build_attribute(subject, plugin, name) for name in BUILDING}
    return attributes


def _classes(subject: Subject, plugin: Any) -> dict[str, type]:
    """Return the class of a plugin, and those of the objects that have its capabilities."""
    classes = {"the plugin": type(plugin)}
    if subject.interface in VERSION_3:
        parts = capabilities(subject, plugin, OF_A_BUILD)
        classes |= {f"its {kind} capability": type(part) for kind, part in parts.items() if part is not None}
    return classes


def _changes(driver: Driver, *, clone: bool) -> dict[str, tuple[Any, Any]]:
    """Return what one object answers differently the second time; between the two it may be cloned."""
    before = portrait(driver.subject, driver.plugin, ("identity", *FEW))
    if clone:
        driver.clone()
    after = portrait(driver.subject, driver.plugin, ("identity", *FEW))
    return {question: (one, other) for question, one, other in differences(before, after)}


def _unlike_clones(subject: Subject) -> list[tuple[str, Any, Any]]:
    """Return what a second clone of an object answers differently than the first, and than that of another object."""
    source, other = (Driver(subject, subject.create()) for _ in range(2))
    first, second, steady = (portrait(subject, each.clone().plugin, FEW) for each in (source, source, other))
    return [] if differences(first, steady) else list(differences(first, second))


def _shortages(subject: Subject) -> range:
    """Return after how many allocations the device can run out of memory during ``clone``."""
    source, most = fresh_driver(subject), 4
    with subject.device.recording() as recording:
        attempt(METHOD, lambda: subject.clone(source.plugin))
    made = [each for each in recording.allocations if each.owner == "plugin" and not each.freed]
    return range(min(len(made), most))


def _bereavements(driver: Driver, shapes: Shapes) -> Iterator[tuple[str, dict[str, Driver]]]:
    """Yield what was destroyed, in words, and the objects that must still work; all are used as ``driver`` is."""
    create = driver.subject.create
    source = driver.of(create())
    clone = source.clone()
    _dispose(source)
    del source
    gc.collect()
    yield "clone of a fresh object, the source destroyed", {"the clone": clone}
    source = driver.of(create()).configure_for_build()
    _dispose(source.clone())
    yield "clone of a configured object, the clone destroyed", {"the source": source}
    source = driver.another()
    clones = {name: source.clone() for name in ("the first clone", "the second clone")}
    for name in list(clones):
        clones[name].run(shapes, conditions=LENIENT)
        _dispose(clones.pop(name))
        yield f"two clones of an initialized object, {name} destroyed", {"the source": source, **clones}
    clone = source.clone()
    heir = clone.clone()
    _dispose(clone)
    yield "a clone's clone, the clone between destroyed", {"the source": source, "the clone's clone": heir}


def _life(driver: Driver, shapes: Shapes, expected_run: Run) -> str:
    """Make a survivor ready and run it; return in words what went wrong."""
    failure = attempt("configure_plugin", lambda: driver.make_ready().configure(shapes))
    return _failed("configure_plugin", failure) or deviation(
        driver, driver.enqueue(shapes, conditions=LENIENT), expected_run
    )


def _dispose(driver: Driver) -> None:
    """Bring an object's life to its end; other rules report how that fails."""
    attempt("terminate", lambda: attempt("destroy", driver.end))


def _whole_life(driver: Driver, shapes: Shapes, *, clones: int) -> None:
    source = driver.another()
    source.run(shapes, conditions=LENIENT)
    copies = [source.clone() for _ in range(clones)]
    for each in copies:
        each.run(shapes, conditions=LENIENT)
    for each in (*copies, source):
        _dispose(each)


def _left_behind(driver: Driver, shapes: Shapes, *, clones: int) -> list[str]:
    """Return what is held after a whole life that was not held before it."""
    before = holdings(driver.subject)
    _whole_life(driver, shapes, clones=clones)
    return before.growth(holdings(driver.subject))


def _freed_wrongly(driver: Driver, shapes: Shapes, *, clones: int) -> list[str]:
    """Return in words which handles were freed in a whole life that were free already."""
    with wrong_frees(driver.subject) as sentences:
        _whole_life(driver, shapes, clones=clones)
    return sentences


def _failed(callback: str, failure: CallbackFailure | None) -> str:
    return f"{callback} {failure.how}" if failure else ""


def _as_read(value: object) -> str:
    return "a null pointer" if value is None else shown(value)


def _other_object(who: str, plugin: Any, clone: Any, question: str, ours: object, its: object) -> Violation:
    """Say how a clone differs; of stored bytes the attribute that they came from, if one differs."""
    violation = _other_answer(who, question, ours, its)
    attribute = differing_attribute(plugin, clone) if isinstance(ours, bytes) else None
    if attribute is None:
        return violation
    name, expected, observed = attribute
    return dataclasses.replace(violation, where=f"{question}: {name}", expected=expected, observed=observed)


def _other_answer(who: str, question: str, ours: object, its: object) -> Violation:
    part, expected, observed = in_words(ours, its)
    return Violation(
        what=f"{who} differs from its source",
        where=f"{question}: {part}" if part else question,
        expected=expected,
        observed=observed,
        fix="Copy every parameter in clone().",
    )


def _other_result(who: str, shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=f"the outputs of {who} differ from its source's",
        where=f"enqueue with input shapes {list(shapes)}",
        expected="the outputs of its source",
        observed=observed,
        fix="Copy every parameter in clone().",
    )


def _unconfigured(shapes: Shapes, observed: str, expected: str) -> Violation:
    return Violation(
        what="a clone of a configured plugin is not configured",
        where=f"configure_plugin for {list(shapes)}, clone; get_workspace_size and enqueue on the clone",
        expected=expected,
        observed=observed,
        fix="Copy in clone() what configure_plugin stored.",
    )


def _no_clone(state: str, failure: CallbackFailure | None) -> Violation:
    return Violation(
        what=f"clone {failure.how if failure else ''}",
        where=f"an object that is {state}",
        expected="a new plugin",
        observed=f"it {failure.how}; {failure.becomes}" if failure else "",
        fix="Make clone work in every state: TensorRT clones for each network, builder, engine and context.",
    )


def _disturbed(who: str, configured: tuple[Shapes, Shapes], shapes: Shapes, observed: str) -> Violation:
    return Violation(
        what=f"{who} affect each other",
        where=f"one configured for {list(configured[0])}, then the other for {list(configured[1])}; "
        f"enqueue with {list(shapes)}",
        expected="the outputs of each alone",
        observed=observed,
        fix="Give each clone its own copy of the data that configure_plugin and enqueue change. Share only constants.",
    )


def _changed_source(where: str, observed: object, expected: object) -> Violation:
    return Violation(
        what="clone modified its source",
        where=where,
        expected=f"{expected}, as before",
        observed=str(observed),
        fix="Read self in clone(), and change nothing in it.",
    )


@rule(
    "CLN-013",
    level=1,
    source=plugins.ATTACH,
    interfaces=VERSION_3,
    requires=CONFIGURES,
    owns={Fault.RETURNED_ITSELF.of("attach_to_context")},
)
def attaching_makes_another_plugin(subject: Subject) -> Iterator[Finding]:
    """``attach_to_context`` returns a new clone of the whole plugin, not only of its runtime capability.

    TensorRT runs one object for each context, and destroys it together with the context.
    """
    for state, driver in _attachable(subject):
        with leniently(subject.gate) as failures:
            first, second = (subject.caller.make_ready(subject.gate, driver.plugin) for _ in range(2))
        wrong = next((each.what for each in failures if "which is no" in each.what), "")
        shares = first is not None and (first is driver.plugin or first is second)
        again = "the plugin itself" if first is driver.plugin else "the same object for two contexts"
        problem = f"returned {again}" if shares else wrong
        yield check(
            not problem,
            lambda: Violation(
                what=f"attach_to_context {problem}",
                where=f"a plugin that is {state}",
                expected="another IPluginV3, with the same parameters",
                observed="all contexts share one object" if shares else "TensorRT gets a null pointer",
                fix="Return self.clone() in attach_to_context. If another object is the IPluginV3, clone that object.",
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
    """The plugin defines ``attach_to_context``, and it returns an object.

    Without the object there is no context, and TensorRT does not say why.
    """
    for state, driver in _attachable(subject):
        with leniently(subject.gate) as failures:
            subject.caller.make_ready(subject.gate, driver.plugin)
        for failure in failures[:1]:
            stop_for_want_of_a_gpu(failure)
            if failure.method != "attach_to_context":
                raise_for(failure)
        yield check(
            not failures,
            lambda: Violation(
                what=f"attach_to_context {failures[0].what}",
                where=f"a plugin that is {state}",
                expected="an IPluginV3",
                observed=failures[0].becomes,
                fix="Define attach_to_context(self, resource_context), and return self.clone().",
            ),
        )


@rule("CLN-016", source=plugins.CLONE_V3, interfaces=VERSION_3, requires=RUNS | {"CLN-001", "CLN-009"})
def a_clone_can_be_used_at_once(subject: Subject) -> Iterator[Finding]:
    """A clone of an IPluginV3 can be queried, attached and run immediately, like its source.

    IPluginV3 has no ``initialize`` that could complete the clone later.
    """
    for shapes in sample_shapes(subject.case, 1):
        source = Driver(subject, subject.create()).configure_for_build()
        expected_run = usual_run(subject, shapes).insist()
        copies = {"a clone": source.clone(), "a clone of a clone": source.clone().clone()}
        for name, copy in copies.items():
            driver = copy.configure_for_build().initialize()
            unlike = deviation(driver, driver.run(shapes, conditions=LENIENT), expected_run)
            yield check(not unlike, lambda: _other_result(f"{name}, configured, attached and run", shapes, unlike))


@rule("CLN-015", source=plugins.CONTEXT_RESOURCES_OWN, interfaces=VERSION_3, requires=RUNS | {"CLN-013"})
def each_context_has_its_own_plugin(subject: Subject) -> Iterator[Finding]:
    """An attached plugin uses only what its own context lends.

    Each context has its own allocator and error recorder, and contexts end one after the other.
    """
    seen = two_contexts(subject)
    strange = [use for use in seen.uses if use.by in CONTEXTS and use.by != use.of]
    for context in CONTEXTS:
        wrong = [use for use in strange if use.by == context]
        yield check(
            not wrong,
            lambda: Violation(
                what=f"{context} uses the {wrong[0].what.partition('.')[0]} of another context",
                where=f"two contexts at the same time; {wrong[0].what}, which belongs to {wrong[0].of}",
                expected="it uses only the resource context that its attach_to_context got",
                observed=f"{len(wrong)} uses of objects of {wrong[0].of}",
                fix="Keep the resource context in the object that attach_to_context returns, not in its source.",
            ),
        )
    for run in seen.runs:
        unlike = deviation(seen.driver, run, seen.driver.another().run(run.shapes, run.inputs, LENIENT))
        yield check(not unlike, lambda: _other_result("one of two attached plugins", run.shapes, unlike))


def _attachable(subject: Subject) -> Iterator[tuple[str, Driver]]:
    """Yield plugins that TensorRT attaches to contexts: those of a build, and those of an engine."""
    combination = Driver(subject, subject.create()).combination
    yield "configured", Driver(subject, subject.create(), combination).configure_for_build()
    stored = subject.serialize(Driver(subject, subject.create(), combination).configure_for_build().plugin)
    yield "made for an engine", Driver(subject, subject.deserialize(stored), combination)
