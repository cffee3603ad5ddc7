import functools

import pytest

from reference_runtime.conversions import int32, int64, sequence, string
from reference_runtime.signatures import Overload, arguments_for, bound, is_bound_function

NESTED = "(self: Thing, in: collections.abc.Sequence[typing.Tuple[int, int]], type: Kind = <Kind.A: 1>) -> None"


class BrokenRepr:
    def __repr__(self):
        raise ValueError("no")


class Thing:
    @bound(
        Overload("(self: Thing, count: typing.SupportsInt, arg1: typing.SupportsInt) -> str", int32, int64),
        Overload("(self: Thing, name: str, suffix: str = '!') -> str", string, string, defaults=["!"]),
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
    assert "\n    1. (self: Thing, count: typing.SupportsInt" in message
    assert "\n    2. (self: Thing, name: str" in message


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
