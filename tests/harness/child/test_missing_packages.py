"""Stand-ins for packages that are not installed."""

import contextlib
import json
import sys

import pytest

from harness.child import missing_packages
from harness.child.missing_packages import end_of_import, install
from harness.subject import missing
from reference_runtime.instruments import NeedsPackage


@pytest.fixture(autouse=True)
def _clean_import_state(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(missing_packages._Import, "goes_on", True)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def imported(code):
    names = {}
    exec(code, names)  # noqa: S102 - an import as a user writes it
    return names


def test_an_import_goes_on_with_what_it_does_with_a_missing_package():
    install(["no_such_package"])
    names = imported(
        """
import no_such_package.compiler as compiler
from no_such_package.dynamo import Converter, converter, settings

class Mine(Converter):
    def __init__(self, value):
        super().__init__(value)
        self.value = value

@converter(compiler.OPS[0], supports=True)
def convert(x):
    return x + 1

with settings.debug():
    compiled = list(compiler.compile(Mine(3)))
"""
    )
    assert (names["convert"](1), names["Mine"](3).value, names["compiled"]) == (2, 3, [])


def test_after_the_import_a_call_needs_the_package():
    install(["no_such_package"])
    names = imported("from no_such_package.ops import scale")
    end_of_import()
    with pytest.raises(NeedsPackage, match=r"no_such_package\.ops\.scale is called.*--plugin-stub"):
        names["scale"](3)


def test_a_package_that_is_installed_is_itself():
    install(["json", "no_such_package"])
    assert imported("import json")["json"] is json


def test_other_packages_stay_missing():
    install(["no_such_package"])
    with pytest.raises(ModuleNotFoundError):
        imported("import no_such_package_either")


def test_a_part_that_is_missing_of_a_package_that_is_there_has_a_stand_in():
    install(["json.fast"])
    assert "stand-in for json.fast.loads" in repr(imported("from json.fast import loads")["loads"])


def error_without(tmp_path, monkeypatch, *, kernels, used):
    """Import a module that a `try` of the user's would import, then raise what happens without its names."""
    (tmp_path / "kernels_of_mine.py").write_text(kernels)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(missing, "_not_imported", {})
    install(["no_such_package"])
    with contextlib.suppress(Exception):
        imported("from kernels_of_mine import *")
    end_of_import()
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each case raises another
        imported(used)
    return caught.value


WITH_A_STAND_IN = "import no_such_package\ndef scale(x): ...\nWARPS = no_such_package.WARPS << 2"
WITHOUT_A_PACKAGE = "import no_such_package_either\ndef scale(x): ..."


@pytest.mark.parametrize("kernels", [WITH_A_STAND_IN, WITHOUT_A_PACKAGE])
def test_what_an_import_would_have_defined_that_a_package_made_fail_is_no_defect(tmp_path, monkeypatch, kernels):
    said = missing.missing_package(error_without(tmp_path, monkeypatch, kernels=kernels, used="scale(3)"))
    assert said.startswith("kernels_of_mine was not imported here: ")
    assert "no_such_package" in said


def test_a_fallback_that_repeats_why_an_import_failed_is_no_defect(tmp_path, monkeypatch):
    used = """raise RuntimeError("kernels are not there: No module named 'no_such_package_either'")"""
    error = error_without(tmp_path, monkeypatch, kernels=WITHOUT_A_PACKAGE, used=used)
    assert missing.missing_package(error).startswith("kernels_of_mine was not imported here: ")


def test_an_operator_that_such_an_import_would_have_registered_is_no_defect(tmp_path, monkeypatch):
    kernels = f"{WITH_A_STAND_IN}\nregister('mine::scale')"
    used = "raise NotImplementedError('Could not run mine::scale on the CPU')"
    error = error_without(tmp_path, monkeypatch, kernels=kernels, used=used)
    assert missing.missing_package(error).startswith("kernels_of_mine was not imported here: ")


@pytest.mark.parametrize(
    ("kernels", "used"),
    [
        (WITH_A_STAND_IN, "misspelt(3)"),
        (WITH_A_STAND_IN, "1 + 'scale'"),
        (WITH_A_STAND_IN, "(3).scale"),
        ("import no_such_package\ndef scale(x): ...\nmisspelt", "scale(3)"),  # its own mistake
        ("def scale(x): ...\n'StandIn' + 1 / 0", "scale(3)"),
    ],
)
def test_a_mistake_beside_a_failed_import_is_a_defect(tmp_path, monkeypatch, kernels, used):
    assert missing.missing_package(error_without(tmp_path, monkeypatch, kernels=kernels, used=used)) == ""
