"""What NVIDIA's own builder, that of TensorRT-RTX, says of our examples and witnesses; skipped where it is missing."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(__file__).with_name("program_of_a_build.py")
LIBRARY = "libtensorrt_rtx.so"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tensorrt_rtx") is None,
    reason="NVIDIA's builder is not installed: pip install --group rtx",
)


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory):
    """The environment of a build: the wheel's parser loads a name of the library that the wheel does not contain."""
    folder = tmp_path_factory.mktemp("library")
    (home,) = importlib.util.find_spec("tensorrt_rtx_libs").submodule_search_locations
    (folder / LIBRARY).symlink_to(pathlib.Path(home, f"{LIBRARY}.1"))
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("LD_LIBRARY_PATH"))))
    return {**os.environ, "LD_LIBRARY_PATH": path, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def built(surroundings):
    def build(name, case=0, nth=0):
        command = [sys.executable, str(PROGRAM), f"plugin_examples.{name}", str(case), str(nth)]
        done = subprocess.run(  # noqa: S603 - a program of ours
            command, env=surroundings, capture_output=True, text=True, check=False, timeout=600
        )
        first, *others = done.stdout.splitlines() or ["{}"]
        return {**json.loads(first), "alive": others == ["alive"] and done.returncode == 0}, done.stderr

    return build


SOUND = {"parsed": True, "plan": True, "errors": [], "alive": True}


@pytest.mark.parametrize(
    "name",
    [
        "leaky_relu_v3",
        "split_capabilities",
        "multi_tactic",
        "near_misses.capabilities.build_object_shared_by_clones",
        "near_misses.capabilities.capabilities_made_when_they_are_wanted",
    ],
)
def test_sound_examples_are_built_and_the_process_lives(built, name):
    seen, said = built(name)
    assert seen == SOUND, said


def test_a_plugin_that_nobody_holds_kills_the_process(built):
    seen, _ = built("faulty.capabilities.parts_that_forget_the_plugin")
    assert seen["plan"]
    assert not seen["alive"]


def test_a_class_with_both_build_interfaces_is_not_parsed(built):
    seen, _ = built("faulty.capabilities.two_build_objects_in_one")
    assert not seen.get("parsed")


def test_a_kernel_that_does_not_exist_is_planned(built):
    """So it is ours to find: FMT-012."""
    seen, said = built("faulty.formats.halves_in_vectors_of_four", nth=1)
    assert seen == SOUND, said


def test_tactics_numbered_from_zero_give_no_plan(built):
    seen, _ = built("faulty.tactics.tactics_numbered_from_zero")
    assert seen["parsed"]
    assert not seen["plan"]
