"""The options of a run: read from command line, environment, ini file and ``pyproject.toml``, checked once, frozen."""

from __future__ import annotations

import dataclasses
import enum
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.config import onnx_dims as dims
from harness.config import overrides, pyproject
from harness.config import values as given_as
from harness.config.overrides import Override
from harness.config.report_targets import STDOUT, ReportFormat, ReportTarget, ReportTargetError
from harness.config.values import Given, OptionSource, given_values
from harness.contract.api_level import ApiLevel
from harness.contract.sanitizer_tool import Tool
from harness.contract.suggestions import suggestion
from harness.contract.thoroughness import Thoroughness
from harness.controller.fuzz.database import shown
from pytest_trt_conformance import reads_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from harness.config.pyproject import Table
    from harness.config.values import Around
    from pytest_trt_conformance import Option

#: What the names of our environment variables begin with; the entry point's declarations use it too.
ENVIRONMENT_PREFIX = "TRT_CONFORMANCE_"
#: The options that name what is certified.
_SUBJECTS = ("module", "app")


class FailOn(enum.Enum):
    """What fails the run: each level includes those before it."""

    ERROR = "error"
    WARNING = "warning"
    NOT_RUN = "not-run"

    def includes(self, level: FailOn) -> bool:
        """Whether a run at this level fails on what ``level`` names."""
        order = list(FailOn)
        return order.index(self) >= order.index(level)


class DeviceChoice(enum.Enum):
    """Where kernels run; ``auto`` takes the best that there is."""

    AUTO = "auto"
    HOST = "host"
    CUDA = "cuda"


class AddressChoice(enum.Enum):
    """What device addresses are: opaque as a GPU's, or real ones for plugins that use ctypes on purpose."""

    OPAQUE = "opaque"
    HOST = "host"


class IsolationChoice(enum.Enum):
    """Where plugins run: in a process of their own, or in pytest's, for a debugger."""

    PROCESS = "process"
    NONE = "none"


#: What reports name in place of a file of cases, where a caller in Python made some.
IN_MEMORY = "(in memory)"


@dataclasses.dataclass(frozen=True)
class Options:
    """What the user asked for; the fields are named after the options.

    ``subjects`` are the modules and the applications, each as the user named it.

    ``beside_tests`` says whether pytest's own collection goes on without a path on the command line: it does
    where a file names the modules, so that a project's own tests are not forgotten.

    ``config`` is the ``pyproject.toml`` whose table was read; empty without one. ``overrides`` are the options that
    plugins have of their own there. ``all_overrides`` says whether each must be of a plugin of this run, because
    the run certifies what the table names; ``selects_in_file`` that nothing above the table selects or ignores rules.

    ``packed_cases`` are cases of a caller in Python, as ``harness.cases.pickled`` has them.
    """

    modules: tuple[str, ...]
    apps: tuple[str, ...] = ()
    beside_tests: bool = False
    cases: tuple[str, ...] = ()
    packed_cases: str = ""
    setup: str = ""
    onnx: tuple[str, ...] = ()
    onnx_dims: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    expected_failures: str = ""
    baseline: str = ""
    level: Thoroughness = Thoroughness.DEFAULT
    spec: ApiLevel = ApiLevel.V10
    fail_on: FailOn = FailOn.ERROR
    device: DeviceChoice = DeviceChoice.AUTO
    addresses: AddressChoice = AddressChoice.OPAQUE
    isolation: IsolationChoice = IsolationChoice.PROCESS
    timeout: float = 20.0
    seed: int | None = None
    fuzz_examples: int | None = None
    fuzz_time: float | None = None
    fuzz_shards: int = 1
    fuzz_database: str = ""
    sanitizer: tuple[Tool, ...] = ()
    benchmark: bool = False
    benchmark_against: str = ""
    benchmark_compare: str = ""
    benchmark_fail: float | None = None
    reports: tuple[ReportTarget, ...] = ()
    config: str = ""
    overrides: tuple[Override, ...] = ()
    all_overrides: bool = True
    selects_in_file: bool = True

    def of_plugin(self, key: str) -> Options:
        """Return the options of one plugin: those of the run, but for what it has of its own."""
        override = overrides.of(self.overrides, key)
        return self if override is None else dataclasses.replace(self, **override.changes)

    @property
    def subjects(self) -> tuple[str, ...]:
        """What the user named: modules, and applications as ``module:function``."""
        return (*self.modules, *self.apps)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds to judge with, the first of them alone for rules that drive no engine."""
        return self.level.seeds if self.seed is None else (self.seed,)

    def to_plain(self) -> dict[str, Any]:
        """The options as JSON can hold them."""
        return {
            "modules": list(self.modules),
            "apps": list(self.apps),
            "cases": [*self.cases, *[IN_MEMORY] * bool(self.packed_cases)],
            "setup": self.setup,
            "onnx": list(self.onnx),
            "onnx_dims": list(self.onnx_dims),
            "select": list(self.select),
            "ignore": list(self.ignore),
            "expected_failures": self.expected_failures,
            "baseline": self.baseline,
            "level": self.level.number,
            "spec": self.spec.value,
            "fail_on": self.fail_on.value,
            "device": self.device.value,
            "addresses": self.addresses.value,
            "isolation": self.isolation.value,
            "timeout": self.timeout,
            "seed": self.seeds[0],
            "seeds": list(self.seeds),
            "fuzz_examples": self.fuzz_examples,
            "fuzz_time": self.fuzz_time,
            "fuzz_shards": self.fuzz_shards,
            "fuzz_database": shown(self.fuzz_database),
            "sanitizer": [tool.value for tool in self.sanitizer],
            "benchmark": self.benchmark,
            "benchmark_against": self.benchmark_against,
            "benchmark_compare": self.benchmark_compare,
            "benchmark_fail": self.benchmark_fail,
            "overrides": {override.word: _plain(override.changes) for override in self.overrides},
        }


def _plain(changes: Mapping[str, Any]) -> dict[str, Any]:
    """What an override changes, as JSON can hold it."""
    return {name: value.value if isinstance(value, enum.Enum) else value for name, value in changes.items()}


#: Where a project says for good what it certifies, beside its own tests.
_FILES = {OptionSource.INI, OptionSource.TABLE, OptionSource.NOWHERE}


def read(config: pytest.Config, declared: Sequence[Option]) -> Options:
    """Return the options of this run; ``declared`` is the entry point's list of them.

    Raises:
        pytest.UsageError: A value is unknown or malformed; the message says what to do.
    """
    _refuse_unknown_variables(os.environ, [option.variable for option in declared])
    table = table_of(config, declared) if reads_table(config) else None
    given = {option.name: given_values(config, option, os.environ, table) for option in declared}
    options = dataclasses.replace(checked(given, config), **_of_table(table, given))
    _refuse_debuggers(config, options)
    _insist_on_benchmarks(config, options)
    return options


def table_of(config: Around, declared: Sequence[Option]) -> Table | None:
    """Return the table of the nearest ``pyproject.toml``, from the folder where the run was started upward.

    Raises:
        pytest.UsageError: The table cannot be used.
    """
    try:
        return pyproject.read(config.invocation_params.dir, declared)
    except pyproject.ConfigError as error:
        raise pytest.UsageError(str(error)) from error


def _of_table(table: Table | None, given: Mapping[str, Given]) -> dict[str, Any]:
    """Return the options that come from the table alone."""
    if table is None:
        return {}
    elsewhere = (given[name].origin not in {OptionSource.TABLE, OptionSource.NOWHERE} for name in _SUBJECTS)
    named = any(table.entries.get(name) for name in _SUBJECTS)
    found = (_override(table, word, values, given) for word, values in table.plugins.items())
    return {
        "config": str(table.path),
        "overrides": tuple(found),
        "all_overrides": not (named and any(elsewhere)),
        "selects_in_file": all(
            given[name].origin in {OptionSource.TABLE, OptionSource.NOWHERE} for name in ("select", "ignore")
        ),
    }


def _override(table: Table, word: str, values: Mapping[str, tuple[str, ...]], given: Mapping[str, Given]) -> Override:
    """Return what one plugin has of its own; whatever stands above the table stands above that, too."""
    changes = {}
    for name, texts in values.items():
        own = Given(texts, table.spelling(pyproject.PLUGIN, word, name), OptionSource.TABLE)
        value = _OWN[name](own)
        if given[name].origin in {OptionSource.TABLE, OptionSource.NOWHERE}:
            changes[name.replace("-", "_")] = value
    return Override(word, changes, table.spelling(pyproject.PLUGIN, word))


def checked(given: Mapping[str, Given], config: Around, *, packed_cases: str = "") -> Options:
    """Return the options as they were given, each by its name, and cases that come from memory.

    Raises:
        pytest.UsageError: A value is unknown or malformed, or they do not fit together; the message says what to do.
    """
    options = Options(
        modules=given["module"].values,
        apps=tuple(given_as.function(given["app"], value) for value in given["app"].values),
        beside_tests=all(given[name].origin in _FILES for name in _SUBJECTS),
        cases=given["cases"].values,
        packed_cases=packed_cases,
        setup="".join(given_as.function(given["setup"], value) for value in given["setup"].values[:1]),
        onnx=tuple(given_as.file_at(given["onnx"], value, config) for value in given["onnx"].values),
        onnx_dims=_dims(given["onnx-dims"], given["onnx"]),
        select=given_as.split(given["select"].values),
        ignore=given_as.split(given["ignore"].values),
        expected_failures=given_as.file(given["expected-failures"], config),
        baseline=given_as.file(given["baseline"], config),
        level=given_as.choice(given["level"], Thoroughness, Thoroughness.DEFAULT),
        spec=given_as.choice(given["spec"], ApiLevel, ApiLevel.V10),
        fail_on=given_as.choice(given["fail-on"], FailOn, FailOn.ERROR),
        device=given_as.choice(given["device"], DeviceChoice, DeviceChoice.AUTO),
        addresses=given_as.choice(given["addresses"], AddressChoice, AddressChoice.OPAQUE),
        isolation=given_as.choice(given["isolation"], IsolationChoice, IsolationChoice.PROCESS),
        timeout=given_as.seconds(given["timeout"]) or Options.timeout,
        seed=given_as.number(given["seed"], least=0),
        fuzz_examples=given_as.number(given["fuzz-examples"], least=1),
        fuzz_time=given_as.seconds(given["fuzz-time"]),
        fuzz_shards=given_as.number(given["fuzz-shards"], least=1) or Options.fuzz_shards,
        fuzz_database=_database(given["fuzz-database"], config),
        sanitizer=given_as.choices(given["sanitizer"], Tool),
        benchmark=given_as.switch(given["benchmark"]),
        benchmark_against="".join(given["benchmark-against"].values[:1]),
        benchmark_compare=given_as.file(given["benchmark-compare"], config),
        benchmark_fail=given_as.share(given["benchmark-fail"]),
        reports=_reports(given["report"], config),
    )
    _insist_on_plugins_to_measure(options)
    _insist_on_one_against_one(options)
    _refuse_a_margin_of_nothing(options, given["benchmark-fail"])
    _refuse_a_shared_registry(options)
    _insist_on_one_module_for_a_model(options)
    return options


def has_benchmarks(config: pytest.Config) -> bool:
    """Tell whether this run loads pytest-benchmark."""
    names = ("benchmark", "pytest_benchmark.plugin")  # as its entry point names it, and as -p does
    return any(map(config.pluginmanager.hasplugin, names))


def _insist_on_benchmarks(config: pytest.Config, options: Options) -> None:
    if options.benchmark and not has_benchmarks(config):
        raise pytest.UsageError("--plugin-benchmark needs pytest-benchmark, and this run does not load it")


def _insist_on_plugins_to_measure(options: Options) -> None:
    is_measured = options.benchmark or options.benchmark_against or options.benchmark_compare
    if is_measured and options.apps and not options.modules:
        raise pytest.UsageError(
            "--plugin-benchmark measures the enqueue of plugins, and there are applications alone: add --plugin-module"
        )


def _insist_on_one_against_one(options: Options) -> None:
    if options.benchmark_against and len(set(options.modules)) > 1:
        raise pytest.UsageError("--plugin-benchmark-against compares one module with one: name one --plugin-module")
    if options.benchmark_against and options.isolation is IsolationChoice.NONE:
        raise pytest.UsageError(
            "--plugin-benchmark-against runs two versions at the same time, each in a process of its own: "
            "leave --plugin-isolation=none out"
        )


def _refuse_a_margin_of_nothing(options: Options, given: Given) -> None:
    is_compared = options.benchmark_against or options.benchmark_compare
    if given.values and given.spelling.startswith("--") and not is_compared:  # an ini file may have it for other runs
        raise pytest.UsageError(
            f"{given.quote(given.values[0])} says how much slower is too slow, and nothing is compared: "
            "add --plugin-benchmark-against=MODULE or --plugin-benchmark-compare=FILE"
        )


def _refuse_a_shared_registry(options: Options) -> None:
    several = len(set(options.subjects))
    if options.isolation is IsolationChoice.NONE and several > 1:
        raise pytest.UsageError(
            "--plugin-isolation=none runs one module, because plugins of several would share TensorRT's registry: "
            f"name one --plugin-module or --plugin-app instead of {several}"
        )


def _insist_on_one_module_for_a_model(options: Options) -> None:
    several = len(set(options.modules))
    if options.onnx and several > 1:
        raise pytest.UsageError(
            "--plugin-onnx reads a model with the plugins of one module: name one --plugin-module instead of "
            f"{several}, a package or a module that imports them all"
        )
    if options.onnx and not several:
        raise pytest.UsageError(
            "--plugin-onnx certifies plugins as a model uses them, and none are named: add --plugin-module=MODULE"
        )


def _dims(given: Given, models: Given) -> tuple[str, ...]:
    texts = given_as.split(given.values)
    try:
        dims.parse(texts)
    except dims.DimsError as error:
        raise pytest.UsageError(str(error)) from error
    if texts and not models.values:
        raise pytest.UsageError(f"{given.quote(texts[0])} is about a model, and none is named: add --plugin-onnx=MODEL")
    return texts


def _database(given: Given, config: Around) -> str:
    """Return a URL as it is, and a folder seen from where pytest was started."""
    where = given.values[0] if given.values else ""
    if not where or "://" in where:
        return where
    return str(config.invocation_params.dir / Path(where).expanduser())


def _reports(given: Given, config: Around) -> tuple[ReportTarget, ...]:
    targets: list[ReportTarget] = []
    for value in given.values:
        try:
            target = ReportTarget.parse(value, config.invocation_params.dir)
            ReportTarget.refuse_twice([*targets, target])
        except ReportTargetError as error:
            raise pytest.UsageError(f"{given.quote(value)}: {error}") from error
        if target.path == STDOUT and target.format is not ReportFormat.GITHUB:
            raise pytest.UsageError(
                f"{given.quote(value)}: pytest writes to standard output too; name a file, or make it of a JSON report "
                f"afterwards: trt-conformance report report.json {value}"
            )
        targets.append(target)
    return tuple(targets)


#: What makes values of what the table gives a single plugin.
_OWN: Mapping[str, Callable[[Given], Any]] = {
    "select": lambda given: given_as.split(given.values),
    "ignore": lambda given: given_as.split(given.values),
    "fail-on": lambda given: given_as.choice(given, FailOn, FailOn.ERROR),
    "timeout": lambda given: given_as.seconds(given) or Options.timeout,
    "fuzz-examples": lambda given: given_as.number(given, least=1),
    "fuzz-time": given_as.seconds,
}


def _refuse_unknown_variables(environment: Mapping[str, str], known: Sequence[str]) -> None:
    for name in environment:
        if name.startswith(ENVIRONMENT_PREFIX) and name not in known:
            hint = suggestion(name, known)
            raise pytest.UsageError(f"{name}: no such option in the environment{hint}; known are {', '.join(known)}")


def _refuse_debuggers(config: pytest.Config, options: Options) -> None:
    for flag, dest in (("--pdb", "usepdb"), ("--trace", "trace")):
        if config.getoption(dest, default=False) and options.isolation is IsolationChoice.PROCESS:
            raise pytest.UsageError(
                f"{flag} cannot reach a plugin in its own process: add --plugin-isolation=none to run it in pytest's"
            )
