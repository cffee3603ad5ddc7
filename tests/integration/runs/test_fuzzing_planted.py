"""Crashes and hangs that depend on the shape shrink to their smallest example, in real children."""

import contextlib
from pathlib import Path

import pytest

from harness.contract import catalogue
from harness.contract.verdict import Kind
from harness.controller.children.isolation import ProcessIsolation
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.search import Fuzzing, search
from harness.protocol.messages import ChildSettings, Request

PLANTED = str(Path(__file__).parents[2] / "support" / "stubs" / "planted.py")
TIMEOUT = 5.0


@pytest.fixture(scope="module")
def find():
    """Return ``find(plugin)``: what the rule about results finds on it, and how often the child was asked."""
    settings = ChildSettings(PLANTED, path=(str(Path(__file__).parents[3]),), timeout=TIMEOUT)
    rule = catalogue.load_rules()["FUZ-003"]
    with contextlib.closing(ProcessIsolation(settings)) as child:
        assert child.load().ok
        facts = {plugin["name"]: plugin["cases"][0]["facts"] for plugin in child.discover()["plugins"]}

        def search_in(plugin, seed=0):
            asked = []

            def ask(request):
                asked.append(request)
                return child.ask(request)

            request = Request(rule.id, f"/{plugin}/1", "wide", seed)
            return search(rule, request, facts[plugin], ask, Fuzzing(Budget(examples=200))), len(asked)

        yield search_in


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("plugin", "how"),
    [
        ("Segfaults", "died by SIGSEGV"),
        ("Aborts", "died by SIGABRT"),
        ("Hangs", "did not return within 5 s"),
        ("Raises", "raised ValueError: no 7"),
    ],
)
def test_a_failure_shrinks_to_its_smallest_shape(find, plugin, how):
    found, asked = find(plugin)
    assert found.answer.kind is Kind.MET
    assert (found.answer.mishap.callback, found.answer.mishap.how) == ("enqueue", how)
    assert found.examples == ({"shapes": [[5, 3, 7]]},)
    assert not found.order_sensitive
    assert asked < 120


@pytest.mark.nightly
def test_the_same_seed_finds_the_same(find):
    assert find("Raises", 5) == find("Raises", 5)
