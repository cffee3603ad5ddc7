"""Find leaks and misuses of heap memory in a C++ plugin, from its creation to its destruction.

The reference runtime keeps a ledger: a record of the memory that the plugin's library allocates and frees. A *life* is
a function that creates an object, uses it and destroys it.
"""

from __future__ import annotations

import contextlib
import statistics
from typing import TYPE_CHECKING, Any

from harness.checks.lifecycle.destruction import failures_at_the_end
from harness.checks.running.driver import Driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import NotApplicable, NotRun
from harness.contract.language import Language
from harness.process.source_lines import with_source_lines
from harness.subject.calling import raise_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.subject.subject import Subject

    Lives = dict[str, Callable[[], None]]

#: The number of lives that are recorded, and of lives before them, which may prepare something once.
_LIVES = 8
_FIRST = 2
#: If the ledger shows a leak: the number of rounds, and of lives in each, in which the process's heap must grow.
_ROUNDS, _LIVES_OF_A_ROUND = 5, 32
#: New memory is filled with one of these bytes. If stored data contain both in turn, the plugin never wrote the byte.
_FILLS = (0xA5, 0x5A)
#: The most findings that are returned.
_MOST = 3


@contextlib.contextmanager
def watched(subject: Subject) -> Iterator[None]:
    """Keep a ledger of a C++ plugin's heap in the block; do nothing for plugins in Python.

    The ledger knows which memory was freed, and the length of each allocation.
    """
    heap = subject.creator.objects.heap if subject.language is Language.CPP else None
    with heap.ledger() if heap is not None and heap.is_watched else contextlib.nullcontext():
        yield


def lives_without_kernels(subject: Subject) -> Lives:
    """Return lives that compute nothing, by the names of their calls."""
    source = subject.create()
    data = subject.serialize(Driver(subject, subject.create()).configure_for_build().plugin)
    words = subject.caller.words
    return {
        "create_plugin, destroy": lambda: _end(subject, subject.create()),
        "clone, destroy": lambda: _end(subject, subject.clone(source)),
        f"{words.restoring}, destroy": lambda: _end(subject, subject.deserialize(data)),
        "create_plugin, configure_plugin, serialize, destroy": lambda: _configured_life(subject),
    }


def lives_with_kernels(subject: Subject) -> Lives:
    """Return one life that computes results, by the names of its calls."""
    shapes = best_shapes(subject.case)

    def whole() -> None:
        driver = Driver(subject, subject.create()).prepare()
        driver.run(shapes, conditions=LENIENT).insist()
        _end(subject, *(each for each in (driver.plugin, driver.source) if each is not None))

    return {f"create_plugin, {subject.caller.words.ready}, enqueue, destroy": whole}


def lost(subject: Subject, live: Callable[[], None]) -> list[tuple[str, str]]:
    """Return the leaks of each life: an amount in words, and the stack of the allocation.

    Raises:
        NotApplicable: The library's allocator cannot be watched.
        NotRun: The process's heap use cannot be measured, because of AddressSanitizer.
    """
    heap = _heap(subject)
    if not heap.is_counted:
        raise NotRun("AddressSanitizer has replaced the allocator, and the memory in use is not counted")
    for _ in range(_FIRST):
        live()
    with heap.ledger(keeps=False) as ledger:
        for _ in range(_LIVES):
            live()
    kept: dict[str, list[int]] = {}
    for block in ledger.blocks.values():
        kept.setdefault(ledger.stack_of(block), []).append(block.size)
    leaks = {stack: sizes for stack, sizes in kept.items() if len(sizes) >= _LIVES}
    if not leaks or _grown(heap, live) < sum(map(sum, leaks.values())) / _LIVES / 2:
        return []  # code that the ledger does not record has freed the blocks
    return [
        (f"{_blocks(len(sizes) // _LIVES)} with {sum(sizes) // _LIVES} bytes", with_source_lines(stack))
        for stack, sizes in list(leaks.items())[:_MOST]
    ]


def misused(subject: Subject, live: Callable[[], None]) -> list[tuple[str, str]]:
    """Return the misuses of heap memory in a life, in words, each with its stack.

    Raises:
        NotApplicable: The library's allocator cannot be watched.
    """
    live()  # memory that is allocated only once is allocated before the ledger begins
    with _heap(subject).ledger() as ledger:
        live()
    misuses = dict.fromkeys(ledger.misuses)
    return [(what, with_source_lines(stack)) for what, stack in list(misuses)[:_MOST]]


def unwritten(subject: Subject) -> list[str]:
    """Return the positions of the bytes in a configured plugin's stored data that the plugin never wrote.

    Raises:
        NotApplicable: The library's allocator cannot be watched.
    """
    one, other = (_stored(subject, fill) for fill in _FILLS)
    return [
        f"byte {place}{name}"
        for name, data in one.items()
        for place, pair in enumerate(zip(data, other.get(name, b""), strict=False))
        if pair == _FILLS
    ]


def _grown(heap: Any, live: Callable[[], None]) -> float:
    """Return the bytes by which the process's heap grows in a life: a median, because Python's own memory varies."""
    rounds: list[float] = []
    for _ in range(_ROUNDS):
        before = heap.in_use()
        for _ in range(_LIVES_OF_A_ROUND):
            live()
        rounds.append((heap.in_use() - before) / _LIVES_OF_A_ROUND)
    return statistics.median(rounds)


def _stored(subject: Subject, fill: int) -> dict[str, bytes]:
    """Return the data that a configured plugin stores, by field, if new memory is filled with ``fill``."""
    with _heap(subject).ledger(fill=fill):
        stored = subject.serialize(Driver(subject, subject.create()).configure_for_build().plugin)
    return {"": stored} if isinstance(stored, bytes) else {f" of field {each.name!r}": each.data for each in stored}


def _configured_life(subject: Subject) -> None:
    driver = Driver(subject, subject.create()).configure_for_build()
    subject.serialize(driver.plugin)
    _end(subject, driver.plugin)


def _end(subject: Subject, *plugins: Any) -> None:
    for plugin in plugins:
        failures = failures_at_the_end(subject, plugin)
        if failures:
            raise_for(failures[0])


def _heap(subject: Subject) -> Any:
    heap = subject.creator.objects.heap
    if not heap.is_watched:
        raise NotApplicable("the library calls no allocator that can be watched")
    return heap


def _blocks(count: int) -> str:
    return "a block" if count == 1 else f"{count} blocks"
