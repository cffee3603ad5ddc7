"""Find resources that calls do not give back: device memory, files, threads, Python objects."""

from __future__ import annotations

import array
import contextlib
import gc
import itertools
import os
import sys
import threading
import time
import tracemalloc
from typing import TYPE_CHECKING, Any

import msgspec

from harness.process import flight_recorder
from harness.process.own_clock import OwnClock
from reference_runtime.devices.host import forget_freed

if TYPE_CHECKING:
    import weakref
    from collections.abc import Callable, Iterator

    from harness.subject.subject import Subject

#: Seconds on the process's own clock that a thread may take to end, and seconds between two looks at it.
_PATIENCE, _INTERVAL = 1.0, 0.02
_HALF_A_POINTER = 4
#: Growth is measured twice. In the second measurement, caches of libraries may take on this many bytes in a round.
_FILLING = 640
#: Growth is steady if the second half of the rounds adds at least this fraction of what the first half adds.
_AS_MUCH = 0.6
#: The second measurement: the calls in a round (a pointer for each is more than `_FILLING`), and the factor of rounds.
_MANY, _MORE_ROUNDS = 144, 3
#: Up to Python 3.10, calls of functions replace some memory that was allocated before, so sizes are not exact.
_SIZES_ARE_EXACT = sys.version_info >= (3, 11)


class Holdings(msgspec.Struct, frozen=True):
    """The device memory, files and threads of the process at one moment.

    Attributes:
        device_bytes: Bytes of device memory that the plugin allocated and has not freed.
        files: Open file descriptors.
        threads: Running Python threads.
    """

    device_bytes: int
    files: frozenset[str]
    threads: frozenset[int]

    def growth(self, later: Holdings) -> list[str]:
        """Return in words each kind of resource that ``later`` has more of, with the difference."""
        return [f"{count} {kind}" for kind, count in self.more(later).items() if count > 0]

    def more(self, later: Holdings) -> dict[str, int]:
        """Return how much more ``later`` has of each kind of resource; negative if less."""
        return {
            "bytes of device memory": later.device_bytes - self.device_bytes,
            "open files": len(later.files) - len(self.files),
            "threads": len(later.threads) - len(self.threads),
        }


def lasting_growth(subject: Subject, again: Callable[[], None], *, rounds: int, calls: int) -> list[str]:
    """Return in words the kinds of resources that grow in each round of calls, after one round to warm up.

    Python's memory counts if each round leaves at least one memory block or four bytes per call. Less is the
    interpreter's noise. Growth is measured again with many more calls, because libraries fill their caches for a while.
    """
    if not _growth(subject, again, rounds=rounds, calls=calls):
        return []
    return _growth(subject, again, rounds=_MORE_ROUNDS * rounds, calls=max(calls, _MANY), noise=_FILLING)


def _growth(subject: Subject, again: Callable[[], None], *, rounds: int, calls: int, noise: int = 0) -> list[str]:
    least = max(noise, calls * _HALF_A_POINTER)
    blocks, sizes = (array.array("q", bytes(8 * (rounds + 1))) for _ in range(2))  # records that do not grow themselves
    gc.collect()  # this empties the interpreter's free lists: memory taken from them would not be traced
    with _tracing():
        for number in range(rounds + 1):
            for _ in range(calls):
                flight_recorder.step()
                again()
            forget_freed()
            if number == 0:
                before = holdings(subject)
                more = before.more(before)  # allocated here, so that the later dicts only replace it
            _forget_names()
            gc.collect()
            blocks[number] = sys.getallocatedblocks()
            sizes[number] = tracemalloc.get_traced_memory()[0]
            more = before.more(holdings(subject))
            more_objects = _grows(blocks[: number + 1], calls)
            grows = more_objects or (_SIZES_ARE_EXACT and _grows(sizes[: number + 1], least))
            if not grows and max(more.values()) <= 0 < number:
                return []  # one round without growth is enough
    lasting = [kind for kind, count in more.items() if count >= rounds]
    grows = more_objects or (grows and not (noise and _settles(sizes)))
    return [*lasting, *(["memory of Python objects"] if grows else [])]


def _forget_names() -> None:
    """Empty the interpreter's cache of attributes, which keeps the names that C libraries look up."""
    clear = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache  # noqa: SLF001 - by Python's version
    clear()


def _grows(values: array.array[int], least: int) -> bool:
    return all(later - earlier >= least for earlier, later in itertools.pairwise(values))


def _settles(values: array.array[int]) -> bool:
    """Return whether growth slows down, like that of a cache. Data kept for each call would grow steadily."""
    added = [later - earlier for earlier, later in itertools.pairwise(values)]
    half = len(added) // 2
    return sum(added[-half:]) < _AS_MUCH * sum(added[:half])


def growth_since(before: Holdings, subject: Subject) -> list[str]:
    """Return in words the growth of the process's resources since ``before``, after a wait for threads to end."""
    clock = OwnClock()
    while not holdings(subject).threads <= before.threads and not clock.has_reached(_PATIENCE):
        time.sleep(_INTERVAL)
    return before.growth(holdings(subject))


def is_gone(reference: weakref.ref[Any]) -> bool:
    """Collect garbage and return whether an object is deleted. Wait for threads, which may still refer to it."""
    clock = OwnClock()
    gc.collect()
    while reference() is not None and threading.active_count() > 1 and not clock.has_reached(_PATIENCE):
        time.sleep(_INTERVAL)
        gc.collect()
    return reference() is None


@contextlib.contextmanager
def _tracing() -> Iterator[None]:
    already = tracemalloc.is_tracing()
    if not already:
        tracemalloc.start()
    try:
        yield
    finally:
        if not already:
            tracemalloc.stop()


@contextlib.contextmanager
def unraisable() -> Iterator[list[str]]:
    """Give a list of texts: the exceptions that finalisers raise in the block, which Python would only print."""
    raised: list[str] = []
    before = sys.unraisablehook
    sys.unraisablehook = lambda hook: raised.append(f"{type(hook.exc_value).__name__}: {hook.exc_value}")
    try:
        yield raised
    finally:
        sys.unraisablehook = before


def holdings(subject: Subject) -> Holdings:
    """Collect garbage, and return the resources that the process has now."""
    gc.collect()
    return Holdings(
        device_bytes=subject.device.plugin_bytes,
        files=frozenset(os.listdir("/proc/self/fd")),  # noqa: PTH208 - only the names are needed
        threads=frozenset(thread.ident or 0 for thread in threading.enumerate()),
    )
