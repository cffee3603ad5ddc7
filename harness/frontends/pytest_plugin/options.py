"""The options of a run of pytest, and our usage errors as pytest's."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from harness.config import options as option_values
from harness.config.declarations import ALONE
from harness.config.errors import UsageError
from harness.config.options import IsolationChoice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness.config.declarations import Option
    from harness.config.options import Options


@contextlib.contextmanager
def usage_errors() -> Iterator[None]:
    """Make a usage error of ours one of pytest's.

    Raises:
        pytest.UsageError: There was one.
    """
    try:
        yield
    except UsageError as error:
        raise pytest.UsageError(*error.args) from error


class PytestHost:
    """What pytest's command line and ini file give."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @property
    def folder(self) -> Path:
        """Where pytest was started."""
        return self._config.invocation_params.dir

    @property
    def reads_table(self) -> bool:
        """Whether a ``pyproject.toml`` has a say; none has where a certificate is made."""
        return not self._config.pluginmanager.hasplugin(ALONE)

    def on_command_line(self, option: Option) -> list[str]:
        """Return the values of an option on the command line."""
        return _listed(self._config.getoption(option.ini, default=None))

    def in_ini_file(self, option: Option) -> list[str]:
        """Return the values of an option in the ini file."""
        return _listed(self._config.getini(option.ini))


def _listed(values: Any) -> list[str]:
    return [value for value in (values if isinstance(values, list) else [values]) if value]


def read(config: pytest.Config) -> Options:
    """Return the options of this run.

    Raises:
        UsageError: A value is unknown or malformed; the message says what to do.
    """
    options = option_values.read(PytestHost(config))
    _refuse_debuggers(config, options)
    if options.benchmark and not has_benchmarks(config):
        raise UsageError("--plugin-benchmark needs pytest-benchmark, and this run does not load it")
    return options


def has_benchmarks(config: pytest.Config) -> bool:
    """Tell whether this run loads pytest-benchmark."""
    names = ("benchmark", "pytest_benchmark.plugin")  # as its entry point names it, and as -p does
    return any(map(config.pluginmanager.hasplugin, names))


def _refuse_debuggers(config: pytest.Config, options: Options) -> None:
    for flag, dest in (("--pdb", "usepdb"), ("--trace", "trace")):
        if config.getoption(dest, default=False) and options.isolation is IsolationChoice.PROCESS:
            raise UsageError(
                f"{flag} cannot reach a plugin in its own process: add --plugin-isolation=none to run it in pytest's"
            )
