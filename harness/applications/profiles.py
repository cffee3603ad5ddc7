"""List the calls with optimization profiles, and their errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from harness.applications.network_facts import Bounds
    from harness.applications.trace import Trace, TracedCall


class Statement(msgspec.Struct, frozen=True):
    """One call that sets, adds or builds for a profile; ``wrong`` is its error, or empty."""

    call: TracedCall
    wrong: str
    observed: str


def statements(trace: Trace) -> Iterator[Statement]:
    """Yield the refused bounds of inputs, each profile that is added, and the bounds of each build."""
    for call in trace.calls():
        if call.member in ("set_shape", "set_shape_input") and call.owner == "IOptimizationProfile" and call.error:
            yield Statement(call, f"the bounds of {call.arguments.get('input')} contradict each other", call.error)
        elif call.member == "add_optimization_profile":
            is_refused = call.result == -1
            wrong = "a profile was refused: its bounds are not in order" if is_refused else ""
            yield Statement(call, wrong, f"add_optimization_profile returned {call.result}")
        for bounds in call.facts.get("bounds", ()):
            yield _fitting(call, bounds)


def _fitting(call: TracedCall, bounds: Bounds) -> Statement:
    for shape in bounds.shapes:
        is_like = len(shape) == len(bounds.dims) and all(
            fixed in (-1, extent) for fixed, extent in zip(bounds.dims, shape, strict=True)
        )
        if not is_like:
            wrong = (
                f"profile {bounds.profile} gives {bounds.tensor} the shape {shape}, and the network has {bounds.dims}"
            )
            return Statement(call, wrong, "the build fails")
    return Statement(call, "", "")
