"""Compare many plugins of one creator in one process with plugins that are alone in their process.

Theory. Several layers of one network have plugins of one creator, each with different fields. A faulty plugin keeps its
parameters outside of the object, for example in its class. Then all objects compute with those of the newest object.
That has an effect only if the fields change the outputs. So for each field the check looks for a value that changes
them, with usual, large or tiny inputs. Any object created in between would be the newest. So all answers of new
objects that a run needs are found beforehand, in separate processes.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from typing import TYPE_CHECKING, Any, cast

import msgspec

from harness.checks.fields.creating import create_from
from harness.checks.fields.field_variants import without
from harness.checks.fields.other_values import near_values
from harness.checks.formats.aliasing import ALIASES, aliases_of
from harness.checks.formats.choices import default_combination
from harness.checks.formats.formats import Combination
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.in_a_fork import ASSERTED, apart
from harness.checks.running.driver import Driver
from harness.checks.running.runs import LENIENT, insist_on_one_answer
from harness.checks.running.special_values import Special, strewn
from harness.checks.sampling.sampling import best_shapes
from harness.checks.shapes.batches import COPIED_INPUTS, copied_inputs
from harness.contract.finding import CallbackFailedError, NotRun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

    #: The ``outputs`` of a run, or its ``failure``.
    Result = dict[str, Any]

#: The number of plugins that a creator makes in a row.
MANY = 20
#: The number of plugins at the end of the row that have the first set of fields, to overwrite the values of all others.
_IN_A_ROW = 9
#: The most values of a field that are tried, and that may run, until one changes the outputs.
_CANDIDATES, _TRIED = 24, 6


class FieldSet(msgspec.Struct, frozen=True):
    """Fields, with the results of a plugin that is made from them and is alone in its process.

    Attributes:
        fields: The fields.
        alone: The results for each kind of inputs in `_inputs`, then the results of a repetition.
    """

    fields: list[FieldValue]
    alone: list[Result]

    def differs_from(self, other: FieldSet, subject: Subject) -> bool:
        """Return whether the results differ from those of ``other``."""
        return bool(_difference(subject, other.alone, self.alone))


def field_sets(subject: Subject) -> dict[str, FieldSet]:
    """Return the case's fields, the fields without each one, and the fields with another value of each one, by name.

    Fields that the creator refuses are left out. This process must not have called the plugin.

    Raises:
        CallbackFailedError: A callback failed in a separate process.
        NotRun: The creator makes no plugin, or a plugin that is alone computes something different when it runs again.
    """
    _know_in_advance(subject)
    own = _alone(subject, subject.fields)
    if own is not None and not _repeats(subject, own):
        raise NotRun("a plugin computes something different when it runs again, also alone in its process")
    sets = {} if own is None else {"the case's fields": FieldSet(subject.fields, own)}
    for value in subject.fields:
        partial = _field_set(subject, without(subject.fields, value.name))
        if partial is not None:
            sets[f"{value.name!r} left out"] = partial
    for candidates in near_values(subject):
        sets |= _other_value(subject, candidates, sets.get("the case's fields"))
    if not sets:
        raise NotRun("no plugin was made")
    return sets


def unlike_the_first(subject: Subject, sets: dict[str, FieldSet]) -> Iterator[tuple[str, str]]:
    """Yield each run of a plugin, in words, and how it differs from a run of a plugin alone, or "".

    Plugins are made from all sets of fields in turn. Some of them run before others are made. This process must not
    have called the plugin.

    Raises:
        NotRun: Two new plugins that are made from the case's fields compute different results.
    """
    first = _drivers(subject, sets)
    results = _results(first)
    compared = [results, _results_again(first, results)]
    later = _drivers(subject, sets)
    turns = itertools.islice(itertools.cycle(sets), max(MANY - _IN_A_ROW - len(first) - len(later), 0))
    for name in (*turns, *[next(iter(sets))] * _IN_A_ROW):
        create_from(subject, sets[name].fields)
    compared += [_results(first), _results(later)]
    for when, runs in zip(_WHEN, compared, strict=True):
        for name, observed in runs.items():
            unlike = _difference(subject, sets[name].alone, observed)
            if unlike:
                subject.once("one answer", functools.partial(_insist_on_one_answer, subject))
            yield f"{name}; {when}", unlike


_WHEN = (
    "run after one of each set of fields was made",
    "run again when all of them had run",
    f"run again after {MANY} plugins were made",
    f"made when others had run, and run after {MANY} plugins were made",
)


def _know_in_advance(subject: Subject) -> None:
    """Find facts about new objects in separate processes, so that no object needs to be created for them later."""
    forms = apart(lambda: [(dtype.name, layout.name) for dtype, layout in default_combination(subject).forms])
    trt = subject.trt
    named = tuple((trt.DataType.__members__[a], trt.TensorFormat.__members__[b]) for a, b in forms)
    subject.known("default combination", lambda: Combination(named, len(subject.case.data_inputs)))
    aliases = apart(lambda: list(aliases_of(subject).items()))
    subject.once(ALIASES, lambda: dict(map(tuple, aliases)))
    copied = apart(lambda: sorted(copied_inputs(subject)))
    subject.once(COPIED_INPUTS, lambda: frozenset(copied))


def _other_value(
    subject: Subject, candidates: Iterable[tuple[list[FieldValue], str]], usual: FieldSet | None
) -> dict[str, FieldSet]:
    """Return the first candidate whose results differ from the usual results, else the first that runs, by name."""
    running = {}
    for fields, name in itertools.islice(candidates, _CANDIDATES):
        candidate = _field_set(subject, fields)
        if candidate is None:
            continue
        running[name] = candidate
        if usual is None or candidate.differs_from(usual, subject):
            return {name: candidate}
        if len(running) == _TRIED:
            break
    return dict(itertools.islice(running.items(), 1))


def _field_set(subject: Subject, fields: list[FieldValue]) -> FieldSet | None:
    """Return fields with their results; None if no plugin made from them runs twice with equal results."""
    with contextlib.suppress(CallbackFailedError):
        alone = _alone(subject, fields)
        if alone is not None and _ran(alone) and _repeats(subject, alone):
            return FieldSet(fields, alone)
    return None


def _alone(subject: Subject, fields: Sequence[FieldValue]) -> list[Result] | None:
    """Return the results of a plugin in a new process; None if the creator refuses, or a C++ assertion fails."""
    try:
        return cast("list[Result] | None", apart(functools.partial(_of_a_new_one, subject, fields)))
    except CallbackFailedError as error:
        if error.failure.how == ASSERTED:
            return None
        raise


def _of_a_new_one(subject: Subject, fields: Sequence[FieldValue]) -> list[Result] | None:
    """Create and run a plugin; return its results, then those of a second run. None if the creator makes none."""
    driver = _driver(subject, fields)
    if driver is None:
        return None
    results = _failure(driver) or _run(driver)
    return [*results, *_enqueue(driver)] if _ran(results) else results


def _repeats(subject: Subject, results: list[Result]) -> bool:
    """Return whether the first half of the results, from the first run, equals the second half, from the second."""
    half = len(results) // 2
    return not _difference(subject, results[:half], results[half:])


def _driver(subject: Subject, fields: Sequence[FieldValue]) -> Driver | None:
    plugin = create_from(subject, fields).plugin
    return None if plugin is None else Driver(subject, plugin, stranger=True)


def _drivers(subject: Subject, sets: dict[str, FieldSet]) -> dict[str, Driver | None]:
    return {name: _driver(subject, each.fields) for name, each in sets.items()}


def _results(drivers: dict[str, Driver | None]) -> dict[str, list[Result]]:
    """Return the results of each plugin. All get ready before the first runs, as in a network."""
    none = [{"failure": "create_plugin made none"}]
    failures = {name: none if each is None else _failure(each) for name, each in drivers.items()}
    return {name: failures[name] or _run(cast("Driver", each)) for name, each in drivers.items()}


def _results_again(drivers: dict[str, Driver | None], results: dict[str, list[Result]]) -> dict[str, list[Result]]:
    """Run each plugin that ran a second time, with the shapes that it is configured for; return the results."""
    return {name: _enqueue(cast("Driver", drivers[name])) for name, each in results.items() if _ran(each)}


def _failure(driver: Driver) -> list[Result]:
    """Make a plugin ready to run; return the failure as the only result, or an empty list."""
    try:
        driver.make_ready()
    except (CallbackFailedError, NotRun) as stop:
        return [{"failure": str(stop)}]
    return []


def _run(driver: Driver) -> list[Result]:
    try:
        driver.configure(best_shapes(driver.subject.case))
    except (CallbackFailedError, NotRun) as stop:
        return [{"failure": str(stop)}]
    return _enqueue(driver)


def _enqueue(driver: Driver) -> list[Result]:
    return [_result(driver, inputs) for inputs in _inputs(driver)]


def _ran(results: list[Result]) -> bool:
    return not any("failure" in each for each in results)


def _result(driver: Driver, inputs: list[npt.NDArray[Any]]) -> Result:
    try:
        run = driver.enqueue(best_shapes(driver.subject.case), inputs, LENIENT)
    except (CallbackFailedError, NotRun) as stop:
        return {"failure": str(stop)}
    return {"failure": f"enqueue {run.failure.how}"} if run.failure else {"outputs": run.outputs}


def _inputs(driver: Driver) -> list[list[npt.NDArray[Any]]]:
    """Return usual inputs. If the case allows any values, return inputs with large and tiny values, too."""
    usual = driver.tensors.draw(best_shapes(driver.subject.case))
    spread = strewn(driver.subject.case, usual, driver.tensors.input_types, Special.EXTREME)
    return [usual] if first_difference(spread, usual) is None else [usual, spread]


def _difference(subject: Subject, expected: Sequence[Result], observed: Sequence[Result]) -> str:
    """Return in words the first difference between expected and observed results; empty if all agree."""
    return next(filter(None, map(functools.partial(_unlike, subject), expected, observed)), "")


def _unlike(subject: Subject, expected: Result, observed: Result) -> str:
    if "failure" in expected or "failure" in observed:
        how = observed.get("failure", "it runs")
        return "" if how == expected.get("failure") else how
    tolerances = [tolerance_of(subject.case, each.dtype.name) for each in expected["outputs"]]
    return str(first_difference(observed["outputs"], expected["outputs"], tolerances) or "")


def _insist_on_one_answer(subject: Subject) -> None:
    driver, best = Driver(subject, subject.create()), best_shapes(subject.case)
    for inputs in _inputs(driver):
        insist_on_one_answer(driver, best, inputs)
