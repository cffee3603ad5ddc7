"""CRE: creators, which advertise fields and make plugins.

Long because the family is: one file a family.
"""

from __future__ import annotations

import dataclasses
import inspect
import itertools
from typing import TYPE_CHECKING

from conformance.prerequisites import RUNS
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
from harness.checks.lifecycle.completeness import half_made
from harness.checks.lifecycle.equivalence import (
    behaviour,
    behaviour_or_failure,
    contradiction,
    unlike_the_usual,
    usual_behaviour,
)
from harness.checks.lifecycle.life_stages import moments
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.running.driver import PLAIN, Driver
from harness.checks.sampling.sampling import best_shapes, corner_shapes
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, NotRun, Violation, judged
from harness.contract.rule import VERSION_2, VERSION_3, Severity, rule

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
LENIENT = dataclasses.replace(PLAIN, lenient=True)
#: How many plugins a creator is asked for in a row.
MANY = 20
#: Layer names that a network may have.
LAYER_NAMES = {
    "an empty name": "",
    "'a'": "a",
    "a name of 1023 characters": "x" * 1023,
    "'Schicht-\u00df\u5c42'": "Schicht-\u00df\u5c42",
}


@rule("CRE-001", level=1, source=plugins.CREATOR_ATTRIBUTES)
def creator_is_complete(subject: Subject) -> Iterator[Finding]:
    """``name``, ``plugin_version``, ``plugin_namespace`` and ``field_names`` are set before a creator is registered.

    Without a namespace the real registry crashes, without a name or version it refuses, and without ``field_names``
    it registers a creator that seems to need no fields.
    """
    for name, value in creator_attributes(subject.creator).items():
        yield judged(
            value is not None,
            lambda: Violation(
                what=f"the creator's {name} was never assigned",
                where=f"{type(subject.creator).__name__}.{name}",
                expected=f"self.{name} is assigned in the creator's __init__",
                observed="TensorRT reads a null pointer",
                fix=f"Assign self.{name}" + (", an empty collection if there are no fields." if "f" in name else "."),
            ),
        )


@rule(
    "CRE-002",
    level=1,
    source=plugins.FIELD_NAMES,
    requires={"ID-010", "ID-011", "PFD-007"},
    owns={METHOD},
)
def advertised_fields_are_enough(subject: Subject) -> Iterator[Finding]:
    """``field_names`` lists every field that ``create_plugin`` needs.

    A parser offers what is advertised and nothing else. The case's own values are used.
    """
    values = subject.fields
    names = {entry.name for entry in advertised(subject.creator)}
    offers = {"the case's fields": values}
    if not all(value.name in names for value in values):
        offers["those of the case's fields that field_names lists"] = [v for v in values if v.name in names]
    for offered, given in offers.items():
        creation = create_from(subject, given)
        yield judged(
            creation.plugin is not None,
            lambda: Violation(
                what=f"create_plugin made no plugin from {offered}",
                where=f"create_plugin with {_named(given)}",
                expected="a plugin",
                observed=f"it {creation.refusal}; TensorRT gets no plugin",
                fix="Write a case: no field values were found that create_plugin takes."
                if subject.case.inferred
                else "Advertise in field_names every field that create_plugin needs, and make a plugin from them.",
            ),
        )


@rule("CRE-003", level=1, source=plugins.FIELD_NAMES_EMPTY, severity=Severity.WARNING, requires={"CRE-001"})
def advertised_fields_are_empty(subject: Subject) -> Iterator[Finding]:
    """Advertised fields carry a name and a type, and no data.

    Whoever reads ``field_names`` asks what could be given, not what is.
    """
    entries = advertised(subject.creator)
    if not entries:
        raise NotApplicable("the creator advertises no fields")
    for entry in entries:
        yield judged(
            entry.size == 0,
            lambda: Violation(
                what=f"the advertised field {entry.name!r} carries {entry.size} elements",
                where=entry.place,
                expected="a field of size 0",
                observed=f"size {entry.size}",
                fix=f"Advertise {entry.name!r} over an empty array, and keep the default in create_plugin.",
            ),
        )


@rule("CRE-004", level=1, source=plugins.CREATE_PLUGIN, owns={"create_plugin again"})
def every_plugin_is_fresh(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` returns a fresh object on each call, which shares no state with the others.

    Each belongs to a layer of its own, is configured for it, and is destroyed by its own owner.
    """
    first = subject.create()
    second, _ = subject.try_create(subject.fields)
    yield judged(
        second is not first,
        lambda: Violation(
            what="create_plugin returned the same object twice",
            where="two calls with the case's fields",
            expected="two objects",
            observed=f"{type(first).__name__} object, which TensorRT lets two layers configure and destroy",
            fix="Make a new plugin in every call of create_plugin.",
        ),
    )
    if second is not None and second is not first:
        yield from _judge_independence(subject, first, second)


@rule("CRE-005", source=plugins.CREATE_PLUGIN_ERROR, requires=RUNS | {"PFD-004"})
def bad_fields_make_no_half_plugin(subject: Subject) -> Iterator[Finding]:
    """From missing or invalid fields comes no plugin, rather than one that fails later.

    A refusal is reported where the network is made; a plugin that lacks something fails when it is configured or
    run, where TensorRT swallows the reason. What has a default may be left out.
    """
    if not subject.fields:
        raise NotApplicable("the case has no fields")
    behaviour(subject, subject.create())
    for name, values in _bad_fields(subject.fields):
        creation = create_from(subject, values)
        problem = "" if creation.plugin is None else half_made(subject, creation.plugin)
        yield judged(
            not problem,
            lambda: Violation(
                what=f"create_plugin made a plugin that cannot work, {name}",
                where=f"create_plugin with {_named(values)}",
                expected="no plugin: None or an exception, or one that works with a default",
                observed=f"a plugin, of which later {problem}",
                fix="Check all fields in create_plugin, and return None or raise if one is missing or wrong.",
            ),
        )


@rule("CRE-006", source=plugins.CREATE_PLUGIN_ORDER, severity=Severity.WARNING, requires=RUNS)
def order_of_fields_is_free(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` makes the same plugin in whatever order the fields come.

    Fields are told apart by their names; nothing promises an order.
    """
    values = subject.fields
    if len(values) < 2:  # noqa: PLR2004 - one field has one order
        raise NotApplicable("the case has fewer than two fields")
    usual = usual_behaviour(subject)
    for order in variants.orders(values):
        yield _judge_same(subject, usual, create_from(subject, order), f"fields in the order {_named(order)}")


@rule("CRE-007", source=plugins.CREATE_PLUGIN_DATA, requires=RUNS)
def fields_are_copied(subject: Subject) -> Iterator[Finding]:
    """A plugin copies what it needs of the fields, and touches them no more when ``create_plugin`` has returned.

    They belong to the caller, who frees them.
    """
    creation = create_strictly(subject)
    seen = 0
    for when in _steps(creation, moments(subject, creation.plugin)):
        late = creation.late_reads
        yield judged(
            len(late) == seen,
            lambda: Violation(
                what=f"a field was used after create_plugin had returned: {late[-1]}",
                where=when,
                expected="no access: TensorRT has freed the fields",
                observed="a read of freed memory",
                fix="Copy values out of field.data in create_plugin, and keep neither fields nor collection.",
            ),
        )
        seen = len(late)


@rule(
    "CRE-008",
    level=1,
    source=plugins.CREATE_FOR_AN_ENGINE,
    interfaces=VERSION_3,
    requires={"SER-009"},
    owns={"create_plugin in the runtime phase", "create_plugin in the runtime phase again"},
)
def stored_fields_make_a_plugin(subject: Subject) -> Iterator[Finding]:
    """In the runtime phase ``create_plugin`` makes a plugin of the fields that ``get_fields_to_serialize`` gave.

    They need not be the fields that the creator advertises. Two engines that are loaded must not share one object.
    """
    saved = subject.serialize(subject.create())
    stored = ", ".join(each.name for each in saved) or "no fields"
    made, how = deserialize_from(subject, saved)
    yield _judge_stored(made is not None, how, stored)
    if made is not None:
        again, how = deserialize_from(subject, saved)
        yield _judge_stored(again is not made, how or "returned the same object again", stored)


@rule("CRE-009", level=1, source=plugins.CREATE_PLUGIN_NAMES, severity=Severity.WARNING)
def parameters_have_the_documented_names(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` takes its arguments by position and by their documented names.

    They are ``(name, field_collection)``, and ``phase`` for an IPluginV3. TensorRT passes them by position. From
    Python the method is called directly, as NVIDIA's guide does, by name.
    """
    signature = inspect.signature(subject.creator.create_plugin)
    documented = subject.caller.words.creation
    for shown, names in {"by position": (), "by name": documented}.items():
        try:
            signature.bind(*([None] * len(documented) if not names else ()), **dict.fromkeys(names))
            problem = ""
        except TypeError as error:
            problem = str(error)
        yield judged(
            not problem,
            lambda: Violation(
                what=f"create_plugin cannot be called {shown}",
                where=f"create_plugin{signature}",
                expected=f"create_plugin(self, {', '.join(documented)})",
                observed=f"TypeError: {problem}",
                fix=f"Name the parameters {', '.join(documented)}.",
            ),
        )


@rule("CRE-010", source=plugins.CREATE_PLUGIN_LAYER, severity=Severity.WARNING, requires=RUNS)
def layer_name_changes_nothing(subject: Subject) -> Iterator[Finding]:
    """What a plugin does does not depend on the name that its layer has.

    Parsers make names up, and nothing stores the one that ``create_plugin`` was given.
    """
    usual = usual_behaviour(subject)
    for shown, name in LAYER_NAMES.items():
        yield _judge_same(subject, usual, create_from(subject, subject.fields, name=name), f"name={shown}")


@rule("CRE-011", source=plugins.CREATE_PLUGIN_TYPES, requires=RUNS)
def field_types_are_respected(subject: Subject) -> Iterator[Finding]:
    """Field values are read as the field's type says; a field of another type is converted or refused.

    Reading its bytes as another type gives numbers that nobody wrote. A plugin that keeps the right numbers in the
    other type, and raises where they do not suit, has refused them, if late.
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
    owns={"deserialize_plugin", "deserialize_plugin again"},
    interfaces=VERSION_2,
)
def serialized_data_make_a_plugin(subject: Subject) -> Iterator[Finding]:
    """``deserialize_plugin`` makes a fresh plugin of serialized data, ready to be initialized.

    The engine initializes it at once; two engines that are loaded must not share one object.
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
    if initialization_failure(subject, plugin) is None:
        failure = initialization_failure(subject, made)
        how = describe(failure) if failure else ""
        yield _judge_deserialized(failure is None, f"initialize {how}", "initialize of the deserialized plugin")


@rule("CRE-013", source=plugins.CREATOR_REUSE, requires=RUNS | {"CRE-002", "CRE-004"})
def creator_can_be_used_again(subject: Subject) -> Iterator[Finding]:
    """A creator can be used any number of times: making a plugin leaves nothing behind in it.

    One creator serves all layers of all networks in the process.
    """
    usual = {}
    for name, values in _good_fields(subject):
        first, second = (create_from(subject, values, creator=subject.fresh_creator()).plugin for _ in range(2))
        if first is not None and second is not None:
            usual[name] = values, behaviour_or_failure(subject, first)
            if difference := usual[name][1].unlike(behaviour_or_failure(subject, second), subject):
                raise NotRun(f"two plugins of two new creators do not do the same: {difference}")
    last = {}
    for number, name in zip(range(MANY), itertools.cycle(usual), strict=False):
        last[name] = number, create_from(subject, usual[name][0])
    for name, (number, creation) in last.items():
        yield _judge_same(subject, usual[name][1], creation, f"plugin {number + 1} of one creator, {name}")


@rule("CRE-014", level=1, source=plugins.FIELD_NAMES_KEPT, severity=Severity.WARNING, requires={"CRE-001"})
def field_names_can_be_read_again(subject: Subject) -> Iterator[Finding]:
    """``field_names`` reads the same at any time, after plugins have been made too.

    TensorRT keeps a raw pointer to the collection and reads it whenever somebody asks.
    """
    before = {entry.place: entry for entry in advertised(subject.creator)}
    subject.create()
    after = {entry.place: entry for entry in advertised(subject.creator)}
    if not before and not after:
        raise NotApplicable("the creator advertises no fields")
    for place in dict.fromkeys([*before, *after]):
        one, other = (_shown(entries.get(place)) for entries in (before, after))
        yield judged(
            one == other,
            lambda: Violation(
                what="field_names changed",
                where=f"{place}, read again after create_plugin",
                expected=one,
                observed=other,
                fix="Make field_names once, in the creator's __init__, and leave it alone.",
            ),
        )


def _steps(creation: Creation, life: Iterator[Moment]) -> Iterator[str]:
    """When each step of a plugin's life was taken; one that fails after a late read is a step as well."""
    try:
        for moment in life:
            yield moment.when
    except CallbackFailedError as stop:
        if not creation.late_reads:
            raise
        yield f"when {stop}"


def _judge_independence(subject: Subject, first: object, second: object) -> Iterator[Finding]:
    """Judge whether one plugin does the same whatever happens to the other."""
    mine = best_shapes(subject.case)
    bench, other = (Driver(subject, plugin, stranger=True).prepare() for plugin in (second, first))
    before = bench.run(mine)
    if _repetition(bench, before):
        return  # it does not repeat its results by itself either: other rules say why
    for what in _life_of(other, mine):
        difference = _repetition(bench, before)
        yield judged(
            not difference,
            lambda: Violation(
                what="two plugins that create_plugin made share state",
                where=f"enqueue of one at {list(mine)}, after the other was {what}",
                expected="the results of before",
                observed=difference,
                fix="Give each plugin its own copy of everything that it changes.",
            ),
        )


def _repetition(bench: Driver, before: Run) -> str:
    """Run it once more, and say what is different; empty if nothing is."""
    run = bench.enqueue(before.shapes, surroundings=LENIENT)
    if run.mishap is not None:
        return f"enqueue {run.mishap.how}"
    tolerances = [tolerance_of(bench.subject.case, name) for name in bench.output_types]
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


def _judge_likeness(problem: str, how: str) -> Finding:
    return judged(
        not problem,
        lambda: Violation(
            what="create_plugin made another plugin from the same values",
            where=f"create_plugin with {how}",
            expected="a plugin that does the same",
            observed=problem,
            fix="Find fields by name, read them as field.type says, and let nothing else decide.",
        ),
    )


def _judge_deserialized(held: bool, observed: str, where: str) -> Finding:  # noqa: FBT001 - as `judged`
    return judged(
        held,
        lambda: Violation(
            what="deserialize_plugin made no plugin that an engine could use",
            where=where,
            expected="a fresh plugin of the class that was stored, which can be initialized",
            observed=f"{observed}; TensorRT cannot use the engine",
            fix="Make a new plugin of the stored class from the data in every call of deserialize_plugin.",
        ),
    )


def _bad_fields(values: list[FieldValue]) -> Iterator[tuple[str, list[FieldValue]]]:
    for value in values:
        yield f"{value.name!r} left out", variants.without(values, value.name)
        if value.data.size:
            yield f"{value.name!r} without elements", variants.changed(values, value.name, variants.emptied)
            yield f"{value.name!r} with its elements twice", variants.changed(values, value.name, variants.doubled)
    if len(values) > 1:
        yield "all fields left out", []


def _good_fields(subject: Subject) -> Iterator[tuple[str, list[FieldValue]]]:
    """The case's fields, and what the creator may take as well."""
    values = subject.fields
    yield "the case's fields", values
    for value in values:
        yield f"{value.name!r} left out", variants.without(values, value.name)
        if variants.is_number(value):
            yield f"{value.name!r} increased", variants.changed(values, value.name, variants.increased)


def _named(values: list[FieldValue]) -> str:
    return ", ".join(map(str, values)) or "no fields"


def _shown(entry: Advertised | None) -> str:
    return "absent" if entry is None else f"type {entry.type}, {entry.size} elements"


def _judge_stored(held: bool, how: str, stored: str) -> Finding:  # noqa: FBT001 - as judged()
    return judged(
        held,
        lambda: Violation(
            what=f"create_plugin {how} in the runtime phase",
            where=f"create_plugin(name, the stored fields: {stored}, TensorRTPhase.RUNTIME)",
            expected="a new plugin",
            observed="TensorRT cannot load the engine",
            fix="Let create_plugin take what get_fields_to_serialize returns, whatever field_names advertises.",
        ),
    )
