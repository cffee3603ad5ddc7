"""Fuzz rules on our own modules, one search after the other with a seed each, without pytest around them."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any

from harness.contract import catalogue
from harness.controller.children.isolation import ProcessIsolation
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.search import Fuzzing, SearchResult, search
from harness.protocol.messages import ChildSettings, Request

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Seconds for one request, instead of 20: a witness that hangs is to be searched with many seeds.
TIMEOUT = 5.0


@dataclasses.dataclass(frozen=True)
class Searched:
    """A fuzz rule on a case, and what a search found there."""

    plugin: str
    case: str
    rule: str
    seed: int
    found: SearchResult


class Opened:
    """A module in its child, where rules are searched."""

    def __init__(self, module: str) -> None:
        self.settings = ChildSettings(module=module, path=(".",), timeout=TIMEOUT)
        self._child = ProcessIsolation(self.settings)
        self._rules = catalogue.load_rules()
        self._plugins: list[dict[str, Any]] = []

    def load(self) -> None:
        """Import the module."""
        loaded = self._child.load()
        if not loaded.ok:
            raise RuntimeError(f"{self.settings.module} cannot be imported: {loaded.answer}")
        self._plugins = self._child.discover()["plugins"]

    def close(self) -> None:
        """End the child."""
        self._child.close()

    def searches(self, seed: int, rules: list[str], *, shrinks: bool = True) -> Iterator[Searched]:
        """Search each rule on each case with a seed; those that do not concern the plugin find nothing."""
        how = Fuzzing(Budget(shrinks=shrinks))
        for plugin in self._plugins:
            for case in plugin["cases"]:
                for rule in rules:
                    request = Request(rule, plugin["key"], case["name"], seed, inferred=case["plain"])
                    found = search(self._rules[rule], request, case["facts"], self._child.ask, how)
                    yield Searched(plugin["key"], case["name"], rule, seed, found)


@contextlib.contextmanager
def opened(module: str) -> Iterator[Opened]:
    """Open a module of ours."""
    with contextlib.closing(Opened(module)) as found:
        found.load()
        yield found


def fuzz_rules() -> list[str]:
    """Return the ids of the rules that are judged on examples."""
    return sorted(rule.id for rule in catalogue.load_rules().values() if rule.strategy is not None)
