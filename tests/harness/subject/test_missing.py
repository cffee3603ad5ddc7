"""Errors that say what a machine lacks, and errors that look like them."""

import importlib
import sys
import types

import pytest

from harness.subject.missing import missing_package
from reference_runtime.instruments import NeedsPackage


def error_of(work):
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each case raises another
        work()
    return caught.value


@pytest.mark.parametrize(
    ("module", "package"),
    [("no_such_package.kernels", "no_such_package"), ("cuda.no_such_part.more", "cuda.no_such_part")],
)
def test_a_package_that_is_not_installed_is_named(module, package):
    error = ModuleNotFoundError(f"No module named {module!r}", name=module)
    assert missing_package(error).startswith(f"{package} is missing on this machine")


def _late_import(*, then):
    try:
        importlib.import_module("no_such_package")
    except ImportError as error:
        then(error)


def _reported(_):
    raise RuntimeError("no_such_package is required")


def _reported_from(error):
    raise RuntimeError("no_such_package is required") from error


def _reported_alone(_):
    raise RuntimeError("no_such_package is required") from None


def _broken(_):
    raise RuntimeError("no_such_package_fallback is empty")


def _misspelt(_):
    raise NameError("no_such_package")


def _its_own_cause(_):
    error = RuntimeError("no")
    raise error from error


@pytest.mark.parametrize("then", [_broken, _misspelt, _its_own_cause])
def test_what_a_plugin_does_without_a_package_is_its_own(then):
    assert missing_package(error_of(lambda: _late_import(then=then))) == ""


@pytest.mark.parametrize("then", [_reported, _reported_from, _reported_alone])
def test_a_library_that_reports_a_late_import_in_its_own_words_lacks_the_package(then):
    said = missing_package(error_of(lambda: _late_import(then=then)))
    assert said.startswith("no_such_package is missing on this machine")


@pytest.mark.parametrize("module", ["numpy.no_such_part", "json.no_such_part"])
def test_a_module_that_an_installed_package_does_not_have_is_a_mistake(module):
    assert missing_package(error_of(lambda: importlib.import_module(module))) == ""


def test_a_call_of_a_stand_in_says_what_it_stands_for():
    assert missing_package(NeedsPackage("cutlass.ops")).startswith("cutlass.ops is called")


@pytest.mark.parametrize("error", [None, ImportError("cannot import name"), ValueError("no"), AttributeError("no")])
def test_another_error_is_not_about_packages(error):
    assert missing_package(error) == ""


class _OpNamespace(types.ModuleType):
    """As torch's: it has no attribute for an operator that nobody registered."""

    def __init__(self, name):
        super().__init__(f"torch.ops.{name}")
        self.name = name


@pytest.mark.parametrize(("namespace", "package"), [("cgtp", "torch.ops.cgtp"), ("aten", "")])
def test_operators_of_torch_are_missing_where_their_package_registered_none(monkeypatch, namespace, package):
    names = types.SimpleNamespace(_dispatch_get_all_op_names=lambda: ["aten::add.Tensor"])
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(_C=names))
    assert missing_package(error_of(lambda: _OpNamespace(namespace).fold)).partition(" ")[0] == package
