"""CAP: the capabilities of an IPluginV3, ``get_capability_interface``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.formats.capabilities import OF_A_BUILD, OF_AN_ENGINE, capabilities, query
from harness.checks.lifecycle.states import in_every_state
from harness.checks.observation.classes import bound_interfaces, written_classes
from harness.checks.observation.watching import between_calls
from harness.checks.running.driver import fresh_bench
from harness.checks.running.runs import LENIENT, deviation
from harness.checks.sampling.sampling import best_shapes, other_shapes
from harness.contract.finding import Finding, NotApplicable, Violation, judged
from harness.contract.rule import VERSION_3, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.checks.running.driver import Driver
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.subject import Subject

METHOD = "get_capability_interface"
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
    """A plugin that is added to a network hands out its CORE, BUILD and RUNTIME capabilities.

    A builder times the plugin, and for that needs the runtime capability as well.
    """
    plugin = subject.create()
    for kind in OF_A_BUILD:
        asked = query(subject, plugin, kind)
        yield judged(not asked.refused, lambda: _refused(asked.refused, kind, "a plugin that create_plugin made"))


@rule(
    "CAP-002",
    level=1,
    source=plugins.CAPABILITIES_OF_AN_ENGINE,
    interfaces=VERSION_3,
    requires={"CAP-001"},
    owns={f"{METHOD} in the runtime phase"},
)
def a_plugin_of_an_engine_has_core_and_runtime(subject: Subject) -> Iterator[Finding]:
    """A plugin that is made for the runtime phase hands out its CORE and RUNTIME capabilities.

    An engine looks for the plugin's name in the one, and runs the other.
    """
    plugin = subject.deserialize(subject.serialize(subject.create()))
    for kind in OF_AN_ENGINE:
        asked = query(subject, plugin, kind)
        where = "a plugin that create_plugin made for TensorRTPhase.RUNTIME"
        yield judged(not asked.refused, lambda: _refused(asked.refused, kind, where))


@rule("CAP-003", level=1, source=plugins.CAPABILITY_CLASSES, interfaces=VERSION_3, owns={f"{METHOD} of another kind"})
def a_capability_is_of_its_class(subject: Subject) -> Iterator[Finding]:
    """What is returned for a capability is an object of a class that has this capability.

    The bindings cast it to the interfaces of that capability, one after the other, and make a null pointer of
    anything else.
    """
    plugin = subject.create()
    for kind in OF_A_BUILD:
        asked = query(subject, plugin, kind)
        yield judged(
            not asked.is_wrong,
            lambda: Violation(
                what=f"{METHOD}({kind}) {asked.failure.what if asked.failure else ''}",
                where="a plugin that create_plugin made",
                expected=f"an object whose class derives from IPluginV3One{kind.capitalize()}",
                observed="TensorRT gets a null pointer",
                fix=f"Return the object that implements the {kind} capability.",
            ),
        )


@rule("CAP-004", level=1, source=plugins.CAPABILITY_OWNED, interfaces=VERSION_3, requires=OFFERS)
def a_capability_is_always_the_same_object(subject: Subject) -> Iterator[Finding]:
    """A capability that is asked for again is the same object, and the plugin owns it.

    TensorRT asks whenever it needs one, and the bindings never release what they are given: an object that is made
    for each question is never freed, and knows nothing of the calls before.
    """
    plugin = subject.create()
    for kind in OF_A_BUILD:
        first, again = (query(subject, plugin, kind).part for _ in range(2))
        yield judged(
            first is again,
            lambda: Violation(
                what=f"{METHOD}({kind}) returned another object the second time",
                where="asked twice on the same plugin",
                expected="the object of the first time",
                observed=f"another {type(again).__name__}",
                fix="Make the object in __init__, keep it in the plugin, and return it each time.",
            ),
        )


@rule(
    "CAP-005",
    level=1,
    source=plugins.CAPABILITIES_OF_A_CLONE,
    interfaces=VERSION_3,
    requires=OFFERS | {"CLN-006"},
    owns={f"{METHOD} of a clone"},
)
def a_clone_has_the_capabilities_of_its_source(subject: Subject) -> Iterator[Finding]:
    """A clone hands out at least the capabilities of its source.

    The network and the builder work on clones.
    """
    plugin = subject.create()
    copies = {"a clone": subject.clone(plugin)}
    copies["a clone of a clone"] = subject.clone(copies["a clone"])
    for name, copy in copies.items():
        for kind in OF_A_BUILD:
            asked = query(subject, copy, kind)
            yield judged(not asked.failure, lambda: _refused(asked.failure.what if asked.failure else "", kind, name))


@rule("CAP-006", source=plugins.CAPABILITY_STATE, interfaces=VERSION_3, requires=RUNS | {"CLN-001", "CAP-004"})
def a_clone_has_capabilities_of_its_own(subject: Subject) -> Iterator[Finding]:
    """Where capabilities are objects of their own, a clone shares none with its source in which something changes.

    They hold the tactic and the shapes of one context, and contexts run side by side.
    """
    plugin = subject.create()
    parts = capabilities(subject, plugin)
    if all(part is plugin for part in parts.values()):
        raise NotApplicable("the plugin is one object with all capabilities")
    attached = fresh_bench(subject)
    copies = {"clone": (attached.of(subject.clone(plugin)), OF_A_BUILD), "attach_to_context": (attached, OF_AN_ENGINE)}
    for name, (bench, kinds) in copies.items():
        asked = {kind: query(subject, bench.plugin, kind).part for kind in kinds[1:]}
        shared = {kind: part for kind, part in asked.items() if any(part is other for other in parts.values())}
        changed = _changed_by_use(shared, bench, best_shapes(subject.case))
        for kind, part in asked.items():
            names = changed.get(kind, [])
            yield judged(not names, lambda: _shared(kind, part, name, names))


def _changed_by_use(parts: Mapping[str, Any], bench: Driver, shapes: Shapes) -> dict[str, list[str]]:
    """Return which attributes of some objects are other ones when the plugin has been configured and run."""
    before = {kind: dict(getattr(part, "__dict__", {})) for kind, part in parts.items()}
    bench.make_ready().run(shapes, surroundings=LENIENT)
    after = {kind: getattr(part, "__dict__", {}) for kind, part in parts.items()}
    return {
        kind: sorted(name for name in {*held, *after[kind]} if held.get(name) is not after[kind].get(name))
        for kind, held in before.items()
    }


def _shared(kind: str, part: Any, name: str, changed: list[str]) -> Violation:
    return Violation(
        what=f"{METHOD}({kind}) of a copy returned the object of its source",
        where=f"the object that {name} returned",
        expected=f"a {type(part).__name__} of its own, or one in which nothing changes",
        observed=f"the very object of the source, in which {', '.join(changed)} changes as the copy is used",
        fix="Make new capability objects for each plugin object; copy their parameters, not the objects.",
    )


@rule(
    "CAP-007",
    source=plugins.CAPABILITY_QUERIES,
    interfaces=VERSION_3,
    requires=RUNS | {"CAP-002", "CAP-004", "CAP-005"},
)
def asking_for_a_capability_changes_nothing(subject: Subject) -> Iterator[Finding]:
    """Asking for a capability changes nothing, and works at any point of the plugin's life.

    TensorRT does not say when it asks, nor how often.
    """
    for state, plugin in in_every_state(subject):
        kinds = OF_A_BUILD if subject.caller.can_be_asked(subject.gate, plugin) else OF_AN_ENGINE
        refusals = [(kind, query(subject, plugin, kind).refused) for kind in kinds]
        kind, refused = next(((kind, how) for kind, how in refusals if how), ("", ""))
        yield judged(not refused, lambda: _refused(refused, kind, f"a plugin that is {state}"))
    first = best_shapes(subject.case)
    for shapes in (first, other_shapes(subject.case, first)):
        bench, asked = fresh_bench(subject), fresh_bench(subject)
        wanted = bench.run(shapes)
        with between_calls(subject.gate, lambda: capabilities(subject, asked.plugin, OF_AN_ENGINE)):
            unlike = deviation(asked, asked.run(shapes, surroundings=LENIENT), wanted)
        yield judged(
            not unlike,
            lambda: Violation(
                what=f"{METHOD} changed what the plugin computes",
                where=f"asked between set_tactic, on_shape_change and enqueue with input shapes {list(shapes)}",
                expected="the outputs of an object that is not asked in between",
                observed=unlike,
                fix=f"Let {METHOD} do nothing but return the object.",
            ),
        )


@rule(
    "CAP-008",
    level=1,
    source=plugins.CAPABILITY_MISSING,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=OFFERS,
)
def a_missing_capability_is_none(subject: Subject) -> Iterator[Finding]:
    """For a capability that it does not have, a plugin returns None; it does not raise.

    A plugin of an engine need not have the BUILD capability. The bindings print an exception, at each question.
    """
    plugin = subject.deserialize(subject.serialize(subject.create()))
    asked = query(subject, plugin, "BUILD")
    yield judged(
        not asked.raised,
        lambda: Violation(
            what=f"{METHOD}(BUILD) {asked.failure.what if asked.failure else ''}",
            where="a plugin that create_plugin made for TensorRTPhase.RUNTIME",
            expected="the capability, or None",
            observed="the exception is printed, and TensorRT gets a null pointer",
            fix="Return None for a capability that the object does not have.",
        ),
    )


@rule(
    "CAP-009",
    level=1,
    source=plugins.CAPABILITY_ORDER,
    severity=Severity.WARNING,
    interfaces=VERSION_3,
    requires=OFFERS,
)
def a_class_has_one_build_interface(subject: Subject) -> Iterator[Finding]:
    """A class implements one build interface, and not several.

    The bindings take the first that fits, in the order OneBuildV2, OneBuild, QuickAOTBuild, QuickBuild; the methods of
    the others are never called.
    """
    part = query(subject, subject.create(), "BUILD").part
    bases = [name for name in BUILDING if isinstance(part, getattr(subject.trt, name))]
    if bases[0] == "IPluginV3OneBuildV2":
        bases.remove("IPluginV3OneBuild")  # its own base class
    yield judged(
        len(bases) == 1,
        lambda: Violation(
            what=f"{type(part).__name__} implements {' and '.join(bases)}",
            where="its base classes",
            expected="one build interface",
            observed=f"TensorRT calls the methods of {bases[0]} alone",
            fix=f"Derive from {bases[0]}, or from another one instead.",
        ),
    )


@rule("CAP-010", level=1, source=plugins.CAPABILITY_INTERNAL)
def tensorrts_own_interfaces_are_not_implemented(subject: Subject) -> Iterator[Finding]:
    """No class derives from an interface that TensorRT implements itself.

    These are what TensorRT hands out: an object of another class is never asked, or crashes it.
    """
    classes = [*written_classes(subject.origin.module), type(subject.create()), type(subject.creator)]
    for cls in dict.fromkeys(classes):
        bases = bound_interfaces(cls)
        wrong = [base for base in bases if base in TENSORRTS_OWN]
        yield judged(
            not wrong,
            lambda: Violation(
                what=f"{cls.__name__} derives from {wrong[0]}",
                where=f"class {cls.__qualname__}",
                expected="classes derive from interfaces that applications implement",
                observed=f"{wrong[0]} is implemented by TensorRT",
                fix=f"Use the {wrong[0]} that TensorRT passes in.",
            ),
        )


def _refused(how: str, kind: str, where: str) -> Violation:
    return Violation(
        what=f"{METHOD}({kind}) {how}",
        where=where,
        expected=f"an object that implements the {kind} capability",
        observed="TensorRT gets a null pointer and refuses the plugin",
        fix=f"Return the object with the {kind} capability; where one object has all, return self.",
    )
