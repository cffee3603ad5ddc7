"""Run a whole search: judge the original module, then each mutant, and return the outcomes."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.config.errors import UsageError
from harness.mutation import reach, scratch
from harness.mutation.kind import CASES
from harness.mutation.mutant import Planted, plant
from harness.mutation.outcome import Outcome, outcome_of
from harness.mutation.trial import IMPORT, Seen, Trial, Until, unusable
from harness.mutation.weak_spots import lacking
from harness.process import linux
from harness.process.temporary import temporary_folder

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.mutation.kind import Operator, Spot
    from harness.mutation.mutant import Mutant


class UnsoundError(Exception):
    """The original module cannot be judged; the argument says why."""


class Findings(msgspec.Struct, frozen=True):
    """The result of a search for unnoticed mutants.

    Attributes:
        module: The module, as the user named it.
        original: The results of all rules for the original.
        outcomes: The outcome of each mutant that was judged.
        planted: The number of mutants; if only a sample was judged, there are fewer outcomes.
        without_effect: The number of changes that do not change an instruction.
    """

    module: str
    original: Seen
    outcomes: tuple[Outcome, ...]
    planted: int
    without_effect: int

    @property
    def interfaces(self) -> tuple[str, ...]:
        """The interfaces of the module's plugins."""
        return tuple(sorted({case.interface for case in self.original.cases}))

    @property
    def lacking(self) -> frozenset[Spot]:
        """Return the properties that no case has."""
        return lacking(self.original)


class Campaign(msgspec.Struct, frozen=True):
    """A module, and the settings to judge its mutants.

    Attributes:
        module: The module, as the user named it.
        place: Its file or folder.
        trial: The settings. Their options do not name the module.
    """

    module: str
    place: Path
    trial: Trial

    @classmethod
    def of(cls, module: str, options: Options, until: Until = Until.BROKEN) -> Campaign:
        """Return a campaign about a module.

        Raises:
            scratch.ModuleMissingError: The module does not exist.
        """
        return cls(module, scratch.place_of(module, Path.cwd()), Trial(options, until=until))

    def planted(self, operators: Iterable[Operator]) -> Planted:
        """Return the mutants of all files of the module.

        Raises:
            UnsoundError: A file cannot be read as Python.
        """
        mutants: list[Mutant] = []
        without_effect = 0
        chosen = tuple(operators)
        for file in scratch.files_of(self.place):
            try:
                planted = plant(file, file.read_text(encoding="utf-8"), chosen)
            except (SyntaxError, UnicodeDecodeError, OSError) as error:
                raise UnsoundError(f"{file} cannot be read as Python: {error}") from error
            mutants += planted.mutants
            without_effect += planted.without_effect
        return Planted(tuple(mutants), without_effect)

    def original(self, files: Iterable[Path]) -> tuple[Seen, dict[Path, frozenset[int]]]:
        """Judge the original by all rules; return the results, and the lines of each of the files that were executed.

        Raises:
            UnsoundError: The module cannot be imported, or its cases cannot be used, or it has no plugin.
        """
        seen = _judged(structs.replace(self.trial, until=Until.END), self.place, self.place, None)
        imports = [why for rule, why in seen.broken if rule in {IMPORT, CASES}]
        if imports or not seen.cases:
            why = imports[0] if imports and imports[0] else "its import fails, or it registers no plugin"
            raise UnsoundError(f"{self.module} cannot be judged, so no defect can be injected: {why}")
        return seen, {file: self._reached(file) for file in sorted({*files})}

    def sound_original(self) -> Seen:
        """Run the original without judging it, for a module that tests have shown to be correct; return the results."""
        options = structs.replace(self.trial.options, modules=(str(self.place),))
        return structs.replace(self.trial, options=options).driven()

    def _reached(self, file: Path) -> frozenset[int]:
        with temporary_folder() as folder:
            notes = Path(folder) / "lines"
            text = reach.watching(file.read_text(encoding="utf-8"), notes)
            _judged(structs.replace(self.trial, until=Until.END), self.place, file, text)
            return reach.reached(notes)

    def judge(self, original: Seen, lines: dict[Path, frozenset[int]]) -> Callable[[Mutant], Outcome]:
        """Return a function that judges a mutant, in any process."""
        trial = structs.replace(self.trial, known=frozenset(original.broken))
        return functools.partial(_outcome, trial, self.place, original, lines)

    def outcomes(
        self, mutants: Iterable[Mutant], original: Seen, lines: dict[Path, frozenset[int]], jobs: int = 1
    ) -> Iterator[Outcome]:
        """Yield the outcome of each mutant as soon as it is known; ``jobs`` is the number of processes."""
        judge = self.judge(original, lines)
        if jobs == 1:
            yield from map(judge, mutants)
            return
        forked = multiprocessing.get_context("fork")
        with concurrent.futures.ProcessPoolExecutor(
            jobs, forked, initializer=_end_quietly, initargs=(os.getpid(),)
        ) as pool:
            waiting = [pool.submit(judge, mutant) for mutant in mutants]
            try:
                yield from (done.result() for done in concurrent.futures.as_completed(waiting))
            except SystemExit as ended:  # an interrupt reached a judging process before this process
                raise KeyboardInterrupt from ended
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _end_quietly(parent: int) -> None:
    """Let this process end with its parent, and on an interrupt without a traceback, because the parent reports it."""
    linux.die_with_parent(parent)
    signal.signal(signal.SIGINT, lambda *_: sys.exit(1))


def _outcome(trial: Trial, place: Path, original: Seen, lines: dict[Path, frozenset[int]], mutant: Mutant) -> Outcome:
    began = time.monotonic()
    named = structs.replace(trial, first=mutant.operator.rules)
    seen = _judged(named, place, mutant.file, mutant.text)
    seen = dataclasses.replace(seen, seconds=time.monotonic() - began)
    reached = lines.get(mutant.file)
    source = mutant.file.read_text(encoding="utf-8")
    is_reached = reached is None or reach.is_reached(source, mutant.lines, reached)
    return outcome_of(mutant, seen, original, is_reached=is_reached)


def _judged(trial: Trial, place: Path, file: Path, text: str | None) -> Seen:
    """Judge a module, with another text of one file in a temporary folder; in place if ``text`` is None."""
    with temporary_folder() as folder:
        target = place if text is None else scratch.laid_out(place, file, text, Path(folder))
        options = structs.replace(trial.options, modules=(str(target),))
        try:
            return structs.replace(trial, options=options).seen()
        except UsageError as error:
            return unusable(error)


def plain(findings: Findings, **facts: Any) -> dict[str, Any]:
    """Return findings as data for JSON, with further ``facts``."""
    return {
        "module": findings.module,
        "interfaces": list(findings.interfaces),
        **facts,
        "planted": findings.planted,
        "judged": len(findings.outcomes),
        "without_effect": findings.without_effect,
        "broken_by_itself": sorted({rule for rule, _ in findings.original.broken}),
        "lacking": sorted(spot.name.lower() for spot in findings.lacking),
        "mutants": [outcome.to_plain() for outcome in findings.outcomes],
    }
