"""Choose the processes that answer requests about a module: its child, with helpers if they save time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from harness.config import overrides
from harness.config.options import IsolationChoice
from harness.contract.interface import Interface
from harness.controller.children.prefetch import Prefetcher
from harness.controller.seeds import seeds_of
from harness.protocol.messages import Request

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.config.options import Options
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.contract.verdict import Answer
    from harness.controller.children.factory import Children
    from harness.protocol.asked import Asking
    from harness.results.run_plan import CasePlan, ItemId, ModulePlan

#: The most processes that answer later requests about one module ahead of time.
_MOST_HELPERS = 3
#: A run starts one helper process for this many expected requests.
_WORTH_A_HELPER = 24


class Answerers:
    """The children of a run, and the objects that send them requests.

    Attributes:
        children: The children that are open.
    """

    def __init__(self, options: Options, catalogue: Catalogue, children: Children, *, is_worker: bool) -> None:
        self.children = children
        self._options = options
        self._catalogue = catalogue
        self._is_worker = is_worker
        self._known: dict[tuple[str, str], Asking] = {}
        self._prefetchers: dict[tuple[str, str], Prefetcher] = {}

    def child(self, module: str, spec: str) -> Asking:
        """Return an object that asks the child of a module at an API level. It restarts a child that was closed."""
        return _Child(self.children, module, spec)

    def of(self, module: ModulePlan, spec: str, running: Mapping[ItemId, None]) -> Asking:
        """Return the object that answers requests about a module at an API level.

        ``running`` are the items of the run, in their order.
        """
        key = (module.given, spec)
        if key not in self._known:
            self._known[key] = self._new(module, spec, running)
        return self._known[key]

    def forget(self, module: ModulePlan, spec: str, plugin: str, case: str) -> None:
        """Drop the answers about a case that were requested ahead."""
        if (module.given, spec) in self._prefetchers:
            self._prefetchers[module.given, spec].forget(plugin, case)

    def close_those_of(self, module: ModulePlan) -> None:
        """End the children of a module that is done; with --plugin-isolation=none there are none."""
        if self._has_processes:
            self.children.close_those_of(module.given)

    def close(self, *, entirely: bool) -> None:
        """End all children and helpers; ``entirely`` waits for helpers at work, which else end with this process."""
        for prefetcher in self._prefetchers.values():
            prefetcher.close(entirely=entirely)
        self.children.close()

    @property
    def _has_processes(self) -> bool:
        return self._options.isolation is IsolationChoice.PROCESS

    def _new(self, module: ModulePlan, spec: str, running: Mapping[ItemId, None]) -> Asking:
        own = self.child(module.given, spec)
        expected = list(self._expected(module, spec, running))
        helpers = min(len(os.sched_getaffinity(0)) - 1, _MOST_HELPERS, len(expected) // _WORTH_A_HELPER)
        if helpers < 1 or self._is_worker or not self._has_processes:
            return own
        child = self.children.of(module.given, spec)
        prefetcher = Prefetcher(own, [child.another() for _ in range(helpers)], expected)
        self._prefetchers[module.given, spec] = prefetcher
        return prefetcher

    def _expected(self, module: ModulePlan, spec: str, running: Mapping[ItemId, None]) -> Iterator[Request]:
        """Yield the requests that the items will make, as far as they are known in advance."""
        plugins = {plugin.label: plugin for plugin in module.plugins}
        for place in running:
            plugin = plugins.get(place.label)
            if plugin is None or plugin.interface is Interface.APPLICATION or place.rule not in self._catalogue.rules:
                continue
            case, rule = plugin.case(place.case), self._catalogue[place.rule]
            # A fuzz rule generates its examples when it is judged. A rule that needs a tool starts its own process.
            if case.spec == spec and rule.strategy is None and rule.tool is None:
                yield from self._requests(plugin.key, case, rule)

    def _requests(self, plugin: str, case: CasePlan, rule: Rule) -> Iterator[Request]:
        options = self._options
        for seed in seeds_of(rule, options.seeds):
            deadline = overrides.deadline_of(options.overrides, plugin)
            yield Request(
                rule.id, plugin, case.name, seed, options.level.number, deadline=deadline, inferred=case.plain
            )


class _Child(msgspec.Struct, frozen=True):
    """Asks the child of one module at one API level. It restarts a child that was closed."""

    children: Children
    module: str
    spec: str

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request."""
        return self.children.of(self.module, self.spec).ask(request)
