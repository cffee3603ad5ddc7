"""Plugins of an application that keep what owns them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.applications.references import Ref
    from harness.applications.trace import Trace, TracedCall


@dataclasses.dataclass(frozen=True)
class Kept:
    """A plugin, the call before which it was looked at, and what it holds; empty for nothing."""

    name: Ref
    call: TracedCall
    holds: str


def plugins(trace: Trace) -> Iterator[Kept]:
    """Each plugin that the application added to a network, at the first sight of something that it holds."""
    found: dict[Ref, Kept] = {}
    for call in trace.calls():
        for name, holds in call.facts.get("kept", {}).items():
            if name not in found or (holds and not found[name].holds):
                found[name] = Kept(name, call, holds)
    yield from found.values()
