"""Every member around plugins has a test that uses it: measured by ``--record-api``, and written down."""

import ast
import json
import pathlib
import subprocess
import sys

import reference_runtime
from harness.frontends.cli.parity import surface

ROOT = pathlib.Path(__file__).parents[3]
EXERCISED = json.loads((ROOT / "tests" / "data" / "api_exercise.json").read_text())
MEASURED = surface.load("10")
SAMPLE = "tests/reference_runtime/values/test_weights.py"


def definer(owner, member):
    """Return the class that defines a member of a class of ours."""
    return next(base.__name__ for base in getattr(reference_runtime, owner).__mro__ if member in vars(base))


NEEDED = {
    f"{definer(owner, member)}.{member}"
    for owner, members in MEASURED.classes.items()
    for member, what in members.items()
    if MEASURED.must_have(owner, member) and not (member == "__init__" and not what.signatures)
}


def test_every_member_has_a_test_that_uses_it():
    assert NEEDED
    assert NEEDED - set(EXERCISED) == set()


def test_the_tests_that_are_named_are_there():
    gone = {test for test in EXERCISED.values() if not _is_there(test.partition("[")[0])}
    assert gone == set()


def _is_there(test):
    file, *names = test.split("::")
    path = ROOT / file
    if not path.exists():
        return False
    body = ast.parse(path.read_text()).body
    for name in names:
        found = [node for node in body if getattr(node, "name", "") == name]
        if not found:
            return False
        body = found[0].body
    return True


def test_the_recorder_finds_the_same_again(tmp_path):
    path = tmp_path / "sample.json"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", "-n0", SAMPLE]
    subprocess.run([*command, f"--record-api={path}"], cwd=ROOT, check=True, capture_output=True)  # noqa: S603 - ours
    again = json.loads(path.read_text())
    assert "Weights.numpy" in again
    assert set(again) <= set(EXERCISED)
    assert all(test.startswith(SAMPLE) for test in again.values())
