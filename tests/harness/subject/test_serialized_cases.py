"""Cases that travel as plain data."""

import json

import numpy as np

import reference_runtime as trt
from harness.cases.case import Case, Input, Tolerance
from harness.subject.serialized_cases import Given, Reached, case_from_plain, to_plain, with_oracle


def there_and_back(case):
    return case_from_plain(json.loads(json.dumps(to_plain(case))))


def test_nothing_is_lost_on_the_way():
    case = Case(
        plugin="P",
        name="n",
        fields={"a": np.array([1.5]), "b": (np.array([97, 0], np.int8), trt.PluginFieldType.CHAR)},
        inputs=(
            Input(dims=("n", 2), min=(1, 2), opt=(2, 2), max=(3, 2), values=Given(np.array([[1, 2]], np.int32))),
            Input(min=(1,), max=(2,), types=("int64",), shape_input=True),
        ),
        valid=Reached((((1, 2), (1,)), ((3, 2), (2,)))),
    )
    found = there_and_back(case)
    assert found.fields["a"].tolist() == [1.5]
    assert found.fields["b"][0].tolist() == [97, 0]
    assert found.fields["b"][1] == trt.PluginFieldType.CHAR
    assert [entry.profile for entry in found.inputs] == [entry.profile for entry in case.inputs]
    assert found.inputs[1].shape_input
    assert found.inputs[0].values(None, (2, 2), np.float32).tolist() == [[1, 2], [1, 2]]
    assert found.allows(((3, 2), (2,)))
    assert not found.allows(((3, 2), (1,)))
    assert not found.inferred


def oracle_of(case, other):
    return with_oracle(case, [Case(plugin="P"), other]).reference


def test_an_oracle_gets_fields_as_its_own_case_has_them():
    fields = {
        "mode": (np.frombuffer(b"fast\0", np.int8), trt.PluginFieldType.CHAR),
        "raw": (np.frombuffer(b"ab\0", np.int8), trt.PluginFieldType.CHAR),
        "one": (np.array([2], np.int32), trt.PluginFieldType.INT32),
        "many": (np.array([1, 2], np.int32), trt.PluginFieldType.INT32),
    }
    seen = {}
    own = Case(
        plugin="P",
        fields={"mode": "slow", "raw": b"x", "one": np.float32(1), "many": np.array([0])},
        reference=lambda x, *, fields: seen.update(fields) or x,
        tolerance=Tolerance(rtol=1),
    )
    case = with_oracle(Case(plugin="P", fields=fields), [Case(plugin="P"), own])
    assert case.reference(7, fields=dict(case.fields)) == 7
    assert (seen["mode"], seen["raw"], seen["one"], seen["many"].tolist()) == ("fast", b"ab", 2, [1, 2])
    assert case.tolerance == Tolerance(rtol=1)


def test_an_oracle_that_would_miss_a_field_is_not_asked():
    own = Case(plugin="P", fields={"a": np.array([1.0])}, reference=lambda x, **_fields: x)
    assert with_oracle(Case(plugin="P"), [own]).reference is None
