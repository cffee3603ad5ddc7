"""Read the options of a run from command line, environment, ini file and ``pyproject.toml``, and check them."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.config import overrides, pyproject, values
from harness.config.declarations import ENVIRONMENT_PREFIX, OPTIONS, Kind, Option
from harness.config.errors import UsageError
from harness.config.overrides import Override
from harness.config.report_targets import ReportTarget, ReportTargetError
from harness.config.values import Given, OptionSource, given_values
from harness.contract.api_level import ApiLevel
from harness.contract.suggestions import suggestion
from harness.contract.thoroughness import Thoroughness

if TYPE_CHECKING:
    from pathlib import Path

    from harness.config.pyproject import Table
    from harness.config.values import Host
    from harness.contract.sanitizer_tool import Tool

#: The options that name what is certified.
_SUBJECTS = ("module", "library", "app")


class FailOn(enum.Enum):
    """The verdicts that fail the run: each level includes those before it."""

    ERROR = "error"
    WARNING = "warning"
    NOT_RUN = "not-run"

    def includes(self, level: FailOn) -> bool:
        """Return whether a run at this level fails on the verdicts that ``level`` names."""
        order = list(FailOn)
        return order.index(self) >= order.index(level)


class DeviceChoice(enum.Enum):
    """The device on which kernels run; ``auto`` takes the best available."""

    AUTO = "auto"
    HOST = "host"
    CUDA = "cuda"


class AddressChoice(enum.Enum):
    """The kind of device addresses: opaque as a GPU's, or real addresses for plugins that use ctypes on purpose."""

    OPAQUE = "opaque"
    HOST = "host"


class IsolationChoice(enum.Enum):
    """The process in which plugins run: a separate process, or pytest's own for a debugger."""

    PROCESS = "process"
    NONE = "none"


class RuntimeChoice(enum.Enum):
    """The second builder that builds the plugins too; ``auto`` is TensorRT-RTX if it is installed."""

    REFERENCE = "reference"
    RTX = "rtx"
    AUTO = "auto"
    TENSORRT = "tensorrt"


#: The entry in a report's ``cases`` for cases that a caller in Python passes as objects.
IN_MEMORY = "(in memory)"


class Options(msgspec.Struct, frozen=True):
    """The values of all options; most fields are options, with the options' defaults.

    Attributes:
        beside_tests: Whether pytest also collects the project's tests if the command line has no path. So it is if a
            file names the modules and no command line does.
        packed_cases: Cases of a caller in Python, as ``harness.cases.pickled`` packs them.
        config: The ``pyproject.toml`` whose table was read; empty if none was.
        overrides: The options of single plugins in this table.
        all_overrides: Whether each override must be for a plugin of this run: the run certifies what the table names.
        selects_in_file: Whether rules are selected and ignored by the table alone, or not at all.
        lacks_builder: Whether ``--plugin-runtime=auto`` found no builder of NVIDIA's.
    """

    modules: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    beside_tests: bool = False
    cases: tuple[str, ...] = ()
    packed_cases: str = ""
    setup: str = ""
    stubs: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
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
    fuzz_database: str = ""
    sanitizer: tuple[Tool, ...] = ()
    runtime: RuntimeChoice = RuntimeChoice.REFERENCE
    benchmark: bool = False
    benchmark_against: str = ""
    benchmark_fail: float | None = None
    reports: tuple[ReportTarget, ...] = ()
    config: str = ""
    overrides: tuple[Override, ...] = ()
    all_overrides: bool = True
    selects_in_file: bool = True
    lacks_builder: bool = False

    def of_plugin(self, key: str) -> Options:
        """Return the options of one plugin: those of the run, except for the plugin's own options."""
        override = overrides.of(self.overrides, key)
        return self if override is None else structs.replace(self, **override.changes)

    @property
    def subjects(self) -> tuple[str, ...]:
        """Return the modules, libraries and applications (``module:function``) that the user named."""
        return (*self.plugins, *self.apps)

    @property
    def plugins(self) -> tuple[str, ...]:
        """Return the modules and libraries that the user named."""
        return (*self.modules, *self.libraries)

    @property
    def seeds(self) -> tuple[int, ...]:
        """Return the seeds to judge with; rules that run no engine use the first seed only."""
        return self.level.seeds if self.seed is None else (self.seed,)

    def to_plain(self) -> dict[str, Any]:
        """Return the options as JSON can hold them."""
        values_of_options = {
            option.field: plain(getattr(self, option.field)) for option in OPTIONS if option.kind is not Kind.REPORT
        }
        return {
            **values_of_options,
            "cases": [*self.cases, *[IN_MEMORY] * bool(self.packed_cases)],
            "seed": self.seeds[0],
            "seeds": list(self.seeds),
            "overrides": {
                override.word: {name: plain(value) for name, value in override.changes.items()}
                for override in self.overrides
            },
        }


def plain(value: Any) -> Any:
    """Return the value of an option as JSON can hold it."""
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, Thoroughness):
        return value.number
    return value.value if isinstance(value, enum.Enum) else value


_DEFAULTS = Options()


def default_of(option: Option) -> Any:
    """Return the default of an option."""
    return getattr(_DEFAULTS, option.field)


#: The sources of an option that neither the command line nor the environment sets.
_FILES = {OptionSource.INI, OptionSource.TABLE, OptionSource.NOWHERE}
#: The sources of an option that no source with precedence over the table sets.
_BELOW = {OptionSource.TABLE, OptionSource.NOWHERE}


def read(host: Host) -> Options:
    """Return the options of this run.

    Raises:
        UsageError: A value is unknown or malformed; the message says what to do.
    """
    known = [option.variable for option in OPTIONS]
    for name in os.environ:
        if name.startswith(ENVIRONMENT_PREFIX) and name not in known:
            raise UsageError(
                f"{name}: unknown option in the environment{suggestion(name, known)}; known are {', '.join(known)}"
            )
    table = pyproject.read(host.folder) if host.reads_table else None
    settings = {option.name: given_values(host, option, os.environ, table) for option in OPTIONS}
    return structs.replace(checked(settings, host.folder), **_of_table(table, settings, host.folder))


def _of_table(table: Table | None, settings: Mapping[str, Given], folder: Path) -> dict[str, Any]:
    """Return the options that come from the table alone."""
    if table is None:
        return {}
    elsewhere = any(settings[name].origin not in _BELOW for name in _SUBJECTS)
    named = any(table.entries.get(name) for name in _SUBJECTS)
    return {
        "config": str(table.path),
        "overrides": tuple(_override(table, word, settings, folder) for word in table.plugins),
        "all_overrides": not (named and elsewhere),
        "selects_in_file": all(settings[name].origin in _BELOW for name in ("select", "ignore")),
    }


def _override(table: Table, word: str, settings: Mapping[str, Given], folder: Path) -> Override:
    """Return one plugin's overrides, without options that command line, environment or ini file set."""
    changes = {}
    own = table.plugins[word]
    for option in OPTIONS:
        if option.name in own:
            spelling = table.spelling(pyproject.PLUGIN, word, option.name)
            value = _value(option, Given(own[option.name], spelling, OptionSource.TABLE), folder)
            if settings[option.name].origin in _BELOW:
                changes[option.field] = value
    return Override(word, changes, table.spelling(pyproject.PLUGIN, word))


def _value(option: Option, setting: Given, folder: Path) -> Any:
    return values.read(option, setting, default_of(option), folder)


def made(settings: Mapping[str, Given], folder: Path) -> Options:
    """Return the options for the given values by option name, without a check whether they fit together.

    Raises:
        UsageError: A value is unknown or malformed; the message says what to do.
    """
    return Options(
        **{each.field: _value(each, settings[each.name], folder) for each in OPTIONS if each.name in settings}
    )


def checked(settings: Mapping[str, Given], folder: Path, *, packed_cases: str = "") -> Options:
    """Return the options for the given values by option name, and check that the options fit together.

    Raises:
        UsageError: A value is unknown or malformed, or options do not fit together; the message says what to do.
    """
    beside_tests = all(settings[name].origin in _FILES for name in _SUBJECTS)
    options = structs.replace(made(settings, folder), beside_tests=beside_tests, packed_cases=packed_cases)
    for why in _unfitting(options, settings):
        raise UsageError(why)
    for number, value in enumerate(settings["report"].values, 1):
        try:
            ReportTarget.refuse_twice(options.reports[:number])
        except ReportTargetError as error:  # noqa: PERF203 - there are few reports
            raise UsageError(f"{settings['report'].quote(value)}: {error}") from error
    return options


def _unfitting(options: Options, settings: Mapping[str, Given]) -> Iterator[str]:
    """Yield errors about options that do not fit together."""
    modules, several = len(set(options.plugins)), len(set(options.subjects))
    is_alone = options.isolation is IsolationChoice.NONE
    if options.onnx_dims and not options.onnx:
        said = settings["onnx-dims"].quote(options.onnx_dims[0])
        yield f"{said} is about a model, and none is named: add --plugin-onnx=MODEL"
    if (options.benchmark or options.benchmark_against) and options.apps and not modules:
        measured = "--plugin-benchmark measures the enqueue of plugins"
        yield f"{measured}, and there are applications alone: add --plugin-module"
    if options.benchmark_against and modules > 1:
        yield "--plugin-benchmark-against compares one module with one: name one --plugin-module"
    if options.benchmark_against and is_alone:
        yield (
            "--plugin-benchmark-against runs two versions at the same time, each in a separate process: "
            "leave --plugin-isolation=none out"
        )
    margin = settings["benchmark-fail"]
    # an ini file may set the margin for runs that compare
    if margin.values and margin.spelling.startswith("--") and not options.benchmark_against:
        quoted = margin.quote(margin.values[0])
        yield f"{quoted} is a margin for a comparison: add --plugin-benchmark-against=MODULE"
    if is_alone and several > 1:
        yield (
            "--plugin-isolation=none runs one module, because plugins of several would share TensorRT's registry: "
            f"name one --plugin-module or --plugin-app instead of {several}"
        )
    if options.onnx and modules > 1:
        yield (
            "--plugin-onnx reads a model with the plugins of one module: "
            f"name one --plugin-module instead of {modules}. It can be a package, or a module that imports them all"
        )
    if options.onnx and not modules:
        yield "--plugin-onnx certifies plugins as a model uses them, and none are named: add --plugin-module=MODULE"
