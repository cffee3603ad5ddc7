"""Plans: written, read, refused, limited; long for its table of plans whose parts do not fit together."""

from __future__ import annotations

import struct
import tracemalloc
from dataclasses import replace

import pytest

from reference_runtime import plan
from reference_runtime.interfaces.saved_fields import SavedField
from reference_runtime.operations.constant import Constant
from reference_runtime.operations.elementwise import Elementwise
from reference_runtime.plan import LayerPlan, PlanError, ProfilePlan, Traits, container
from reference_runtime.values import checked_json
from reference_runtime.values.enums import DataType, TensorFormat, TensorLocation
from reference_runtime.values.enums_layers import ElementWiseOperation
from reference_runtime.values.refusals import Refused
from tests.support.runtime.plans import (
    DESC,
    IN_PLACE,
    LAYER,
    PLAN,
    PLAN_OPERATIONS,
    PLAN_V3,
    PLANS,
    SELECTING,
    T,
    changed,
    metadata_of,
    places,
    resealed,
    seal,
    spelled,
)

DATA = plan.write(PLAN)
every_plan = pytest.mark.parametrize("made", PLANS.values(), ids=PLANS)


@every_plan
def test_a_plan_survives_being_written_and_read(made):
    assert plan.read(plan.write(made)) == made


@every_plan
def test_the_same_plan_has_the_same_bytes(made):
    assert plan.write(plan.read(plan.write(made))) == plan.write(made)


def test_a_plan_is_read_or_refused_at_every_length():
    for length in range(len(DATA)):
        with pytest.raises(PlanError):
            plan.read(DATA[:length])
    with pytest.raises(PlanError):
        plan.read(DATA + b"\0")


def test_a_change_of_any_byte_is_noticed():
    for place in range(len(DATA)):
        for mask in (0x01, 0x80, 0xFF):
            damaged = bytearray(DATA)
            damaged[place] ^= mask
            with pytest.raises(PlanError):
                plan.read(bytes(damaged))


def metadata():
    return metadata_of(DATA)


def test_the_metadata_can_be_changed_for_the_next_tests():
    assert plan.read(resealed(DATA, metadata())) == PLAN


def refusal(data):
    try:
        plan.read(data)
    except PlanError as error:
        return str(error)
    return None


@every_plan
@pytest.mark.parametrize("value", [{}, [[[]]]], ids=repr)
def test_metadata_of_the_wrong_kind_are_refused_wherever_they_stand(made, value):
    data = plan.write(made)
    for path in places(metadata_of(data)):
        before = metadata_of(data)
        after = changed(metadata_of(data), path, value)
        assert before == after or refusal(resealed(data, after)) is not None, path


@every_plan
@pytest.mark.parametrize("value", [None, [], "text", -2, 0, 10**19, 0.5, True], ids=repr)
def test_whatever_stands_in_the_metadata_there_is_one_error_or_none(made, value):
    data = plan.write(made)
    refusals = [refusal(resealed(data, changed(metadata_of(data), path, value))) for path in places(metadata_of(data))]
    assert sum(message is not None for message in refusals) > 25


@pytest.mark.parametrize(
    "text", [b"\xff", b"{", b"[" * 100_000, b"nan", b"9" * 100_000, b"1." + b"1" * 1000, b'"\\ud800"', b"Infinity"]
)
def test_metadata_that_are_no_json_are_refused(text):
    with pytest.raises(PlanError):
        plan.read(container.pack(text, [LAYER.payload]))


@pytest.mark.parametrize(
    "spell",
    [
        lambda text: text.replace(b":", b": "),
        lambda text: text.replace(b'"name":"layer"', b'"name":"other","name":"layer"'),
        lambda text: text.replace(b'"layer"', b'"\\u006cayer"'),
        lambda text: text.replace(b"-1.0", b"-1.00"),
        lambda text: text + b"\n",
    ],
    ids=["spaces", "a key twice", "an escape", "a longer number", "a line end"],
)
def test_a_plan_has_one_spelling(spell):
    text = spell(spelled(metadata()))
    assert text != spelled(metadata())
    with pytest.raises(PlanError, match="are not written as this runtime writes them"):
        plan.read(container.pack(text, [LAYER.payload]))


def test_metadata_nest_to_a_limit():
    deep = b"[" * checked_json.MAX_NESTING + b"]" * checked_json.MAX_NESTING
    assert checked_json.parse(deep)
    assert checked_json.parse(b'"' + b"[" * 100 + b'\\""')
    with pytest.raises(PlanError, match="nest deeper than 32"):
        checked_json.parse(b"[" + deep + b"]")


def broken(made=PLAN, **changes):
    return replace(made, **changes)


def with_layer(**changes):
    return broken(layers=(replace(LAYER, **changes),))


def with_plugin(**changes):
    return with_layer(plugin=replace(LAYER.plugin, **changes))


def with_selecting(**changes):
    return broken(PLAN_V3, layers=(replace(SELECTING, plugin=replace(SELECTING.plugin, **changes)), IN_PLACE))


def with_in_place(**changes):
    return broken(PLAN_V3, layers=(SELECTING, replace(IN_PLACE, **changes)))


def with_operation(place, **changes):
    layers = list(PLAN_OPERATIONS.layers)
    layers[place] = replace(layers[place], **changes)
    return broken(PLAN_OPERATIONS, layers=tuple(layers))


def with_tensor(made, place, **changes):
    tensors = list(made.tensors)
    tensors[place] = replace(tensors[place], **changes)
    return broken(made, tensors=tuple(tensors))


RANGE = PLAN.profiles[0].ranges[0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (broken(tensors=PLAN.tensors[::-1]), "not in order"),
        (with_tensor(PLAN, 1, name="x"), "the same name"),
        (broken(tensors=PLAN.tensors[:1], layers=()), "there is no output"),
        (broken(profiles=()), "no profile"),
        (broken(profiles=(ProfilePlan(()),)), "not one range for each input"),
        (broken(profiles=(ProfilePlan((RANGE,)),)), "not values, or none, for each input"),
        (broken(profiles=(ProfilePlan((((1,), (1,), (1,)),), (None,)),)), "does not fit 'x'"),
        (broken(profiles=(ProfilePlan((RANGE[::-1],), (None,)),)), "does not fit 'x'"),
        (broken(profiles=(ProfilePlan((((1, 4, 1),) * 3,), (None,)),)), "does not fit 'x'"),
        (broken(profiles=(ProfilePlan((RANGE,), (((), (), ()),)),)), "needs values in a profile, or must have none"),
        (broken(layers=()), "has no source"),
        (with_layer(inputs=(1,)), "reads what is not there yet"),
        (with_layer(outputs=(0,)), "writes what is there already"),
        (with_layer(outputs=(7,)), "writes a tensor that does not exist"),
        (with_layer(outputs=()), "writes nothing"),
        (with_layer(chosen=(DESC,)), "does not fit its tensors"),
        (with_layer(chosen=(DESC, replace(DESC, dims=(2, 3, 4)))), "does not fit its tensors"),
        (with_layer(chosen=(DESC, replace(DESC, type=T.INT32))), "wants DataType.INT32 where there is DataType.FLOAT"),
        (with_layer(kind="PLUGIN_V4"), "is of kind 'PLUGIN_V4'"),
        (with_layer(operation={}), "has a plugin and an operation"),
        (with_layer(plugin=None), "has no plugin"),
        (with_plugin(shapes=()), "has wrong shapes"),
        (with_plugin(shapes=((3,),)), r"'y' would have the shape \[3\]"),
        (with_plugin(shapes=(([["INPUT", 1, 0]], 3, 3),)), "rests on what is not there"),
        (with_plugin(shapes=(([["INPUT", 0, 3]], 3, 3),)), "rests on what is not there"),
        (with_plugin(aliases=(0,)), "is of version 2"),
        (with_plugin(tactic=1), "is of version 2"),
        (with_tensor(PLAN, 1, desc=replace(DESC, type=T.INT4)), "there is no"),
        (with_tensor(PLAN, 1, desc=replace(DESC, dims=(-1, 4, -1))), "does not fit its tensors"),
        (with_tensor(PLAN, 0, location=TensorLocation.HOST), "needs values in a profile"),
        (with_tensor(PLAN_V3, 4, location=TensorLocation.HOST), "a plugin computes a shape tensor"),
        (with_selecting(shape_inputs=(4,)), "reads what is not there yet"),
        (with_selecting(shape_inputs=()), "rests on what is not there"),
        (with_selecting(sizes=()), "has wrong size tensors"),
        (with_selecting(shapes=(([["INPUT", 0, 0], ["SIZE", 0, 0, 0]], 3), ())), "has wrong size tensors"),
        (with_selecting(shapes=(([["INPUT", 0, 0], ["SIZE", 2, 0, 0]], 3), ())), "rests on what is not there"),
        (with_selecting(shapes=(([["VALUE", 0, 2]], 3), ())), "rests on what is not there"),
        (with_in_place(plugin=replace(IN_PLACE.plugin, aliases=(1,))), "shares memory that it has not"),
        (
            with_in_place(chosen=(IN_PLACE.chosen[0], replace(IN_PLACE.chosen[0], type=T.HALF))),
            "shares memory between different types or formats",
        ),
        (with_in_place(fields=(SavedField("f", SELECTING.fields[0].type, 2, b"1234"),)), "field 'f' of 'in place'"),
        (with_operation(0, kind="NOTHING"), "which does not exist"),
        (with_operation(0, kind="SCALE"), "SCALE is no operation"),
        (with_operation(0, workspace=1), "has a workspace or fields"),
        (with_operation(0, payload=b"1"), "has no weights"),
        (with_operation(1, payload=b"12"), "has not 2 bytes"),
        (with_operation(3, chosen=(DESC, DESC), inputs=(0,), outputs=(4,)), "writes what is there already"),
        (with_operation(2, chosen=(DESC, DESC)), "gives the types"),
        (with_tensor(PLAN_OPERATIONS, 3, location=TensorLocation.HOST), "is on the host without need"),
        (
            with_operation(2, chosen=(replace(DESC, format=TensorFormat.HWC), PLAN_OPERATIONS.layers[2].chosen[1])),
            "wants tensors that are not linear",
        ),
    ],
)
def test_a_plan_whose_parts_do_not_fit_together_is_refused(wrong, message):
    with pytest.raises(PlanError, match=message):
        plan.read(plan.write(wrong))


def test_blobs_and_layers_must_be_as_many():
    text = container.unpack(DATA)[0]
    for blobs, message in [([], "fewer blobs"), ([b"", b""], "more blobs")]:
        with pytest.raises(PlanError, match=message):
            plan.read(container.pack(text, blobs))


@pytest.mark.parametrize(
    "wrong",
    [
        broken(name="x" * 70_000),
        broken(name="\ud800"),
        with_layer(metadata="x" * 70_000),
        with_layer(chosen=(DESC, replace(DESC, scale=float("inf")))),
        with_plugin(namespace="x" * 70_000),
    ],
)
def test_what_no_plan_can_hold_is_refused_when_it_is_written(wrong):
    with pytest.raises(Refused, match="the engine cannot be serialized"):
        plan.write(wrong)


def test_what_is_too_large_for_a_plan_is_refused_when_it_is_written(monkeypatch):
    for limit, value in (("MAX_METADATA", 100), ("MAX_BLOBS", 0), ("MAX_BLOB", 7)):
        with monkeypatch.context() as patch:
            patch.setattr(container, limit, value)
            with pytest.raises(Refused, match=r"are too many|is too long"):
                plan.write(PLAN)


def test_what_an_engine_tells_of_itself_is_kept():
    traits = Traits(tactic_sources=5, aux_streams=3, refittable=True)
    assert plan.read(plan.write(replace(PLAN, traits=traits))).traits == traits


def test_every_type_and_format_can_stand_in_a_plan():
    for dtype in (DataType.INT8, DataType.INT64, DataType.BOOL, DataType.BF16):
        desc = replace(DESC, type=dtype, scale=0.5)
        made = replace(
            PLAN,
            tensors=tuple(replace(tensor, desc=desc) for tensor in PLAN.tensors),
            layers=(replace(LAYER, chosen=(desc, desc)),),
        )
        assert plan.read(plan.write(made)) == made


def test_a_plan_of_another_version_says_so():
    other = bytearray(DATA)
    other[8] = 1
    with pytest.raises(PlanError, match="the plan has version 1; this runtime reads version 2"):
        plan.read(bytes(other))


def test_lengths_are_limited_before_anything_is_allocated():
    body = struct.pack("<8sIIIQ", DATA[:8], plan.VERSION, 0, 1, 1 << 60) + bytes(40)
    with pytest.raises(PlanError, match="a blob is too long"):
        plan.read(body + bytes(32))


BULKY = {
    "empty lists": b"[" + b"[]," * 20_000 + b"[]]",
    "empty records": b"[" + b"{}," * 20_000 + b"{}]",
    "small records": b"[" + b'{"a":1},' * 10_000 + b"{}]",
    "texts": b"[" + b'"ab",' * 15_000 + b'""]',
    "numbers": b"[" + b"1000," * 15_000 + b"1]",
    "keys": b"{" + b",".join(b'"%d":0' % number for number in range(8_000)) + b"}",
    "nesting": b"[" + (b"[" * 20 + b"]" * 20 + b",") * 1_500 + b"0]",
    "escapes": b'["' + b'\\"' * 30_000,
    "brackets in a text": b'"' + b"[" * 60_000 + b'"',
    "layers": b'{"layers":[' + b"{}," * 20_000 + b'{}],"name":"","profiles":[],"tensors":[],"traits":{}}',
}


@pytest.mark.parametrize("text", BULKY.values(), ids=BULKY)
def test_reading_allocates_in_proportion_to_the_plan(text):
    data = seal(struct.pack("<8sIII", DATA[:8], plan.VERSION, len(text), 0) + text)
    tracemalloc.start()
    try:
        with pytest.raises(PlanError):
            plan.read(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= plan.MEMORY * len(data) + (1 << 20)


def test_values_of_shape_tensors_take_the_stated_memory():
    count, layers = 4096, 40
    desc = replace(DESC, dims=(count,), type=T.INT64)
    constant = Constant((count,), T.INT64, bytes(8 * count))
    kinds = [("constant", constant, ())] + [("sum", Elementwise(ElementWiseOperation.SUM), (1, 1))] * layers
    made = replace(
        PLAN,
        tensors=(PLAN.tensors[0], *(replace(PLAN.tensors[1], name=str(n), desc=desc) for n in range(layers + 1))),
        layers=tuple(
            LayerPlan(
                name=name,
                kind=operation.kind.name,
                inputs=inputs,
                outputs=(place + 1,),
                chosen=(desc,) * (len(inputs) + 1),
                operation=operation.to_plain(),
                payload=operation.weights,
            )
            for place, (name, operation, inputs) in enumerate(kinds)
        ),
    )
    data = plan.write(made)
    tracemalloc.start()
    try:
        assert plan.read(data) == replace(made, layers=plan.read(data).layers)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= plan.MEMORY * len(data) + (1 << 20) + (256 << 10) * len(made.tensors)
