import pytest

from reference_runtime.bound.capsules import capsule, pointer
from reference_runtime.bound.conversions import Mismatch


def test_an_address_survives_its_capsule():
    assert pointer(capsule(4096)) == 4096


def test_null_is_none():
    assert capsule(0) is None
    assert pointer(None) == 0


@pytest.mark.parametrize("wrong", [0, 4096, "x", object()])
def test_nothing_else_is_an_address(wrong):
    with pytest.raises(Mismatch):
        pointer(wrong)
