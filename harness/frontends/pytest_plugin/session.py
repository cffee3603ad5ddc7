"""What a run gets from a session of pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.frontends.pytest_plugin.live_line import LiveLine
from harness.frontends.pytest_plugin.waiting import Waiting

if TYPE_CHECKING:
    import pytest

    from harness.controller.fuzz.saved_examples import Cache

__all__ = ["Session"]


class Session:
    """What a session of pytest offers; most of it is not there yet when pytest is configured."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.worker = str(getattr(config, "workerinput", {}).get("workerid", ""))

    @property
    def folders(self) -> tuple[str, ...]:
        """The current folder and pytest's root."""
        return (str(self._config.invocation_params.dir), str(self._config.rootpath))

    @property
    def cache(self) -> Cache | None:
        """Pytest's cache; there is none with ``-p no:cacheprovider``."""
        return getattr(self._config, "cache", None)

    @property
    def cache_name(self) -> str:
        """Its folder."""
        return str(self._config.getini("cache_dir")) if self.cache is not None else ""

    @property
    def watch(self) -> LiveLine | None:
        """A line on the terminal."""
        return LiveLine.of(self._config)

    @property
    def waiting(self) -> Waiting:
        """The same line."""
        return Waiting.of(self._config)
