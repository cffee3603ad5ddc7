"""Yield objects of a plugin at the moments when TensorRT may repeat a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.checks.running.driver import Driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes, two_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject


def occasions(subject: Subject, plugin: Any) -> Iterator[tuple[str, Any]]:
    """Yield (moment in words, object to ask) for a plugin that has answered the query before.

    A failure of ``enqueue`` is ignored.

    Raises:
        CallbackFailedError: Another callback failed, after some moments were yielded.
        NotRun: The plugin accepts no combination; some moments were yielded before.
    """
    yield "asked again", plugin
    yield "asked of a new object", subject.create()
    yield "asked of a clone", subject.clone(plugin)
    driver = Driver(subject, subject.create()).configure_for_build()
    yield "asked after configure_plugin for the build", driver.plugin
    driver.initialize()
    prepare = subject.caller.words.prepare
    for shapes in two_shapes(subject.case) or (best_shapes(subject.case),):
        driver.run(shapes, conditions=LENIENT)
        yield f"asked after {prepare} and enqueue with inputs {[list(shape) for shape in shapes]}", driver.askable()
