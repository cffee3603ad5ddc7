from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import replace

import pytest

from reference_runtime import plan
from reference_runtime.descriptions import Description
from reference_runtime.enums import DataType, TensorFormat, TensorIOMode
from reference_runtime.plan import LayerPlan, Plan, PlanError, ProfilePlan, TensorPlan

T, F, M = DataType, TensorFormat, TensorIOMode
DESC = Description((-1, 3, -1), T.FLOAT, F.LINEAR)
HALF = Description((-1, 3, -1), T.HALF, F.LINEAR)
LAYER = LayerPlan(
    name="layer",
    plugin_type="Type",
    plugin_version="1",
    plugin_namespace="ns",
    inputs=(0,),
    outputs=(1,),
    chosen=(DESC, HALF),
    shapes=(([["INPUT", 0, 0]], 3, [["INPUT", 0, 2], 2, ["SUM", 0, 1]]),),
    workspace=64,
    payload=b"\0payload",
)
PLAN = Plan(
    name="network é",
    tensors=(TensorPlan("x", M.INPUT, DESC), TensorPlan("y", M.OUTPUT, DESC)),
    layers=(LAYER,),
    profiles=(ProfilePlan((((1, 3, 1), (2, 3, 4), (4, 3, 8)),)),),
)
DATA = plan.write(PLAN)


def test_a_plan_survives_being_written_and_read():
    assert plan.read(DATA) == PLAN


def test_the_same_plan_has_the_same_bytes():
    assert plan.write(plan.read(DATA)) == DATA


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


def resealed(metadata):
    """A plan with other metadata and a checksum that fits."""
    text = metadata if isinstance(metadata, bytes) else json.dumps(metadata).encode()
    body = struct.pack("<8sIIIQ", DATA[:8], 1, len(text), 1, len(LAYER.payload)) + text + LAYER.payload
    return body + hashlib.sha256(body).digest()


def metadata():
    start = 20 + 8
    return json.loads(DATA[start : start + struct.unpack_from("<I", DATA, 12)[0]])


def test_the_metadata_can_be_changed_for_the_next_tests():
    assert plan.read(resealed(metadata())) == PLAN


def places(data, path=()):
    """Every place in a JSON value."""
    yield path
    if isinstance(data, (dict, list)):
        for key in data if isinstance(data, dict) else range(len(data)):
            yield from places(data[key], (*path, key))


def refusal(data):
    try:
        plan.read(data)
    except PlanError as error:
        return str(error)
    return None


def changed(path, value):
    if not path:
        return value
    data = inner = metadata()
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return data


@pytest.mark.parametrize("value", [None, {}, [[[]]]], ids=repr)
def test_metadata_of_the_wrong_kind_are_refused_wherever_they_stand(value):
    for path in places(metadata()):
        with pytest.raises(PlanError):
            plan.read(resealed(changed(path, value)))


@pytest.mark.parametrize("value", [[], "text", -2, 0, 10**30, 0.5, True], ids=repr)
def test_whatever_stands_in_the_metadata_there_is_one_error_or_none(value):
    refusals = [refusal(resealed(changed(path, value))) for path in places(metadata())]
    assert sum(message is not None for message in refusals) > 25


@pytest.mark.parametrize("text", [b"\xff", b"{", b"[" * 100_000, b"nan"])
def test_metadata_that_are_no_json_are_refused(text):
    with pytest.raises(PlanError):
        plan.read(resealed(text))


def broken(**changes):
    return replace(PLAN, **changes)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (broken(tensors=PLAN.tensors[::-1]), "not in order"),
        (broken(profiles=()), "no profile"),
        (broken(profiles=(ProfilePlan(()),)), "not one range for each input"),
        (broken(profiles=(ProfilePlan((((1,), (1,), (1,)),)),)), "does not fit 'x'"),
        (broken(layers=()), "has no source"),
        (broken(layers=(replace(LAYER, inputs=(1,)),)), "reads what is not there yet"),
        (broken(layers=(replace(LAYER, outputs=(0,)),)), "writes what is there already"),
        (broken(layers=(replace(LAYER, outputs=(7,)),)), "writes a tensor that does not exist"),
        (broken(layers=(replace(LAYER, chosen=(DESC,)),)), "does not fit its tensors"),
        (broken(layers=(replace(LAYER, shapes=((3,),)),)), "has wrong shapes"),
        (broken(tensors=(PLAN.tensors[0], replace(PLAN.tensors[1], desc=replace(DESC, type=T.INT4)))), "there is no"),
    ],
)
def test_a_plan_whose_parts_do_not_fit_together_is_refused(wrong, message):
    with pytest.raises(PlanError, match=message):
        plan.read(plan.write(wrong))


def test_a_plan_of_another_version_says_so():
    other = bytearray(DATA)
    other[8] = 2
    with pytest.raises(PlanError, match="the plan has version 2; this runtime reads version 1"):
        plan.read(bytes(other))


def test_lengths_are_limited_before_anything_is_allocated():
    body = struct.pack("<8sIIIQ", DATA[:8], 1, 0, 1, 1 << 60) + bytes(40)
    with pytest.raises(PlanError, match="a payload is too long"):
        plan.read(body + bytes(32))
