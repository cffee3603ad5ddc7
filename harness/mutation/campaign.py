"""Run a whole search: judge the module's original, then each mutant beside it, and keep the outcomes."""

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
    """The original itself cannot be judged; the argument says why."""


class Findings(msgspec.Struct, frozen=True):
    """The result of a search for unnoticed mutants.

    Attributes:
        module: The module as it was named.
        original: What was seen of the original, all rules judged.
        outcomes: What became of each mutant.
        planted: How many mutants there are; a sample has fewer outcomes.
        without_effect: How many changes left the code as it was.
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
    """A module, and how its mutants are judged.

    Attributes:
        module: The module as it was named.
        place: Its file or folder.
        trial: How a module is judged; its options name none yet.
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
            UnsoundError: A file is no Python.
        """
        found: list[Mutant] = []
        without_effect = 0
        chosen = tuple(operators)
        for file in scratch.files_of(self.place):
            try:
                planted = plant(file, file.read_text(encoding="utf-8"), chosen)
            except (SyntaxError, UnicodeDecodeError, OSError) as error:
                raise UnsoundError(f"{file} cannot be read as Python: {error}") from error
            found += planted.mutants
            without_effect += planted.without_effect
        return Planted(tuple(found), without_effect)

    def original(self, files: Iterable[Path]) -> tuple[Seen, dict[Path, frozenset[int]]]:
        """Return what is seen of the original by all rules, and the lines of some files that are executed meanwhile.

        Raises:
            UnsoundError: It cannot be imported, or holds no plugin.
        """
        seen = _judged(structs.replace(self.trial, until=Until.END), self.place, self.place, None)
        imports = [why for rule, why in seen.broken if rule in {IMPORT, CASES}]
        if imports or not seen.cases:
            why = imports[0] if imports and imports[0] else "its import fails, or it registers no plugin"
            raise UnsoundError(f"{self.module} cannot be judged, so no defect can be injected: {why}")
        return seen, {file: self._reached(file) for file in sorted({*files})}

    def sound_original(self) -> Seen:
        """Return what is seen of the original if no rule judges it: tests have shown that it is sound."""
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
        """Yield what became of each mutant, as it is known."""
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
            except SystemExit as ended:  # an interrupt reached the one that judged first
                raise KeyboardInterrupt from ended
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def _end_quietly(parent: int) -> None:
    """Have this process end with its parent; and on an interrupt without a traceback: its parent says what happened."""
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
    """Judge a module in a scratch folder, or in place if no file's text is replaced."""
    with temporary_folder() as folder:
        there = place if text is None else scratch.laid_out(place, file, text, Path(folder))
        options = structs.replace(trial.options, modules=(str(there),))
        try:
            return structs.replace(trial, options=options).seen()
        except UsageError as error:
            return unusable(error)


def plain(findings: Findings, **facts: Any) -> dict[str, Any]:
    """Return findings as JSON can hold them."""
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
