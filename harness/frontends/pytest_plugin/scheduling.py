"""The order in which items run, and on which worker: what rests on one child stays together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.frontends.pytest_plugin.latency_items import ComparisonItem, LatencyItem
from harness.frontends.pytest_plugin.nodes import RuleItem
from harness.results.run_plan import ROOT

if TYPE_CHECKING:
    import pytest

_PARTS_OF_A_PLUGIN = 2


def group(items: list[pytest.Item]) -> None:
    """Put items of one module together, in place, and leave the order as it is otherwise.

    Verdicts do not depend on it. Where a plugin shuffles the items, it keeps the number of open children low.
    """
    first: dict[str, int] = {}
    keys: list[tuple[int, int]] = []
    for index, item in enumerate(items):
        name = item.module_plan.given if isinstance(item, (RuleItem, LatencyItem, ComparisonItem)) else ""
        keys.append((first.setdefault(name, index) if name else index, index))
    items[:] = [item for _, item in sorted(zip(keys, items, strict=True), key=lambda pair: pair[0])]


def scope_of(nodeid: str) -> str:
    """Return what stays on one worker of pytest-xdist: all items of a plugin; any other test is on its own."""
    parts = nodeid.split("::")
    if parts[0] != ROOT:
        return nodeid
    return "::".join(parts[:_PARTS_OF_A_PLUGIN])


def scheduler(config: pytest.Config, log: Any) -> Any:
    """Return a scheduler for pytest-xdist's ``--dist load``, or None for the user's own choice of another."""
    if config.getoption("dist", "no") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - only where pytest-xdist runs

    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = scope_of  # noqa: SLF001 - what a subclass would override
    return scheduling
