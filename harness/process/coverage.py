"""Measure line coverage of the plugin in the child, with the settings of pytest's process."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

#: Settings with files or folders, relative to the directory where the measurement began.
_PATHS = ("source", "source_dirs")


def coverage_settings() -> str:
    """Return coverage's settings in this process as JSON, for a child; empty if this process is not measured.

    ``pytest --cov`` or ``coverage run`` starts the measurement. Call this function once pytest's session has begun, in
    the directory where it began. The child saves its data beside this process's data, and pytest-cov combines both.
    """
    measuring = _current()
    if measuring is None:
        return ""
    settings = {name: value for name, value in vars(measuring.config).items() if not name.startswith("_")}
    settings.update({name: _absolute(settings[name]) for name in _PATHS if settings.get(name)})
    return json.dumps({**settings, "data_file": str(Path(measuring.config.data_file).absolute())})


def expect_nothing_here() -> None:
    """Keep coverage from warning that the plugin was never imported: this process never imports it."""
    measuring = _current()
    if measuring is not None:
        measuring._warn_no_data = False  # noqa: SLF001 - as pytest-cov does for xdist's controller
        measuring._warn_unimported_source = False  # noqa: SLF001 - as above


def _current() -> Any:
    coverage = sys.modules.get("coverage")
    return coverage.Coverage.current() if coverage else None


def _absolute(value: Any) -> Any:
    """Return a path, or each path of a list, as absolute. A name without a file is a package, and stays."""
    if isinstance(value, list):
        return [_absolute(each) for each in value]
    return str(Path(value).absolute()) if Path(value).exists() else value


class Measurement:
    """Coverage measurement of one process; without settings, it measures nothing."""

    def __init__(self, settings: str) -> None:
        self._coverage = _begun(json.loads(settings)) if settings else None

    def save(self) -> None:
        """Stop measuring, and write the data to a separate file; a second call does nothing."""
        if self._coverage is None:
            return
        try:
            self._coverage.stop()
            self._coverage.save()
        except Exception as error:  # noqa: BLE001 - a lost measurement must not cost the answer
            os.write(2, f"the coverage of this process is lost: {error}\n".encode())
        self._coverage = None


def _begun(settings: dict[str, Any]) -> Any:
    import coverage  # noqa: PLC0415 - only if the parent is measured, so it is installed

    measuring = coverage.Coverage(config_file=False, data_suffix=True, messages=False)
    vars(measuring.config).update(settings)
    # Many children run no line of the plugin, and must not warn of that.
    measuring._warn_no_data = False  # noqa: SLF001 - as coverage itself does for subprocesses
    measuring._warn_unimported_source = False  # noqa: SLF001 - as above
    measuring._warn_preimported_source = False  # noqa: SLF001 - as above
    measuring.start()
    return measuring
