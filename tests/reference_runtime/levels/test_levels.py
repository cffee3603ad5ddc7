"""A level is fixed once for a process, and data say what it is."""

import subprocess
import sys

import pytest
from pages.surfaces import load

from reference_runtime import levels
from reference_runtime.levels.v8_6 import LEVEL_8_6
from reference_runtime.levels.v11 import LEVEL_11
from tests.support.runtime.levels.snippets import ROOT


def python(code):
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", f"from reference_runtime import levels\n{code}"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_a_second_level_in_a_process_is_one_clear_error():
    assert python("levels.apply('11'); levels.apply('11'); levels.apply('8.6')") == (
        "reference_runtime.bound.errors.LevelError: API level 8.6 was asked for, and this process has level 11: "
        "a level is fixed once for a process. Start another process for another level."
    )


def test_the_default_can_be_fixed_too():
    assert python("print(levels.applied()); levels.apply('10'); print(levels.applied())") == "10\n10"
    assert "this process has level 10" in python("levels.apply('10'); levels.apply('11')")


def test_a_level_that_there_is_not_is_refused_with_those_there_are():
    with pytest.raises(levels.LevelError, match=r"there is no API level '9'; choose from 8\.6, 10, 11"):
        levels.apply("9")


def test_a_withdrawn_member_is_there_for_the_runtime_alone():
    code = """
levels.apply('8.6')
import reference_runtime as trt
from reference_runtime.values import formats
print(hasattr(trt.DataType, 'BF16'), formats.itemsize(getattr(trt.DataType, 'BF16', trt.DataType.HALF)))
"""
    assert python(code) == "False 2"
    assert python("levels.apply('8.6')\nimport reference_runtime as trt\ntrt.DataType.BF16") == (
        "AttributeError: type object 'tensorrt.tensorrt.DataType' has no attribute 'BF16'"
    )


def test_a_member_that_stays_is_the_same_object_under_its_new_number():
    code = """
from reference_runtime import PreviewFeature
before = PreviewFeature.ALIASED_PLUGIN_IO_10_03
levels.apply('11')
print(before is PreviewFeature.ALIASED_PLUGIN_IO_10_03, int(before), repr(PreviewFeature(0)))
"""
    assert python(code) == "True 0 <PreviewFeature.ALIASED_PLUGIN_IO_10_03: 0>"


@pytest.mark.parametrize("surface", [LEVEL_8_6, LEVEL_11], ids=["8.6", "11"])
def test_what_a_level_takes_away_is_there_at_10(surface):
    now = load("10")
    assert sorted(set(surface.gone_names) - now.names) == []
    gone = {(owner, name) for owner, names in surface.gone_members.items() for name in names}
    assert sorted(gone - {(owner, name) for owner, members in now.classes.items() for name in members}) == []
