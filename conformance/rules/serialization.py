"""SER: serialization and deserialization, to bytes and to fields.

Long because the family is: one file a family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.prerequisites import CLONES, REPEATS, RUNS
from conformance.sources import plugins
from harness.checks.lifecycle.states import in_every_state, states
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.in_a_fork import apart
from harness.checks.observation.relocated_process import displaced
from harness.checks.observation.resource_use import lasting_costs
from harness.checks.observation.watching import OutcomeLog, observing
from harness.checks.running.driver import Driver, fresh_bench
from harness.checks.running.runs import LENIENT, deviation, usual_run
from harness.checks.sampling.sampling import best_shapes, sample_shapes
from harness.contract.finding import CallbackFailedError, Finding, NotApplicable, Violation, judged
from harness.contract.rule import VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import leniently, stop_for_want_of_a_gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

METHOD = "serialize"
SIZE = "get_serialization_size"
ANSWERS = ("identity", "output types", "output shapes", "formats")


@rule("SER-001", level=1, source=plugins.SERIALIZE_BYTES, severity=Severity.WARNING, interfaces=VERSION_2)
def serialize_returns_bytes(subject: Subject) -> Iterator[Finding]:
    """``serialize`` returns bytes.

    The bindings also take str, as UTF-8, and bytearray; anything else writes nothing into the engine, which SER-014
    reports. The documentation knows bytes only. (A warning, since NVIDIA's own samples return str.)
    """
    log = OutcomeLog(METHOD)
    with observing(subject.gate, log):
        subject.serialize(subject.create())
    for _, outcome in log.calls:
        yield judged(
            isinstance(outcome.value, bytes),
            lambda: Violation(
                what=f"serialize returned a {type(outcome.value).__name__}",
                where="serialize()",
                expected="a bytes object",
                observed=f"{outcome.value!r:.60}",
                fix="Return bytes: text.encode() or bytes(data).",
            ),
        )


@rule("SER-002", level=1, source=plugins.SERIALIZE_OBSERVED, interfaces=VERSION_2)
def repeated_serialization_is_identical(subject: Subject) -> Iterator[Finding]:
    """Repeated ``serialize`` calls on an unchanged object give identical bytes.

    The bindings call it up to three times for one serialization, and take the size from one call and the data from
    another.
    """
    plugin = subject.create()
    first = subject.serialize(plugin)
    clone = subject.clone(plugin)
    for number, source in enumerate((plugin, plugin, plugin, plugin, clone), start=2):
        again = subject.serialize(source)
        yield judged(
            again == first,
            lambda: Violation(
                what="serialize gave other bytes when it was called again",
                where="serialize() of a clone" if source is clone else f"call {number} of serialize()",
                expected=f"the {len(first)} bytes of the first call",
                observed=f"{len(again)} bytes, {_first_byte(first, again)}",
                fix="Keep times, addresses and the order of sets out of the data.",
            ),
        )


@rule("SER-003", level=1, source=plugins.SERIALIZE_SIZE, interfaces=VERSION_2)
def announced_size_is_the_real_one(subject: Subject) -> Iterator[Finding]:
    """The announced serialization size equals the length of the serialized data.

    TensorRT copies exactly the announced number of bytes: fewer cut the data off, more leak what lies behind it into
    the engine file.
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
        yield judged(
            announced == real,
            lambda: Violation(
                what=f"get_serialization_size announced {announced} bytes, serialize returned {real}",
                where=f"an object that is {state}",
                expected=f"{real} bytes announced",
                observed=_consequence(announced, real),
                fix="Return len(self.serialize()), or leave get_serialization_size out.",
            ),
        )


@rule("SER-004", level=1, source=plugins.DESERIALIZE_EQUAL, interfaces=VERSION_2, requires=RUNS | {"SER-012"})
def deserialized_plugin_behaves_alike(subject: Subject) -> Iterator[Finding]:
    """``deserialize_plugin(serialize(p))`` behaves like ``p``.

    It is what runs in production.
    """
    plugin = subject.create()
    original = portrait(subject, plugin, ANSWERS)
    restored = portrait(subject, subject.deserialize(subject.serialize(plugin)), ANSWERS)
    found = {asked: (one, other) for asked, one, other in differences(original, restored)}
    for asked in dict.fromkeys([*original, *restored]):
        yield judged(asked not in found, lambda: _unlike(asked, *map(str, found[asked])))
    for shapes in sample_shapes(subject.case, 1, seed=subject.seed):
        wanted = usual_run(subject, shapes).insist()
        bench = Driver(subject, subject.deserialize(subject.serialize(subject.create()))).initialize()
        difference = deviation(bench, bench.run(shapes, surroundings=LENIENT), wanted)
        where = f"enqueue with input shapes {list(shapes)}"
        yield judged(not difference, lambda: _unlike(where, "the same outputs", difference))


@rule(
    "SER-005",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    requires={"SER-002"},
)
def second_generation_is_identical(subject: Subject) -> Iterator[Finding]:
    """Serializing a deserialized plugin reproduces the original data.

    Otherwise an engine that is loaded and saved changes each time.
    """
    first = subject.serialize(subject.create())
    second = subject.serialize(subject.deserialize(first))
    yield judged(
        first == second,
        lambda: Violation(
            what="a deserialized plugin serializes to other data",
            where="saved, restored, and saved again",
            expected="the data that it was made from",
            observed=_unequal(first, second),
            fix="Keep values in the type in which they are stored; do not round-trip them through text.",
        ),
    )


@rule("SER-006", source=plugins.DESERIALIZE_DERIVED, requires=RUNS)
def data_mean_the_same_in_any_process(subject: Subject) -> Iterator[Finding]:
    """Serialized data have no process-local content: no pointers, handles, ids or temporary paths.

    An engine is loaded by another process, on another day, on another machine.
    """
    shapes = best_shapes(subject.case)

    def elsewhere() -> dict[str, Any]:
        with displaced(subject.device):
            blob = subject.serialize(subject.create())
            run = Driver(subject, subject.deserialize(blob)).initialize().run(shapes, surroundings=LENIENT)
            return {"blob": blob, "outputs": None if run.mishap else run.outputs}

    other = apart(elsewhere)
    try:
        bench = Driver(subject, subject.deserialize(other["blob"])).initialize()
        runs = other["outputs"] is not None  # else it is not the data that keep it from running
        observed = deviation(bench, bench.run(shapes), other["outputs"]) if runs else ""
    except CallbackFailedError as error:
        observed = f"{error.mishap.callback} {error.mishap.how}"
    yield judged(
        not observed,
        lambda: Violation(
            what="serialized data mean something else in another process",
            where=f"deserialize_plugin, initialize, enqueue with input shapes {list(shapes)}",
            expected="the outputs that the process computed that serialized the plugin",
            observed=observed,
            fix="Serialize values, not ids, addresses, handles or paths.",
        ),
    )


@rule("SER-007", source=plugins.SERIALIZE_DERIVED, requires=CLONES)
def serializing_changes_nothing(subject: Subject) -> Iterator[Finding]:
    """Serialization does not change the object.

    TensorRT serializes whenever the application asks, and goes on using the plugin.
    """
    shapes = best_shapes(subject.case)
    used = fresh_bench(subject)
    before = used.run(shapes)
    fresh = Driver(subject, subject.create())
    for bench in (used, fresh):
        subject.serialize(bench.plugin)
    orders = {
        "enqueue, serialize, enqueue": used,
        "initialize, enqueue, serialize, clone, enqueue": used.clone(),
        "serialize, configure_plugin, initialize, enqueue": fresh.prepare(),
    }
    for order, bench in orders.items():
        difference = deviation(bench, bench.run(shapes, surroundings=LENIENT), before)
        yield judged(
            not difference,
            lambda: Violation(
                what="the plugin computes something else after it was serialized",
                where=f"{order}; input shapes {list(shapes)}",
                expected="the outputs of a plugin that was not serialized",
                observed=difference,
                fix="Let serialize read the object only.",
            ),
        )


@rule(
    "SER-008",
    level=1,
    source=plugins.FIELDS_SUFFICE,
    interfaces=VERSION_3,
    requires=RUNS | {"CRE-008", "CFG-007", "SER-009"},
)
def stored_fields_make_the_same_plugin(subject: Subject) -> Iterator[Finding]:
    """The fields of ``get_fields_to_serialize`` are enough to make a plugin again that computes the same.

    It is what runs in production.
    """
    for shapes in sample_shapes(subject.case, 1, seed=subject.seed):
        wanted = usual_run(subject, shapes).insist()
        saved = subject.serialize(subject.create())
        bench = Driver(subject, subject.deserialize(saved)).initialize()
        unlike = deviation(bench, bench.run(shapes, surroundings=LENIENT), wanted)
        yield judged(
            not unlike,
            lambda: Violation(
                what="the plugin that is made of the stored fields computes something else",
                where=f"stored: {', '.join(each.name for each in saved) or 'no fields'}; input shapes {list(shapes)}",
                expected="the outputs of the plugin that was stored",
                observed=unlike,
                fix="Put every parameter into get_fields_to_serialize, and read each in create_plugin.",
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
    """``get_fields_to_serialize`` is there and returns a PluginFieldCollection, which may be empty.

    Without it there is nothing to serialize, and no engine. What it returns is read when it has returned: the arrays
    behind the fields have to live on.
    """
    for state in ("fresh", "configured", subject.caller.words.ready_state, "after enqueue"):
        plugin = states(subject)[state]().plugin
        with leniently(subject.gate) as failures:
            subject.try_serialize(plugin)
        yield judged(
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
    """The stored fields do not depend on the shape or the tactic that was seen last.

    An engine is saved after it was timed, and after it has run.
    """
    bench = fresh_bench(subject)
    before = subject.serialize(bench.plugin)
    for shapes in sample_shapes(subject.case, 1):
        bench.run(shapes, surroundings=LENIENT)
        now = subject.serialize(bench.plugin)
        yield judged(
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
    """The runtime phase needs the stored fields alone: no file, and nothing of the network.

    An engine is loaded on another machine.
    """
    saved = subject.serialize(subject.create())
    opened = [cost for cost in lasting_costs(subject, lambda: subject.deserialize(saved)) if cost.startswith("opens ")]
    yield judged(
        not opened,
        lambda: Violation(
            what=f"create_plugin {opened[0]} in the runtime phase",
            where="create_plugin with the stored fields and TensorRTPhase.RUNTIME",
            expected="everything comes from the fields",
            observed="; ".join(opened),
            fix="Store what is in the file in a field, and not where the file lies.",
        ),
    )


@rule(
    "SER-011",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    interfaces=VERSION_2,
)
def damaged_data_are_refused(subject: Subject) -> Iterator[Finding]:
    """Truncated or extended data are refused, with None or an exception, rather than misread.

    They come from another version of the plugin, or from a damaged file.
    """
    blob = subject.serialize(subject.create())
    if not blob:
        raise NotApplicable("the plugin has no parameters: it serializes to nothing")
    damaged = {"b''": b"", "the last byte cut off": blob[:-1], "half of the data": blob[: len(blob) // 2]}
    damaged |= {"one byte more": blob + b"x", "the data twice": blob + blob}
    for name, data in damaged.items():
        with leniently(subject.gate):
            restored = subject.try_deserialize(data)
        yield judged(
            restored is None,
            lambda: Violation(
                what="deserialize_plugin accepted damaged data",
                where=f"deserialize_plugin with {name} ({len(data)} of {len(blob)} bytes)",
                expected="None or an exception",
                observed=f"a plugin, a {type(restored).__name__}",
                fix="Compare len(data) with what is expected, and refuse anything else.",
            ),
        )


@rule("SER-012", source=plugins.DESERIALIZE_ATTRIBUTES, interfaces=VERSION_2)
def deserialized_plugin_is_complete(subject: Subject) -> Iterator[Finding]:
    """A deserialized object has all native attributes set, the namespace included.

    TensorRT reads a null pointer, or -1 outputs, where one is missing.
    """
    restored = subject.deserialize(subject.serialize(subject.create()))
    missing = subject.caller.unassigned(subject.gate, restored)
    for name, value in subject.caller.identity_of(subject.gate, restored).items():
        yield judged(
            name not in missing,
            lambda: Violation(
                what=f"a deserialized plugin has no {name}",
                where="deserialize_plugin(serialize())",
                expected=f"{name} is assigned through the inherited property",
                observed=f"TensorRT reads {'a null pointer' if value is None else value}",
                fix=f"Assign self.{name} in every way of making the object.",
            ),
        )


@rule(
    "SER-013",
    source=plugins.DESERIALIZE_DERIVED,
    severity=Severity.WARNING,
    interfaces=VERSION_2,
)
def empty_data_are_enough_without_parameters(subject: Subject) -> Iterator[Finding]:
    """A plugin without parameters survives an empty payload.

    It serializes to nothing, and that is what comes back.
    """
    if subject.serialize(subject.create()):
        raise NotApplicable("the plugin has parameters: it serializes to something")
    with leniently(subject.gate) as failures:
        restored = subject.try_deserialize(b"")
    yield judged(
        restored is not None,
        lambda: Violation(
            what="deserialize_plugin does not take the empty data that serialize returns",
            where="deserialize_plugin(name, b'')",
            expected="a plugin",
            observed=failures[0].what if failures else "None",
            fix="Do not parse data that are empty.",
        ),
    )


@rule("SER-014", level=1, source=plugins.SERIALIZE_NOEXCEPT, interfaces=VERSION_2, owns={METHOD, SIZE})
def serialization_never_fails(subject: Subject) -> Iterator[Finding]:
    """``serialize`` and ``get_serialization_size`` do not raise, and return what the bindings can store.

    The bindings print the error and store nothing: the engine is written, and cannot be loaded.
    """
    for state, plugin in in_every_state(subject):
        with leniently(subject.gate) as failures:
            subject.try_serialize(plugin)
        if failures:
            stop_for_want_of_a_gpu(failures[0])
        yield judged(
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


def _unlike(asked: str, one: str, other: str) -> Violation:
    return Violation(
        what="a deserialized plugin does something else than the plugin that was serialized",
        where=asked,
        expected=one,
        observed=other,
        fix="Serialize every parameter, and restore all of them in deserialize_plugin.",
    )


def _unequal(first: Any, second: Any) -> str:
    """Return in words how stored data differ: bytes, or fields."""
    if isinstance(first, bytes):
        return f"{len(second)} bytes, {_first_byte(first, second)}"
    if [each.name for each in first] != [each.name for each in second]:
        return f"the fields {[each.name for each in second]} instead of {[each.name for each in first]}"
    changed = [f"{new.name!r} holds {new.data[:16]!r}" for old, new in zip(first, second, strict=True) if old != new]
    return f"field {changed[0]}" if changed else "the same"
