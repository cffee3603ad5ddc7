"""Stand-ins for packages that are not installed."""

import json
import sys

import pytest

from harness.child import missing_packages
from harness.child.missing_packages import end_of_import, install
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
