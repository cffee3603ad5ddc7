"""The canonical form is one text for one meaning, and JSON with two meanings is refused."""

import hashlib
import json

import pytest

from harness.certificate.canonical import NotJsonError, canonical, digest_of, parse, pretty


def test_keys_are_sorted_and_nothing_stands_between():
    assert (
        canonical({"b": [1, 2.5, None], "a": '\u20ac\n"', "B": {}})
        == '{"B":{},"a":"€\\n\\"","b":[1,2.5,null]}'.encode()
    )


def test_it_is_that_of_rfc_8785_for_its_own_example():
    """The strings and literals of section 3.2.2; its numbers are no integers, where we differ and say so."""
    value = {"string": '\u20ac$\u000f\nA\'B"\\\\"/', "literals": [None, True, False]}
    wanted = '{"literals":[null,true,false],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    assert canonical(value) == wanted.encode()


def test_the_digest_is_of_the_canonical_form():
    assert digest_of({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()
    assert digest_of({"a": 1}) != digest_of({"a": 1.0})
    assert digest_of({"a": [1, 2]}) != digest_of({"a": [2, 1]})


def test_what_is_written_is_what_is_read():
    value = {"b": ["é", {"a": -1}], "a": ""}
    assert parse(pretty(value).encode()) == value
    assert pretty(value) == json.dumps(value, indent=1) + "\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "Expecting value"),
        (b"{", "Expecting property name"),
        (b'{"a": 1} x', "Extra data"),
        (b'{"a": {"b": 1, "c": 2, "b": 1}}', "an object has the key 'b' twice"),
        (b"[NaN]", "NaN is no number of JSON"),
        (b"[-Infinity]", "-Infinity is no number of JSON"),
        (b"\xff\xfe\x00", "truncated data"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_or_says_two_things_is_refused(text, told):
    with pytest.raises(NotJsonError, match=told):
        parse(text)
