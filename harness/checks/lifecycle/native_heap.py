"""Watch a C++ plugin's use of the heap, from creation to destruction, by a ledger of its library.

The ledger is the runtime's. It comes from the creator's proxy, so that plugins in Python load no part of it.
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

#: How often a life is led to see what it loses: what is prepared once has been prepared before.
_LIVES = 8
_FIRST = 2
#: How often it is led again to see whether the heap of the process grows, where the ledger has lost something.
_ROUNDS, _LIVES_OF_A_ROUND = 5, 32
#: What new memory is filled with: what serialized data hold of it was never written.
_FILLS = (0xA5, 0x5A)
_MOST = 3


@contextlib.contextmanager
def watched(subject: Subject) -> Iterator[None]:
    """Keep a ledger of a C++ plugin's heap within: it knows what was freed, and how long each block is."""
    heap = subject.creator.objects.heap if subject.language is Language.CPP else None
    with heap.ledger() if heap is not None and heap.is_watched else contextlib.nullcontext():
        yield


def lives_without_kernels(subject: Subject) -> Lives:
    """Return functions that each lead a life without any computing, by the calls of that life."""
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
    """Return, by the calls that it consists of, what leads a whole life, results included."""
    shapes = best_shapes(subject.case)

    def whole() -> None:
        driver = Driver(subject, subject.create()).prepare()
        driver.run(shapes, conditions=LENIENT).insist()
        _end(subject, *(each for each in (driver.plugin, driver.source) if each is not None))

    return {f"create_plugin, {subject.caller.words.ready}, enqueue, destroy": whole}


def lost(subject: Subject, live: Callable[[], None]) -> list[tuple[str, str]]:
    """Return how much each life loses, in words, with the stack of who allocated it; empty if it loses nothing."""
    heap = _heap(subject)
    if not heap.is_counted:
        raise NotRun("AddressSanitizer has replaced the allocator, and the memory in use is not counted")
    for _ in range(_FIRST):
        live()
    with heap.ledger(keeps=False) as ledger:
        for _ in range(_LIVES):
            live()
    found: dict[str, list[int]] = {}
    for block in ledger.blocks.values():
        found.setdefault(ledger.stack_of(block), []).append(block.size)
    leaks = {stack: sizes for stack, sizes in found.items() if len(sizes) >= _LIVES}
    if not leaks or _grown(heap, live) < sum(map(sum, leaks.values())) / _LIVES / 2:
        return []  # code that the ledger does not watch has freed them
    return [
        (f"{_blocks(len(sizes) // _LIVES)} with {sum(sizes) // _LIVES} bytes", with_source_lines(stack))
        for stack, sizes in list(leaks.items())[:_MOST]
    ]


def misused(subject: Subject, live: Callable[[], None]) -> list[tuple[str, str]]:
    """Return what a life does wrong with memory of the heap, in words, with the stack."""
    live()  # what is prepared once is from before the ledger
    with _heap(subject).ledger() as ledger:
        live()
    found = dict.fromkeys(ledger.misuses)
    return [(what, with_source_lines(stack)) for what, stack in list(found)[:_MOST]]


def unwritten(subject: Subject) -> list[str]:
    """Return in words the bytes of a configured plugin's stored data that it never wrote."""
    one, other = (_stored(subject, fill) for fill in _FILLS)
    return [
        f"byte {place}{name}"
        for name, data in one.items()
        for place, pair in enumerate(zip(data, other.get(name, b""), strict=False))
        if pair == _FILLS
    ]


def _grown(heap: Any, live: Callable[[], None]) -> float:
    """Return the bytes by which the process's heap grows in a life. Python's own memory goes up and down in it."""
    rounds: list[float] = []
    for _ in range(_ROUNDS):
        before = heap.in_use()
        for _ in range(_LIVES_OF_A_ROUND):
            live()
        rounds.append((heap.in_use() - before) / _LIVES_OF_A_ROUND)
    return statistics.median(rounds)


def _stored(subject: Subject, fill: int) -> dict[str, bytes]:
    """Return what a configured plugin stores, by the field that it is in."""
    with _heap(subject).ledger(fill=fill):
        found = subject.serialize(Driver(subject, subject.create()).configure_for_build().plugin)
    return {"": found} if isinstance(found, bytes) else {f" of field {each.name!r}": each.data for each in found}


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
