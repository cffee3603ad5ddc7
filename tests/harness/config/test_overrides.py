"""Options of single plugins: of which plugin they are, and what is wrong with them."""

import pytest

from harness.config import overrides
from harness.config.overrides import Override

KEYS = ("/Bar/1", "/Bar/2", "acme/Odd%20Name/1")


@pytest.mark.parametrize(
    ("word", "concerned"),
    [
        ("Bar", ["/Bar/1", "/Bar/2"]),
        ("/Bar/2", ["/Bar/2"]),
        ("Odd Name", ["acme/Odd%20Name/1"]),
        ("acme/Odd%20Name/1", ["acme/Odd%20Name/1"]),
        ("bar", []),
        ("/Bar", []),
        ("my_app:main", []),
    ],
)
def test_a_plugin_is_named_by_its_key_or_its_name(word, concerned):
    assert [key for key in KEYS if Override(word, {}).concerns(key)] == concerned


def test_an_application_is_named_by_its_key():
    assert Override("my_app:main", {}).concerns("my_app:main")


def test_the_override_of_a_plugin_is_found():
    first, second = Override("Bar", {"timeout": 1.0}), Override("Odd Name", {})
    assert overrides.of([first, second], "acme/Odd%20Name/1") is second
    assert overrides.of([first], "/Foo/1") is None


def test_a_table_of_no_plugin_is_told_with_those_that_there_are():
    (told,) = overrides.problems([Override("Baz", {}, "f: tool.x.plugin.Baz")], ["/Bar/1", "/Foo/1"])
    assert told == "f: tool.x.plugin.Baz: the plugin does not exist; found: /Bar/1, /Foo/1"


def test_two_tables_of_one_plugin_are_told():
    (told,) = overrides.problems([Override("Bar", {}), Override("/Bar/1", {}, "here")], KEYS)
    assert told == "here: /Bar/1 has a table already, 'Bar': keep one of them"
