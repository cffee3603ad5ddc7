"""SER: serialization and deserialization, to bytes and to fields.

Long because the family is: one file a family.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.fields.saved_values import value_in
from harness.checks.lifecycle import native_heap
from harness.checks.lifecycle.heirs import heirs_of_others, remade
from harness.checks.lifecycle.states import in_every_state, states
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.lifecycle.surroundings import (
    ENVIRONMENT,
    HASHES,
    PLACE,
    stored_and_computed,
    variables_of,
    words_of,
)
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.in_a_fork import apart
from harness.checks.observation.relocated_process import displaced
from harness.checks.observation.resource_use import lasting_costs
from harness.checks.observation.telling import shown
from harness.checks.observation.watching import OutcomeLog, observing
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import best_shapes, sample_shapes
from harness.child.new_interpreter.elsewhere import OTHER_HASHES, FailedElsewhereError, told_elsewhere
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, NotRun, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import leniently, stop_for_want_of_a_gpu

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.subject.subject import Subject

METHOD = "serialize"
SIZE = "get_serialization_size"
#: Surroundings that no machine has.
OTHER_SURROUNDINGS = {"HOME": "/nowhere", "USER": "nobody", "LANG": "tr_TR", "LC_ALL": "C", "TZ": "Asia/Kathmandu"}
#: For a variable that a plugin's code names and nobody has set.
ANOTHER_VALUE = "3"
EACH_FIELD = "Put every parameter into get_fields_to_serialize, and read each in create_plugin."
ANSWERS = ("identity", "output types", "output shapes", "formats")


@rule(
    "SER-001",
    languages=PYTHON,
    level=1,
    source=plugins.SERIALIZE_BYTES,
    severity=Severity.INFO,
    interfaces=VERSION_2,
)
def serialize_returns_bytes(subject: Subject) -> Iterator[Finding]:
    """``serialize`` returns bytes.

    The bindings also accept str, as UTF-8, and bytearray. Anything else writes nothing into the engine, which
    SER-014 reports. The documentation names only bytes; every TensorRT takes str, as NVIDIA's own samples return it.
    """
    log = OutcomeLog(METHOD)
    with observing(subject.gate, log):
        subject.serialize(subject.create())
    for _, outcome in log.calls:
        yield check(
            isinstance(outcome.value, bytes),
            lambda: Violation(
                what=f"serialize returned a {type(outcome.value).__name__}",
                where="serialize()",
                expected="a bytes object",
                observed=shown(outcome.value),
                fix="Return bytes: text.encode() or bytes(data).",
            ),
        )


@rule("SER-002", level=1, source=plugins.SERIALIZE_OBSERVED, interfaces=VERSION_2)
def repeated_serialization_is_identical(subject: Subject) -> Iterator[Finding]:
    """Repeated ``serialize`` calls on an unchanged object return identical bytes.

    The bindings call it up to three times for one serialization. They take size and
    data from different calls. If the plugin's code has sets or hashes, the rule also asks a process with other hashes.
    """
    plugin = subject.create()
    first = subject.serialize(plugin)
    for number in range(2, 6):
        again = subject.serialize(plugin)
        yield check(
            again == first,
            lambda: Violation(
                what="serialize returned other bytes in a later call",
                where=f"call {number} of serialize()",
                expected=f"the {len(first)} bytes of the first call",
                observed=f"{len(again)} bytes, {_first_byte(first, again)}",
                fix="Do not serialize times, addresses or sets in their own order.",
            ),
        )
    if HASHES & words_of(subject):
        again = told_elsewhere(subject, OTHER_HASHES)["stored"]
        yield check(
            again == first,
            lambda: Violation(
                what="serialize returns other bytes in a process with other hashes",
                where="a new process with another PYTHONHASHSEED (each process has its own)",
                expected=f"the same {len(first)} bytes",
                observed=f"{len(again)} bytes, {_first_byte(first, again)}",
                fix="Sort the elements of a set, and compute keys with hashlib instead of hash().",
            ),
        )


@rule("SER-003", level=1, source=plugins.SERIALIZE_SIZE, interfaces=VERSION_2)
def announced_size_is_the_real_one(subject: Subject) -> Iterator[Finding]:
    """``get_serialization_size`` returns the length of the result of ``serialize``.

    TensorRT copies exactly that number of bytes. Fewer cut the data off; more copy foreign memory into the engine
    file.
    """
    for state, plugin in in_every_state(subject):
        log = OutcomeLog(METHOD, SIZE)
        with observing(subject.gate, log):
            subject.serialize(plugin)
        sizes = [outcome for event, outcome in log.calls if event.method == SIZE]
        if all(size.missing for size in sizes):
            raise NotApplicable("get_serialization_size is not overridden: the default announces len(serialize())")
        real = next(len(_raw(outcome.value)) for event, outcome in log.calls if event.method == METHOD)
        announced = next((int(size.value) for size in sizes if int(size.value) != real), real)
        yield check(
            announced == real,
            lambda: Violation(
                what=f"get_serialization_size announced {announced} bytes, serialize returned {real}",
                where=f"an object that is {state}",
                expected=f"{real} bytes announced",
                observed=_consequence(announced, real),
                fix="Return len(self.serialize()), or do not define get_serialization_size.",
            ),
        )
        if announced != real:
            return  # what is cut off cannot be restored in other states


@rule(
    "SER-004", level=1, source=plugins.DESERIALIZE_EQUAL, interfaces=VERSION_2, requires=RUNS | {"SER-003", "SER-012"}
)
def deserialized_plugin_behaves_alike(subject: Subject) -> Iterator[Finding]:
    """``deserialize_plugin(serialize(p))`` behaves like ``p``.

    An application runs the deserialized plugin. The rule also gives parameters other values: a missing parameter is
    visible only if its value is not the default.
    """
    plugin = subject.create()
    original = portrait(subject, plugin, ANSWERS)
    again = portrait(subject, remade(subject, plugin), ANSWERS)
    changes = {question: (one, other) for question, one, other in differences(original, again)}
    for question in dict.fromkeys([*original, *again]):
        yield check(question not in changes, lambda: _unlike(question, *map(str, changes[question])))
    for shapes in sample_shapes(subject.case, 1, seed=subject.seed):
        expected_run = usual_run(subject, shapes).insist()
        driver = Driver(subject, subject.deserialize(subject.serialize(subject.create()))).initialize()
        difference = deviation(driver, driver.run(shapes, conditions=LENIENT), expected_run)
        where = f"enqueue with input shapes {list(shapes)}"
        yield check(not difference, lambda: _unlike(where, "the same outputs", difference))
    for changed, difference in heirs_of_others(subject, remade):
        yield check(
            not difference, lambda: _unlike(f"a plugin with {changed}", "what the plugin itself does", difference)
        )


@rule(
    "SER-005",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    requires={"SER-002", "SER-004"},
)
def second_generation_is_identical(subject: Subject) -> Iterator[Finding]:
    """A deserialized plugin serializes to the data that it was made from.

    Otherwise an engine that is loaded and saved changes each time.
    """
    first = subject.serialize(subject.create())
    second = subject.serialize(subject.deserialize(first))
    yield check(
        first == second,
        lambda: Violation(
            what="a deserialized plugin serializes to other data",
            where="saved, restored, and saved again",
            expected="the data that it was made from",
            observed=_unequal(first, second),
            fix="Keep values in the type in which they are stored; do not convert them to text and back.",
        ),
    )


@rule("SER-006", source=plugins.DESERIALIZE_DERIVED, requires=RUNS)
def data_mean_the_same_in_any_process(subject: Subject) -> Iterator[Finding]:
    """Serialized data hold no pointers, handles, ids or temporary paths of the process.

    Another process loads the engine, on another day, on another machine.
    """
    shapes = best_shapes(subject.case)

    def elsewhere() -> dict[str, Any]:
        with displaced(subject.device):
            blob = subject.serialize(subject.create())
            run = Driver(subject, subject.deserialize(blob)).initialize().run(shapes, conditions=LENIENT)
            return {"blob": blob, "outputs": None if run.failure else run.outputs}

    other = apart(elsewhere)
    try:
        driver = Driver(subject, subject.deserialize(other["blob"])).initialize()
        runs = other["outputs"] is not None  # else it is not the data that keep it from running
        observed = deviation(driver, driver.run(shapes), other["outputs"]) if runs else ""
    except CallbackFailedError as error:
        observed = f"{error.failure.callback} {error.failure.how}"
    yield check(
        not observed,
        lambda: Violation(
            what="the plugin computes something else from its serialized data in another process",
            where=f"deserialize_plugin, initialize, enqueue with input shapes {list(shapes)}",
            expected="the outputs of the process that serialized the plugin",
            observed=observed,
            fix="Serialize values, not ids, addresses, handles or paths.",
        ),
    )


@rule("SER-007", source=plugins.SERIALIZE_DERIVED, requires=CLONES)
def serializing_changes_nothing(subject: Subject) -> Iterator[Finding]:
    """``serialize`` does not change the object.

    TensorRT serializes whenever the application asks, and goes on using the plugin.
    """
    shapes = best_shapes(subject.case)
    used = fresh_driver(subject)
    before = used.run(shapes)
    fresh = Driver(subject, subject.create())
    for driver in (used, fresh):
        subject.serialize(driver.plugin)
    orders = {
        "enqueue, serialize, enqueue": used,
        "initialize, enqueue, serialize, clone, enqueue": used.clone(),
        "serialize, configure_plugin, initialize, enqueue": fresh.prepare(),
    }
    for order, driver in orders.items():
        difference = deviation(driver, driver.run(shapes, conditions=LENIENT), before)
        yield check(
            not difference,
            lambda: Violation(
                what="the plugin computes something else after serialize",
                where=f"{order}; input shapes {list(shapes)}",
                expected="the outputs of a plugin that was not serialized",
                observed=difference,
                fix="Read the object in serialize(), and change nothing in it.",
            ),
        )


@rule(
    "SER-016",
    source=plugins.SURROUNDINGS,
    severity=Severity.WARNING,
    interfaces=VERSION_2 | VERSION_3,
    requires=RUNS | {"SER-002", "SER-006"},
)
def surroundings_decide_nothing(subject: Subject) -> Iterator[Finding]:
    """Stored data and results do not depend on environment, folder, language, user or hashes.

    An engine is built in one place and runs in another. The rule uses a process in another folder, with
    another home, language and time zone. Variables that the plugin's code names have other values, too.
    """
    here = {
        "stored": subject.serialize(subject.create()),
        "outputs": usual_run(subject, best_shapes(subject.case)).insist().outputs,
    }
    tolerances = [tolerance_of(subject.case, each.dtype.name) for each in here["outputs"]]
    for name, there in _looks_elsewhere(subject):
        observed = "a callback fails there" if there is None else _unlike_here(subject, here, there, tolerances)
        yield check(
            not observed,
            lambda: Violation(
                what="what the plugin stores or computes depends on where it runs",
                where=name,
                expected="the same data, and the same outputs of the same inputs",
                observed=observed,
                fix="Take parameters from fields only, and store them; sort the elements of a set.",
            ),
        )


def _unlike_here(subject: Subject, here: Any, there: Any, tolerances: Sequence[Any]) -> str:
    if there["stored"] != here["stored"]:
        return _unequal(here["stored"], there["stored"])
    unlike = str(first_difference(there["outputs"], here["outputs"], tolerances) or "")
    repeats_itself = not unlike or _repeats_itself(subject, here["outputs"], tolerances)
    return unlike if repeats_itself else ""  # ENQ-011 reports executions that differ anyway


def _repeats_itself(subject: Subject, outputs: Sequence[Any], tolerances: Sequence[Any]) -> bool:
    again = fresh_driver(subject).run(best_shapes(subject.case), conditions=LENIENT).outputs
    return first_difference(again, outputs, tolerances) is None


def _looks_elsewhere(subject: Subject) -> Iterator[tuple[str, Any]]:
    """Yield what a plugin does in other surroundings: in a fork and, if needed, in a new interpreter."""

    def moved() -> Any:
        with displaced(subject.device):
            os.environ.update(OTHER_SURROUNDINGS)
            os.chdir("/")
            return stored_and_computed(subject)

    yield "a process in another folder, with another home, language and time zone", apart(moved)
    if words_of(subject) & (HASHES | ENVIRONMENT | PLACE):
        variables = variables_of(subject)
        others = {**OTHER_SURROUNDINGS, **OTHER_HASHES}
        own = {name: ANOTHER_VALUE for name in variables if name not in os.environ}
        other_variables = f", other {', '.join(sorted(variables))}" if variables else ""
        name = f"a process that imported the module in another folder, with another home, other hashes{other_variables}"
        try:
            there = told_elsewhere(subject, {**others, **own}, without=variables)
        except NotRun:  # the value may be none that the variable can have
            try:
                there = told_elsewhere(subject, others, without=variables)
            except FailedElsewhereError:
                told_elsewhere(subject, {})  # in a new interpreter in the same surroundings it works
                there = None
        yield name, there


@rule(
    "SER-008",
    level=1,
    source=plugins.FIELDS_SUFFICE,
    interfaces=VERSION_3,
    requires=RUNS | {"CRE-008", "CFG-007", "SER-009"},
)
def stored_fields_make_the_same_plugin(subject: Subject) -> Iterator[Finding]:
    """The fields of ``get_fields_to_serialize`` are enough to make a plugin that computes the same.

    An application runs the plugin that the creator makes from these fields. The rule also gives parameters other
    values: a missing parameter is visible only if its value is not the default. A builder configures the plugin before
    it stores the fields.
    """
    for shapes in sample_shapes(subject.case, 1, seed=subject.seed):
        expected_run = usual_run(subject, shapes).insist()
        saved = subject.serialize(Driver(subject, subject.create()).configure_for_build().plugin)
        driver = Driver(subject, subject.deserialize(saved)).initialize()
        unlike = deviation(driver, driver.run(shapes, conditions=LENIENT), expected_run)
        yield check(
            not unlike,
            lambda: Violation(
                what="the plugin that is made from the stored fields computes something else",
                where=f"get_fields_to_serialize(): {_stored(subject, saved)}; input shapes {list(shapes)}",
                expected="the outputs of the plugin that was stored",
                observed=unlike,
                fix=EACH_FIELD,
            ),
        )
    for changed, unlike in heirs_of_others(subject, remade):
        yield check(
            not unlike,
            lambda: Violation(
                what="the plugin that is made from the stored fields computes something else",
                where=f"a plugin with {changed}, configured, stored and restored",
                expected="what the plugin itself does",
                observed=unlike,
                fix=EACH_FIELD,
            ),
        )


@rule(
    "SER-009",
    level=1,
    source=plugins.FIELDS_RESULT,
    interfaces=VERSION_3,
    requires=RUNS | {"PFD-004"},
    owns={"get_fields_to_serialize"},
)
def fields_are_a_collection(subject: Subject) -> Iterator[Finding]:
    """``get_fields_to_serialize`` returns a PluginFieldCollection, which may be empty.

    Without it TensorRT cannot serialize the plugin, and there is no engine. TensorRT reads the collection after the
    call: the arrays behind the fields must stay alive.
    """
    for state in ("fresh", "configured", subject.caller.words.ready_state, "after enqueue"):
        with native_heap.watched(subject):
            plugin = states(subject)[state]().plugin
            with leniently(subject.gate) as failures:
                subject.try_serialize(plugin)
        yield check(
            not failures,
            lambda: Violation(
                what=f"get_fields_to_serialize {failures[0].what}",
                where=f"a plugin that is {state}",
                expected="a trt.PluginFieldCollection over arrays that the plugin keeps",
                observed=failures[0].becomes,
                fix="Return trt.PluginFieldCollection([...]), and keep the arrays of its fields in attributes.",
            ),
        )


@rule("SER-010", source=plugins.FIELDS_CONSTANT, severity=Severity.WARNING, interfaces=VERSION_3, requires=REPEATS)
def stored_fields_do_not_depend_on_the_last_run(subject: Subject) -> Iterator[Finding]:
    """The stored fields do not depend on the last shape or tactic.

    An application saves an engine after it was timed, and after it has run.
    """
    driver = fresh_driver(subject)
    before = subject.serialize(driver.plugin)
    for shapes in sample_shapes(subject.case, 1):
        driver.run(shapes, conditions=LENIENT)
        now = subject.serialize(driver.plugin)
        yield check(
            now == before,
            lambda: Violation(
                what="the stored fields changed with the shape",
                where=f"get_fields_to_serialize after enqueue with input shapes {list(shapes)}",
                expected="the fields of a plugin that has not run",
                observed=_unequal(before, now),
                fix="Store the parameters that the plugin was created from, and nothing else.",
            ),
        )


@rule("SER-015", source=plugins.FIELDS_ALONE, interfaces=VERSION_3, requires={"CRE-008", "SER-009"})
def stored_fields_are_all_that_is_needed(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` in the runtime phase opens no file: the stored fields are enough.

    An engine is loaded on another machine, where the file may not exist.
    """
    saved = subject.serialize(subject.create())
    opened = [cost for cost in lasting_costs(subject, lambda: subject.deserialize(saved)) if cost.startswith("opens ")]
    yield check(
        not opened,
        lambda: Violation(
            what=f"create_plugin {opened[0]} in the runtime phase",
            where="create_plugin with the stored fields and TensorRTPhase.RUNTIME",
            expected="create_plugin reads only the fields",
            observed="; ".join(opened),
            fix="Store the content of the file in a field, not the path of the file.",
        ),
    )


@rule(
    "SER-011",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    interfaces=VERSION_2,
)
def damaged_data_are_refused(subject: Subject) -> Iterator[Finding]:
    """``deserialize_plugin`` refuses truncated or extended data with None or an exception.

    The data come from another version of the plugin, or from a damaged file.
    """
    blob = subject.serialize(subject.create())
    if not blob:
        raise NotApplicable("the plugin serializes to nothing (SER-004 checks whether that is enough)")
    damaged = {"b''": b"", "the last byte cut off": blob[:-1], "half of the data": blob[: len(blob) // 2]}
    damaged |= {"one byte more": blob + b"x", "the data twice": blob + blob}
    for name, data in damaged.items():
        with leniently(subject.gate):
            restored = subject.try_deserialize(data)
        yield check(
            restored is None,
            lambda: Violation(
                what="deserialize_plugin accepted damaged data",
                where=f"deserialize_plugin with {name} ({len(data)} of {len(blob)} bytes)",
                expected="None or an exception",
                observed=f"a plugin, a {type(restored).__name__}",
                fix="Compare len(data) with the expected length, and refuse any other.",
            ),
        )


@rule("SER-012", source=plugins.DESERIALIZE_ATTRIBUTES, interfaces=VERSION_2)
def deserialized_plugin_is_complete(subject: Subject) -> Iterator[Finding]:
    """A deserialized object has all native attributes set, the namespace included.

    TensorRT reads a null pointer, or -1 outputs, if one is missing.
    """
    restored = subject.deserialize(subject.serialize(subject.create()))
    missing = subject.caller.unassigned(subject.gate, restored)
    for name, value in subject.caller.identity_of(subject.gate, restored).items():
        yield check(
            name not in missing,
            lambda: Violation(
                what=f"a deserialized plugin has no {name}",
                where="deserialize_plugin(serialize())",
                expected=f"{name} is assigned through the inherited property",
                observed=f"TensorRT reads {'a null pointer' if value is None else value}",
                fix=f"Assign self.{name} in every function that makes the object.",
            ),
        )


@rule(
    "SER-013",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    interfaces=VERSION_2,
)
def empty_data_are_enough_without_parameters(subject: Subject) -> Iterator[Finding]:
    """``deserialize_plugin`` makes a plugin from empty data if ``serialize`` returns empty data.

    A plugin without parameters serializes to nothing, and gets that back.
    """
    if subject.serialize(subject.create()):
        raise NotApplicable("the plugin has parameters: it serializes to something")
    with leniently(subject.gate) as failures:
        restored = subject.try_deserialize(b"")
    yield check(
        restored is not None,
        lambda: Violation(
            what="deserialize_plugin does not take the empty data that serialize returns",
            where="deserialize_plugin(name, b'')",
            expected="a plugin",
            observed=failures[0].what if failures else "None",
            fix="Make a plugin without parsing if the data are empty.",
        ),
    )


@rule("SER-014", level=1, source=plugins.SERIALIZE_NOEXCEPT, interfaces=VERSION_2, owns={METHOD, SIZE})
def serialization_never_fails(subject: Subject) -> Iterator[Finding]:
    """``serialize`` and ``get_serialization_size`` do not raise, and return what the bindings can store.

    If they fail, the bindings print the error and store nothing: TensorRT writes an engine that cannot be loaded.
    """
    for state, plugin in in_every_state(subject):
        with leniently(subject.gate) as failures:
            subject.try_serialize(plugin)
        if failures:
            stop_for_want_of_a_gpu(failures[0])
        yield check(
            not failures,
            lambda: Violation(
                what=f"{failures[0].method} {failures[0].what}",
                where=f"an object that is {state}",
                expected="bytes, and their number",
                observed=f"it {failures[0].what}; {failures[0].becomes}",
                fix="Make both methods work in every state, and return bytes and an int.",
            ),
        )
        if failures:
            return  # what serializes on the way to other states would only say it again


def _raw(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


def _consequence(announced: int, real: int) -> str:
    if announced > real:
        return f"TensorRT stores {announced - real} bytes of foreign memory behind the data"
    return f"TensorRT stores {announced} bytes and cuts {real - announced} off"


def _first_byte(one: bytes, other: bytes) -> str:
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return f"different from byte {index} on"
    return "the common part alike"


def _stored(subject: Subject, saved: Sequence[Any]) -> str:
    """Return in words which fields a plugin stores, and which fields of the case it does not store."""
    names = [each.name for each in saved]
    missing = [value.name for value in subject.fields if value.name not in names]
    summary = f"stored: {', '.join(names) or 'no fields'}"
    return f"{summary}; not stored: {', '.join(missing)}" if missing else summary


def _unlike(question: str, one: str, other: str) -> Violation:
    return Violation(
        what="the outputs of a deserialized plugin differ from those of the serialized plugin",
        where=question,
        expected=one,
        observed=other,
        fix="Write every parameter in serialize, and restore each in deserialize_plugin.",
    )


def _unequal(first: Any, second: Any) -> str:
    """Return in words how stored data differ: bytes, or fields."""
    if isinstance(first, bytes):
        return f"{len(second)} bytes, {_first_byte(first, second)}"
    if [each.name for each in first] != [each.name for each in second]:
        return f"the fields {[each.name for each in second]} instead of {[each.name for each in first]}"
    changed = [
        f"{new.name!r} holds {value_in(new)}, not {value_in(old)}"
        for old, new in zip(first, second, strict=True)
        if old != new
    ]
    return f"field {changed[0]}" if changed else "the same"
