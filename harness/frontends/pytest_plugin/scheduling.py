"""Order the items, and assign them to workers: items that use one child stay together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.frontends.pytest_plugin.latency_items import ComparisonItem, LatencyItem
from harness.frontends.pytest_plugin.nodes import RuleItem
from harness.results.run_plan import ROOT

if TYPE_CHECKING:
    import pytest

_PARTS_OF_A_PLUGIN = 2


def group(items: list[pytest.Item]) -> None:
    """Put the items of each module together, in place, and keep the order in all other respects.

    Verdicts do not depend on the order. If a pytest plugin shuffles the items, this keeps the number of open children
    low.
    """
    first: dict[str, int] = {}
    keys: list[tuple[int, int]] = []
    for index, item in enumerate(items):
        name = item.module_plan.given if isinstance(item, (RuleItem, LatencyItem, ComparisonItem)) else ""
        keys.append((first.setdefault(name, index) if name else index, index))
    items[:] = [item for _, item in sorted(zip(keys, items, strict=True), key=lambda pair: pair[0])]


def scope_of(nodeid: str) -> str:
    """Return the scope of an item, which stays on one worker of pytest-xdist: its plugin, or else the test alone."""
    parts = nodeid.split("::")
    if parts[0] != ROOT:
        return nodeid
    return "::".join(parts[:_PARTS_OF_A_PLUGIN])


def scheduler(config: pytest.Config, log: Any) -> Any:
    """Return a scheduler for pytest-xdist's ``--dist load``; None if the user chose another distribution."""
    if config.getoption("dist", "no") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - only where pytest-xdist runs

    scheduling = LoadScopeScheduling(config, log)
    scheduling._split_scope = scope_of  # noqa: SLF001 - what a subclass would override
    return scheduling
