"""The entry point that pytest loads: it registers the options, and loads the harness when a run certifies plugins.

Every pytest run imports this module, if this distribution is installed. So it imports only pytest, and runs the module
that declares the options. It finds that module by its path: importing ``harness``, a common name, could hide the user's
own package.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import re
import types
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from harness.config.declarations import Option


def _home_of(package: str) -> str:
    """Return the folder that contains the package with this ``__init__.py``, without importing pathlib."""
    return os.path.dirname(os.path.dirname(package))  # noqa: PTH120


_HOME = _home_of(os.path.realpath(__file__))
#: Matches a ``pyproject.toml`` with a table of this package: ``[tool.trt-conformance]``, or a key of ``[tool]``.
_TABLE = re.compile(
    rb"""tool["']?\s*\.\s*["']?(pytest[-_])?trt[-_]conformance|(^|[\s{,])["']?trt-conformance["']?\s*(\.|=\s*\{)""",
    re.IGNORECASE,
)


def _by_path(name: str) -> Any:
    """Run a module of the harness as a new module, which is not in ``sys.modules``."""
    file = f"{_HOME}/{name.replace('.', '/')}.py"
    module = types.ModuleType(name.rpartition(".")[2])
    module.__file__ = file
    importlib.machinery.SourceFileLoader(module.__name__, file).exec_module(module)
    return module


_DECLARED = _by_path("harness.config.declarations")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options, and an ini key of the same name for each."""
    group = parser.getgroup("trt-conformance", "TensorRT plugin conformance")
    for option in _DECLARED.OPTIONS:
        if option.kind is _DECLARED.Kind.SWITCH:
            group.addoption(option.flag, action="store_const", const="yes", dest=option.ini, help=option.help)
        else:
            action = "append" if option.repeatable else "store"
            group.addoption(
                option.flag, action=action, dest=option.ini, metavar=option.metavar, default=None, help=option.help
            )
        same = f"The same as {option.flag}."
        if option.repeatable:
            parser.addini(option.ini, same, type="linelist", default=[])
        else:
            parser.addini(option.ini, same, type="string", default="")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Load the harness if the run names a module or an application to certify."""
    if any(_is_given(config, subjects) for subjects in _DECLARED.SUBJECTS) or _names_subjects(config):
        prepared = ours("harness.frontends.pytest_plugin.configure").configure(config)
        ours("harness.frontends.pytest_plugin.hooks").register(
            config, prepared
        )  # imported while the first child starts
        return
    named = [argument for argument in config.args if str(argument).startswith(f"{_DECLARED.ROOT}::")]
    if named:
        raise pytest.UsageError(f"{named[0]}: say which plugins to certify, with --plugin-module=MODULE")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that ``harness.parametrize_with_rules`` decorates its parameters."""
    generating = getattr(metafunc.function, _DECLARED.GENERATES, None)
    if generating is not None:
        generating.generate(metafunc)


def _is_given(config: pytest.Config, option: Option) -> bool:
    return bool(config.getoption(option.ini) or os.environ.get(option.variable) or config.getini(option.ini))


def _names_subjects(config: pytest.Config) -> bool:
    """Return whether the table in a ``pyproject.toml`` names modules or applications to certify.

    A file without this table is not parsed.
    """
    start = config.invocation_params.dir
    if config.pluginmanager.hasplugin(_DECLARED.ALONE) or not _has_table(start):
        return False
    try:
        table = ours("harness.config.pyproject").read(start)
    except ours("harness.config.errors").UsageError as error:
        raise pytest.UsageError(str(error)) from error
    return table is not None and any(table.entries.get(subjects.name) for subjects in _DECLARED.SUBJECTS)


def _has_table(start: Path) -> bool:
    """Return whether the nearest ``pyproject.toml``, from a folder upward, seems to have a table of this package."""
    files = (folder / "pyproject.toml" for folder in (start, *start.parents))
    nearest = next((file for file in files if file.is_file()), None)
    try:
        return nearest is not None and _TABLE.search(nearest.read_bytes()) is not None
    except OSError:  # a run that certifies plugins reports an unreadable file
        return False


class _Names:
    """The prefix of our packages' names in this process; None until it is known."""

    prefix: str | None = None


def ours(name: str) -> Any:
    """Import a module of the harness; under a name with a prefix, if the user has packages with our names."""
    if _Names.prefix is None:
        names = _by_path("harness.contract.own_names")
        _Names.prefix = names.install() if names.taken() else ""
    return importlib.import_module(f"{_Names.prefix}{name}")
