"""CRE: creators, which advertise fields and make plugins.

Long because the family is: one file a family.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.fields import field_variants as variants
from harness.checks.fields.creating import (
    advertised,
    create_from,
    create_strictly,
    creator_attributes,
    describe,
    deserialize_from,
    initialization_failure,
)
from harness.checks.fields.field_names import matters_unlisted, read_instead
from harness.checks.lifecycle.completeness import half_made
from harness.checks.lifecycle.equivalence import (
    behaviour,
    contradiction,
    unlike_the_usual,
    usual_behaviour,
)
from harness.checks.lifecycle.life_stages import moments
from harness.checks.lifecycle.parameters import with_other_parameters
from harness.checks.lifecycle.repeated_creation import field_sets, unlike_the_first
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.running.driver import Driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes, corner_shapes
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import Fault, attempt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.fields.creating import Advertised, Creation
    from harness.checks.lifecycle.equivalence import Behaviour
    from harness.checks.lifecycle.life_stages import Moment
    from harness.checks.running.driver import Run
    from harness.checks.sampling.sampling import Shapes
    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

METHOD = "create_plugin"
RESTORING = Fault.IN_THE_RUNTIME_PHASE.of(METHOD)
#: Layer names that a network may have.
LAYER_NAMES = {
    "an empty name": "",
    "'/model/layer_13'": "/model/layer_13",
    "a name of 4096 letters of all kinds": "Schicht-\u00df\u5c42-" + "x" * 4085,
}
BY_NAME = "Find fields by name, and read them as field.type says."
NAMELESS = "Compute from the fields alone, and do not use the argument name: it is the name of a layer."


#: What happens to a creator that lacks an attribute.
_WITHOUT = {
    "name": "register_creator returns False",
    "plugin_version": "register_creator returns False",
    "plugin_namespace": "the process crashes when the creator is registered",
    "field_names": "the plugin seems to need no fields",
}


@rule("CRE-001", level=1, source=plugins.CREATOR_ATTRIBUTES)
def creator_is_complete(subject: Subject) -> Iterator[Finding]:
    """A creator has ``name``, ``plugin_version``, ``plugin_namespace`` and ``field_names`` before it is registered.

    Without a namespace the real registry crashes. Without a name or version it refuses the creator. Without
    ``field_names`` it registers a creator that seems to need no fields.
    """
    for name, value in creator_attributes(subject.creator).items():
        yield check(
            value is not None,
            lambda: Violation(
                what=f"the creator's {name} was never assigned",
                where=f"{type(subject.creator).__name__}.{name}",
                expected=f"self.{name} is assigned in the creator's __init__",
                observed=f"TensorRT reads a null pointer, and {_WITHOUT[name]}",
                fix=f"Assign self.{name} in the creator's __init__, not in its class{_empty(name)}.",
            ),
        )


@rule(
    "CRE-002",
    level=1,
    source=plugins.FIELD_NAMES,
    requires={"ID-010", "ID-011", "PFD-005", "PFD-007"},
    owns={METHOD},
)
def advertised_fields_are_enough(subject: Subject) -> Iterator[Finding]:
    """``field_names`` lists every field that ``create_plugin`` needs.

    A parser passes only the fields that a creator advertises. The rule uses the case's own values. It uses other
    values to see whether the creator reads a field under its advertised name, or in another spelling.
    """
    values = subject.fields
    names = {entry.name for entry in advertised(subject.creator)}
    offers = {"the case's fields": values}
    if not all(value.name in names for value in values):
        offers["those of the case's fields that field_names lists"] = [v for v in values if v.name in names]
    for offered, fields in offers.items():
        creation = create_from(subject, fields)
        yield check(
            creation.plugin is not None,
            lambda: Violation(
                what=f"create_plugin made no plugin from {offered}",
                where=f"create_plugin with {_named(fields)}",
                expected="a plugin",
                observed=f"it {creation.refusal}; TensorRT gets no plugin",
                fix="List in field_names every field that create_plugin needs, and make a plugin from these."
                if not subject.case.inferred
                else "Write a case: the harness found no field values that create_plugin accepts.",
            ),
        )
        if creation.plugin is None:
            return
    yield from _judge_names(subject)


def _empty(name: str) -> str:
    return "; without fields, an empty collection" if name == "field_names" else ""


def _judge_names(subject: Subject) -> Iterator[Finding]:
    """Judge whether what makes a difference is advertised, and under the name that it is read by."""
    entries = {entry.name: entry for entry in advertised(subject.creator)}
    for value in subject.fields:
        if value.name not in entries:
            matters = matters_unlisted(subject, value, list(entries))
            yield check(not matters, lambda: _not_listed(f"{value.name!r} makes another plugin", value.name))
    for entry in entries.values():
        name = read_instead(subject, entry)
        yield check(not name, lambda: _not_listed(f"create_plugin ignores {entry.name!r} and reads {name!r}", name))


def _not_listed(observed: str, name: str) -> Violation:
    return Violation(
        what=f"create_plugin reads the field {name!r}, which field_names does not list",
        where="what plugins store that create_plugin made with and without it",
        expected=f"field_names lists {name!r}: a parser passes only listed fields",
        observed=observed,
        fix=f"List {name!r} in field_names, and read each field by its listed name.",
    )


@rule("CRE-003", level=1, source=plugins.FIELD_NAMES_EMPTY, severity=Severity.INFO, requires={"CRE-001"})
def advertised_fields_are_empty(subject: Subject) -> Iterator[Finding]:
    """Advertised fields carry a name and a type, and no data.

    Callers read ``field_names`` to learn which fields they can pass, not which values are set. TensorRT itself reads
    the names alone: every TensorRT works with data there.
    """
    entries = advertised(subject.creator)
    if not entries:
        raise NotApplicable("the creator advertises no fields")
    for entry in entries:
        yield check(
            entry.size == 0,
            lambda: Violation(
                what=f"the advertised field {entry.name!r} carries {entry.size} elements",
                where=entry.place,
                expected="a field of size 0",
                observed=f"size {entry.size}",
                fix=f"Make the field {entry.name!r} from an empty array, and keep the default in create_plugin.",
            ),
        )


@rule("CRE-004", level=1, source=plugins.CREATE_PLUGIN, owns={Fault.REPEATED.of(METHOD)})
def every_plugin_is_fresh(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` returns a new object on each call, which shares no state with the others.

    Each object belongs to its own layer, is configured for it, and is destroyed by its own owner.
    """
    first = subject.create()
    second, _ = subject.try_create(subject.fields)
    yield check(
        second is not first,
        lambda: Violation(
            what="create_plugin returned the same object twice",
            where="two calls with the case's fields",
            expected="two objects",
            observed=f"one {type(first).__name__} object, which TensorRT configures and destroys for two layers",
            fix="Make a new plugin in every call of create_plugin.",
        ),
    )
    if second is not None and second is not first:
        yield from _judge_independence(subject, first, second)


@rule("CRE-005", source=plugins.CREATE_PLUGIN_ERROR, requires=RUNS | {"PFD-004"})
def bad_fields_make_no_half_plugin(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` makes no plugin from missing or invalid fields, unless the plugin works.

    TensorRT reports a refusal where the network is made. A plugin that lacks a parameter fails when it is
    configured or run, where TensorRT swallows the reason. A field with a default may be left out. A wrong
    number of elements may show only with a shape. Then the plugin may refuse in a query, or when it is configured.
    """
    if not subject.fields:
        raise NotApplicable("the case has no fields")
    behaviour(subject, subject.create())
    for name, values in _bad_fields(subject.fields):
        creation = create_from(subject, values)
        problem = "" if creation.plugin is None else half_made(subject, creation.plugin, values)
        yield check(
            not problem,
            lambda: Violation(
                what=f"create_plugin made a plugin that cannot work, {name}",
                where=f"create_plugin with {_named(values)}",
                expected="None, an exception, or a plugin that works with a default",
                observed=f"a plugin; later, {problem}",
                fix="Check all fields in create_plugin, and return None or raise if one is missing or wrong. If that "
                "depends on a shape, refuse in supports_format_combination or configure_plugin.",
            ),
        )


@rule("CRE-006", source=plugins.CREATE_PLUGIN_ORDER, severity=Severity.WARNING, requires=RUNS)
def order_of_fields_is_free(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` makes the same plugin from fields in any order.

    Fields are identified by their names; no document promises an order.
    """
    values = subject.fields
    if len(values) < 2:  # noqa: PLR2004 - one field has one order
        raise NotApplicable("the case has fewer than two fields")
    usual = usual_behaviour(subject)
    for order in variants.orders(values):
        yield _judge_same(subject, usual, create_from(subject, order), f"fields in the order {_named(order)}")


@rule("CRE-007", source=plugins.CREATE_PLUGIN_DATA, requires=RUNS)
def fields_are_copied(subject: Subject) -> Iterator[Finding]:
    """A plugin copies what it needs from the fields, and does not use them after ``create_plugin`` has returned.

    The fields belong to the caller, who frees them.
    """
    creation = create_strictly(subject)
    seen = 0
    for when in _steps(creation, moments(subject, creation.plugin)):
        late = creation.late_reads
        yield check(
            len(late) == seen,
            lambda: Violation(
                what=f"a field was used after create_plugin had returned: {late[-1]}",
                where=when,
                expected="no access: TensorRT has freed the fields",
                observed="a read of freed memory",
                fix="Copy the values of field.data in create_plugin, and keep neither fields nor collection.",
            ),
        )
        seen = len(late)


@rule(
    "CRE-008",
    level=1,
    source=plugins.CREATE_FOR_AN_ENGINE,
    interfaces=VERSION_3,
    requires={"SER-009"},
    owns={RESTORING, Fault.REPEATED.of(RESTORING)},
)
def stored_fields_make_a_plugin(subject: Subject) -> Iterator[Finding]:
    """In the runtime phase ``create_plugin`` makes a plugin from the fields that ``get_fields_to_serialize`` returned.

    They need not be the fields that the creator advertises. Two engines that are loaded must not share one object.
    """
    saved = subject.serialize(subject.create())
    stored = ", ".join(each.name for each in saved) or "no fields"
    made, how = deserialize_from(subject, saved)
    yield _judge_stored(made is not None, how, stored)
    if made is not None:
        again, how = deserialize_from(subject, saved)
        yield _judge_stored(again is not made, how or "returned the same object again", stored)


@rule("CRE-009", languages=PYTHON, level=1, source=plugins.CREATE_PLUGIN_NAMES, severity=Severity.INFO)
def parameters_have_the_documented_names(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` takes its arguments by position and by their documented names.

    The names are ``name``, ``field_collection``, and ``phase`` for an IPluginV3. TensorRT passes the arguments by
    position. Python code calls the method by name, as NVIDIA's guide does. Every TensorRT works with other names:
    NVIDIA's samples have ``fc``.
    """
    signature = inspect.signature(subject.creator.create_plugin)
    documented = subject.caller.words.creation
    for shown, names in {"by position": (), "by name": documented}.items():
        try:
            signature.bind(*([None] * len(documented) if not names else ()), **dict.fromkeys(names))
            problem = ""
        except TypeError as error:
            problem = str(error)
        yield check(
            not problem,
            lambda: Violation(
                what=f"create_plugin cannot be called {shown}",
                where=f"create_plugin{signature}",
                expected=f"create_plugin(self, {', '.join(documented)})",
                observed=f"TypeError: {problem}",
                fix="Name the parameters name, field_collection and, for an IPluginV3, phase.",
            ),
        )


@rule(
    "CRE-010",
    source=plugins.CREATE_PLUGIN_LAYER,
    severity=Severity.WARNING,
    requires=RUNS | {"CRE-008", "CRE-012", "SER-002", "SER-004"},
)
def layer_name_changes_nothing(subject: Subject) -> Iterator[Finding]:
    """The plugin does not depend on the name of its layer.

    Parsers invent names, and an engine does not store the name that ``create_plugin`` was given. Layers of two
    networks may have the same name. The names in the build and in the engine may differ.
    """
    usual, stored = usual_behaviour(subject), subject.serialize(subject.create())
    for shown, name in LAYER_NAMES.items():
        problem = unlike_the_usual(subject, usual, create_from(subject, subject.fields, name=name))
        yield _judge_likeness(problem, f"name={shown}", fix=NAMELESS)
    for shown, name in LAYER_NAMES.items():
        problem = _restored_otherwise(subject, stored, name)
        yield _judge_likeness(problem, f"name={shown}, of stored data", fix=NAMELESS)
    for other in with_other_parameters(subject):
        alone, namesake = (
            other.serialize(other.create(each)) for each in ("another name", next(reversed(LAYER_NAMES.values())))
        )
        how = "" if alone == namesake else f"{subject.caller.words.save} gives other data"
        yield _judge_likeness(how, "the name of a layer that was made before, of other values", fix=NAMELESS)


@rule("CRE-011", source=plugins.CREATE_PLUGIN_TYPES, requires=RUNS)
def field_types_are_respected(subject: Subject) -> Iterator[Finding]:
    """The creator reads a field as the field's type says; it converts or refuses a field of another type.

    Bytes that are read as another type give wrong numbers. A plugin also passes if it keeps the right numbers in
    the other type, and raises later.
    """
    numbers = [value for value in subject.fields if variants.is_number(value)]
    if not numbers:
        raise NotApplicable("the case has no field of numbers")
    for value in numbers:
        plain = variants.changed(subject.fields, value.name, variants.rounded)
        creation = create_from(subject, plain)
        if creation.plugin is None:
            continue
        usual = behaviour(subject, creation.plugin)
        for name in variants.NUMBER_TYPES:
            other = variants.in_type(subject.trt, variants.rounded(value), name)
            if other is None or other.type == value.type:
                continue
            made = create_from(subject, [other if each.name == other.name else each for each in plain])
            if made.plugin is None:
                yield Finding()
                continue
            problem = contradiction(subject, made.plugin, usual)
            yield _judge_likeness(problem, f"{value.name!r} as {name} instead of {value.type.name}")


@rule(
    "CRE-012",
    level=1,
    source=plugins.DESERIALIZE_PLUGIN,
    owns={"deserialize_plugin", Fault.REPEATED.of("deserialize_plugin")},
    interfaces=VERSION_2,
    requires={"SER-003"},
)
def serialized_data_make_a_plugin(subject: Subject) -> Iterator[Finding]:
    """``deserialize_plugin`` makes a new plugin from serialized data, ready to be initialized.

    The engine initializes it at once. Two engines that are loaded must not share one object.
    """
    plugin = subject.create()
    data = subject.serialize(plugin)
    made, how = deserialize_from(subject, data)
    yield _judge_deserialized(made is not None, f"deserialize_plugin {how}", f"{len(data)} bytes of serialize()")
    if made is None:
        return
    kind = type(made).__name__
    yield _judge_deserialized(
        type(made) is type(plugin), f"it is a {kind}", f"where a {type(plugin).__name__} was stored"
    )
    again, how = deserialize_from(subject, data)
    yield _judge_deserialized(again is not made, f"the same {kind} object as before", "the second of two calls")
    built = subject.serialize(Driver(subject, plugin).configure_for_build().plugin)
    if built != data:
        again, how = deserialize_from(subject, built)
        yield _judge_deserialized(
            again is not None, f"deserialize_plugin {how}", f"{len(built)} bytes of serialize(), once it is configured"
        )
    plugin = subject.create()
    if initialization_failure(subject, plugin) is None:
        failure = initialization_failure(subject, made)
        how = describe(failure) if failure else ""
        yield _judge_deserialized(failure is None, f"initialize {how}", "initialize of the deserialized plugin")


@rule(
    "CRE-013", source=plugins.CREATOR_REUSE, requires=REPEATS | {"CFG-007", "CFG-008", "CRE-002", "CRE-004", "RES-013"}
)
def creator_can_be_used_again(subject: Subject) -> Iterator[Finding]:
    """A creator makes the same plugin from the same fields, after any other plugins.

    One creator serves all layers of all networks in the process. State may remain in the creator, a class, a module
    or a cache. Creating or running a plugin may leave it. An earlier plugin keeps its values as well.
    """
    sets = field_sets(subject)  # first of all: it compares with plugins that nothing was made before
    for how, problem in unlike_the_first(subject, sets):
        yield check(
            not problem,
            lambda: Violation(
                what="create_plugin made another plugin because of those that it had made before",
                where=f"create_plugin with {how}",
                expected="what a plugin of the same fields does if it is the first in its process",
                observed=problem,
                fix="Keep the state of a plugin in the plugin, not in the creator, a class or a module. "
                "A cache needs a key with all values that its entries depend on.",
            ),
        )
    for how, other in [*sets.items()][1:]:
        plugin = subject.create()
        before, again = subject.serialize(plugin), subject.serialize(plugin)
        create_from(subject, other.fields)
        yield check(
            before != again or subject.serialize(plugin) == before,
            lambda: Violation(
                what="a plugin took over the values of one that was made after it",
                where=f"{subject.caller.words.save} of a plugin, before and after create_plugin with {how}",
                expected="the same data",
                observed="other data",
                fix="Keep the values of a plugin in the plugin, not in the creator, a class or a module.",
            ),
        )


@rule("CRE-014", level=1, source=plugins.FIELD_NAMES_KEPT, severity=Severity.WARNING, requires={"CRE-001"})
def field_names_can_be_read_again(subject: Subject) -> Iterator[Finding]:
    """``field_names`` stays the same at any time, also after plugins have been made.

    TensorRT keeps a raw pointer to the collection and reads it at each query.
    """
    before = {entry.place: entry for entry in advertised(subject.creator)}
    subject.create()
    after = {entry.place: entry for entry in advertised(subject.creator)}
    if not before and not after:
        raise NotApplicable("the creator advertises no fields")
    for place in dict.fromkeys([*before, *after]):
        one, other = (_shown(entries.get(place)) for entries in (before, after))
        yield check(
            one == other,
            lambda: Violation(
                what="field_names changed",
                where=f"{place}, read again after create_plugin",
                expected=one,
                observed=other,
                fix="Make field_names once, in the creator's __init__, and never change it.",
            ),
        )


def _restored_otherwise(subject: Subject, stored: Any, name: str) -> str:
    """Say what differs in a plugin from stored data under a name; empty if it is equal."""
    words, again = subject.caller.words, []
    failure = attempt(words.restoring, lambda: again.append(subject.serialize(subject.deserialize(stored, name))))
    if failure is not None:
        return f"{words.restoring} {failure.how}"
    return "" if again == [stored] else f"{words.save} gives other data"


def _steps(creation: Creation, life: Iterator[Moment]) -> Iterator[str]:
    """Return when each step of a plugin's life was taken. A step that fails after a late read counts."""
    try:
        for moment in life:
            yield moment.when
    except CallbackFailedError as stop:
        if not creation.late_reads:
            raise
        yield f"when {stop}"


def _judge_independence(subject: Subject, first: object, second: object) -> Iterator[Finding]:
    """Judge whether one plugin does the same while the other is used."""
    mine = best_shapes(subject.case)
    driver, other = (Driver(subject, plugin, stranger=True).prepare() for plugin in (second, first))
    before = driver.run(mine)
    if _repetition(driver, before):
        return  # it does not repeat its results by itself either: other rules say why
    for what in _life_of(other, mine):
        difference = _repetition(driver, before)
        yield check(
            not difference,
            lambda: Violation(
                what="two plugins that create_plugin made share state",
                where=f"enqueue of one at {list(mine)}, after the other was {what}",
                expected="the same results as before",
                observed=difference,
                fix="Give each plugin its own copy of everything that it changes.",
            ),
        )


def _repetition(driver: Driver, before: Run) -> str:
    """Run it once more, and say what differs; empty if it is equal."""
    run = driver.enqueue(before.shapes, conditions=LENIENT)
    if run.failure is not None:
        return f"enqueue {run.failure.how}"
    tolerances = [tolerance_of(driver.subject.case, name) for name in driver.tensors.output_types]
    return str(first_difference(run.outputs, before.outputs, tolerances) or "")


def _life_of(other: Driver, mine: Shapes) -> Iterator[str]:
    for shapes in corner_shapes(other.subject.case):
        if shapes != mine:
            other.run(shapes)
            yield f"configured for {list(shapes)}"
    other.terminate().destroy()
    yield "destroyed"


def _judge_same(subject: Subject, usual: Behaviour, creation: Creation, how: str) -> Finding:
    """Judge whether a plugin that was made in another way does the same."""
    return _judge_likeness(unlike_the_usual(subject, usual, creation), how)


def _judge_likeness(problem: str, how: str, fix: str = BY_NAME) -> Finding:
    return check(
        not problem,
        lambda: Violation(
            what="create_plugin made another plugin from the same values",
            where=f"create_plugin with {how}",
            expected="a plugin that does the same",
            observed=problem,
            fix=fix,
        ),
    )


def _judge_deserialized(held: bool, observed: str, where: str) -> Finding:  # noqa: FBT001 - as `check`
    return check(
        held,
        lambda: Violation(
            what="deserialize_plugin made no plugin that an engine can use",
            where=where,
            expected="a fresh plugin of the class that was stored, which can be initialized",
            observed=f"{observed}; TensorRT cannot use the engine",
            fix="Make a new plugin of the stored class in every call of deserialize_plugin.",
        ),
    )


def _bad_fields(values: list[FieldValue]) -> Iterator[tuple[str, list[FieldValue]]]:
    for value in values:
        yield f"{value.name!r} left out", variants.without(values, value.name)
        if value.data.size:
            yield f"{value.name!r} without elements", variants.changed(values, value.name, variants.emptied)
            yield f"{value.name!r} with its elements twice", variants.changed(values, value.name, variants.doubled)
        if value.data.size > 1:
            for how, change in {"less": variants.shortened, "more": variants.lengthened}.items():
                yield f"{value.name!r} with one element {how}", variants.changed(values, value.name, change)
    if len(values) > 1:
        yield "all fields left out", []


def _named(values: list[FieldValue]) -> str:
    return ", ".join(map(str, values)) or "no fields"


def _shown(entry: Advertised | None) -> str:
    return "absent" if entry is None else f"type {entry.type}, {entry.size} elements"


def _judge_stored(held: bool, how: str, stored: str) -> Finding:  # noqa: FBT001 - as check()
    return check(
        held,
        lambda: Violation(
            what=f"create_plugin {how} in the runtime phase",
            where=f"create_plugin(name, the stored fields: {stored}, TensorRTPhase.RUNTIME)",
            expected="a new plugin",
            observed="TensorRT cannot load the engine",
            fix="Accept in create_plugin all fields that get_fields_to_serialize returns.",
        ),
    )
