"""Sample ``device_hot`` and ``device_cold``: the time of the work on the device, and of an empty kernel.

Theory. Hot: many calls are captured into a graph, and its replays are timed, in which the host takes no part. The cache
holds the data of the previous call. Cold: before each call, memory of twice the cache's size is read and written. The
call is queued while the stream is held, so that no gap is timed. An empty kernel is timed in the same way, alternately:
no launch takes less time. If the calls cannot be captured, batches of calls are timed between two events, queued while
the stream is held.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from harness.child.latency.blocks import Budget, Pairs
from reference_runtime.devices import cuda_timing
from reference_runtime.devices.cuda_timing import CaptureError, Graph, Scratch, timed

if TYPE_CHECKING:
    from harness.child.latency.ready_plugin import Stand

_GRAPH_SECONDS: Final = 1e-3
_MOST_CALLS: Final = 1000
_SHORT_SECONDS: Final = 3e-4
_FIRST_CALLS: Final = 8
#: Calls that are queued while a stream is held.
_HELD_CALLS: Final = 8
_REPLAYS: Final = 4
_COPIED_BYTES: Final = 512 << 20
_COPIES: Final = 9
_WARM_UP_SECONDS: Final = 0.1


class Hot(msgspec.Struct, frozen=True):
    """The duration of the work on the device in repeated calls.

    Attributes:
        pairs: Seconds per call, and per empty kernel, taken in turn.
        calls: How many calls one sample spans.
        method: Whether calls were measured in a graph or in batches, as text.
    """

    pairs: Pairs
    calls: int
    method: str


def warm_up(stream: int) -> None:
    """Keep the device busy until its clocks have risen."""
    with Scratch.lent(2 * cuda_timing.l2_bytes()) as scratch:
        until = time.perf_counter() + _WARM_UP_SECONDS
        while time.perf_counter() < until:
            timed(stream, [lambda: scratch.turn_over(stream)] * _HELD_CALLS)


def device_hot(stand: Stand, budget: Budget) -> Hot:
    """Return how long the work of a call takes if one call follows the other.

    Raises:
        HeldTooLongError: The calls wait for the device, or take the host too long.
    """
    stream = stand.stream.handle
    replay, calls, method = _replay(stand)
    nothing, launches = _graph(stream, lambda: cuda_timing.empty(stream))
    pairs = Pairs.taken(_each(stream, replay, calls), _each(stream, nothing, launches), budget)
    return Hot(pairs, calls, method)


def hot_sampler(first: Stand) -> Callable[[Stand], Callable[[], float]]:
    """Return a function from a `Stand` to a sampler of seconds per call, measured in short graphs of calls.

    Raises:
        HeldTooLongError: The calls wait for the device, or take the host too long.
    """
    _, calls, _ = _replay(first, _SHORT_SECONDS)

    def sampler(stand: Stand) -> Callable[[], float]:
        stream, call = stand.stream.handle, _insisting(stand)
        try:
            each = _each(stream, _warm_graph(stream, call, calls).launch, calls)
        except CaptureError:
            each = _each(stream, _batch(call), _HELD_CALLS)
        each()
        return each

    return sampler


def device_cold(stand: Stand, budget: Budget) -> Pairs:
    """Return how long the work of single calls takes without data in the cache, and that of empty kernels.

    Raises:
        HeldTooLongError: The calls wait for the device, or take the host too long.
    """
    stream = stand.stream.handle
    call = _insisting(stand)
    with Scratch.lent(2 * cuda_timing.l2_bytes()) as scratch:

        def one(work: Callable[[], object]) -> Callable[[], float]:
            return lambda: statistics.median(timed(stream, [work] * _REPLAYS, lambda: scratch.turn_over(stream)))

        return Pairs.taken(one(call), one(lambda: cuda_timing.empty(stream)), budget)


def bandwidth(stream: int) -> float:
    """Return the bytes per second that a copy on the device moves; bytes read and bytes written both count."""
    with Scratch.lent(_COPIED_BYTES) as scratch:
        seconds = timed(stream, [lambda: scratch.copy_half(stream)] * _COPIES)
    return _COPIED_BYTES / statistics.median(seconds[1:])


def eviction(stream: int) -> float:
    """Return how many times longer memory takes to read that the scratch memory should have driven out of the cache.

    A value well above 1 shows that the cache was indeed cold.
    """
    l2 = cuda_timing.l2_bytes()
    with Scratch.lent(l2 // 8) as probe, Scratch.lent(2 * l2) as scratch:
        read = [lambda: probe.turn_over(stream)] * _HELD_CALLS
        hot = timed(stream, read)
        cold = timed(stream, read, lambda: scratch.turn_over(stream))
    return statistics.median(cold[1:]) / statistics.median(hot[1:])


def _insisting(stand: Stand) -> Callable[[], None]:
    """Return a function that calls ``enqueue``, and raises CaptureError if it fails, as it may in a capture."""
    call, failures = stand.call(), stand.driver.gate.failures

    def insisting() -> None:
        if call():
            raise CaptureError(failures[-1].what if failures else "enqueue failed")

    return insisting


def _graph(stream: int, work: Callable[[], object], length: float = _GRAPH_SECONDS) -> tuple[Callable[[], object], int]:
    """Return a function that replays a graph of calls, and how many they are; together they last about ``length`` s."""
    few = Graph(stream, lambda: _times(work, _FIRST_CALLS))
    few.warm_up()
    seconds = min(timed(stream, [few.launch] * _REPLAYS)) / _FIRST_CALLS
    calls = max(_FIRST_CALLS, min(_MOST_CALLS, round(length / max(seconds, length / _MOST_CALLS))))
    return _warm_graph(stream, work, calls).launch, calls


def _warm_graph(stream: int, work: Callable[[], object], calls: int) -> Graph:
    graph = Graph(stream, lambda: _times(work, calls))
    graph.warm_up()
    return graph


def _replay(stand: Stand, seconds: float = _GRAPH_SECONDS) -> tuple[Callable[[], object], int, str]:
    """Return a function that makes many calls, their number, and the way in which it makes them."""
    call = _insisting(stand)
    try:
        return *_graph(stand.stream.handle, call, seconds), "graph"
    except CaptureError as error:
        return _batch(call), _HELD_CALLS, f"batches between events, because of the graph: {error}"


def _batch(call: Callable[[], object]) -> Callable[[], object]:
    return lambda: _times(call, _HELD_CALLS)


def _each(stream: int, replay: Callable[[], object], calls: int) -> Callable[[], float]:
    """Return a function that returns the seconds per call: the median of some replays in a row.

    The first replay is left out. The device has fetched its commands while the stream was held, so it is quicker.
    """
    return lambda: statistics.median(timed(stream, [replay] * _REPLAYS)[1:]) / calls


def _times(work: Callable[[], object], count: int) -> None:
    for _ in itertools.repeat(None, count):
        work()
