"""Find out whether the user or another pytest plugin deselected an item between collection and run."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from types import FrameType
from typing import TYPE_CHECKING

from harness.contract.own_names import own
from harness.results.selection import Taken

if TYPE_CHECKING:
    import pytest


class DeselectionLog:
    """Records the collected items, and the code that deselects some of them."""

    def __init__(self) -> None:
        self._collected: dict[str, pytest.Item] = {}
        self._who: dict[str, str] = {}

    def collected(self, item: pytest.Item, nodeid: str) -> None:
        """Note a collected conformance item."""
        self._collected[nodeid] = item

    def deselected(self, items: Iterable[pytest.Item]) -> None:
        """Note which code reports items as deselected; called from ``pytest_deselected``."""
        who, gone = _caller(), set(map(id, items))
        self._who.update({nodeid: who for nodeid, item in self._collected.items() if id(item) in gone})

    def outcome(self, config: pytest.Config, kept: Sequence[pytest.Item]) -> Taken:
        """Return the collected items that will not run, by who took them away; ``kept`` are those that will run."""
        running = set(map(id, kept))
        gone = [nodeid for nodeid, item in self._collected.items() if id(item) not in running]
        by_user = frozenset(nodeid for nodeid in gone if not self._who.get(nodeid, "?"))
        others = _suspects(config) if len(gone) > len(by_user) else ""
        return Taken(by_user, {nodeid: self._who.get(nodeid, others) for nodeid in gone if nodeid not in by_user})


def _caller() -> str:
    """Return the file and line that called a hook; empty for pytest itself, which acts for the user."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - there is no public way to find the caller
    while frame is not None and _module_of(frame).startswith(("pluggy.", own("harness."))):
        frame = frame.f_back
    if frame is None or _module_of(frame).startswith("_pytest."):
        return ""
    return f"deselected by {frame.f_code.co_filename}:{frame.f_lineno}"


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _suspects(config: pytest.Config) -> str:
    known = ("_pytest.", "xdist.", own("harness."), "pytest_randomly", "pytest_cov")
    names = {
        str(hook.plugin_name)
        for hook in config.hook.pytest_collection_modifyitems.get_hookimpls()
        if not hook.function.__module__.startswith(known)
    }
    return f"taken out of the collection, perhaps by {' or '.join(sorted(names)) or 'a plugin of pytest'}"
