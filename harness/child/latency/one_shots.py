"""Measure the first call in a process, after deserialization, or after a change of shapes; each needs a new process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.checks.running.driver import fresh_driver
from harness.checks.sampling.sampling import best_shapes, other_shapes
from harness.child.latency.ready_plugin import standing
from harness.contract.finding import NotApplicable
from harness.protocol.latency_quantity import Group

if TYPE_CHECKING:
    from harness.child.latency.ready_plugin import Stand
    from harness.subject.subject import Subject

    Clock = Callable[[], float]


def one_shot(subject: Subject, group: Group, clock: Clock = time.perf_counter) -> float:
    """Return the seconds of the first call of this kind, until its work is done.

    Raises:
        NotApplicable: A change of shapes is measured, and the case allows only one shape.
    """
    if group is Group.SHAPE_SWITCH:
        return _shape_switch(subject, clock)
    driver, shapes = fresh_driver(subject), best_shapes(subject.case)
    if group is Group.AFTER_DESERIALIZE:
        driver = driver.of(subject.deserialize(subject.serialize(driver.plugin))).make_ready()
    with standing(driver.configure(shapes), shapes) as stand:
        return _once(stand, clock)


def _shape_switch(subject: Subject, clock: Clock) -> float:
    shapes = best_shapes(subject.case)
    others = other_shapes(subject.case, shapes, seed=subject.seed)
    if others == shapes:
        raise NotApplicable("the case has one shape alone")
    driver = fresh_driver(subject)
    with standing(driver.configure(shapes), shapes) as before:
        for _ in range(3):
            before.call_and_wait()
    with standing(driver.configure(others), others) as stand:
        return _once(stand, clock)


def _once(stand: Stand, clock: Clock) -> float:
    begun = clock()
    stand.call_and_wait()
    return clock() - begun
