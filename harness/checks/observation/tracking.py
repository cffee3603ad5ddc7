"""Count the resources that a plugin may hold, before and after: device memory, files, threads, Python objects."""

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

#: How long a thread that was told to end may take, in seconds of the process's own, and how often that is looked at.
_PATIENCE, _INTERVAL = 1.0, 0.02
_HALF_A_POINTER = 4
#: Bytes that caches of libraries take on in a round for a while, where what seems to grow is confirmed.
_FILLING = 640
#: How much of what the first half of the rounds adds the second half adds, at the least, where a call keeps something.
_AS_MUCH = 0.6
#: How many calls a round confirm that something grows: a pointer of each is more than the caches take. How many times
#: more rounds.
_MANY, _MORE_ROUNDS = 144, 3
#: Up to Python 3.10 memory that was there before is exchanged for other memory as functions are called.
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
        """Return in words what ``later`` holds beyond this; else an empty text."""
        return [f"{count} {kind}" for kind, count in self.more(later).items() if count > 0]

    def more(self, later: Holdings) -> dict[str, int]:
        """Return how much more ``later`` holds of each kind."""
        return {
            "bytes of device memory": later.device_bytes - self.device_bytes,
            "open files": len(later.files) - len(self.files),
            "threads": len(later.threads) - len(self.threads),
        }


def lasting_growth(subject: Subject, again: Callable[[], None], *, rounds: int, calls: int) -> list[str]:
    """Return in words what every one of several rounds of calls left behind, after a round to warm up.

    Memory counts if each round leaves one object per call, or half a pointer per call. Less is the interpreter's noise.
    Apparent growth is measured again with many more calls, because libraries fill their caches for a while.
    """
    grown = _growth(subject, again, rounds=rounds, calls=calls)
    if not grown:
        return grown
    return _growth(subject, again, rounds=_MORE_ROUNDS * rounds, calls=max(calls, _MANY), noise=_FILLING)


def _growth(subject: Subject, again: Callable[[], None], *, rounds: int, calls: int, noise: int = 0) -> list[str]:
    least = max(noise, calls * _HALF_A_POINTER)
    blocks, sizes = (array.array("q", bytes(8 * (rounds + 1))) for _ in range(2))  # so that the notes do not grow
    gc.collect()  # it empties the interpreter's free lists: what is taken from them is not traced
    with _tracing():
        for number in range(rounds + 1):
            for _ in range(calls):
                flight_recorder.step()
                again()
            forget_freed()
            if number == 0:
                before = holdings(subject)
                more = before.more(before)  # from now on there is always one of them: it is no growth
            _forget_names()
            gc.collect()
            blocks[number] = sys.getallocatedblocks()
            sizes[number] = tracemalloc.get_traced_memory()[0]
            more = before.more(holdings(subject))
            more_objects = _grows(blocks[: number + 1], calls)
            grows = more_objects or (_SIZES_ARE_EXACT and _grows(sizes[: number + 1], least))
            if not grows and max(more.values()) <= 0 < number:
                return []  # one round that leaves nothing behind is enough
    lasting = [kind for kind, count in more.items() if count >= rounds]
    grows = more_objects or (grows and not (noise and _settles(sizes)))
    return [*lasting, *(["memory of Python objects"] if grows else [])]


def _forget_names() -> None:
    """Empty the interpreter's cache of attributes, which keeps each name that a C library makes to look for one."""
    clear = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache  # noqa: SLF001 - by Python's version
    clear()


def _grows(values: array.array[int], least: int) -> bool:
    return all(later - earlier >= least for earlier, later in itertools.pairwise(values))


def _settles(values: array.array[int]) -> bool:
    """Return whether growth slows down, as that of a cache does; data kept for each call grow steadily."""
    added = [later - earlier for earlier, later in itertools.pairwise(values)]
    half = len(added) // 2
    return sum(added[-half:]) < _AS_MUCH * sum(added[:half])


def growth_since(before: Holdings, subject: Subject) -> list[str]:
    """Return in words what is held beyond ``before``, with patience for threads that are about to end."""
    clock = OwnClock()
    while not holdings(subject).threads <= before.threads and not clock.has_reached(_PATIENCE):
        time.sleep(_INTERVAL)
    return before.growth(holdings(subject))


def is_gone(reference: weakref.ref[Any]) -> bool:
    """Collect garbage and return whether an object is deleted; threads that end soon may still hold it."""
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
    """Give in words what finalisers raise within, which Python can only print."""
    raised: list[str] = []
    before = sys.unraisablehook
    sys.unraisablehook = lambda hook: raised.append(f"{type(hook.exc_value).__name__}: {hook.exc_value}")
    try:
        yield raised
    finally:
        sys.unraisablehook = before


def holdings(subject: Subject) -> Holdings:
    """Return what is held now, after a garbage collection."""
    gc.collect()
    return Holdings(
        device_bytes=subject.device.plugin_bytes,
        files=frozenset(os.listdir("/proc/self/fd")),  # noqa: PTH208 - names are what is wanted
        threads=frozenset(thread.ident or 0 for thread in threading.enumerate()),
    )
