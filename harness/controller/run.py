"""Hold the state of a run in one process: options, rules, plan, children, and the verdicts of its items."""

from __future__ import annotations

import collections
import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from harness.config import overrides
from harness.contract.interface import Interface
from harness.contract.verdict import BAD, Result, Verdict
from harness.controller import replay
from harness.controller.children.answerers import Answerers
from harness.controller.fuzz.saved_examples import SavedExample
from harness.controller.judge import Runner
from harness.controller.latency.latencies import Latencies
from harness.controller.tracing.request import missing, trace
from harness.process.temporary import remove_abandoned
from harness.protocol.messages import Request
from harness.results.run_plan import ItemId, RunPlan
from harness.results.selection import Taken
from harness.results.tally import fails

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.controller.fuzz.set_up import FuzzSetUp
    from harness.controller.prepare import Prepared
    from harness.results.baseline import Baseline
    from harness.results.run_plan import CasePlan, ModulePlan, PluginPlan
    from harness.results.selection import Selection


class Remaining:
    """The items of each case that have not run yet; an item of several tests counts until all have run.

    A worker of pytest-xdist begins with the items of all workers. So a case whose items are spread over several workers
    does not end in any of them. When a case ends, its data can be dropped: an item that runs again is judged again.
    """

    def __init__(self, places: Iterable[ItemId] = ()) -> None:
        self._of_cases: dict[tuple[str, str], collections.Counter[ItemId]] = collections.defaultdict(
            collections.Counter
        )
        for place in places:
            self._of_cases[place.label, place.case][place] += 1

    def ends_with(self, place: ItemId) -> bool:
        """Remove an item; return whether it was the last of its case."""
        left = self._of_cases.get((place.label, place.case))
        if left is None:
            return False
        if left[place] > 1:
            left[place] -= 1
        else:
            left.pop(place, None)  # an item that runs again was removed before
        if left:
            return False
        del self._of_cases[place.label, place.case]
        return True

    def has_any_of(self, module: ModulePlan) -> bool:
        """Return whether any case of a module remains."""
        return any((plugin.label, case.name) in self._of_cases for plugin in module.plugins for case in plugin.cases)


class RunRules(NamedTuple):
    """The rules of a run: all installed rules, the rules that can be part of the run, and the selection."""

    installed: Mapping[str, Rule]
    catalogue: Catalogue
    selection: Selection


class Run:
    """The state of a run that collects and judges items.

    Attributes:
        rules: All rules that are installed, by id; ``catalogue`` has those that can be part of the run.
        children: The children that are open.
        device: Where kernels run: ``host`` or ``cuda``.
        package: NVIDIA's package whose builder builds the plugins too; None without one.
        fuzzing: The stores for failing examples.
        latencies: The measurements and comparisons.
        baseline: The failures of an earlier run; None without ``--plugin-baseline``.
        described: The modules as plain data, for workers of pytest-xdist.
        plan: The modules with their plugins and cases.
        taken: The items that pytest's options and other plugins deselected before the run.
    """

    def __init__(
        self,
        prepared: Prepared,
        rules: RunRules,
        fuzzing: FuzzSetUp,
        baseline: Baseline | None,
        described: Sequence[dict[str, Any]],
    ) -> None:
        self.options, self.children = prepared.options, prepared.children
        self.rules, self.catalogue, self.selection = rules
        self.fuzzing = fuzzing
        self.baseline = baseline
        self.described = described
        self.plan = RunPlan.from_plain(described)
        self.taken = Taken()
        self._session, self._factory, self._waiting = prepared.session, prepared.factory, prepared.waiting
        self.device, self.package = self._factory.device, self._factory.package
        is_worker = bool(self._session.worker)
        self._answerers = Answerers(self.options, self.catalogue, self.children, is_worker=is_worker)
        self.latencies = Latencies(self.options, self.selection, self.device, self._answerers.child, self._factory.make)
        self._runners: dict[tuple[str, str, str], Runner] = {}
        self._running: dict[ItemId, None] = {}  # in the order in which they run
        self._remaining = Remaining()
        self._blocked_as_ever: set[ItemId] = set()  # blocked by a rule that is not selected and would not fail the run

    def rules_on(self, plugin: PluginPlan, case: CasePlan) -> tuple[tuple[Rule, ItemId], ...]:
        """Return each rule that is selected on a case of a plugin, with the item in which it is judged."""
        places = self.plan.places_on(plugin, case, self.catalogue)
        return tuple((self.catalogue[place.rule], place) for place in places if self.selection.admits(place))

    def will_run(self, places: Iterable[ItemId], taken: Taken) -> None:
        """Set the items that will run, in their order, and those that were deselected."""
        items = tuple(places)
        self._running = dict.fromkeys(items)
        self._remaining = Remaining(items)
        self.taken = taken

    def close(self, *, entirely: bool = False) -> None:
        """End the children; ``entirely`` waits for helpers at work, which else end with this process."""
        self._answerers.close(entirely=entirely)
        self.latencies.close()
        remove_abandoned()  # folders of processes that were killed while they judged

    def judge(self, module: ModulePlan, plugin: PluginPlan | None, place: ItemId) -> Result:
        """Return the verdict for an item."""
        if plugin is None:
            if module.failure is None:
                raise RuntimeError(f"{place.nodeid}: this module has no problem")
            return module.failure
        result = self._judged(module, plugin, place)
        if self._remaining.ends_with(place):
            self._let_go(module, plugin, place.case)
        return result

    def _judged(self, module: ModulePlan, plugin: PluginPlan, place: ItemId) -> Result:
        runner = self._runner(module, plugin, plugin.case(place.case).spec)
        result = self._result(runner, plugin, place)
        if result.examples:
            return dataclasses.replace(result, replay=self._replay(module, plugin, place, result))
        if result.verdict is Verdict.BLOCKED and not self._root_is_judged(place, result):
            root = runner.result(plugin.key, place.case, result.blocked_by)
            if root.verdict is Verdict.XFAIL or self.knows(structs.replace(place, rule=root.rule), root):
                self._blocked_as_ever.add(place)
            outside = f"{root.rule} was not selected (--plugin-select={root.rule}), and says: {root.summary}"
            return dataclasses.replace(result, reason=f"{outside}; {result.reason}")
        return result

    def _result(self, runner: Runner, plugin: PluginPlan, place: ItemId) -> Result:
        if self.catalogue[place.rule].strategy is not None:  # its search shows its own progress
            return runner.result(plugin.key, place.case, place.rule)
        with self._waiting.on(f"{place.rule} of {place.label}", place.rule):
            return runner.result(plugin.key, place.case, place.rule)

    def _let_go(self, module: ModulePlan, plugin: PluginPlan, case: str) -> None:
        """Drop the answers about a case that is done; end the module's children if all its cases are done."""
        spec = plugin.case(case).spec
        self._runner(module, plugin, spec).forget(plugin.key, case)
        self._answerers.forget(module, spec, plugin.key, case)
        if not self._remaining.has_any_of(module):
            self._answerers.close_those_of(module)

    def trace(self, module: ModulePlan, plugin: PluginPlan, case: CasePlan) -> dict[str, Any]:
        """Return the trace of one canonical drive of a case, as plain data; no verdict depends on it."""
        if plugin.interface is Interface.APPLICATION:
            return missing("an application runs once, for the rules, and its calls are not kept")
        options = self.options
        request = Request("", plugin.key, case.name, options.seeds[0], options.level.number, inferred=case.plain)
        return trace(self._answerers.child(module.given, case.spec).ask, request)

    def fails(self, place: ItemId, result: Result) -> bool:
        """Return whether a verdict fails the run; BLOCKED may, if the run does not judge the rule that blocks."""
        return self._would_fail(place, result) and not self.knows(place, result)

    def knows(self, place: ItemId, result: Result) -> bool:
        """Return whether a failure or warning is in the run's baseline."""
        if self.baseline is None or result.verdict not in BAD:
            return False
        return self.baseline.knows(place.case_nodeid, place.rule, result.fingerprint)

    def excuses(self, place: ItemId, result: Result) -> bool:
        """Return whether a verdict does not fail the run only because the baseline has it."""
        return self.knows(place, result) and self._would_fail(place, result)

    def _would_fail(self, place: ItemId, result: Result) -> bool:
        fail_on = self.options.of_plugin(place.key).fail_on
        is_reported = self._root_is_judged(place, result) or place in self._blocked_as_ever
        return fails(result, fail_on, root_is_judged=is_reported)

    def _root_is_judged(self, place: ItemId, result: Result) -> bool:
        if not result.blocked_by:
            return True
        return ItemId(place.label, place.case, result.blocked_by) in self._running

    def _runner(self, module: ModulePlan, plugin: PluginPlan, spec: str) -> Runner:
        """Return the runner of a module's cases at an API level. A plugin with its own options has its own runner."""
        own = overrides.of(self.options.overrides, plugin.key)
        key = (module.given, spec, plugin.key if own else "")
        if key not in self._runners:
            options = self.options.of_plugin(plugin.key)
            self._runners[key] = Runner(
                self.catalogue,
                self._answerers.of(module, spec, self._running),
                options.seeds,
                {plugin.key: plugin for plugin in module.plugins},
                options.level,
                self.fuzzing.fuzzing(options, self._factory.settings(module.given, spec)),
                deadline=self._deadline(plugin.key),
            )
        return self._runners[key]

    def _deadline(self, plugin: str) -> float | None:
        return overrides.deadline_of(self.options.overrides, plugin)

    def _replay(self, module: ModulePlan, plugin: PluginPlan, place: ItemId, result: Result) -> str:
        """Return the command that judges the failing examples again; empty if cases were passed as Python objects."""
        options = self.options
        if options.packed_cases:
            return ""
        request = Request(
            place.rule,
            plugin.key,
            place.case,
            options.seeds[0],
            options.level.number,
            examples=list(result.examples),
            deadline=self._deadline(plugin.key),
        )
        child = self._factory.settings(module.given, plugin.case(place.case).spec)
        is_saved = self._session.cache is not None
        return replay.command(place.nodeid, SavedExample(child, request), is_saved=is_saved)
