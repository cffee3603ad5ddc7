"""Drawn networks of one to three plugins: NVIDIA's builder and the reference runtime make the same calls.

A program is a network with a logging plugin: types, ranks, dimensions, profiles, tactics, workspace, size tensors,
aliases, shape inputs, resources. A batch of programs runs in one process of each builder. Batches are the same in
every run.
"""

import importlib.util
import json
import pathlib
import sys

import hypothesis
import pytest
from hypothesis import strategies as st

BUILDER = pathlib.Path(__file__).with_name("builder")
sys.path.insert(0, str(BUILDER))
import comparison  # noqa: E402 - beside the programs, which are no modules of a package
import expected  # noqa: E402 - as above

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tensorrt_rtx") is None,
    reason="NVIDIA's builder is not installed: pip install --group rtx",
)
BATCH = 50
BATCHES = 40
KINDS = ("chain", "chain", "sized", "aliased", "shaped")


def batches_of_a_profile():
    """Return the least, best and greatest batch; they differ, for a dimension that a profile fixes is listed."""
    return st.lists(st.integers(1, 30), min_size=3, max_size=3, unique=True).map(sorted)


PROGRAM = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(KINDS),
        "type": st.sampled_from(["FLOAT", "HALF", "INT32", "BF16"]),
        "rank": st.integers(1, 5),
        "extents": st.lists(st.integers(1, 9), min_size=4, max_size=4),
        "profiles": st.lists(batches_of_a_profile(), min_size=1, max_size=2),
        "nodes": st.integers(1, 3),
        "outputs": st.integers(1, 2),
        "tactics": st.lists(st.integers(1, 9), max_size=3, unique=True),
        "workspace": st.sampled_from([0, 1, 4096]),
        "times": st.integers(1, 3),
        "two_formats": st.booleans(),
        "split": st.booleans(),
        "resource": st.booleans(),
    }
)


@pytest.fixture(scope="module")
def environment():
    with comparison.surroundings() as found:
        yield found


def compare(programs, environment):
    """Fail with the first program that both builders build otherwise, and with what differs."""
    items = [(program, "") for program in programs]
    sides = (comparison.GENUINE, comparison.OURS)
    genuine, ours = (comparison.outcomes(command, items, environment) for command in sides)
    for program, one, other in zip(programs, genuine, ours, strict=True):
        allowed = expected.ATTACHED if program["kind"] in {"sized", "aliased"} else ()
        found = comparison.differing(one, other, allowed)
        assert not found, json.dumps([program, found, one["errors"][:1], other["errors"][:1]])


def _settings(batches):
    return hypothesis.settings(
        max_examples=batches,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )


@_settings(1)
@hypothesis.given(programs=st.lists(PROGRAM, min_size=8, max_size=8))
def test_a_few_drawn_networks_are_built_alike(environment, programs):
    compare(programs, environment)


@pytest.mark.nightly
@_settings(BATCHES)
@hypothesis.given(programs=st.lists(PROGRAM, min_size=BATCH, max_size=BATCH))
def test_drawn_networks_are_built_alike(environment, programs):
    compare(programs, environment)
