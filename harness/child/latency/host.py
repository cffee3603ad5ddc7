"""Sample ``host_enqueue``: the time of a call on the host, and of an empty plugin's call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from harness.child.latency.blocks import Budget, Pairs, block, without_garbage_collection

if TYPE_CHECKING:
    from harness.child.latency.ready_plugin import Stand

#: The number of calls in a block, at most; a stream never holds more.
MOST_CALLS: Final = 16
#: Seconds that a block lasts. The operating system interrupts about every millisecond. If blocks were longer, most of
#: them would be interrupted, and their median would include the interruption.
_BLOCK_SECONDS: Final = 1e-4
_WARM_UP: Final = 3


def host_enqueue(stand: Stand, empty: Stand, budget: Budget) -> Pairs:
    """Return the seconds per call of a plugin, and of an empty plugin, in alternating blocks."""
    with without_garbage_collection():
        calls = _calls([stand, empty])
        return Pairs.taken(_timed(stand, calls), _timed(empty, calls), budget)


def host_sampler(first: Stand) -> Callable[[Stand], Callable[[], float]]:
    """Return a function from a `Stand` to a sampler of one call's seconds, measured in short blocks."""
    calls = _calls([first])
    return lambda stand: _timed(stand, calls)


def _calls(stands: Sequence[Stand]) -> int:
    """Return the number of calls in a block of about ``_BLOCK_SECONDS``, by timing some calls, or one long call."""
    if _longest(stands, 1) >= _BLOCK_SECONDS:
        return 1
    return max(1, min(MOST_CALLS, int(_BLOCK_SECONDS / _longest(stands, MOST_CALLS))))


def _longest(stands: Sequence[Stand], calls: int) -> float:
    blocks = [_timed(each, calls) for each in stands]
    return min(max(timed() for timed in blocks) for _ in range(_WARM_UP))


def _timed(stand: Stand, calls: int) -> Callable[[], float]:
    """Return a function that times one block of calls on an empty stream, and returns the seconds per call."""
    call, stream = stand.call(), stand.stream

    def timed() -> float:
        seconds = block(call, calls)
        stream.synchronize()
        return seconds

    return timed
