"""Judge one module by the rules, as a run does, and return the results.

One worker process imports the module for all rules. Rules that should report the defect come first, then level 1, then
the others. If the question is only whether a defect is noticed, the first broken rule ends the judging.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import re
import time
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from harness.cases.facts import Facts
from harness.contract.verdict import BAD, InternalError, Verdict
from harness.controller.begin import begin
from harness.controller.host_session import Alone
from harness.controller.prepare import prepare
from harness.mutation.kind import CASES

if TYPE_CHECKING:
    from harness.config.errors import UsageError
    from harness.config.options import Options
    from harness.contract.verdict import Result
    from harness.controller.run import Run
    from harness.results.run_plan import ItemId, ModulePlan, PluginPlan

#: The entry in place of a rule if the module cannot be imported, or has no creators that can be judged.
IMPORT = "IMPORT"
_BROKEN = {*BAD, Verdict.XPASS}
_ADDRESS = re.compile(r"0x[0-9a-f]+")

Calls = tuple[tuple[str, ...], ...]


class CaseSeen(msgspec.Struct, frozen=True):
    """The results for one case.

    Attributes:
        plugin: The plugin's key.
        name: The case's name.
        interface: The plugin's interface.
        inferred: Whether the harness inferred the case.
        facts: The facts about its inputs and fields.
        calls: The calls of one complete run, with arguments and answers.
    """

    plugin: str
    name: str
    interface: str
    inferred: bool
    facts: Facts
    calls: Calls = ()


@dataclasses.dataclass(frozen=True)
class Seen:
    """The results of a trial.

    Attributes:
        broken: The broken rules, each with the case, in the order in which they were judged.
        evaluated: The rules that have at least one finding.
        cases: The cases, with their calls if these were recorded.
        internal: Internal errors of the harness or of a rule.
        overdue: Whether the time ended before all rules had judged.
        seconds: The time that judging took.
    """

    broken: tuple[tuple[str, str], ...] = ()
    evaluated: frozenset[str] = frozenset()
    cases: tuple[CaseSeen, ...] = ()
    internal: tuple[str, ...] = ()
    overdue: bool = False
    seconds: float = dataclasses.field(default=0.0, compare=False)


class Until(enum.Enum):
    """The point at which the judging of a module ends."""

    BROKEN = "the first rule that is broken"
    NAMED = "all rules that should report the defect, if one of them does; else all"
    END = "all rules"


class Trial(msgspec.Struct, frozen=True):
    """The settings for judging a module.

    Attributes:
        options: The options of the run.
        first: The rules to judge first.
        known: The rules that the original module breaks, each with the case.
        until: The point at which judging ends.
        patience: Seconds after which no further rule begins. The options' timeout limits a rule that has begun.
    """

    options: Options
    first: Collection[str] = ()
    known: Collection[tuple[str, str]] = ()
    until: Until = Until.BROKEN
    patience: float = 600.0

    def seen(self) -> Seen:
        """Judge the module, record one complete run of each case if no rule is broken, and return the results.

        With ``Until.END`` the run is recorded in any case.

        Raises:
            UsageError: The options or cases are invalid.
        """
        began = time.monotonic()
        run = begin(prepare(Alone(), self.options))
        with contextlib.ExitStack() as ends:
            ends.callback(run.close, entirely=True)
            seen = self._judged(run, began)
        return dataclasses.replace(seen, seconds=time.monotonic() - began)

    def driven(self) -> Seen:
        """Record one complete run of each case without judging, and return the results.

        Raises:
            UsageError: The options or cases are invalid.
        """
        run = begin(prepare(Alone(), self.options))
        with contextlib.ExitStack() as ends:
            ends.callback(run.close, entirely=True)
            return Seen(cases=tuple(_cases(run, with_calls=True)))

    def _judged(self, run: Run, began: float) -> Seen:
        broken: list[tuple[str, str]] = []
        evaluated: set[str] = set()
        internal: list[str] = []
        overdue = False
        for module, plugin, place in self._ordered(run):
            overdue = time.monotonic() - began > self.patience
            if overdue or self._has_seen_enough(place.rule, {rule for rule, _ in broken}):
                break
            try:
                result = run.judge(module, plugin, place)
            except InternalError as error:
                internal.append(f"{place.nodeid}: {error}")
                continue
            if result.evidence:
                evaluated.add(place.rule)
            if _is_broken(result) and (place.rule, place.case) not in self.known:
                broken.append((place.rule, place.case))
        # END is for the original. Mutants are compared with its run, even if the original breaks a rule.
        with_calls = not overdue and (not broken or self.until is Until.END)
        cases = tuple(_cases(run, with_calls=with_calls))
        return Seen(tuple(broken), frozenset(evaluated), cases, tuple(internal), overdue)

    def _has_seen_enough(self, following: str, broken: set[str]) -> bool:
        """Return whether judging can end before the rule ``following``, given the broken rules."""
        if self.until is Until.NAMED:
            return following not in self.first and not broken.isdisjoint(self.first)
        return self.until is Until.BROKEN and bool(broken)

    def _ordered(self, run: Run) -> list[tuple[ModulePlan, PluginPlan | None, ItemId]]:
        """Return all items to judge: those of the module, the rules in ``first``, then others by level."""

        def rank(item: tuple[ModulePlan, PluginPlan | None, ItemId]) -> tuple[bool, bool, int, bool]:
            _, plugin, place = item
            if plugin is None:
                return (False, False, 0, False)
            rule = run.catalogue[place.rule]
            return (True, rule.id not in self.first, rule.level, rule.strategy is not None)

        items = run.plan.items(run.catalogue)
        return sorted((item for item in items if run.selection.admits(item[2])), key=rank)


def _is_broken(result: Result) -> bool:
    return result.verdict in _BROKEN


def _cases(run: Run, *, with_calls: bool) -> Iterator[CaseSeen]:
    for module, plugin in run.plan.plugins:
        for case in plugin.cases:
            calls = _calls(run.trace(module, plugin, case)) if with_calls else ()
            facts = Facts.from_plain(case.facts)
            yield CaseSeen(plugin.key, case.name, plugin.interface.value, case.inferred, facts, calls)


def _calls(trace: dict[str, Any]) -> Calls:
    """Return the calls of a trace without times, threads and addresses, so that they can be compared."""
    keys = ("object", "method", "phase", "arguments", "outcome", "value")
    return tuple(tuple(_ADDRESS.sub("0x", str(call[key])) for key in keys) for call in trace["calls"])


def unusable(error: UsageError) -> Seen:
    """Return the results for a module that a run refuses, because its cases cannot be used."""
    return Seen(broken=((CASES, str(error)),))
