import sys

import pytest

from reference_runtime.bound.bound_class import made, pybind11_object
from reference_runtime.bound.conversions import Mismatch, anything, int32, string
from reference_runtime.bound.frames import is_ours
from reference_runtime.bound.overloads import Overload, bound


class Counted:
    """A number that knows how often it was converted."""

    def __init__(self, number):
        self.number, self.times = number, 0

    def __index__(self):
        self.times += 1
        return self.number


class Direct(pybind11_object, bound=True):
    @bound(
        Overload("(self: Direct, first: typing.SupportsInt, second: typing.SupportsInt) -> str", int32, int32),
        Overload("(self: Direct, first: typing.SupportsInt, second: str) -> str", int32, string),
    )
    def pair(self, *arguments):
        return arguments

    @bound(Overload("(self: Direct) -> bool"))
    def is_called_by_ours(self):
        return is_ours(sys._getframe(1))

    @bound(Overload("(self: Direct, arg0: object) -> None", anything))
    def refuse(self, _value):
        raise Mismatch


THING = made(Direct)


def test_places_and_keywords_lead_to_the_same_conversions():
    assert THING.pair(1, 2) == THING.pair(1, second=2) == THING.pair(second=2, first=1) == (1, 2)
    assert THING.pair(1, "a") == THING.pair(1, second="a") == (1, "a")


@pytest.mark.parametrize("arguments", [(1 << 31, 1), (1, 1.5), (None, 1), (1,), (1, 2, 3), ()])
def test_what_a_conversion_refuses_is_refused(arguments):
    with pytest.raises(TypeError, match=r"^pair\(\): incompatible function arguments\."):
        THING.pair(*arguments)


@pytest.mark.parametrize("receiver", [(), (None,), (object(),)])
def test_a_receiver_of_another_kind_is_refused(receiver):
    with pytest.raises(TypeError, match=r"^is_called_by_ours\(\): incompatible function arguments\."):
        Direct.is_called_by_ours(*receiver)


def test_no_overload_converts_an_argument_twice():
    number = Counted(3)
    assert THING.pair(number, "a") == (3, "a")
    assert number.times == 2  # once by each overload
    with pytest.raises(TypeError):
        THING.pair(number, None)
    assert number.times == 4


def test_a_mismatch_in_the_function_itself_is_not_taken_for_one_of_its_arguments():
    with pytest.raises(Mismatch):
        THING.refuse(1)


def test_the_frame_in_between_is_the_runtimes_own():
    assert THING.is_called_by_ours()


def test_a_class_derived_by_a_user_inherits_the_methods():
    class Mine(Direct):
        def __init__(self):
            pass

    assert Mine.__new__(Mine).pair(1, 2) == (1, 2)
