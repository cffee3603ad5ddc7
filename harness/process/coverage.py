"""Coverage of the plugin in the child: what the parent hands over, and how the child measures with it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

#: Settings that name files or folders, as they are seen from the directory where the measurement began.
_PATHS = ("source", "source_dirs")


def coverage_settings() -> str:
    """Return what a child needs to measure as this process is being measured; empty if it is not.

    It finds what ``pytest --cov`` or ``coverage run`` started. So it is called when pytest's session has begun, in
    the directory where it began. The child saves its data beside this process's data. pytest-cov combines them
    from there.
    """
    measuring = _current()
    if measuring is None:
        return ""
    settings = {name: value for name, value in vars(measuring.config).items() if not name.startswith("_")}
    settings.update({name: _absolute(settings[name]) for name in _PATHS if settings.get(name)})
    return json.dumps({**settings, "data_file": str(Path(measuring.config.data_file).absolute())})


def expect_nothing_here() -> None:
    """Keep coverage from warning that the plugin was never imported: by design it is not, in this process."""
    measuring = _current()
    if measuring is not None:
        measuring._warn_no_data = False  # noqa: SLF001 - as pytest-cov does for xdist's controller
        measuring._warn_unimported_source = False  # noqa: SLF001 - as above


def _current() -> Any:
    coverage = sys.modules.get("coverage")
    return coverage.Coverage.current() if coverage else None


def _absolute(value: Any) -> Any:
    """A path made absolute; a name in ``source`` can as well be a package, and then stays."""
    if isinstance(value, list):
        return [_absolute(each) for each in value]
    return str(Path(value).absolute()) if Path(value).exists() else value


class Measurement:
    """The measurement of one process, which saves its data once; measures nothing without settings."""

    def __init__(self, settings: str) -> None:
        self._coverage = _begun(json.loads(settings)) if settings else None

    def save(self) -> None:
        """Stop, and write the data to a separate file."""
        if self._coverage is None:
            return
        try:
            self._coverage.stop()
            self._coverage.save()
        except Exception as error:  # noqa: BLE001 - a lost measurement is no finding, and costs no answer
            os.write(2, f"the coverage of this process is lost: {error}\n".encode())
        self._coverage = None


def _begun(settings: dict[str, Any]) -> Any:
    import coverage  # noqa: PLC0415 - only where the parent is measured, and so has it

    measuring = coverage.Coverage(config_file=False, data_suffix=True, messages=False)
    vars(measuring.config).update(settings)
    # A process that only judges runs no line of the plugin, and then that is no news.
    measuring._warn_no_data = False  # noqa: SLF001 - as coverage itself does for subprocesses
    measuring._warn_unimported_source = False  # noqa: SLF001 - as above
    measuring._warn_preimported_source = False  # noqa: SLF001 - as above
    measuring.start()
    return measuring
