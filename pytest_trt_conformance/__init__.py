"""The entry point that pytest loads: it declares the options and loads the harness only when a run certifies plugins.

Every pytest run in an environment that has this distribution pays for this module, so it imports pytest alone.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

#: How the environment spells an option: ``--plugin-fail-on`` is ``TRT_CONFORMANCE_FAIL_ON``.
ENVIRONMENT_PREFIX = "TRT_CONFORMANCE_"
#: What node ids of rules begin with.
ROOT = "conformance::"
#: The attribute of a test function whose value generates its parameters; ``parametrize_with_rules`` sets it.
GENERATES = "_trt_conformance_generates"
#: The module that is loaded with ``-p`` where no ``pyproject.toml`` has a say.
ALONE = "harness.certificate.alone"
#: What stands in a ``pyproject.toml`` with a table of ours, as ``[tool.trt-conformance]`` or as a key of ``[tool]``.
_TABLE = re.compile(
    rb"""tool["']?\s*\.\s*["']?(pytest[-_])?trt[-_]conformance|(^|[\s{,])["']?trt-conformance["']?\s*(\.|=\s*\{)""",
    re.IGNORECASE,
)


class Option(NamedTuple):
    """One option: given on the command line, in the environment, in pytest's ini file or in ``pyproject.toml``.

    The first of them that has it counts. ``metavar`` says what it holds to ``harness.config.pyproject``, too.
    """

    name: str
    metavar: str
    help: str
    repeatable: bool = False
    switch: bool = False

    @property
    def flag(self) -> str:
        """The spelling on the command line."""
        return f"--plugin-{self.name}"

    @property
    def ini(self) -> str:
        """The spelling in pytest's ini file, and the attribute of ``config.option``."""
        return f"plugin_{self.name.replace('-', '_')}"

    @property
    def variable(self) -> str:
        """The spelling in the environment; several values are separated by commas there."""
        return ENVIRONMENT_PREFIX + self.name.replace("-", "_").upper()


OPTIONS = (
    Option(
        "module",
        "MODULE",
        "Certify the TensorRT plugins of MODULE: a dotted name, a .py file or a package.",
        repeatable=True,
    ),
    Option(
        "app",
        "MODULE:FUNCTION",
        "Watch FUNCTION of MODULE build and run engines, and judge how it uses TensorRT.",
        repeatable=True,
    ),
    Option(
        "cases", "MODULE", "Take cases from MODULE too: a dotted name or a .py file with PLUGIN_CASES.", repeatable=True
    ),
    Option("setup", "MODULE:FUNCTION", "Call FUNCTION in the child process to register the plugins."),
    Option(
        "onnx",
        "MODEL",
        "Certify the plugins as an ONNX model uses them: its nodes are the cases. Needs the extra onnx.",
        repeatable=True,
    ),
    Option(
        "onnx-dims",
        "NAME=MIN:OPT:MAX",
        "How far a dynamic dimension of the model goes, for example batch=1:4:8 (default: 1:2:4).",
        repeatable=True,
    ),
    Option(
        "select",
        "RULES",
        "Run these rules only: ids (FMT-001), beginnings of ids (FMT, FMT-01) or severities (error, warning), "
        "separated by commas.",
        repeatable=True,
    ),
    Option("ignore", "RULES", "Leave these rules out: as --plugin-select names them.", repeatable=True),
    Option("level", "LEVEL", "How much is judged: 1 (smoke), 5 (default: every rule) or 10 (exhaustive)."),
    Option("expected-failures", "PATH", "Expect the failures in a JSON or TOML file, by plugin, case and rule."),
    Option("baseline", "FILE", "Fail only on what is new since the run whose JSON report FILE is."),
    Option("spec", "LEVEL", "The TensorRT API level to certify against: 8.6, 10 (default) or 11."),
    Option("fail-on", "LEVEL", "What fails the run besides errors: error (default), warning or not-run."),
    Option("device", "DEVICE", "Where kernels run: auto (default), host or cuda."),
    Option("addresses", "KIND", "Device addresses that plugins see: opaque (default) or host."),
    Option("isolation", "KIND", "Where plugins run: process (default), or none for --pdb."),
    Option("timeout", "SECONDS", "How long one rule may take on one case (default: 20)."),
    Option("seed", "NUMBER", "The one seed of every choice that no document fixes (default: those of the level)."),
    Option(
        "fuzz-examples", "NUMBER", "How many examples a fuzz rule judges on one case (default: 50, at level 10 1000)."
    ),
    Option("fuzz-time", "SECONDS", "How long a fuzz rule draws examples on one case (default: no limit)."),
    Option(
        "fuzz-shards",
        "NUMBER",
        "Split each fuzz rule on each case into so many items, which workers of pytest-xdist share (default: 1).",
    ),
    Option(
        "fuzz-database",
        "PATH|URL",
        "Share failing examples with other runs: a folder, or redis://HOST, as a database of Hypothesis.",
    ),
    Option(
        "sanitizer",
        "TOOLS",
        "Judge by tools of compute-sanitizer too, on a GPU: memcheck, racecheck, initcheck, synccheck.",
        repeatable=True,
    ),
    Option("benchmark", "", "Measure the latency of enqueue too, through pytest-benchmark.", switch=True),
    Option(
        "benchmark-against", "MODULE", "Compare with the plugins of MODULE, measured in turn: a dotted name or a path."
    ),
    Option(
        "benchmark-compare", "FILE", "Compare with a stored run, which --benchmark-json wrote of --plugin-benchmark."
    ),
    Option(
        "benchmark-fail",
        "PERCENT",
        "How much slower than the baseline is too slow (default: 3%%); without it, a stored run fails nothing.",
    ),
    Option(
        "report",
        "FORMAT:PATH",
        "Write a report: json, sarif, github, markdown, html or perfetto; for example json:report.json.",
        repeatable=True,
    ),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options, and an ini key of the same name for each."""
    group = parser.getgroup("trt-conformance", "TensorRT plugin conformance")
    for option in OPTIONS:
        if option.switch:
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
    if any(_is_given(config, subjects) for subjects in OPTIONS[:2]) or _names_subjects(config):
        _import_hooks().configure(config, OPTIONS)
        return
    ours = [argument for argument in config.args if str(argument).startswith(ROOT)]
    if ours:
        raise pytest.UsageError(f"{ours[0]}: say which plugins to certify, with --plugin-module=MODULE")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that ``harness.parametrize_with_rules`` decorates its parameters."""
    generating = getattr(metafunc.function, GENERATES, None)
    if generating is not None:
        generating.generate(metafunc)


def _is_given(config: pytest.Config, option: Option) -> bool:
    return bool(config.getoption(option.ini) or os.environ.get(option.variable) or config.getini(option.ini))


def reads_table(config: pytest.Config) -> bool:
    """Whether a table in a ``pyproject.toml`` has a say; it has none where a certificate is made."""
    return not config.pluginmanager.hasplugin(ALONE)


def _names_subjects(config: pytest.Config) -> bool:
    """Whether the table in a ``pyproject.toml`` names what to certify; a file without one is not parsed."""
    start = config.invocation_params.dir
    if not reads_table(config) or not _has_table(start):
        return False
    _import_harness()
    from harness.config import pyproject  # noqa: PLC0415 - see the module's docstring

    try:
        table = pyproject.read(start, OPTIONS)
    except pyproject.ConfigError as error:
        raise pytest.UsageError(str(error)) from error
    return table is not None and any(table.entries.get(subjects.name) for subjects in OPTIONS[:2])


def _has_table(start: Path) -> bool:
    """Whether a table of ours seems to stand in the nearest ``pyproject.toml``, from a folder upward."""
    files = (folder / "pyproject.toml" for folder in (start, *start.parents))
    nearest = next((file for file in files if file.is_file()), None)
    try:
        return nearest is not None and _TABLE.search(nearest.read_bytes()) is not None
    except OSError:  # that it cannot be read is told when a run certifies something
        return False


def _import_hooks() -> ModuleType:
    _import_harness()
    from harness.frontends.pytest_plugin import hooks  # noqa: PLC0415 - see the module's docstring

    return hooks


def _import_harness() -> None:
    """Import our harness, and make sure that it is ours: the name is a common one."""
    import harness  # noqa: PLC0415 - see the module's docstring

    here = os.path.realpath(__file__)
    found = os.path.realpath(harness.__file__ or "a namespace package")
    if _folder_of(found) != _folder_of(here):
        raise pytest.UsageError(
            f"pytest-trt-conformance needs its own package 'harness', but Python finds another one first: {found}; "
            "rename that one, or take its folder off sys.path"
        )


def _folder_of(package: str) -> str:
    """The folder in which the package with this ``__init__.py`` is; pathlib need not be imported for it."""
    return os.path.dirname(os.path.dirname(package))  # noqa: PTH120
