"""The names of our packages where the user has such packages; tests/test_pytest_trt_conformance.py runs plugins so."""

import subprocess
import sys

import pytest

from harness.contract import own_names

WHAT_JUDGES = """\
import sys; sys.path.insert(0, sys.argv.pop(1))
from harness.certificate import ruleset
from harness.child import judge
from harness.child.integrity import judging_code
from harness.contract import catalogue, described_rules, own_names
rules = catalogue.load_rules()
print("harness" in sys.modules, "conformance" in sys.modules)
print([each["judge"] for each in described_rules.described(rules.values())])
ours = judging_code._own_modules({rule.judge.__module__ for rule in rules.values()})
print(sorted(own_names.public(each.__name__) for each in ours if each.__name__ in judging_code._DECIDING))
print(ruleset.rule_set(catalogue.checked(rules)).digest.sha256)
"""


def run(code):
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", code, own_names.HOME], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.real_processes
def test_all_that_judges_is_the_same_under_other_names():
    names, *usual = run(WHAT_JUDGES).splitlines()
    other_names, *other = run(own_names.prefixed(WHAT_JUDGES)).splitlines()
    assert (names, other_names) == ("True True", "False False")
    assert other == usual
    assert "harness.child.judge" in usual[1]


@pytest.mark.parametrize("file", ["harness.py", "conformance.py", "harness/__init__.py", "conformance/part.py"])
def test_a_package_of_our_names_is_found(tmp_path, file):
    place = tmp_path / file
    place.parent.mkdir(exist_ok=True)
    place.touch()
    assert own_names.taken_in(["/nowhere", str(tmp_path)]) == str(tmp_path / file.partition("/")[0].partition(".")[0])


def test_folders_without_python_files_and_our_own_packages_are_not_found(tmp_path):
    (tmp_path / "conformance").mkdir()
    (tmp_path / "conformance" / "vectors.json").touch()
    (tmp_path / "harness").mkdir()
    assert not own_names.taken_in([str(tmp_path), own_names.HOME])


def test_ours_are_not_taken_here():
    assert not own_names.taken()
    assert own_names.own("harness.child") == own_names.public("_trt_conformance_harness.child") == "harness.child"
