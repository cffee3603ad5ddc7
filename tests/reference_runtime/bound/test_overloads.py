import functools
import sys

import pytest

from reference_runtime.bound.bound_class import made, pybind11_object, state
from reference_runtime.bound.conversions import Mismatch, anything, int32, int64, sequence, string
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.bound.frames import is_ours
from reference_runtime.bound.overloads import Overload, arguments_for, bound, constructor, is_bound_function

NESTED = "(self: Thing, in: collections.abc.Sequence[typing.Tuple[int, int]], type: Kind = <Kind.A: 1>) -> None"


class BrokenRepr:
    def __repr__(self):
        raise ValueError("no")


class Thing:
    @bound(
        Overload(
            "(self: tensorrt.tensorrt.Thing, count: typing.SupportsInt, arg1: typing.SupportsInt) -> str", int32, int64
        ),
        Overload(
            "(self: tensorrt.tensorrt.Thing, name: str, suffix: str = '!') -> str", string, string, defaults=["!"]
        ),
        on=lambda _value: True,
    )
    def call(self, *arguments):
        return arguments


def test_parameter_names_are_read_past_brackets_defaults_and_keywords():
    overload = Overload(NESTED, sequence(int32), int32, defaults=[1])
    assert [parameter.name for parameter in overload.parameters] == ["in", "type"]
    assert overload.match((), {"in": [1]}) == [[1], 1]


def test_the_first_overload_that_fits_is_taken():
    assert Thing().call(1, 2) == (1, 2)
    assert Thing().call("a") == ("a", "!")
    assert Thing().call("a", suffix="?") == ("a", "?")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), {}),
        ((1,), {"arg1": 2}),
        ((1, 2, 3), {}),
        (("a",), {"other": 1}),
        (("a", "b"), {"suffix": "c"}),
        ((1, "b"), {}),
    ],
)
def test_what_fits_none_is_a_type_error_that_lists_them(arguments, named):
    with pytest.raises(TypeError) as error:
        Thing().call(*arguments, **named)
    message = str(error.value)
    assert message.startswith("call(): incompatible function arguments. The following argument types are supported:")
    assert "\n    1. (self: tensorrt.tensorrt.Thing, count: typing.SupportsInt" in message
    assert "\n    2. (self: tensorrt.tensorrt.Thing, name: str" in message


def test_the_message_shows_the_arguments_even_if_their_repr_fails():
    with pytest.raises(TypeError, match=r"Invoked with: 3, <repr raised Error>; kwargs: key='v'"):
        arguments_for("__init__", [], (), (3, BrokenRepr()), {"key": "v"})


def test_a_bound_method_is_told_from_an_override():
    assert is_bound_function(Thing().call)
    assert not is_bound_function(lambda: None)


def test_an_override_that_wraps_the_bound_method_is_an_override():
    @functools.wraps(Thing.call)
    def call(self):
        return self

    assert not is_bound_function(call)


class Odd:
    @bound(Overload("(self: Whole, count: typing.SupportsInt) -> int", int32), on=lambda value: isinstance(value, int))
    def add(self, count):
        return self + count


def test_a_method_may_want_something_else_than_its_class_for_self():
    assert Odd.add(3, 4) == 7
    with pytest.raises(
        TypeError, match=r"add\(\): incompatible function arguments(.|\n)*\(self: (.|\n)*Invoked with: 'x', 4"
    ):
        Odd.add("x", 4)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        Odd().add(4)


class Base(pybind11_object, bound=True):
    @constructor(Overload("(self: Base, number: typing.SupportsInt) -> None", int32))
    def __init__(self, number):
        state(self)["number"] = number


class Derived(Base, bound=True):
    @constructor(Overload("(self: Derived) -> None"))
    def __init__(self):
        state(self)["number"] = 0


def test_a_second_init_does_nothing_whatever_it_is_given():
    made = Base(1)
    for arguments in ((2,), ("x",), (1, 2, 3)):
        made.__init__(*arguments)
    assert state(made)["number"] == 1


@pytest.mark.parametrize("arguments", [(), (5,), (object(), 1)])
def test_an_init_wants_an_object_of_its_class(arguments):
    with pytest.raises(TypeError, match=r"^__init__\(self, ...\) called with invalid or missing `self` argument$"):
        Base.__init__(*arguments)


def test_the_init_of_a_base_on_an_object_of_a_derived_class_is_where_the_original_aborts():
    class Users(Derived):
        def __init__(self):
            Base.__init__(self, 1)

    for call in (lambda: Base.__init__(Derived(), 1), Users):
        with pytest.raises(NativeCrash, match=r"Base\.__init__\(\) was called on an object of a derived class"):
            call()


class Counted:
    """A number that knows how often it was converted."""

    def __init__(self, number):
        self.number, self.times = number, 0

    def __index__(self):
        self.times += 1
        return self.number


class Pairs(pybind11_object, bound=True):
    @bound(
        Overload("(self: Pairs, first: typing.SupportsInt, second: typing.SupportsInt) -> str", int32, int32),
        Overload("(self: Pairs, first: typing.SupportsInt, second: str) -> str", int32, string),
    )
    def pair(self, *arguments):
        return arguments

    @bound(Overload("(self: Pairs) -> bool"))
    def is_called_by_ours(self):
        return is_ours(sys._getframe(1))

    @bound(Overload("(self: Pairs, arg0: object) -> None", anything))
    def refuse(self, _value):
        raise Mismatch


THING = made(Pairs)


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
        Pairs.is_called_by_ours(*receiver)


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
    class Mine(Pairs):
        def __init__(self):
            pass

    assert Mine.__new__(Mine).pair(1, 2) == (1, 2)
