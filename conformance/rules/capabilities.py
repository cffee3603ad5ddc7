"""CAP: the capabilities of an IPluginV3, ``get_capability_interface``."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CONFIGURES, RUNS
from conformance.sources import plugins
from harness.checks.formats.capabilities import OF_A_BUILD, OF_AN_ENGINE, AskedOnce, capabilities, query
from harness.checks.formats.choices import chosen_combinations
from harness.checks.lifecycle.destruction import ending
from harness.checks.lifecycle.states import in_every_state
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.classes import bound_interfaces, bound_parts, written_classes
from harness.checks.observation.tracking import holdings, is_gone
from harness.checks.observation.watching import between_calls
from harness.checks.running.driver import DEFAULT_TACTIC, Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation
from harness.checks.running.tactics import ask_again
from harness.checks.sampling.sampling import best_shapes, other_shapes
from harness.contract.finding import Finding, NotApplicable, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import VERSION_3, Severity, rule
from harness.subject.calling import Fault, leniently

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from harness.checks.lifecycle.static_answers import Portrait
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

METHOD = "get_capability_interface"
#: How often a plugin is asked to see what that leaves behind, and how often it must return the same object.
_OFTEN, _ALWAYS = 20, 100
OFFERS = frozenset({"CAP-001", "CAP-003"})
#: What the bindings look for in the object that is to be the build capability, in this order.
BUILDING = ("IPluginV3OneBuildV2", "IPluginV3OneBuild", "IPluginV3QuickAOTBuild", "IPluginV3QuickBuild")
#: What TensorRT implements itself.
TENSORRTS_OWN = (
    "IPluginCapability",
    "IPluginRegistry",
    "IExprBuilder",
    "IDimensionExpr",
    "IPluginResourceContext",
    "IExecutionContext",
)


@rule("CAP-001", level=1, source=plugins.CAPABILITIES_OF_A_BUILD, interfaces=VERSION_3, owns={METHOD})
def a_plugin_for_a_network_has_all_capabilities(subject: Subject) -> Iterator[Finding]:
    """A plugin that is added to a network returns its CORE, BUILD and RUNTIME capabilities.

    The builder times the plugin, so it needs the runtime capability as well.
    """
    plugin = subject.create()
    for kind in OF_A_BUILD:
        answer = query(subject, plugin, kind)
        yield check(not answer.refused, lambda: _refused(answer.refused, kind, "a plugin that create_plugin made"))


@rule(
    "CAP-002",
    level=1,
    source=plugins.CAPABILITIES_OF_AN_ENGINE,
    interfaces=VERSION_3,
    requires={"CAP-001"},
    owns={Fault.IN_THE_RUNTIME_PHASE.of(METHOD)},
)
def a_plugin_of_an_engine_has_core_and_runtime(subject: Subject) -> Iterator[Finding]:
    """A plugin that is made for the runtime phase returns its CORE and RUNTIME capabilities.

    The engine reads the plugin's name from the CORE capability and runs the RUNTIME capability.
    """
    plugin = subject.deserialize(subject.serialize(subject.create()))
    for kind in OF_AN_ENGINE:
        answer = query(subject, plugin, kind)
        where = "a plugin that create_plugin made for TensorRTPhase.RUNTIME"
        yield check(not answer.refused, lambda: _refused(answer.refused, kind, where))


@rule(
    "CAP-003", level=1, source=plugins.CAPABILITY_CLASSES, interfaces=VERSION_3, owns={Fault.OF_ANOTHER_KIND.of(METHOD)}
)
def a_capability_is_of_its_class(subject: Subject) -> Iterator[Finding]:
    """``get_capability_interface`` returns an object whose class has the capability that TensorRT asks for.

    The bindings cast the object to the interfaces of that capability, one after the other. Any other object becomes
    a null pointer. The rule checks plugins of a build, of an engine and of a context.
    """
    for where, plugin, kinds in _askable(subject):
        for kind in kinds:
            answer = query(subject, plugin, kind)
            yield check(
                not answer.is_wrong,
                lambda: Violation(
                    what=f"{METHOD}({kind}) {answer.failure.what if answer.failure else ''}",
                    where=where,
                    expected=f"an object whose class derives from IPluginV3One{kind.capitalize()}",
                    observed="TensorRT gets a null pointer",
                    fix=f"Return the object that implements the {kind} capability.",
                ),
            )
            if answer.is_wrong:
                return  # what comes next would be made through it


def _askable(subject: Subject) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """Yield in words what made a plugin, the plugin, and the capabilities that it must have."""
    plugin = subject.create()
    yield "a plugin that create_plugin made", plugin, OF_A_BUILD
    restored = subject.deserialize(subject.serialize(plugin))
    yield "a plugin that create_plugin made for TensorRTPhase.RUNTIME", restored, OF_AN_ENGINE
    with leniently(subject.gate) as failures:
        attached = subject.caller.make_ready(subject.gate, restored)
    if not failures:
        yield "the object that attach_to_context returned", attached, OF_AN_ENGINE


@rule(
    "CAP-004",
    level=1,
    source=plugins.CAPABILITY_OWNED,
    interfaces=VERSION_3,
    requires=OFFERS,
    owns={Fault.REPEATED.of(METHOD)},
)
def a_capability_is_always_the_same_object(subject: Subject) -> Iterator[Finding]:
    """``get_capability_interface`` returns the same object for a capability each time, and the plugin owns it.

    TensorRT asks whenever it needs a capability, and the bindings never release the object. An object that is made
    for each call is never freed, and has not seen the earlier calls.
    """
    plugin = subject.create()
    for kind in OF_A_BUILD:
        first, *others = (query(subject, plugin, kind).part for _ in range(_ALWAYS))
        number, again = next(((at, other) for at, other in enumerate(others, 2) if other is not first), (1, first))
        yield check(
            first is again is not None,
            lambda: Violation(
                what=f"{METHOD}({kind}) returned {'no' if again is None else 'another'} object at query {number}",
                where=f"each capability asked {_ALWAYS} times on the same plugin",
                expected="the object of the first query",
                observed="None" if again is None else f"another {type(again).__name__}",
                fix="Make the object in __init__, keep it in the plugin, and return it each time.",
            ),
        )


@rule(
    "CAP-005",
    level=1,
    source=plugins.CAPABILITIES_OF_A_CLONE,
    interfaces=VERSION_3,
    requires=OFFERS | {"CLN-006"},
    owns={Fault.OF_A_CLONE.of(METHOD)},
)
def a_clone_has_the_capabilities_of_its_source(subject: Subject) -> Iterator[Finding]:
    """A clone returns at least the capabilities of its source.

    The network and the builder work on clones of the plugin, and need all its capabilities.
    """
    plugin = subject.create()
    copies = {"a clone": subject.clone(plugin)}
    copies["a clone of a clone"] = subject.clone(copies["a clone"])
    for name, copy in copies.items():
        for kind in OF_A_BUILD:
            answer = query(subject, copy, kind)
            yield check(not answer.failure, lambda: _refused(answer.failure.what if answer.failure else "", kind, name))


@rule("CAP-006", source=plugins.CAPABILITY_STATE, interfaces=VERSION_3, requires=RUNS | {"CLN-001", "CAP-004"})
def a_clone_has_capabilities_of_its_own(subject: Subject) -> Iterator[Finding]:
    """A clone shares a capability object with its source only if the object never changes.

    A capability object holds the tactic and the shapes of one context, and contexts run at the same time.
    """
    plugin = subject.create()
    parts = capabilities(subject, plugin)
    if all(part is plugin for part in parts.values()):
        raise NotApplicable("the plugin is one object with all capabilities")
    attached = fresh_driver(subject)
    copies = {"clone": (attached.of(subject.clone(plugin)), OF_A_BUILD), "attach_to_context": (attached, OF_AN_ENGINE)}
    for name, (driver, kinds) in copies.items():
        copied_parts = {kind: query(subject, driver.plugin, kind).part for kind in kinds[1:]}
        shared = {kind: part for kind, part in copied_parts.items() if any(part is other for other in parts.values())}
        changed = _changed_by_use(shared, driver, best_shapes(subject.case))
        for kind, part in copied_parts.items():
            names = changed.get(kind, [])
            yield check(not names, lambda: _shared(kind, part, name, names))


def _asked_in_a_build(subject: Subject) -> Iterator[Finding]:
    """Judge what builders get from objects that are asked for capabilities in between, and what asking costs."""
    shapes = best_shapes(subject.case)
    for combination in chosen_combinations(subject):
        driver, asked_driver = (Driver(subject, subject.create(), combination) for _ in range(2))
        expected_answers = _answers(driver, shapes)
        with between_calls(subject.gate, lambda: capabilities(subject, asked_driver.plugin)):
            answers = _answers(asked_driver, shapes)
        changes = differences(expected_answers, answers)
        where = f"asked between the calls of a build, configured for {combination}"
        yield check(not changes, lambda: _changed_by_asking(where, f"{changes[0][0]}: {changes[0][2]}", changes[0][1]))
    plugin = subject.create()
    capabilities(subject, plugin)  # what is made for the first query may be kept
    before = holdings(subject)
    for _ in range(_OFTEN):
        capabilities(subject, plugin)
    held = before.growth(holdings(subject))
    yield check(
        not held, lambda: _changed_by_asking(f"asked {_OFTEN} times", f"{', '.join(held)} more are held", "no more")
    )


def _answers(driver: Driver, shapes: Shapes) -> Portrait:
    """Return what a builder asks of an object that it has configured."""
    driver.configure_for_build()
    return {
        "get_valid_tactics": list(ask_again(driver)),
        "get_workspace_size": driver.workspace_size(shapes),
        **portrait(driver.subject, driver.plugin, ("output types", "serialized form")),
    }


def _asked_in_a_context(subject: Subject, shapes: Shapes) -> Iterator[Finding]:
    """Judge whether an object that is asked before each call runs like one that is asked once, with each tactic."""
    for tactic in Driver(subject, subject.create()).configure_for_build().tactics or (DEFAULT_TACTIC,):
        runs = []
        for caller in (AskedOnce(), subject.caller):
            driver = Driver(subject, subject.create()).configure_for_build()
            driver.caller, driver.tactic = caller, tactic
            driver.initialize().run(shapes, conditions=LENIENT)  # which may upload and prepare what later ones find
            runs.append(driver.run(shapes, conditions=LENIENT))
        kept, asked_run = runs
        traces = [[(use.kind, use.nbytes) for use in each.plugin_accesses] for each in runs]
        unlike = "" if kept.failure else deviation(driver, asked_run, kept)
        if not unlike and traces[0] != traces[1]:
            unlike = "it does something else on the device"
        where = f"asked between set_tactic({tactic}), on_shape_change and enqueue with input shapes {list(shapes)}"
        yield check(not unlike, lambda: _changed_by_asking(where, unlike, f"what it does with tactic {tactic}"))


def _changed_by_asking(where: str, observed: str, expected: object) -> Violation:
    return Violation(
        what=f"{METHOD} changed what the plugin does",
        where=where,
        expected=f"{expected}, as without these calls",
        observed=observed,
        fix=f"Return the object in {METHOD}, and do nothing else.",
    )


def _changed_by_use(parts: Mapping[str, Any], driver: Driver, shapes: Shapes) -> dict[str, list[str]]:
    """Return which attributes of some objects changed while the plugin was configured and run."""
    before = {kind: dict(getattr(part, "__dict__", {})) for kind, part in parts.items()}
    driver.make_ready().run(shapes, conditions=LENIENT)
    after = {kind: getattr(part, "__dict__", {}) for kind, part in parts.items()}
    return {
        kind: sorted(name for name in {*held, *after[kind]} if held.get(name) is not after[kind].get(name))
        for kind, held in before.items()
    }


def _shared(kind: str, part: Any, name: str, changed: list[str]) -> Violation:
    return Violation(
        what=f"{METHOD}({kind}) of a copy returned the object of its source",
        where=f"the object that {name} returned",
        expected=f"a new {type(part).__name__}, or an object that never changes",
        observed=f"the source's own object; {', '.join(changed)} in it changes when the copy is used",
        fix="Make new capability objects for each plugin object; copy their parameters, not the objects.",
    )


@rule(
    "CAP-007",
    source=plugins.CAPABILITY_QUERIES,
    interfaces=VERSION_3,
    requires=CONFIGURES | {"CAP-002", "CAP-004", "CAP-005"},
)
def asking_for_a_capability_changes_nothing(subject: Subject) -> Iterator[Finding]:
    """``get_capability_interface`` changes nothing, and works at any time in the plugin's life.

    No document says when or how often TensorRT asks. It may keep the object, or ask before each call.
    """
    yield from _asked_in_a_build(subject)
    for state, plugin in in_every_state(subject):
        kinds = OF_A_BUILD if subject.caller.can_be_asked(subject.gate, plugin) else OF_AN_ENGINE
        refusals = [(kind, query(subject, plugin, kind).refused) for kind in kinds]
        kind, refused = next(((kind, how) for kind, how in refusals if how), ("", ""))
        yield check(not refused, lambda: _refused(refused, kind, f"a plugin that is {state}"))
    first = best_shapes(subject.case)
    yield from _asked_in_a_context(subject, first)
    for shapes in (first, other_shapes(subject.case, first)):
        driver, asked_driver = fresh_driver(subject), fresh_driver(subject)
        expected_run = driver.run(shapes)
        with between_calls(subject.gate, lambda: capabilities(subject, asked_driver.plugin, OF_AN_ENGINE)):
            unlike = deviation(asked_driver, asked_driver.run(shapes, conditions=LENIENT), expected_run)
        where = f"asked between set_tactic, on_shape_change and enqueue with input shapes {list(shapes)}"
        yield check(not unlike, lambda: _changed_by_asking(where, unlike, "the outputs"))


@rule(
    "CAP-008",
    level=1,
    source=plugins.CAPABILITY_MISSING,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=OFFERS,
)
def a_missing_capability_is_none(subject: Subject) -> Iterator[Finding]:
    """``get_capability_interface`` returns None for a capability that the plugin does not have, and does not raise.

    A plugin of an engine need not have the BUILD capability. If the method raises, the bindings print the exception
    at each call.
    """
    plugin = subject.deserialize(subject.serialize(subject.create()))
    answer = query(subject, plugin, "BUILD")
    yield check(
        not answer.raised,
        lambda: Violation(
            what=f"{METHOD}(BUILD) {answer.failure.what if answer.failure else ''}",
            where="a plugin that create_plugin made for TensorRTPhase.RUNTIME",
            expected="the capability, or None",
            observed="the exception is printed, and TensorRT gets a null pointer",
            fix="Return None for a capability that the object does not have.",
        ),
    )


@rule(
    "CAP-009",
    languages=PYTHON,
    level=1,
    source=plugins.CAPABILITY_ORDER,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=OFFERS,
)
def a_class_has_one_build_interface(subject: Subject) -> Iterator[Finding]:
    """A class implements only one build interface.

    The bindings take the first that fits, in the order OneBuildV2, OneBuild, QuickAOTBuild, QuickBuild. They never
    call the methods of the others.
    """
    part = query(subject, subject.create(), "BUILD").part
    bases = [name for name in BUILDING if isinstance(part, getattr(subject.trt, name))]
    if bases[0] == "IPluginV3OneBuildV2":
        bases.remove("IPluginV3OneBuild")  # its own base class
    yield check(
        len(bases) == 1,
        lambda: Violation(
            what=f"{type(part).__name__} implements {' and '.join(bases)}",
            where="its base classes",
            expected="one build interface",
            observed=f"TensorRT calls the methods of {bases[0]} alone",
            fix="Derive from one of these interfaces only.",
        ),
    )


@rule("CAP-010", languages=PYTHON, level=1, source=plugins.CAPABILITY_INTERNAL)
def tensorrts_own_interfaces_are_not_implemented(subject: Subject) -> Iterator[Finding]:
    """No class derives from an interface that TensorRT implements itself.

    TensorRT makes these objects and passes them to the plugin. With an object of another class it crashes, or it never
    calls the object.
    """
    classes = [*written_classes(subject.origin.module), type(subject.create()), type(subject.creator)]
    for cls in dict.fromkeys(classes):
        bases = bound_interfaces(cls)
        wrong = [base for base in bases if base in TENSORRTS_OWN]
        yield check(
            not wrong,
            lambda: Violation(
                what=f"{cls.__name__} derives from {wrong[0]}",
                where=f"class {cls.__qualname__}",
                expected="classes derive from interfaces that applications implement",
                observed=f"{wrong[0]} is implemented by TensorRT",
                fix="Use the object that TensorRT passes to the plugin.",
            ),
        )


@rule(
    "CAP-011",
    languages=PYTHON,
    level=1,
    source=plugins.BUILD_INTERFACE_TWICE,
    interfaces=VERSION_3,
    requires=OFFERS,
)
def the_build_capability_is_one_object_in_cpp(subject: Subject) -> Iterator[Finding]:
    """A class gets ``IPluginV3OneBuild`` from its base classes only once: alone, or through ``IPluginV3OneBuildV2``.

    If both are bases, also through a class in between, the object has two build objects in C++. Python assigns
    ``num_outputs`` to one of them and TensorRT reads the other. NVIDIA's builder crashes or finds no outputs.
    """
    part = query(subject, subject.create(), "BUILD").part
    parts = {base.__name__: base for base in bound_parts(type(part)) if base.__name__ in BUILDING}
    twice = [name for name, base in parts.items() if any(other is not base for other in _derived(base, parts))]
    yield check(
        not twice,
        lambda: Violation(
            what=f"{type(part).__name__} derives from {' and from '.join(sorted(parts))}",
            where="its base classes, and their base classes",
            expected="one of the two, since IPluginV3OneBuildV2 contains IPluginV3OneBuild",
            observed=f"two build objects in C++; the num_outputs of {twice[0]} may be missing",
            fix="Derive from IPluginV3OneBuildV2 alone, and from no class that derives from IPluginV3OneBuild.",
        ),
    )


def _derived(base: type, parts: Mapping[str, type]) -> list[type]:
    return [other for other in parts.values() if issubclass(other, base)]


@rule(
    "CAP-012",
    languages=PYTHON,
    level=1,
    source=plugins.PLUGIN_DELETED,
    interfaces=VERSION_3,
    requires=OFFERS | {"CAP-004", "CAP-005"},
)
def the_build_capability_keeps_the_plugin(subject: Subject) -> Iterator[Finding]:
    """A BUILD capability that is a separate object keeps a reference to its plugin.

    TensorRT deletes a plugin that it no longer needs, and the bindings drop their reference to the Python object. If
    that was the last reference, Python frees the same memory again, and the process dies. The bindings keep each object
    that ``get_capability_interface`` returned for ever. So a BUILD object that refers to the plugin keeps the plugin.
    """
    for how, make in _deleted(subject).items():
        plugin = make()
        part = query(subject, plugin, "BUILD").part
        reference, is_one = weakref.ref(plugin), part is plugin
        made_of = type(plugin).__name__, type(part).__name__
        last = [plugin]
        del plugin
        ending(subject, lambda: [last.pop()]).insist()
        freed = not is_one and is_gone(reference)
        del part
        yield check(not freed, lambda: _freed_twice(how, *made_of))


def _deleted(subject: Subject) -> dict[str, Callable[[], Any]]:
    """Return how the plugins are made that TensorRT asks for the BUILD capability and then deletes."""
    sources: list[Any] = []  # what clones need of a source that is gone, CLN-008 judges

    def clone_of(source: Any) -> Any:
        sources.append(source)
        return subject.clone(source)

    return {
        "the plugin that create_plugin made": subject.create,
        "a clone": lambda: clone_of(subject.create()),
        "a clone of a clone": lambda: clone_of(clone_of(subject.create())),
    }


def _freed_twice(how: str, plugin: str, part: str) -> Violation:
    return Violation(
        what=f"only TensorRT refers to {how}",
        where=f"a {plugin}, after {METHOD}(BUILD) returned its {part}",
        expected=f"the {part} refers to the {plugin}",
        observed="TensorRT dies here: it deletes the plugin, and Python frees the same object again",
        fix="Keep the plugin in its build object: pass self to that object, and assign it to an attribute there.",
    )


@rule(
    "CAP-013",
    level=1,
    source=plugins.ATTACHED_IN_A_BUILD,
    interfaces=VERSION_3,
    requires=OFFERS | {"CAP-005", "CAP-009"},
)
def what_is_attached_in_a_build_can_be_built(subject: Subject) -> Iterator[Finding]:
    """In a build, ``attach_to_context`` returns an object that has the BUILD capability, too.

    NVIDIA's builder attaches its copy of the plugin, and configures the attached object. It asks this object for
    tactics and workspace. The process dies if the object returns no BUILD capability.
    """
    configured = Driver(subject, subject.create()).configure_for_build()
    for how, plugin in {"created": subject.create(), "configured": configured.plugin}.items():
        with leniently(subject.gate) as failures:
            attached = subject.caller.make_ready(subject.gate, plugin)
        if failures:
            continue  # the rules about attach_to_context report that
        answer = query(subject, attached, "BUILD")
        yield check(
            not answer.failure,
            lambda: Violation(
                what=f"{METHOD}(BUILD) {answer.failure.what if answer.failure else ''}",
                where=f"the object that attach_to_context returned in a build; its source was {how}",
                expected="an object that implements the BUILD capability, as for the source",
                observed="TensorRT dies here: it configures the attached object through a null pointer",
                fix="Return a complete copy of the plugin in attach_to_context, for example self.clone().",
            ),
        )


def _refused(how: str, kind: str, where: str) -> Violation:
    return Violation(
        what=f"{METHOD}({kind}) {how}",
        where=where,
        expected=f"an object that implements the {kind} capability",
        observed="TensorRT gets a null pointer and dies here",
        fix=f"Return the object with the {kind} capability; return self if one object has all.",
    )
