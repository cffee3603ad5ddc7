"""Read the options of a run of pytest, and turn usage errors into pytest's."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from harness.config import options as option_values
from harness.config.declarations import ALONE, OPTIONS
from harness.config.errors import UsageError
from harness.config.options import IsolationChoice
from harness.config.values import Host

if TYPE_CHECKING:
    from harness.config.options import Options


@contextlib.contextmanager
def usage_errors() -> Iterator[None]:
    """Turn the harness's usage errors in the block into pytest's.

    Raises:
        pytest.UsageError: The block raised a usage error.
    """
    try:
        yield
    except UsageError as error:
        raise pytest.UsageError(*error.args) from error


def _listed(values: Any) -> tuple[str, ...]:
    return tuple(value for value in (values if isinstance(values, list) else [values]) if value)


def read(config: pytest.Config) -> Options:
    """Return the options of this run.

    Raises:
        UsageError: A value is unknown or malformed; the message says what to do.
    """
    host = Host(
        folder=config.invocation_params.dir,
        reads_table=not config.pluginmanager.hasplugin(ALONE),  # a run for a certificate reads no file
        command_line={option.name: _listed(config.getoption(option.ini, default=None)) for option in OPTIONS},
        ini_file={option.name: _listed(config.getini(option.ini)) for option in OPTIONS},
    )
    options = option_values.read(host)
    for flag, dest in (("--pdb", "usepdb"), ("--trace", "trace")):
        if config.getoption(dest, default=False) and options.isolation is IsolationChoice.PROCESS:
            raise UsageError(
                f"{flag} cannot reach a plugin in its own process: add --plugin-isolation=none to run it in pytest's"
            )
    if options.benchmark and not has_benchmarks(config):
        raise UsageError("--plugin-benchmark needs pytest-benchmark, and this run does not load it")
    return options


def has_benchmarks(config: pytest.Config) -> bool:
    """Return whether this run loads pytest-benchmark."""
    names = ("benchmark", "pytest_benchmark.plugin")  # as its entry point names it, and as -p does
    return any(map(config.pluginmanager.hasplugin, names))


def disable_benchmarks_beside_workers(config: pytest.Config) -> None:
    """Disable pytest-benchmark in a run with workers of pytest-xdist.

    pytest-benchmark before 5.3 does this itself, but with a warning, which ``filterwarnings = error`` makes an error.
    """
    has_workers = config.getoption("dist", "no") != "no" or hasattr(config, "workerinput")
    if has_workers and has_benchmarks(config):
        config.option.benchmark_disable = True
