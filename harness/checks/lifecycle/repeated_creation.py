"""Compare plugins that a creator makes late with the first plugin that it makes in a separate process.

Theory. Several layers of one network have plugins of one creator, each with different fields. State outside the objects
shows only under two conditions. The fields must differ in what they do, and no other call may put the state right in
between. So for each field a value is sought that changes the outputs, with usual, large or tiny inputs.
What a run must know of new objects is found in advance. An object made for a question would be the newest
object, and all plugins would compute with its values.
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

    #: What a plugin computed, and how it failed if it did.
    Result = dict[str, Any]

#: How many plugins a creator is asked for in a row.
MANY = 20
#: So many of them, the last, have the same fields: what they overwrite, all others miss.
_IN_A_ROW = 9
#: Values of a field that are tried, and how many of them may run until one tells.
_CANDIDATES, _TRIED = 24, 6


class FieldSet(msgspec.Struct, frozen=True):
    """Fields, and the results of a plugin of them that is the first in its process.

    Attributes:
        fields: The fields.
        alone: The results by usual inputs, and by large and tiny ones where the case leaves them open.
    """

    fields: list[FieldValue]
    alone: list[Result]

    def differs_from(self, other: FieldSet, subject: Subject) -> bool:
        """Return whether a plugin with these fields computes other results."""
        return bool(_difference(subject, other.alone, self.alone))


def field_sets(subject: Subject) -> dict[str, FieldSet]:
    """Return the case's fields, and others that the creator takes: each field left out, and each with another value.

    This process must not have called the plugin.

    Raises:
        CallbackFailedError: A callback failed in a separate process.
        NotRun: No plugin is made.
    """
    _know_in_advance(subject)
    own = _alone(subject, subject.fields)
    if own is not None and not _repeats(subject, own):
        raise NotRun("a plugin computes something different when it runs again, also alone in its process")
    sets = {} if own is None else {"the case's fields": FieldSet(subject.fields, own)}
    for value in subject.fields:
        found = _of_others(subject, without(subject.fields, value.name))
        if found is not None:
            sets[f"{value.name!r} left out"] = found
    for candidates in near_values(subject):
        sets |= _telling(subject, candidates, sets.get("the case's fields"))
    if not sets:
        raise NotRun("no plugin was made")
    return sets


def unlike_the_first(subject: Subject, sets: dict[str, FieldSet]) -> Iterator[tuple[str, str]]:
    """Yield a plugin of a long row, and how it differs from the first plugin of a process.

    Plugins are made of several sets of fields in turn, and some are run before others are made. This process must not
    have called the plugin.

    Raises:
        NotRun: New plugins compute different things anyhow.
    """
    first = _drivers(subject, sets)
    results = _results(first)
    compared = [results, _results_again(first, results)]
    later = _drivers(subject, sets)
    turns = itertools.islice(itertools.cycle(sets), max(MANY - _IN_A_ROW - len(first) - len(later), 0))
    for name in (*turns, *[next(iter(sets))] * _IN_A_ROW):
        create_from(subject, sets[name].fields)
    compared += [_results(first), _results(later)]
    for when, found in zip(_WHEN, compared, strict=True):
        for name, seen in found.items():
            unlike = _difference(subject, sets[name].alone, seen)
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
    """Find in a separate process what is asked of new objects, so that no object is made for it later."""
    forms = apart(lambda: [(dtype.name, layout.name) for dtype, layout in default_combination(subject).forms])
    trt = subject.trt
    named = tuple((trt.DataType.__members__[a], trt.TensorFormat.__members__[b]) for a, b in forms)
    subject.known("default combination", lambda: Combination(named, len(subject.case.data_inputs)))
    aliases = apart(lambda: list(aliases_of(subject).items()))
    subject.once(ALIASES, lambda: dict(map(tuple, aliases)))
    copied = apart(lambda: sorted(copied_inputs(subject)))
    subject.once(COPIED_INPUTS, lambda: frozenset(copied))


def _telling(
    subject: Subject, candidates: Iterable[tuple[list[FieldValue], str]], usual: FieldSet | None
) -> dict[str, FieldSet]:
    """Return the first candidate whose results differ from the usual results; else the first that runs."""
    made = {}
    for fields, how in itertools.islice(candidates, _CANDIDATES):
        found = _of_others(subject, fields)
        if found is None:
            continue
        made[how] = found
        if usual is None or found.differs_from(usual, subject):
            return {how: found}
        if len(made) == _TRIED:
            break
    return dict(itertools.islice(made.items(), 1))


def _of_others(subject: Subject, fields: list[FieldValue]) -> FieldSet | None:
    """Return a set of changed fields; None if no plugin of them runs."""
    with contextlib.suppress(CallbackFailedError):
        alone = _alone(subject, fields)
        if alone is not None and _ran(alone) and _repeats(subject, alone):
            return FieldSet(fields, alone)
    return None


def _alone(subject: Subject, fields: Sequence[FieldValue]) -> list[Result] | None:
    """Return the results of the first plugin of a process; None if none is made, or if it refuses."""
    try:
        return cast("list[Result] | None", apart(functools.partial(_of_a_new_one, subject, fields)))
    except CallbackFailedError as error:
        if error.mishap.how == ASSERTED:
            return None
        raise


def _of_a_new_one(subject: Subject, fields: Sequence[FieldValue]) -> list[Result] | None:
    """Return the results of a plugin that is made now, each twice in turn; None if the creator makes none."""
    driver = _driver(subject, fields)
    if driver is None:
        return None
    results = _failure(driver) or _run(driver)
    return [*results, *_enqueue(driver)] if _ran(results) else results


def _repeats(subject: Subject, results: list[Result]) -> bool:
    """Say whether a plugin had the same results when it ran again. Other rules judge its own state."""
    half = len(results) // 2
    return not _difference(subject, results[:half], results[half:])


def _driver(subject: Subject, fields: Sequence[FieldValue]) -> Driver | None:
    plugin = create_from(subject, fields).plugin
    return None if plugin is None else Driver(subject, plugin, stranger=True)


def _drivers(subject: Subject, sets: dict[str, FieldSet]) -> dict[str, Driver | None]:
    return {name: _driver(subject, each.fields) for name, each in sets.items()}


def _results(drivers: dict[str, Driver | None]) -> dict[str, list[Result]]:
    """Return the results of each plugin. All are ready before any runs, as layers of one network are."""
    none = [{"failure": "create_plugin made none"}]
    failures = {name: none if each is None else _failure(each) for name, each in drivers.items()}
    return {name: failures[name] or _run(cast("Driver", each)) for name, each in drivers.items()}


def _results_again(drivers: dict[str, Driver | None], results: dict[str, list[Result]]) -> dict[str, list[Result]]:
    """Return the results of each plugin that ran, once more for the shapes that it is configured for."""
    return {name: _enqueue(cast("Driver", drivers[name])) for name, each in results.items() if _ran(each)}


def _failure(driver: Driver) -> list[Result]:
    """Make a plugin ready; return the failure, or nothing."""
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
    return {"failure": f"enqueue {run.mishap.how}"} if run.mishap else {"outputs": run.outputs}


def _inputs(driver: Driver) -> list[list[npt.NDArray[Any]]]:
    """Return usual inputs, and with large and tiny values where the case does not say which ones they have."""
    usual = driver.tensors.draw(best_shapes(driver.subject.case))
    spread = strewn(driver.subject.case, usual, driver.tensors.input_types, Special.EXTREME)
    return [usual] if first_difference(spread, usual) is None else [usual, spread]


def _difference(subject: Subject, wanted: Sequence[Result], seen: Sequence[Result]) -> str:
    """Return in words how the first result differs that does not agree with the wanted one; empty where all agree."""
    return next(filter(None, map(functools.partial(_unlike, subject), wanted, seen)), "")


def _unlike(subject: Subject, wanted: Result, seen: Result) -> str:
    if "failure" in wanted or "failure" in seen:
        how = seen.get("failure", "it runs")
        return "" if how == wanted.get("failure") else how
    tolerances = [tolerance_of(subject.case, each.dtype.name) for each in wanted["outputs"]]
    return str(first_difference(seen["outputs"], wanted["outputs"], tolerances) or "")


def _insist_on_one_answer(subject: Subject) -> None:
    driver, best = Driver(subject, subject.create()), best_shapes(subject.case)
    for inputs in _inputs(driver):
        insist_on_one_answer(driver, best, inputs)
