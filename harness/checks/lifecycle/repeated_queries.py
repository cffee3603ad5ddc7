"""Repeat queries at the times when TensorRT may repeat them, and on the same objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.checks.running.driver import Driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes, two_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject


def occasions(subject: Subject, plugin: Any) -> Iterator[tuple[str, Any]]:
    """Yield (when, whom to ask) for a plugin that has been asked already.

    Whether ``enqueue`` works does not matter here.

    Raises:
        CallbackFailedError: Another callback failed; the earlier occasions have been given.
        NotRun: The plugin accepts no combination; likewise.
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
