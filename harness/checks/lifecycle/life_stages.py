"""Take a plugin through its life step by step, for rules that must hold after each step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.choices import default_combination
from harness.checks.formats.formats import Asker
from harness.checks.lifecycle.static_answers import portrait
from harness.checks.running.driver import Driver
from harness.checks.running.single_run import LENIENT
from harness.checks.sampling.sampling import best_shapes
from harness.contract.interface import INITIALIZED
from reference_runtime.calling.lifecycle.table import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

_NOT_RUN_YET = frozenset({Stage.INITIALIZED, Stage.ATTACHED, Stage.ATTACHED_IN_A_BUILD, Stage.LOADED})
#: Parts of a portrait whose queries TensorRT may repeat at any time.
QUERIES = ("output types", "output shapes", "serialized form")


class Moment(msgspec.Struct, frozen=True):
    """A moment after a step in a plugin's life.

    Attributes:
        when: The moment, in words: ``after configure_plugin``.
        plugin: The object that the step created or changed.
    """

    when: str
    plugin: Any


def moments(subject: Subject, plugin: Any) -> Iterator[Moment]:
    """Take a new plugin through its life, and yield it or its clone after each step.

    Raises:
        CallbackFailedError: A callback failed.
        NotRun: The plugin accepts no combination, or its shapes cannot be evaluated.
    """
    shapes = best_shapes(subject.case)
    yield Moment("after create_plugin", plugin)
    yield Moment("on a clone of the new object", subject.clone(plugin))
    portrait(subject, plugin, QUERIES)
    Asker(subject, plugin).settle(default_combination(subject).forms)
    yield Moment("after the network's queries", plugin)
    driver = Driver(subject, plugin).configure_for_build()
    yield Moment("after configure_plugin for the build", plugin)
    yield Moment("on a clone of the configured object", subject.clone(plugin))
    driver.workspace_size(shapes)
    yield Moment("after get_workspace_size", plugin)
    driver.initialize()
    yield Moment(f"after {subject.caller.words.ready}", driver.plugin)
    yield from _running(driver)
    if subject.interface in INITIALIZED:
        driver.terminate()
        yield Moment("after terminate", plugin)


def _running(driver: Driver) -> Iterator[Moment]:
    shapes = best_shapes(driver.subject.case)
    words = driver.caller.words
    for one, name in ((driver, "the object"), (driver.clone(), f"a clone of the {words.ready_state} object")):
        if not one.caller.batches and one.gate.stage_of(one.plugin) not in _NOT_RUN_YET:
            return  # clone returned an object that it had returned before: CLN-001 reports it
        one.make_ready().configure(shapes)
        yield Moment(f"after {words.prepare} for the execution, on {name}", one.plugin)
        one.enqueue(shapes, conditions=LENIENT)  # other rules report a failure
        yield Moment(f"after enqueue, on {name}", one.plugin)
        one.subject.serialize(one.plugin)
        yield Moment(f"after {words.save}, on {name}", one.plugin)
