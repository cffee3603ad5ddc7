import copy
import pickle
import sys
import types

import pytest

import reference_runtime as trt
from reference_runtime.bound.enumeration import another, is_member
from reference_runtime.bound.errors import NativeCrash

# Read off the binding code: these are declared with py::arithmetic, the rest without.
ORDERED = {
    "AllocatorFlag",
    "BuilderFlag",
    "DimensionOperation",
    "EngineCapability",
    "EngineStat",
    "ErrorCodeTRT",
    "ExecutionContextAllocationStrategy",
    "NetworkDefinitionCreationFlag",
    "PluginCapabilityType",
    "QuantizationFlag",
    "QuickPluginCreationRequest",
    "SeekPosition",
    "SerializationFlag",
    "TacticSource",
    "TensorFormat",
    "TensorRTPhase",
}
UNORDERED = {
    "DataType",
    "DeviceType",
    "LayerType",
    "MemoryPoolType",
    "PluginFieldType",
    "TensorIOMode",
    "TensorLocation",
}


@pytest.mark.parametrize("name", sorted(ORDERED))
def test_arithmetic_enumerations_compare_with_their_own_kind(name):
    kind = getattr(trt, name)
    assert kind(0) < kind(1)
    assert kind(1) >= kind(1)
    for other in (1, trt.DataType.HALF, None):
        with pytest.raises(TypeError, match="Expected an enumeration of matching type!"):
            kind(0) < other  # noqa: B015 - it raises


@pytest.mark.parametrize("name", sorted(UNORDERED))
def test_other_enumerations_do_not_compare(name):
    kind = getattr(trt, name)
    with pytest.raises(TypeError):
        kind(0) < kind(1)  # noqa: B015 - it raises


def test_of_two_names_for_one_value_the_first_is_shown():
    assert repr(trt.BuilderFlag(19)) == "<BuilderFlag.WEIGHTLESS: 19>"
    assert trt.BuilderFlag.STRIP_PLAN == trt.BuilderFlag.WEIGHTLESS


def test_members_are_handed_out_as_a_fresh_dictionary():
    trt.DataType.__members__.clear()
    assert trt.DataType.__members__["FLOAT"] is trt.DataType.FLOAT


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("member", [trt.DataType.FLOAT, trt.ILogger.Severity.INFO, trt.TensorFormat(77)])
def test_members_survive_a_pickle_where_tensorrt_is_not_ours(member, protocol):
    assert pickle.loads(pickle.dumps(member, protocol)) == member  # noqa: S301 - our own pickle


def test_where_tensorrt_is_ours_the_pickle_is_one_that_the_original_reads(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorrt", trt)
    monkeypatch.setitem(sys.modules, "tensorrt.tensorrt", trt)
    data = pickle.dumps(trt.DataType.HALF, 2)
    assert b"tensorrt.tensorrt" in data
    assert b"reference_runtime" not in data
    assert pickle.loads(data) == trt.DataType.HALF  # noqa: S301 - our own pickle


def test_the_original_in_the_same_process_is_left_alone(monkeypatch):
    original = types.ModuleType("tensorrt.tensorrt")
    original.DataType = type("DataType", (), {})
    monkeypatch.setitem(sys.modules, "tensorrt.tensorrt", original)
    assert pickle.loads(pickle.dumps(trt.DataType.HALF)) == trt.DataType.HALF  # noqa: S301 - our own pickle


@pytest.mark.parametrize("protocol", [0, 1])
def test_old_protocols_are_where_the_original_crashes(protocol):
    with pytest.raises(NativeCrash):
        pickle.dumps(trt.DataType.HALF, protocol)


def test_copies_are_equal_and_not_the_same():
    member = trt.TensorFormat.CHW32
    assert copy.deepcopy([member]) == [member]
    assert copy.copy(member) is not member


def test_numbers_that_are_no_members_have_no_name_and_are_none_of_them():
    assert repr(trt.DataType(77)) == "<DataType.???: 77>"
    assert not is_member(trt.DataType(77), trt.DataType)
    assert is_member(another(trt.DataType.HALF), trt.DataType)


def test_members_of_other_enumerations_and_of_derived_ones_are_no_members():
    derived = type("Mine", (trt.DataType,), {})
    assert derived(1).name == "???"
    assert not is_member(derived(1), trt.DataType)
    assert not is_member(trt.TensorFormat.LINEAR, trt.DataType)
    assert not is_member(0, trt.DataType)


def test_members_and_their_likes_are_one_key_and_numbers_are_another():
    known = {trt.DataType.HALF: "half"}
    assert known[another(trt.DataType.HALF)] == known[trt.DataType(1)] == "half"
    assert hash(trt.DataType.HALF) == hash(1)
    assert trt.DataType.HALF != 1
    assert 1 not in known
    assert trt.DataType.HALF != None  # noqa: E711 - the operator is what is asked
    assert trt.DataType(-1) == trt.DataType(-1)
    assert hash(trt.DataType(-1)) == hash(-1)


def test_a_member_that_was_never_initialised_is_where_the_original_crashes():
    blank = trt.DataType.__new__(trt.DataType)
    for use in (int, hash, repr, lambda member: member == blank):
        with pytest.raises(NativeCrash, match="was used before"):
            use(blank)
