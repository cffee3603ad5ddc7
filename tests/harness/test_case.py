"""What a case may say, and how it is refused."""

import numpy as np
import pytest

from harness.case import Case, CaseError, Input, parse_case, plugin_key
from harness.expectation import ExpectedFailure


def test_fixed_dims_are_their_own_profile():
    entry = Input(dims=(2, 3))
    assert entry.profile == ((2, 3), (2, 3), (2, 3))
    assert entry.network_dims == (2, 3)


def test_named_dims_are_dynamic_even_where_the_profile_has_one_extent():
    entry = Input(dims=("N", 3), min=(4, 3), max=(4, 3))
    assert entry.network_dims == (-1, 3)


def test_without_dims_the_extents_that_vary_are_dynamic():
    assert Input(min=(1, 3), opt=(2, 3), max=(4, 3)).network_dims == (-1, 3)


def test_opt_defaults_to_max():
    assert Input(min=(1,), max=(4,)).profile == ((1,), (4,), (4,))


def test_one_type_may_be_given_as_a_string():
    assert Input(dims=(1,), types="int32").types == ("int32",)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"dims": ("N", 3)}, "needs min, opt and max"),
        ({"min": (1,)}, "needs min and max"),
        ({"dims": (1, 2), "min": (1,), "max": (1,)}, "different ranks"),
        ({"min": (3,), "opt": (2,), "max": (4,)}, "min <= opt <= max, has 3, 2, 4"),
        ({"min": (-1,), "max": (4,)}, "0 <= min"),
        ({"dims": (3,), "min": (1,), "max": (3,)}, "fixed at 3, but the profile allows 1 to 3"),
        ({"dims": (1,), "types": ("float31",)}, "'float31'"),
        ({"dims": (1,) * 9}, "rank 9 is above"),
    ],
)
def test_a_malformed_input_says_what_is_wrong(keys, message):
    with pytest.raises(CaseError, match=message.replace("(", r"\(")):
        Input(**keys)


def test_a_dict_makes_the_same_case_as_the_class():
    entry = {"plugin": "P", "name": "a", "inputs": [{"dims": (2,)}]}
    assert parse_case(entry, origin="m") == Case(plugin="P", name="a", inputs=(Input(dims=(2,)),))


def test_an_unknown_key_is_refused_with_a_suggestion():
    with pytest.raises(CaseError, match=r"m\[0\]: case 'P': unknown key 'input' of Case; did you mean 'inputs'\?"):
        parse_case({"plugin": "P", "input": []}, origin="m[0]")


def test_what_is_no_case_is_refused():
    with pytest.raises(CaseError, match="a Case or a dict, not list"):
        parse_case([], origin="m")


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


def test_an_expected_failure_needs_a_fingerprint():
    with pytest.raises(CaseError, match="needs a reason and a fingerprint"):
        Case(plugin="P", expected_failures={"FMT-001": "known"})
    case = Case(plugin="P", expected_failures={"FMT-001": {"reason": "known", "fingerprint": "abc"}})
    assert case.expected_failures == {"FMT-001": ExpectedFailure("known", "abc")}


def test_keys_are_percent_encoded_but_for_their_slashes():
    assert plugin_key("", "Bar", "1") == "/Bar/1"
    assert plugin_key("a/b", "Bär", "1") == "a%2Fb/B%C3%A4r/1"
