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

#: The parts of a portrait that a plugin's behaviour includes: not what it stores.
BEHAVIOUR = ("output types", "output shapes")


class Behaviour(msgspec.Struct, frozen=True):
    """The answers and the results of a plugin that ran once under ordinary conditions.

    Attributes:
        reported: The output types and shapes that the plugin reports, by question.
        types: The type names of the outputs in the run.
        outputs: The outputs of the run.
        trespasses: Sentences about accesses outside the plugin's buffers.
        failure: The failure that stopped the plugin, as text; only from :func:`behaviour_or_failure`.
        stopped_by: The last callback that failed before; None if none did.
    """

    reported: Portrait
    types: tuple[str, ...] = ()
    outputs: tuple[npt.NDArray[Any], ...] = ()
    trespasses: tuple[str, ...] = ()
    failure: str = ""
    stopped_by: Failure | None = None

    def unlike(self, other: Behaviour, subject: Subject) -> str:
        """Return in words the first thing that ``other`` does differently; empty if both do the same."""
        if self.failure != other.failure:
            return other.failure or f"it runs, and the other plugin {self.failure}"
        if difference := self.answered_otherwise(other.reported):
            return difference
        if self.types != other.types:
            return f"outputs of types {', '.join(other.types)} instead of {', '.join(self.types)}"
        tolerances = [tolerance_of(subject.case, name) for name in self.types]
        element = first_difference(other.outputs, self.outputs, tolerances)
        return "" if element is None else f"{element.where} is {element.observed} instead of {element.expected}"

    def answered_otherwise(self, reported: Portrait) -> str:
        """Return in words the first answer in ``reported`` that differs from this plugin's; empty if none does."""
        for question, expected, observed in differences(self.reported, reported):
            return f"{question}: {observed} instead of {expected}"
        return ""


def behaviour(subject: Subject, plugin: Any) -> Behaviour:
    """Ask and run a new plugin; afterwards the plugin is initialized.

    Raises:
        CallbackFailedError: A callback failed.
        NotRun: The plugin refuses the combination of types and formats that plugins of the case run with.
    """
    combination = default_combination(subject)
    alone = _alone(subject)
    return _run(alone, plugin, combination, portrait(alone, plugin, BEHAVIOUR))


def behaviour_or_failure(subject: Subject, plugin: Any, *further: Callable[[Any], object]) -> Behaviour:
    """Ask and run a new plugin, then call each of ``further`` with it; return its behaviour, or the first failure."""
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
    """Return in words how a plugin differs from the usual plugin, or why the creator made none; empty if alike."""
    if creation.plugin is None:
        return f"create_plugin {creation.refusal}"
    return usual.unlike(behaviour_or_failure(subject, creation.plugin), subject)


def contradiction(subject: Subject, plugin: Any, usual: Behaviour) -> str:
    """Return in words where a plugin answers or computes differently from the usual plugin; empty if alike or it fails.

    The plugin does not run if an answer differs: outputs of a wrong size may be too large to allocate.
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
    """Return the behaviour of a plugin that is made from the case's fields.

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
    return dataclasses.replace(subject, memory={})  # facts about other objects may be false for this object


def _run(subject: Subject, plugin: Any, combination: Combination, answers: Portrait) -> Behaviour:
    asker = Asker(subject, plugin)
    if not all(asker.ask(Question(combination.forms[:pos], form)) for pos, form in enumerate(combination.forms)):
        raise NotRun(f"it does not accept {combination}")
    driver = Driver(subject, plugin, combination, stranger=True).prepare()
    run = driver.run(best_shapes(subject.case))
    return Behaviour(answers, tuple(driver.tensors.output_types), tuple(run.outputs), tuple(run.trespasses("")))
