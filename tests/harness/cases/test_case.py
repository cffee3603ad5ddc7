"""What a case may say, and how it is refused."""

import numpy as np
import pytest

from harness.cases.case import Case, CaseError, Input, Tolerance, parse_case, plugin_key
from harness.contract.expected_failures import ExpectedFailure

VALUES = {"shape_input": True, "types": "int64"}


def test_a_dict_makes_the_same_case_as_the_class():
    entry = {"plugin": "P", "name": "a", "inputs": [{"dims": (2,)}]}
    assert parse_case(entry, origin="m") == Case(plugin="P", name="a", inputs=(Input(dims=(2,)),))


def test_an_unknown_key_is_refused_with_a_suggestion():
    with pytest.raises(CaseError, match=r"m\[0\]: case 'P': unknown key 'input' of Case \(did you mean 'inputs'\?\)"):
        parse_case({"plugin": "P", "input": []}, origin="m[0]")


def test_what_is_no_case_is_refused():
    with pytest.raises(CaseError, match="a Case or a dict, not list"):
        parse_case([], origin="m")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"plugin": None}, "plugin is None: write a text"),
        ({"version": 1}, "version is 1: write a text, such as '1'"),
        ({"namespace": None}, "namespace is None: write a text"),
        ({"fields": [1]}, "fields is [1]: write a dict of values by name"),
        ({"fields": {"k": {}}}, "fields['k'] is {}: write an array of numbers, bytes or str for CHAR, or (array, "),
        ({"fields": {"k": ("abc", "CHAR")}}, "fields['k'] is ('abc', 'CHAR'): write an array of numbers"),
        ({"inputs": {"dims": (1,)}}, "inputs is {'dims': (1,)}: write a tuple of inputs, one a tensor"),
        ({"inputs": ["x"]}, "inputs[0]: an input is an Input or a dict, not str"),
        ({"inputs": [{"dims": (1,)}, {"dims": (1,), "shape_input": "yes"}]}, "inputs[1]: shape_input is 'yes': write "),
        ({"inputs": [{"dim": (1,)}]}, "inputs[0]: unknown key 'dim' of Input (did you mean 'dims'?)"),
        ({"valid": True}, "valid is True: write a function"),
        ({"reference": "np.abs"}, "reference is 'np.abs': write a function"),
        ({"stand_ins": {"k": 1}}, "stand_ins['k'] is 1: write a function"),
        ({"tolerance": 1e-3}, "tolerance is 0.001: write harness.Tolerance(rtol=..., atol=...), or one by type"),
        ({"tolerance": {"rtol": 1e-3}}, "tolerance['rtol'] is 0.001: write harness.Tolerance(rtol=..., atol=...), or "),
        ({"tolerance": {"fp16": Tolerance()}}, "tolerance['fp16'] is Tolerance(rtol=0.0, atol=0.0): write "),
        ({"expected_failures": ["FMT-001"]}, "expected_failures is ['FMT-001']: write a dict of entries by rule id"),
        ({"spec": 9}, "spec 9 is no API level; choose from 8.6, 10, 11"),
    ],
)
def test_a_value_of_the_wrong_kind_is_told_with_case_and_key(keys, message):
    with pytest.raises(CaseError) as caught:
        parse_case({"plugin": "P", "name": "a", **keys}, origin="m[0]")
    assert str(caught.value).startswith(f"m[0]: case 'a': {message}")


def test_a_case_without_a_plugin_is_told():
    with pytest.raises(CaseError, match=r"m\[0\]: case 'a': plugin is missing: write the name"):
        parse_case({"name": "a"}, origin="m[0]")


@pytest.mark.parametrize("bound", [-1.0, "1e-3", float("nan"), True])
def test_a_tolerance_is_a_number_from_0_up(bound):
    with pytest.raises(CaseError, match=r"rtol is .*: write a number from 0 up"):
        Tolerance(rtol=bound)


def test_names_must_fit_into_test_ids():
    with pytest.raises(CaseError, match="'a b'"):
        Case(plugin="P", name="a b")


def test_equal_names_must_have_equal_extents_in_each_corner():
    inputs = [{"dims": ("N",), "min": (1,), "max": (4,)}, {"dims": ("N",), "min": (1,), "max": (5,)}]
    with pytest.raises(CaseError, match="named 'N' differ in opt"):
        Case(plugin="P", inputs=inputs)


def test_a_shape_outside_the_profile_or_not_valid_is_not_allowed():
    case = Case(
        plugin="P",
        inputs=[{"dims": ("N", "M"), "min": (1, 1), "max": (4, 4)}],
        fields={"k": np.array([2])},
        valid=lambda shape, fields: shape[0] % fields["k"][0] == 0,
    )
    assert case.allows([(2, 3)])
    assert not case.allows([(3, 3)])
    assert not case.allows([(2, 5)])


def test_types_of_several_inputs_multiply():
    case = Case(plugin="P", inputs=[{"dims": (1,), "types": ("float32", "float16")}, {"dims": (1,)}])
    assert list(case.type_choices) == [("float32", "float32"), ("float16", "float32")]


SIZED = {"inputs": [{"dims": ("N",), "min": (1,), "max": (4,)}, {**VALUES, "min": (-1, 2), "max": (5, 9)}]}


def test_shape_inputs_stand_after_the_others_and_have_no_part_in_types():
    case = Case(plugin="P", **SIZED)
    assert case.data_inputs + case.shape_inputs == case.inputs
    assert [entry.shape_input for entry in case.inputs] == [False, True]
    assert list(case.type_choices) == [("float32",)]
    with pytest.raises(CaseError, match=r"inputs\[0\] is a shape input before a data input; shape inputs come last"):
        Case(plugin="P", inputs=SIZED["inputs"][::-1])


def test_values_of_a_shape_input_are_allowed_and_valid_as_shapes_are():
    case = Case(plugin="P", **SIZED, valid=lambda x, size, *, fields: x[0] < size[1])  # noqa: ARG005
    assert case.allows([(2,), (-1, 3)])
    assert not case.allows([(2,), (-2, 3)]), "below the least value"
    assert not case.allows([(3,), (0, 3)]), "not valid"


def test_an_expected_failure_needs_a_fingerprint():
    with pytest.raises(CaseError, match="needs a reason and a fingerprint"):
        Case(plugin="P", expected_failures={"FMT-001": "known"})
    case = Case(plugin="P", expected_failures={"FMT-001": {"reason": "known", "fingerprint": "abc"}})
    assert case.expected_failures == {"FMT-001": ExpectedFailure("known", "abc")}


def test_keys_are_percent_encoded_but_for_their_slashes():
    assert plugin_key("", "Bar", "1") == "/Bar/1"
    assert plugin_key("a/b", "Bär", "1") == "a%2Fb/B%C3%A4r/1"
