"""Bring objects of a plugin into the states in which TensorRT may query, clone, serialize or destroy them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.checks.formats.choices import case_combinations
from harness.checks.running.driver import Driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes
from harness.contract.interface import INITIALIZED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.subject.subject import Subject


def in_every_state(subject: Subject) -> Iterator[tuple[str, Any]]:
    """Yield (the state's name, a new object in that state) for each state; the first is ``fresh``.

    Raises:
        CallbackFailedError: A callback failed on the way to a state; earlier states were yielded.
        NotRun: The plugin accepts no combination.
    """
    yield "fresh", subject.create()
    for state, make in states(subject).items():
        if state != "fresh":
            yield state, make().plugin


def in_the_build(subject: Subject) -> Iterator[tuple[str, Any]]:
    """Yield (the state in words, an object in it) for each state in a build, beginning with a new object.

    Raises:
        CallbackFailedError: A callback failed on the way to a state; earlier states were yielded.
        NotRun: The search for accepted combinations reached its limit.
    """
    plugin = subject.create()
    yield "on a new object", plugin
    yield "on a clone of a new object", subject.clone(plugin)
    for combination in case_combinations(subject):
        Driver(subject, plugin, combination).configure_for_build()
        yield f"configured for {combination}", plugin
        yield f"on a clone of an object that is configured for {combination}", subject.clone(plugin)


def states(subject: Subject) -> dict[str, Callable[[], Driver]]:
    """Return, by the name of each state, a function that creates an object and brings it into that state.

    Raises:
        NotRun: The plugin accepts no combination.
    """
    shapes = best_shapes(subject.case)
    combination = Driver(subject, subject.create()).combination

    def fresh() -> Driver:
        return Driver(subject, subject.create(), combination)

    def stored() -> Any:
        return subject.serialize(fresh().configure_for_build().plugin)  # a builder serializes configured objects

    def used(driver: Driver) -> Driver:
        driver.run(shapes, conditions=LENIENT)  # other rules report a failure
        return driver

    makers = {
        "fresh": fresh,
        "configured": lambda: fresh().configure_for_build(),
        "deserialized": lambda: fresh().of(subject.deserialize(stored())),
        subject.caller.words.ready_state: lambda: fresh().prepare(),
        "after enqueue": lambda: used(fresh().prepare()),
        "a clone": lambda: fresh().clone(),
        "a clone of a clone": lambda: fresh().clone().clone(),
    }
    if subject.interface in INITIALIZED:
        makers["terminated"] = lambda: used(fresh().prepare()).terminate()
        makers["in a context"] = lambda: used(fresh().prepare().clone())
    return makers
