"""Objects of a plugin in the states of its life in which TensorRT may ask, clone, serialize or destroy it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.checks.bench import Bench
from harness.checks.sampling import best_shapes

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.subject import Subject


def states(subject: Subject) -> dict[str, Callable[[], Bench]]:
    """Return, by a name for the state, what makes a new object and brings it there.

    Raises:
        NotRun: The plugin accepts no combination.
    """
    shapes = best_shapes(subject.case)
    combination = Bench(subject, subject.create()).combination

    def fresh() -> Bench:
        return Bench(subject, subject.create(), combination)

    def used(bench: Bench) -> Bench:
        bench.run(shapes)
        return bench

    return {
        "fresh": fresh,
        "deserialized": lambda: Bench(subject, subject.deserialize(subject.serialize(subject.create())), combination),
        "configured": lambda: fresh().configure_for_build(),
        "initialized": lambda: fresh().prepare(),
        "after enqueue": lambda: used(fresh().prepare()),
        "terminated": lambda: used(fresh().prepare()).terminate(),
        "a clone": lambda: fresh().clone(),
        "a clone of a clone": lambda: fresh().clone().clone(),
        "in a context": lambda: used(fresh().prepare().clone()),
    }
