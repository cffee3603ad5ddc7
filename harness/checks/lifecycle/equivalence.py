"""Compare two plugins: the types and shapes that they report, and the results that they compute."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.choices import default_combination
from harness.checks.formats.formats import Asker, Question
from harness.checks.lifecycle.static_answers import differences, portrait
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.running.driver import Driver
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import CallbackFailedError, NotRun

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from harness.checks.fields.creating import Creation
    from harness.checks.formats.formats import Combination
    from harness.checks.lifecycle.static_answers import Portrait
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.gate import Failure

#: What a plugin does, apart from what it stores.
BEHAVIOUR = ("output types", "output shapes")


class Behaviour(msgspec.Struct, frozen=True):
    """The outputs, types and faults of a plugin that ran once under ordinary conditions.

    Attributes:
        reported: The types and shapes that it reports.
        types: The types of its outputs when it ran.
        outputs: What it computed.
        trespasses: What it touched beside its buffers.
        failure: What stopped it, where a caller asked to see that; its words.
        stopped_by: The callback that failed then, as the gate saw it; None if none did.
    """

    reported: Portrait
    types: tuple[str, ...] = ()
    outputs: tuple[npt.NDArray[Any], ...] = ()
    trespasses: tuple[str, ...] = ()
    failure: str = ""
    stopped_by: Failure | None = None

    def unlike(self, other: Behaviour, subject: Subject) -> str:
        """Return the first difference in words, where ``other`` deviates; empty if there is none."""
        if self.failure != other.failure:
            return other.failure or f"it runs, and the other plugin {self.failure}"
        if answered := self.answered_otherwise(other.reported):
            return answered
        if self.types != other.types:
            return f"outputs of types {', '.join(other.types)} instead of {', '.join(self.types)}"
        tolerances = [tolerance_of(subject.case, name) for name in self.types]
        difference = first_difference(other.outputs, self.outputs, tolerances)
        if difference is None:
            return ""
        return f"{difference.where} is {difference.observed} instead of {difference.expected}"

    def answered_otherwise(self, reported: Portrait) -> str:
        """Return the first of some answers that differs from this plugin's, in words; empty if none does."""
        for asked, mine, its in differences(self.reported, reported):
            return f"{asked}: {its} instead of {mine}"
        return ""


def behaviour(subject: Subject, plugin: Any) -> Behaviour:
    """Return what a fresh plugin does; it is initialized afterwards.

    Raises:
        CallbackFailedError: A callback failed.
        NotRun: It cannot be run at all.
    """
    combination = default_combination(subject)
    alone = _alone(subject)
    return _run(alone, plugin, combination, portrait(alone, plugin, BEHAVIOUR))


def behaviour_or_failure(subject: Subject, plugin: Any, *further: Callable[[Any], object]) -> Behaviour:
    """Return what a plugin does, or how it fails; ``further`` is done to it as well."""
    before = len(subject.gate.failures)
    try:
        seen = behaviour(subject, plugin)
        for work in further:
            work(plugin)
    except (CallbackFailedError, NotRun) as stop:
        failures = subject.gate.failures[before:]
        return Behaviour({}, failure=str(stop), stopped_by=failures[-1] if failures else None)
    return seen


def unlike_the_usual(subject: Subject, usual: Behaviour, creation: Creation) -> str:
    """Return in words how a plugin differs from the usual plugin, or why none was made; empty if alike."""
    if creation.plugin is None:
        return f"create_plugin {creation.refusal}"
    return usual.unlike(behaviour_or_failure(subject, creation.plugin), subject)


def contradiction(subject: Subject, plugin: Any, usual: Behaviour) -> str:
    """Return in words where a plugin answers or computes differently from the usual plugin. A failure is no answer.

    The plugin does not run if an answer differs: a size made of wrong numbers cannot be allocated.
    """
    combination = default_combination(subject)
    alone = _alone(subject)
    answers: Portrait = {}
    with contextlib.suppress(CallbackFailedError, NotRun):
        portrait(alone, plugin, BEHAVIOUR, answers)
        if not usual.answered_otherwise(answers):
            return usual.unlike(_run(alone, plugin, combination, answers), subject)
    return usual.answered_otherwise(answers)


def usual_behaviour(subject: Subject) -> Behaviour:
    """Return what a plugin does that was made from the case's fields.

    Raises:
        CallbackFailedError: A callback failed.
        NotRun: Two plugins made in the same way differ, so no comparison is possible.
    """

    def find() -> Behaviour:
        first, second = (behaviour(subject, subject.create()) for _ in range(2))
        difference = first.unlike(second, subject)
        if difference:
            raise NotRun(f"two plugins of the same fields do not do the same: {difference}")
        return first

    return subject.known("behaviour", find)


def _alone(subject: Subject) -> Subject:
    return dataclasses.replace(subject, memory={})  # what is known of other objects need not hold of this one


def _run(subject: Subject, plugin: Any, combination: Combination, answers: Portrait) -> Behaviour:
    asker = Asker(subject, plugin)
    if not all(asker.ask(Question(combination.forms[:pos], form)) for pos, form in enumerate(combination.forms)):
        raise NotRun(f"it does not accept {combination}")
    driver = Driver(subject, plugin, combination, stranger=True).prepare()
    run = driver.run(best_shapes(subject.case))
    return Behaviour(answers, tuple(driver.tensors.output_types), tuple(run.outputs), tuple(run.trespasses("")))
