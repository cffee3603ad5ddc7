"""Compare plugins that a creator makes late with the first plugin that it makes in a separate process."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any, cast

from harness.checks.fields.creating import create_from
from harness.checks.formats.choices import default_combination
from harness.checks.formats.formats import Combination
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.observation.in_a_fork import ASSERTED, apart
from harness.checks.running.driver import Driver
from harness.checks.running.runs import LENIENT, insist_on_one_answer
from harness.checks.sampling.sampling import best_shapes
from harness.contract.finding import CallbackFailedError, NotRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.subject.fields import FieldValue
    from harness.subject.subject import Subject

    FieldSets = dict[str, list[FieldValue]]
    #: What a plugin computed, and how it failed if it did.
    Result = dict[str, Any]

#: How many plugins a creator is asked for in a row.
MANY = 20
#: So many of them, the last, have the same fields: what they overwrite, all others miss.
_IN_A_ROW = 9


def unlike_the_first(subject: Subject, sets: FieldSets) -> Iterator[tuple[str, str]]:
    """Yield the place of a plugin in a long row, and how it differs from the first in a process.

    Plugins are made of several sets of fields in turn, and some are run before others are made. This process must not
    have called the plugin.

    Raises:
        CallbackFailedError: A callback failed in a separate process.
        NotRun: Nothing runs, or new plugins compute different things anyhow.
    """
    _know_the_combination(subject)
    results = {name: _alone(subject, fields) for name, fields in sets.items()}
    alone = {name: result for name, result in results.items() if result is not None}
    if not alone:
        raise NotRun("no plugin was made")
    first = {name: _bench(subject, sets[name]) for name in alone}
    compared: list[dict[str, Result]] = [_results(first)]
    later = {name: _bench(subject, sets[name]) for name in alone}
    turns = itertools.islice(itertools.cycle(alone), max(MANY - _IN_A_ROW - len(first) - len(later), 0))
    for name in (*turns, *[next(iter(alone))] * _IN_A_ROW):
        create_from(subject, sets[name])
    compared += [_results(first), _results(later)]
    for when, found in zip(_WHEN, compared, strict=True):
        for name, seen in found.items():
            unlike = _difference(subject, alone[name], seen)
            if unlike:
                _insist_on_one_answer(subject)
            yield f"{name}; {when}", unlike


_WHEN = (
    "run after one of each set of fields was made",
    f"run again after {MANY} plugins were made",
    f"made when others had run, and run after {MANY} plugins were made",
)


def _know_the_combination(subject: Subject) -> None:
    """Find the combination now, so that the search is not part of the comparison."""
    forms = apart(lambda: [(dtype.name, layout.name) for dtype, layout in default_combination(subject).forms])
    trt = subject.trt
    named = tuple((trt.DataType.__members__[a], trt.TensorFormat.__members__[b]) for a, b in forms)
    subject.known("default combination", lambda: Combination(named, len(subject.case.data_inputs)))


def _bench(subject: Subject, fields: Sequence[FieldValue]) -> Driver | None:
    plugin = create_from(subject, fields).plugin
    return None if plugin is None else Driver(subject, plugin, stranger=True)


def _alone(subject: Subject, fields: Sequence[FieldValue]) -> Result | None:
    """Return what a plugin does that is the first in its process. Return None if none is made, or if it refuses."""
    try:
        result: Result | None = apart(functools.partial(_result, subject, fields))
    except CallbackFailedError as error:
        if error.mishap.how == ASSERTED:
            return None
        raise
    return result


def _result(subject: Subject, fields: Sequence[FieldValue]) -> Result | None:
    """Return the result of a plugin that is made now; None if the creator makes none."""
    bench = _bench(subject, fields)
    return None if bench is None else _failure(bench) or _run(bench)


def _results(benches: dict[str, Driver | None]) -> dict[str, Result]:
    """Return the result of each plugin. All are ready before any runs, as layers of one network are."""
    none = {"failure": "create_plugin made none"}
    failures = {name: none if each is None else _failure(each) for name, each in benches.items()}
    return {name: failures[name] or _run(cast("Driver", each)) for name, each in benches.items()}


def _failure(bench: Driver) -> Result:
    """Make a plugin ready; return the failure, or an empty result."""
    try:
        bench.make_ready()
    except (CallbackFailedError, NotRun) as stop:
        return {"failure": str(stop)}
    return {}


def _run(bench: Driver) -> Result:
    try:
        run = bench.run(best_shapes(bench.subject.case), surroundings=LENIENT)
    except (CallbackFailedError, NotRun) as stop:
        return {"failure": str(stop)}
    return {"failure": f"enqueue {run.mishap.how}"} if run.mishap else {"outputs": run.outputs}


def _difference(subject: Subject, wanted: Result, seen: Result) -> str:
    """Return in words how one result differs from the wanted one; empty where it does not."""
    if "failure" in wanted or "failure" in seen:
        how = seen.get("failure", "it runs")
        return "" if how == wanted.get("failure") else how
    tolerances = [tolerance_of(subject.case, each.dtype.name) for each in wanted["outputs"]]
    return str(first_difference(seen["outputs"], wanted["outputs"], tolerances) or "")


def _insist_on_one_answer(subject: Subject) -> None:
    bench, best = Driver(subject, subject.create()), best_shapes(subject.case)
    insist_on_one_answer(bench, best, bench.tensors.draw(best))
