"""The reference runtime does what the genuine bindings do: the same programs run on both, each in its own process."""

import re

import pytest

from tests.genuine import asked, meant, sides

REQUESTS = {**asked.programs(), **asked.batteries(), **asked.behaviours()}


@pytest.mark.parametrize("about", sorted({re.split(r"[.\[]", name)[0] for name in REQUESTS}))
def test_both_do_the_same(about, ask):
    asked_here = {name: request for name, request in REQUESTS.items() if re.split(r"[.\[]", name)[0] == about}
    differing = {
        (name, item): pair
        for name, request in asked_here.items()
        for item, pair in sides.differences(*ask(request)).items()
        if meant.reason(name, item) is None
    }
    assert asked_here
    assert differing == {}


@pytest.mark.parametrize("key", meant.MEANT)
def test_what_is_meant_to_differ_does(key, ask):
    differing = {
        (name, item)
        for name, request in REQUESTS.items()
        if meant.fits(key[0], name)
        for item in sides.differences(*ask(request))
    }
    assert any(meant.reason(name, item) is not None and meant.reason(name, item)[0] == key for name, item in differing)


def test_the_programs_find_something_to_compare(ask):
    assert sum(len(ask(request)[0]) for request in asked.batteries().values()) > 10_000


def test_a_difference_is_seen(ask):
    genuine, ours = ask({"code": "result = trt.__name__ and len(dir(trt))"})
    assert sides.differences(genuine, ours)


def test_the_names_are_those_of_the_genuine_package(ask):
    assert ask({"program": "batteries.names"})[0]["result"]["result"][1:] == asked.NAMES
