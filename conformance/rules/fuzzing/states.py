"""FUZ: what a creator makes of fields and of stored data as they need not come, drawn by the run.

A creator may refuse whatever it does not want. What it hands out has to work. Fields or data that end the process break
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
from harness.checks.lifecycle.working import fault_of, fault_of_restored
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, judged
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
STORED = RUNS | {"CRE-005", "CRE-007", "CRE-011", "CLN-001", "SER-002", "SER-004", "SER-006", "SER-008", "SER-014"}


@rule("FUZ-007", source=plugins.CREATE_PLUGIN_ERROR, requires=STORED, strategy=other_fields)
def other_fields_make_no_half_plugin(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """From whatever fields comes no plugin, or one that works.

    Which fields are there, and how often, is in the hands of whoever makes a network or a model file. A refusal is
    reported there; a plugin that lacks something, or cannot be stored, fails where nobody sees why.
    """
    _insist(subject, "a plugin of the case's fields", lambda: _usual_fault(subject))
    for edits, fields, plugin in _made(subject, example):
        problem = "" if plugin is None else fault_of(subject, plugin) or _fails_to_run(subject, plugin)
        yield judged(not problem, lambda: _half_made(problem, fields, edits))


@rule(
    "FUZ-013", source=plugins.CREATE_PLUGIN_ERROR, severity=Severity.WARNING, requires=STORED, strategy=other_contents
)
def other_values_make_no_half_plugin(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """From values at the bounds of their types, and from other types, comes no plugin, or one that works.

    A number that fits its field may not fit where the plugin stores it. What comes of other types may still refuse in a
    later query. No plugin is run: what extreme values make may be as large as a number can be.
    """
    _insist(subject, "a plugin of the case's fields", lambda: fault_of(subject, subject.create()))
    for edits, fields, plugin in _made(subject, example):
        problem = "" if plugin is None else fault_of(subject, plugin)
        may_refuse = any(edit["edit"] == "type" for edit in edits)
        yield judged(may_refuse or not problem, lambda: _half_made(problem, fields, edits))


@rule(
    "FUZ-012",
    source=plugins.CREATE_PLUGIN_ORDER,
    severity=Severity.WARNING,
    requires=RUNS | {"CRE-006", "CRE-013", "SER-002"},
    strategy=equal_fields,
)
def order_and_unknown_fields_change_nothing(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """Fields in another order make the same plugin, and so do fields that come twice or that nobody knows.

    Fields are told apart by their names. A creator may refuse those that come twice or that it does not know, but where
    it takes them, they are not for it.
    """
    _insist(subject, "fields in another order", lambda: _unlike_in_another_order(subject))
    edits = example["edits"]
    others = {edit["edit"] for edit in edits} - HARMLESS
    if others or not edits:
        raise NotRun(f"{', '.join(sorted(others)) or 'no edit'}: that says nothing of the same values in another form")
    may_refuse = any(edit["edit"] in REFUSABLE for edit in edits)
    creation = create_from(subject, field_edits.edited(subject.trt, subject.fields, edits))
    problem = "" if creation.plugin is None and may_refuse else _unlike_the_usual(subject, creation)
    yield judged(
        not problem,
        lambda: Violation(
            what="create_plugin made another plugin from the same values",
            where=f"create_plugin with the case's fields, {field_edits.told(edits)}",
            expected=f"a plugin that does the same{', or none' if may_refuse else ''}",
            observed=problem,
            fix="Find fields by name, take each once, and leave alone those that have another name.",
        ),
    )


@rule(
    "FUZ-008",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    requires=RUNS | {"CRE-008", "CRE-012", "CLN-001", "SER-002", "SER-005", "SER-006", "SER-012", "SER-014"},
    strategy=damages,
)
def damaged_data_make_no_half_plugin(subject: Subject, example: dict[str, Any]) -> Iterator[Finding]:
    """From damaged data comes no plugin, or one that works.

    They come from another version of the plugin, or from a damaged file. Not every damage can be seen: a number may be
    any number. But a length has to fit the data, and of a few choices there is no other.
    """
    stored, restoring = subject.serialize(subject.create()), subject.caller.words.restoring
    if not damage.size_of(stored):
        raise NotApplicable("the plugin stores nothing")
    _insist(subject, "a restored plugin", lambda: fault_of_restored(subject, subject.deserialize(stored)))
    for done in filter(None, example["copies"]):
        plugin, _ = deserialize_from(subject, damage.damaged(stored, done))
        problem = "" if plugin is None else fault_of_restored(subject, plugin)
        yield judged(
            not problem,
            lambda: Violation(
                what=f"{restoring} accepted damaged data: {problem}",
                where=f"{restoring} with the {damage.size_of(stored)} stored bytes, {damage.told(done)}",
                expected="None or an exception, or a plugin that works",
                observed=f"a plugin, of which {problem}",
                fix="Check lengths, versions and choices of stored data, and refuse what was never written.",
            ),
        )


def _made(subject: Subject, example: dict[str, Any]) -> Iterator[tuple[Edits, list[FieldValue], Any]]:
    """Yield each collection of edits that is one, the fields that it leaves, and the plugin that comes of them."""
    for edits in filter(None, example["collections"]):
        fields = field_edits.edited(subject.trt, subject.fields, edits)
        yield edits, fields, create_from(subject, fields).plugin


def _half_made(problem: str, fields: list[FieldValue], edits: Edits) -> Violation:
    return Violation(
        what=f"create_plugin made a plugin that cannot work: {problem}",
        where=f"create_plugin with {', '.join(map(str, fields)) or 'no fields'}",
        expected="no plugin: None or an exception, or one that works",
        observed=f"a plugin of the case's fields, {field_edits.told(edits)}, of which later {problem}",
        fix="Check all fields in create_plugin, and return None or raise if one is missing or of no use.",
    )


def _usual_fault(subject: Subject) -> str:
    """Return what shows already of a plugin of the case's fields."""
    return fault_of(subject, subject.create()) or half_made(subject, subject.create())


def _fails_to_run(subject: Subject, plugin: Any) -> str:
    """Return what shows that a plugin lacks something when it is run, once for all that store the same."""
    stored = str(subject.serialize(plugin))
    known: set[str] = subject.once("what plugins store that run", set)
    problem = "" if stored in known else half_made(subject, plugin)
    known.update([] if problem else [stored])
    return problem


def _unlike_the_usual(subject: Subject, creation: Creation) -> str:
    """Return what tells a plugin from those of the case's fields; what stores the same is the same."""
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
    """Stop the rule where something is wrong without what was drawn: other rules say so."""
    found = subject.once(("insisted on", what), fault)
    if found:
        raise NotRun(f"{what}: {found}")
