"""Records are read strictly, and the schema takes what they take."""

import copy
import dataclasses
import enum
from typing import Any

import jsonschema
import pytest

from harness.contract.codec import FormError, Record, read, said, schema_of, to_plain


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass(frozen=True)
class Inner:
    """An inner record."""

    some_name: str = said("a name", key="someName", pattern="[a-z]+")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Outer(Record):
    """An outer record.

    Attributes:
        described: What the docstring
            says of it.
    """

    kind: str = said("its kind", key="_kind", only="outer")
    number: int = said("a number")
    share: float = said("a share")
    is_new: bool = said("whether it is new", key="isNew")
    colour: Colour = said("a colour")
    inner: tuple[Inner, ...] = said("inner ones")
    by_name: dict[str, int] = said("by name", key="byName")
    by_colour: dict[Colour, int] = said("by colour", least=0)
    seeds: tuple[int, ...] = said("none is negative", least=0)
    names: frozenset[str] = said("each once")
    api: int = said("a number of two", only=(8, 10))
    described: str
    maybe: int | None = said("a number or none")
    anything: Any = said("anything")
    url: str | None = said("may be left out", optional=True)
    later: int = 3


GOOD = {
    "_kind": "outer",
    "number": 3,
    "share": 0.5,
    "isNew": True,
    "colour": "red",
    "inner": [{"someName": "abc"}],
    "byName": {"a": 1},
    "by_colour": {"red": 1, "blue": 2},
    "seeds": [0, 1],
    "names": ["a", "b"],
    "api": 8,
    "described": "so",
    "later": 4,
    "maybe": None,
    "anything": [1, {"b": None}],
}
BAD = [
    ({"_kind": "other"}, "_kind is 'other', not 'outer'"),
    ({"number": True}, "number is True, not a JSON integer"),
    ({"number": 3.5}, "number is 3.5, not a JSON integer"),
    ({"number": None}, "number is None, not a JSON integer"),
    ({"share": "x"}, "share is 'x', not a JSON number"),
    ({"isNew": 1}, "isNew is 1, not a JSON boolean"),
    ({"colour": "green"}, "colour is 'green', not one of red, blue"),
    ({"colour": ["red"]}, "colour is ['red'], not one of red, blue"),
    ({"inner": {}}, "inner is {}, not a list"),
    ({"inner": [{}]}, "inner[0].someName is missing"),
    ({"inner": [{"someName": "ABC"}]}, "inner[0].someName is 'ABC', not text like [a-z]+"),
    ({"inner": [{"someName": "a", "more": 1}]}, "inner[0].more is no field of it"),
    ({"byName": {"a": "1"}}, "byName['a'] is '1', not a JSON integer"),
    ({"byName": []}, "byName is [], not an object"),
    ({"by_colour": {"red": 1}}, "by_colour is {'red': 1}, not an object with red, blue"),
    (
        {"by_colour": {"red": 1, "blue": 1, "pink": 1}},
        "by_colour is {'red': 1, 'blue': 1, 'pink': 1}, not an object with red, blue",
    ),
    ({"seeds": [0, -1]}, "seeds[1] is -1, not 0 or more"),
    ({"names": "ab"}, "names is 'ab', not a list"),
    ({"api": 9}, "api is 9, not one of 8, 10"),
    ({"api": True}, "api is True, not a JSON integer"),
    ({"maybe": "x"}, "maybe is 'x', not a JSON integer"),
    ({"url": None}, "url is None, not a JSON string"),
    ({"new": 1}, "new is no field of it"),
]


@pytest.mark.parametrize("more", [{}, {"url": "https://x"}, {"maybe": 7}])
def test_what_is_read_is_written_the_same(more):
    plain = {**GOOD, **more}
    assert to_plain(read(Outer, plain)) == plain
    jsonschema.validate(plain, schema_of(Outer))


@pytest.mark.parametrize(("more", "told"), BAD)
def test_another_form_is_refused_by_reader_and_schema(more, told):
    plain = {**copy.deepcopy(GOOD), **more}
    with pytest.raises(FormError) as error:
        read(Outer, plain)
    assert str(error.value) == told
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, schema_of(Outer))


@pytest.mark.parametrize("key", sorted(GOOD.keys() - {"later"}))
def test_a_missing_key_is_refused_by_reader_and_schema(key):
    plain = {each: value for each, value in GOOD.items() if each != key}
    with pytest.raises(FormError, match=f"{key} is missing"):
        read(Outer, plain)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain, schema_of(Outer))


@pytest.mark.parametrize("value", [None, [], "text", 7])
def test_what_is_no_object_is_no_record(value):
    with pytest.raises(FormError, match="not an object"):
        read(Outer, value)


def test_a_field_with_a_default_may_be_missing_and_is_always_written():
    plain = {key: value for key, value in GOOD.items() if key != "later"}
    jsonschema.validate(plain, schema_of(Outer))
    record = Outer.from_plain(plain)
    assert record.later == 3
    assert record.to_plain() == {**plain, "later": 3}


def test_a_field_is_described_where_it_is_declared_or_in_the_docstring():
    told = {name: field.get("description") for name, field in schema_of(Outer)["properties"].items()}
    assert told["number"] == "a number"
    assert told["described"] == "What the docstring says of it."
    assert told["later"] is None


@dataclasses.dataclass(frozen=True)
class Open(Record):
    """A record that keeps what it does not know."""

    number: int
    others: dict[str, Any] = said(rest=True, default_factory=dict)


@pytest.mark.parametrize("plain", [{"number": 1}, {"number": 1, "new": [1]}])
def test_an_open_record_keeps_other_keys(plain):
    assert Open.from_plain(plain).to_plain() == plain
    jsonschema.validate(plain, schema_of(Open))
