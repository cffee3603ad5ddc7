"""FUZ: creators, with unusual fields and damaged data, drawn by the run.

A creator may refuse any fields or data. A plugin that it returns has to work. Fields or data that end the process break
these rules as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.fields import damage, field_edits
from harness.checks.fields.creating import create_from, deserialize_from
from harness.checks.fields.field_variants import orders
from harness.checks.lifecycle.completeness import half_made
from harness.checks.lifecycle.equivalence import behaviour_or_failure, usual_behaviour
from harness.checks.lifecycle.heirs import cloned, original_of, remade
from harness.checks.lifecycle.working import fault_of, fault_of_restored
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.rule import Severity, rule
from harness.strategies.damage import damages
from harness.strategies.fields import equal_fields, other_contents, other_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.checks.fields.creating import Creation
    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

    Edits = Sequence[dict[str, Any]]

#: Edits that leave all values as they are.
HARMLESS = {"again", "moved", "unknown"}
#: Edits that no document allows, so that a creator may refuse them.
REFUSABLE = ("again", "unknown")
#: What shows already of other plugins that are stored, restored and copied.
STORED = RUNS | {"CRE-005", "CRE-007", "CRE-011", "CLN-002", "SER-002", "SER-004", "SER-006", "SER-008", "SER-014"}


@rule("FUZ-007", source=plugins.CREATE_PLUGIN_ERROR, requires=STORED, strategy=other_fields)
def other_fields_make_no_half_plugin(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """``create_plugin`` makes no plugin, or one that works, from any set of the case's fields.

    The author of a network or a model file decides which fields come, and how often. TensorRT reports a refusal of
    ``create_plugin``. A plugin that lacks a parameter, or cannot be stored, fails later without a reason. Clones
    and stored copies must do the same as the plugin itself.
    """
    _insist(subject, "a plugin of the case's fields", lambda: _usual_fault(subject))
    for edits, fields, plugin in _made(subject, example):
        problem = "" if plugin is None else fault_of(subject, plugin) or _fails_to_run(subject, plugin, fields)
        yield check(not problem, lambda: _half_made(problem, fields, edits))
        for heir, unlike in _heirs(subject, [] if problem or plugin is None else fields).items():
            yield check(not unlike, lambda: _loses(heir, unlike, fields, edits))


@rule(
    "FUZ-013", source=plugins.CREATE_PLUGIN_ERROR, severity=Severity.WARNING, requires=STORED, strategy=other_contents
)
def other_values_make_no_half_plugin(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """``create_plugin`` makes no plugin, or one that works, from extreme values and from other types.

    A number that fits its field may not fit where the plugin stores it. The plugin may also refuse other types in a
    later query. The rule runs no plugin, because extreme values can make tensors of any size.
    """
    _insist(subject, "a plugin of the case's fields", lambda: fault_of(subject, subject.create()))
    for edits, fields, plugin in _made(subject, example):
        problem = "" if plugin is None else fault_of(subject, plugin)
        may_refuse = any(edit["edit"] == "type" for edit in edits)
        yield check(may_refuse or not problem, lambda: _half_made(problem, fields, edits))


@rule(
    "FUZ-012",
    source=plugins.CREATE_PLUGIN_ORDER,
    severity=Severity.WARNING,
    requires=RUNS | {"CRE-006", "CRE-013", "SER-002"},
    strategy=equal_fields,
)
def order_and_unknown_fields_change_nothing(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """``create_plugin`` makes the same plugin from fields in another order, with repeated fields or with unknown ones.

    Fields are identified by their names. A creator may refuse repeated or unknown fields. If it accepts them, they
    must not change the plugin.
    """
    _insist(subject, "fields in another order", lambda: _unlike_in_another_order(subject))
    edits = example["edits"]
    others = {edit["edit"] for edit in edits} - HARMLESS
    if others or not edits:
        raise NotRun(f"{', '.join(sorted(others)) or 'no edit'}: the same values in another form do not matter here")
    may_refuse = any(edit["edit"] in REFUSABLE for edit in edits)
    creation = create_from(subject, field_edits.edited(subject.trt, subject.fields, edits))
    problem = "" if creation.plugin is None and may_refuse else _unlike_the_usual(subject, creation)
    yield check(
        not problem,
        lambda: Violation(
            what="create_plugin made another plugin from the same values",
            where=f"create_plugin with the case's fields, {field_edits.described(edits)}",
            expected=f"a plugin that does the same{', or none' if may_refuse else ''}",
            observed=problem,
            fix="Find fields by name, read each once, and ignore those with another name.",
        ),
    )


@rule(
    "FUZ-008",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    requires=RUNS
    | {"CLN-002", "CLN-004", "CRE-008", "CRE-012", "ENQ-021", "SER-002", "SER-005", "SER-006", "SER-012", "SER-014"},
    strategy=damages,
)
def damaged_data_make_no_half_plugin(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """``deserialize_plugin`` or ``create_plugin`` makes no plugin, or one that works, from damaged data.

    The data come from another version of the plugin, or from a damaged file. A plugin cannot see every damage: a
    number may have any value. But a length has to fit the data, and a choice has to be one of those that exist.
    """
    stored, restoring = subject.serialize(subject.create()), subject.caller.words.restoring
    if not damage.size_of(stored):
        raise NotApplicable("the plugin stores nothing")
    _insist(subject, "a restored plugin", lambda: fault_of_restored(subject, subject.deserialize(stored)))
    for done in filter(None, example["copies"]):
        plugin, _ = deserialize_from(subject, damage.damaged(stored, done))
        problem = "" if plugin is None else fault_of_restored(subject, plugin)
        yield check(
            not problem,
            lambda: Violation(
                what=f"{restoring} accepted damaged data: {problem}",
                where=f"{restoring} with the {damage.size_of(stored)} stored bytes, {damage.described(done)}",
                expected="None, an exception, or a plugin that works",
                observed=f"a plugin; {problem}",
                fix="Check lengths, versions and choices of stored data, and refuse invalid ones.",
            ),
        )


def _made(subject: Subject, example: dict[str, Any]) -> Iterator[tuple[Edits, list[FieldValue], Any]]:
    """Yield each collection of edits that is one, the fields that it leaves, and the plugin that comes of them."""
    for edits in filter(None, example["collections"]):
        fields = field_edits.edited(subject.trt, subject.fields, edits)
        yield edits, fields, create_from(subject, fields).plugin


def _heirs(subject: Subject, fields: list[FieldValue]) -> dict[str, str]:
    """Return how a copy of a plugin with these fields differs; each set of known fields is tried once."""
    own = {field.name for field in subject.fields}
    own_fields = tuple(sorted(str(field) for field in fields if field.name in own))
    tried: set[tuple[str, ...]] = subject.once("fields whose copies were judged", set)
    original = None if own_fields in tried else original_of(subject, fields, cloned, remade)
    tried.add(own_fields)
    if original is None:
        return {}
    made = {"clone": cloned, subject.caller.words.restoring: remade}
    return {how: original.unlike_its_heir(make) for how, make in made.items()}


def _loses(heir: str, unlike: str, fields: list[FieldValue], edits: Edits) -> Violation:
    return Violation(
        what=f"the plugin that {heir} makes differs from its source",
        where=f"create_plugin with {', '.join(map(str, fields)) or 'no fields'}; configured, then {heir}",
        expected="the answers and the outputs of the source",
        observed=f"a plugin of the case's fields, {field_edits.described(edits)}: {unlike}",
        fix="Copy every parameter in clone(), and store every one, also those with a default.",
    )


def _half_made(problem: str, fields: list[FieldValue], edits: Edits) -> Violation:
    return Violation(
        what=f"create_plugin made a plugin that cannot work: {problem}",
        where=f"create_plugin with {', '.join(map(str, fields)) or 'no fields'}",
        expected="None, an exception, or a plugin that works",
        observed=f"a plugin of the case's fields, {field_edits.described(edits)}; later, {problem}",
        fix="Check all fields in create_plugin, and return None or raise if one is missing or invalid.",
    )


def _usual_fault(subject: Subject) -> str:
    """Return what shows already of a plugin of the case's fields."""
    return fault_of(subject, subject.create()) or half_made(subject, subject.create(), subject.fields)


def _fails_to_run(subject: Subject, plugin: Any, fields: list[FieldValue]) -> str:
    """Return what shows that a plugin lacks something when it is run, once for all that store the same."""
    stored = str(subject.serialize(plugin))
    known: set[str] = subject.once("what plugins store that run", set)
    problem = "" if stored in known else half_made(subject, plugin, fields)
    known.update([] if problem else [stored])
    return problem


def _unlike_the_usual(subject: Subject, creation: Creation) -> str:
    """Return what distinguishes a plugin from those of the case's fields; plugins that store the same count as one."""
    if creation.plugin is None:
        return f"create_plugin {creation.refusal}"
    stored = subject.serialize(creation.plugin)
    if stored == subject.once("what the usual plugin stores", lambda: subject.serialize(subject.create())):
        return ""
    usual = subject.once("what the usual plugin does", lambda: usual_behaviour(subject))
    return usual.unlike(behaviour_or_failure(subject, creation.plugin), subject)


def _unlike_in_another_order(subject: Subject) -> str:
    """Return what shows already in the orders that CRE-006 tries."""
    creations = (create_from(subject, order) for order in orders(subject.fields) if len(order) > 1)
    return next(filter(None, (_unlike_the_usual(subject, creation) for creation in creations)), "")


def _insist(subject: Subject, what: str, fault: Callable[[], str]) -> None:
    """Stop the rule if the plugin is wrong without the drawn example: other rules report that."""
    problem = subject.once(("insisted on", what), fault)
    if problem:
        raise NotRun(f"{what}: {problem}")
