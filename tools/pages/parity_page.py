"""The page docs/api_parity.md: what there is of TensorRT's names at each level, and the test that uses each."""

import json
import pathlib
import pickle
import subprocess
import sys

import reference_runtime
from harness.frontends.cli.parity import surface, text

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXERCISED = ROOT / "tests" / "data" / "api_exercise.json"
MEASURE = """
import pickle, sys
from harness.frontends.cli.parity import compare
sys.stdout.buffer.write(pickle.dumps(compare.measure({!r})))
"""


def page():
    """Return the page."""
    return text.page([measured(level) for level in ("10", "11", "8.6")], exercised())


def measured(level):
    """Return a level's report, made in a process of its own: a process has one level."""
    command = [sys.executable, "-c", MEASURE.format(level)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603 - our own code
    return pickle.loads(done.stdout)  # noqa: S301 - written by the line before


def exercised():
    """Return the test that uses each member, under the name of each class that has the member."""
    tests = json.loads(EXERCISED.read_text())
    found = {}
    for name, members in surface.load("10").classes.items():
        bases = getattr(getattr(reference_runtime, name, None), "__mro__", ())
        for member in members:
            owner = next((base.__name__ for base in bases if member in vars(base)), "")
            found[f"{name}.{member}"] = tests.get(f"{owner}.{member}", "")
    return found
