"""NVIDIA's packages: the loader finds the library under the name that it asks for."""

import os
import types

from harness.process import nvidia_packages
from harness.process.nvidia_packages import RTX, TENSORRT, by_module, of_choice


def test_the_library_has_the_name_that_the_loader_asks_for(tmp_path, monkeypatch):
    home, folder = tmp_path / "libs", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    (home / "libtensorrt_rtx.so.1").touch()
    spec = types.SimpleNamespace(submodule_search_locations=[str(home)])
    monkeypatch.setattr(nvidia_packages.importlib.util, "find_spec", lambda _: spec)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/elsewhere")
    found = RTX.environment(folder)
    assert found["LD_LIBRARY_PATH"] == os.pathsep.join((str(folder), "/elsewhere"))
    assert (folder / "libtensorrt_rtx.so").resolve() == home / "libtensorrt_rtx.so.1"


def test_a_package_without_that_need_gets_the_environment_as_it_is(tmp_path):
    assert TENSORRT.environment(tmp_path) == os.environ


def test_a_label_has_three_numbers_of_the_version():
    assert RTX.label({"tensorrt-rtx-cu12": "1.7.1.116"}) == "TensorRT-RTX 1.7.1"
    assert TENSORRT.label({}) == "TensorRT"


def test_packages_are_found_by_module_and_by_option():
    assert by_module("tensorrt_rtx") is of_choice("rtx") is RTX
    assert by_module("tensorrt") is of_choice("tensorrt") is TENSORRT
    assert of_choice("reference") is None
