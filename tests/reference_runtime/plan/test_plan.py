"""Plans: written, read, refused, limited."""

from __future__ import annotations

import struct

import pytest
from msgspec.structs import replace

from reference_runtime import plan
from reference_runtime.plan import PlanError, Traits, container
from reference_runtime.values import checked_json
from reference_runtime.values.enums import DataType
from reference_runtime.values.refusals import Refused
from tests.support.runtime.plans import (
    DESC,
    LAYER,
    PLAN,
    PLANS,
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


@pytest.mark.parametrize(
    "text", [b"\xff", b"{", b"[" * 100_000, b"nan", b"9" * 100_000, b"1." + b"1" * 1000, b'"\\ud800"', b"Infinity"]
)
def test_metadata_that_are_no_json_are_refused(text):
    with pytest.raises(PlanError):
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
