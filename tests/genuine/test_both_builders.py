"""NVIDIA's builder and the reference runtime call a logging plugin alike, in networks and with faults; but as expected.

The reference runtime goes the way that NVIDIA's builder goes. All differences have a reason in `builder/expected.py`.
"""

import functools
import importlib.util
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

BUILDER = pathlib.Path(__file__).with_name("builder")
sys.path.insert(0, str(BUILDER))
import comparison  # noqa: E402 - beside the programs, which are no modules of a package
import expected  # noqa: E402 - as above

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tensorrt_rtx") is None,
    reason="NVIDIA's builder is not installed: pip install --group rtx",
)
BY_DAY = (
    "one plugin",
    "in parts",
    "two plugins",
    "two profiles and tactics",
    "an image in any format",
    "workspace",
    "a size tensor",
    "an alias",
    "arithmetic with a size tensor",
    "no RUNTIME",
)
FAULTS_BY_DAY = (
    ("one plugin", "clone:none"),
    ("one plugin", "get_output_shapes:raises@4"),
    ("one plugin", "get_valid_tactics:zero"),
    ("a size tensor", "attach_to_context:none"),
)
LISTING = (
    "import sys, tensorrt_rtx; sys.modules['tensorrt'] = tensorrt_rtx; import json, scenarios; print(json.dumps({}))"
)


@pytest.fixture(scope="module")
def environment():
    with comparison.surroundings() as found:
        yield found


@pytest.fixture(scope="module")
def listed(environment):
    def ask(what):
        command = [sys.executable, "-c", LISTING.replace("{}", what)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603 - ours
        return json.loads(done.stdout)

    return ask


def of_both(items, environment):
    """Return what came of items on NVIDIA's builder, each in a process of its own, and on the reference runtime."""
    alone = functools.partial(comparison.outcomes, comparison.GENUINE, environment=environment)
    with ThreadPoolExecutor(2) as pool:
        genuine = [found for (found,) in pool.map(lambda item: alone([item]), items)]
    return zip(items, genuine, comparison.outcomes(comparison.OURS, items, environment), strict=True)


def _unexpected(name, genuine, ours):
    """Return what differs in a network and should not, or is equal and should differ; nothing if all is as expected."""
    found = comparison.differing(genuine, ours)
    if name in expected.OUTCOMES:
        return {} if found.get("outcome") == expected.OUTCOMES[name][:2] else found
    if name in expected.EARLIER:
        return {} if found and "outcome" not in found else found or "equal"
    if name not in expected.CALLS:
        return found
    return comparison.differing(genuine, ours, expected.CALLS[name]) if found else "equal"


def _compare_networks(names, environment):
    results = of_both([(name, "") for name in names], environment)
    wrong = {name: _unexpected(name, genuine, ours) for (name, _), genuine, ours in results}
    assert {name: found for name, found in wrong.items() if found} == {}


def _compare_faults(faults, environment):
    for fault, genuine, ours in of_both(faults, environment):
        pair = tuple(comparison.comparable(each)["outcome"] for each in (genuine, ours))
        both = expected.FAULTS[fault][:2] if fault in expected.FAULTS else (pair[0], pair[0])
        assert pair == both, fault


def test_networks_are_built_alike(environment):
    _compare_networks(BY_DAY, environment)


def test_faults_end_alike(environment):
    _compare_faults(FAULTS_BY_DAY, environment)


@pytest.mark.nightly
def test_all_networks_are_built_alike(environment, listed):
    names = listed("list(scenarios.SCENARIOS)")
    assert {*expected.CALLS, *expected.OUTCOMES, *expected.EARLIER} <= set(names)
    _compare_networks(names, environment)


@pytest.mark.nightly
def test_all_faults_end_alike(environment, listed):
    faults = [tuple(pair) for pair in listed("scenarios.faults()")]
    assert set(expected.FAULTS) <= set(faults)
    _compare_faults(faults, environment)


def test_a_difference_that_is_not_listed_is_seen():
    call = {"who": "n0", "call": "configure_plugin", "args": [[], []], "result": None}
    one, other = ({"outcome": "plan", "events": [call] * count} for count in (1, 0))
    assert comparison.differing(one, one) == {}
    assert comparison.differing(one, other)["n0"][0] == 0


def test_every_listed_difference_has_a_rule_and_a_reason():
    assert set(expected.REASONS) == set(comparison.SOMETIMES)
    assert {rule for rules in expected.CALLS.values() for rule in rules} == set(comparison.SOMETIMES)
