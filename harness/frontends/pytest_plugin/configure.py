"""Configure pytest for a run that certifies plugins."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.controller.prepare import prepare
from harness.frontends.pytest_plugin import options as option_values
from harness.frontends.pytest_plugin.live_line import LiveLine
from harness.frontends.pytest_plugin.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pytest

    from harness.controller.fuzz.saved_examples import Cache
    from harness.controller.prepare import Prepared

#: The key of the installed rules in ``workerinput``, which pytest-xdist passes to workers.
RULES = "trt_conformance_rules"


def configure(config: pytest.Config) -> Prepared:
    """Start the first child of a run, which loads the runtime and the rules while this process loads the rest.

    Raises:
        pytest.UsageError: An option is wrong.
    """
    with option_values.usage_errors():
        return prepare(Session(config), option_values.read(config))


class Session:
    """The parts of pytest's session that a run uses; most do not exist yet during pytest's configuration."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.worker = str(getattr(config, "workerinput", {}).get("workerid", ""))

    @property
    def folders(self) -> tuple[str, ...]:
        """Return the folder in which pytest was started, and pytest's root."""
        return (str(self._config.invocation_params.dir), str(self._config.rootpath))

    @property
    def rules(self) -> Sequence[Mapping[str, Any]] | None:
        """Return the rules that the controller of pytest-xdist sends to a worker; None if this is no worker."""
        rules = getattr(self._config, "workerinput", {}).get(RULES)
        return json.loads(rules) if rules else None

    @property
    def cache(self) -> Cache | None:
        """Return pytest's cache; None with ``-p no:cacheprovider``."""
        return getattr(self._config, "cache", None)

    @property
    def cache_name(self) -> str:
        """Return the name of the cache's folder; empty without a cache."""
        return str(self._config.getini("cache_dir")) if self.cache is not None else ""

    @property
    def watch(self) -> LiveLine | None:
        """Return the line on the terminal that shows a search; None if it would not be seen."""
        return LiveLine.of(self._config)

    @property
    def waiting(self) -> Waiting:
        """Return the display of waiting times, which uses the same line."""
        return Waiting.of(self._config)
