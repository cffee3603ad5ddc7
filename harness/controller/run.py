"""One run in one process: its options, rules, plan and children, and the verdicts that items ask for."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from harness.child import import_names
from harness.config import overrides
from harness.config.options import IsolationChoice
from harness.contract.interface import Interface
from harness.contract.shard import WHOLE
from harness.contract.verdict import BAD, Result, Verdict
from harness.controller import replay
from harness.controller.children import device_routing
from harness.controller.children.isolation import ChildSettings, InProcess, ProcessIsolation
from harness.controller.children.pool import MOST, Children
from harness.controller.children.prefetch import Prefetcher
from harness.controller.fuzz.budget import Budget
from harness.controller.fuzz.database import DatabaseError, DatabaseMemory, opened, shown
from harness.controller.fuzz.saved_examples import CacheMemory, Memories, SavedExample
from harness.controller.fuzz.search import Fuzzing
from harness.controller.judge import Runner
from harness.controller.latency.latencies import Latencies
from harness.controller.latency.measure import Measuring
from harness.controller.latency.regression_check import MARGIN, RegressionCheck
from harness.controller.latency.stored_comparison import Review
from harness.controller.latency.stored_run import StoredRun, StoredRunError
from harness.controller.remaining_items import Remaining
from harness.controller.seeds import seeds_of
from harness.controller.tracing.request import missing, trace
from harness.frontends.pytest_plugin.live_line import LiveLine
from harness.frontends.pytest_plugin.waiting import Waiting
from harness.process import coverage, gpu_share
from harness.process.machine import identity
from harness.protocol.messages import Request
from harness.results.baseline import Baseline, BaselineError
from harness.results.run_plan import IMPORT, ItemId, RunPlan
from harness.results.selection import Taken
from harness.results.tally import fails

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.config.options import Options
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.contract.verdict import Answer
    from harness.controller.children.isolation import Isolation
    from harness.controller.fuzz.database import Database
    from harness.controller.fuzz.saved_examples import Cache, Memory
    from harness.controller.judge import Asking
    from harness.controller.latency.regression_check import ComparedQuantity
    from harness.controller.latency.stored_comparison import Reviewed
    from harness.protocol.latency_quantity import Quantity
    from harness.results.run_plan import CasePlan, ModulePlan, PluginPlan
    from harness.results.selection import Selection


#: Children that work ahead of pytest for one module.
_MOST_HELPERS = 3
#: Questions that share a process on a GPU.
_TOGETHER_ON_CUDA = 16
#: Questions that make up for the start of another child.
_WORTH_A_HELPER = 24


class HostSession(Protocol):
    """What a run gets from the process that it is part of."""

    @property
    def folders(self) -> tuple[str, ...]:
        """Where modules are searched first."""

    @property
    def worker(self) -> str:
        """The name of this worker of pytest-xdist, which does what a controller decides; empty where it is none."""

    @property
    def cache(self) -> Cache | None:
        """Pytest's cache, where there is one."""

    @property
    def cache_name(self) -> str:
        """Its folder, as reports name it; empty without one."""

    @property
    def watch(self) -> LiveLine | None:
        """Where it is shown how far a long search is."""

    @property
    def waiting(self) -> Waiting:
        """Where it is shown what is waited for; to be asked for while nothing is captured."""


class Session:
    """What a session of pytest offers; most of it is not there yet when pytest is configured."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.worker = str(getattr(config, "workerinput", {}).get("workerid", ""))

    @property
    def folders(self) -> tuple[str, ...]:
        """The current folder and pytest's root."""
        return (str(self._config.invocation_params.dir), str(self._config.rootpath))

    @property
    def cache(self) -> Cache | None:
        """Pytest's cache; there is none with ``-p no:cacheprovider``."""
        return getattr(self._config, "cache", None)

    @property
    def cache_name(self) -> str:
        """Its folder."""
        return str(self._config.getini("cache_dir")) if self.cache is not None else ""

    @property
    def watch(self) -> LiveLine | None:
        """A line on the terminal."""
        return LiveLine.of(self._config)

    @property
    def waiting(self) -> Waiting:
        """The same line."""
        return Waiting.of(self._config)


class Run:
    """What items need to be collected and judged.

    Raises:
        pytest.UsageError: The database of examples, the device as the options want it, or the stored run to compare
            with cannot be used.
    """

    def __init__(self, around: HostSession, options: Options, catalogue: Catalogue, selection: Selection) -> None:
        self.options = options
        self.catalogue = catalogue
        self.selection = selection
        self.device = device_routing.settled(options.device)
        device_routing.insist_on_tools(options.sanitizer, self.device)
        self.children = Children(self._child)
        self._around = around
        self._database = _database(options.fuzz_database)
        self._plan: RunPlan | None = None
        self._runners: dict[tuple[str, str, str], Runner] = {}
        self._answerers: dict[tuple[str, str], Asking] = {}
        self._running: dict[ItemId, None] = {}  # in the order in which they run
        self._remaining = Remaining()
        self._blocked_as_ever: set[ItemId] = set()  # by what is not selected and would not fail the run either
        self._aheads: dict[tuple[str, str], Prefetcher] = {}
        self._duellists: list[Isolation] = []
        self.taken = Taken()
        self.waiting = Waiting(None)
        self.baseline = self._read_baseline()
        self.latencies = Latencies(options, selection, self._measuring, self._gate, self._review())

    def watch(self) -> None:
        """From now on, show on a terminal what is waited for; not in one process with the plugin, which may write."""
        if self.options.isolation is IsolationChoice.PROCESS:
            self.waiting = self._around.waiting

    @property
    def is_worker(self) -> bool:
        """Whether this process is a worker of pytest-xdist, which does what a controller decides."""
        return bool(self._around.worker)

    @property
    def folders(self) -> tuple[str, ...]:
        """Where modules are searched: the current folder, the project's, and wherever this process searches."""
        beside = [str(Path(self.options.config).parent)] * bool(self.options.config)
        return tuple(dict.fromkeys((*self._around.folders, *beside, *filter(None, sys.path))))

    @property
    def imports_at_once(self) -> int:
        """How many modules are imported at the same time: several where there are too many to keep their children."""
        many = len(set(self.options.subjects)) > MOST
        return len(os.sched_getaffinity(0)) if many and self.options.isolation is IsolationChoice.PROCESS else 1

    @functools.cached_property
    def _gpu(self) -> dict[str, str]:
        """What makes a child use the GPU of this worker."""
        return gpu_share.share_of(self._around.worker, os.environ, import_names.gpus)

    @property
    def identity(self) -> dict[str, str]:
        """What must be the same in another run for latencies of both to be comparable, by name."""
        options = self.options
        return {
            **identity(),
            "device": self.device,
            "spec": options.spec.value,
            "addresses": options.addresses.value,
            "isolation": options.isolation.value,
            "seed": str(options.seeds[0]),
        }

    def settle(self, plan: RunPlan) -> None:
        """Fix what the run is about."""
        self._plan = plan

    def plan(self) -> RunPlan:
        """What the run is about."""
        if self._plan is None:
            raise RuntimeError("items were collected before the modules were described")
        return self._plan

    def wanted(self, place: ItemId) -> bool:
        """Whether the user's options and node ids select an item."""
        return self.selection.admits(place)

    def wanted_on(self, plugin: PluginPlan, case: CasePlan) -> tuple[tuple[Rule, ItemId], ...]:
        """What is selected on a case of a plugin: each rule, and the place that it is judged in."""
        places = self.plan().places_on(plugin, case, self.catalogue)
        return tuple((self.catalogue[place.rule], place) for place in places if self.wanted(place))

    def wanted_latencies(self, plugin: PluginPlan, case: CasePlan) -> tuple[Quantity, ...]:
        """The latencies that are to be measured on a case."""
        return self.latencies.wanted(plugin, case)

    def wanted_comparisons(self, plugin: PluginPlan, case: CasePlan) -> tuple[ComparedQuantity | Reviewed, ...]:
        """What of a case is to be compared with another version or run."""
        return self.latencies.wanted_comparisons(plugin, case)

    def will_run(self, places: Iterable[ItemId], taken: Taken) -> None:
        """Fix which items are left to run, and what became of the others."""
        asked = tuple(places)
        self._running = dict.fromkeys(asked)
        self._remaining = Remaining(asked)
        self.taken = taken

    def close(self, *, entirely: bool = False) -> None:
        """End the children; ``entirely``, and wait for those still at work, which else end with this process."""
        for ahead in self._aheads.values():
            ahead.close(entirely=entirely)
        self.children.close()
        for child in self._duellists:
            child.close()

    def judge(self, module: ModulePlan, plugin: PluginPlan | None, place: ItemId) -> Result:
        """Return the verdict for an item."""
        if plugin is None:
            if module.failure is None:
                raise RuntimeError(f"{place.nodeid}: nothing is wrong with this module")
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
            root = runner.result(plugin.key, place.case, result.blocked_by, place.shard)
            if root.verdict is Verdict.XFAIL or self.knows(dataclasses.replace(place, rule=root.rule), root):
                self._blocked_as_ever.add(place)
            outside = f"{result.reason}; {root.rule} was not selected, and says: {root.summary}"
            return dataclasses.replace(result, reason=outside)
        return result

    def _result(self, runner: Runner, plugin: PluginPlan, place: ItemId) -> Result:
        if self.catalogue[place.rule].strategy is not None:  # its search shows how far it is
            return runner.result(plugin.key, place.case, place.rule, place.shard)
        with self.waiting.on(f"{place.rule} of {place.label}", place.rule):
            return runner.result(plugin.key, place.case, place.rule, place.shard)

    def _let_go(self, module: ModulePlan, plugin: PluginPlan, case: str) -> None:
        """Drop what is remembered of a case that is done, and end the children of a module that is."""
        spec = plugin.case(case).spec
        self._runner(module, plugin, spec).forget(plugin.key, case)
        if (module.given, spec) in self._aheads:
            self._aheads[module.given, spec].forget(plugin.key, case)
        if self.options.isolation is IsolationChoice.PROCESS and not self._remaining.has_any_of(module):
            self.children.close_those_of(module.given)

    def trace(self, module: ModulePlan, plugin: PluginPlan, case: CasePlan) -> dict[str, Any]:
        """What happens in one canonical drive of a case, as ``tracing.asking`` tells it; no verdict comes of it."""
        if plugin.interface is Interface.APPLICATION:
            return missing("an application runs once, for the rules, and its calls are not kept")
        options = self.options
        request = Request("", plugin.key, case.name, options.seeds[0], options.level.number, inferred=case.plain)
        return trace(_Asked(self.children, module.given, case.spec).ask, request)

    def fails(self, place: ItemId, result: Result) -> bool:
        """Whether a verdict fails the run; BLOCKED does only if the rule that blocks would, and does not get to."""
        return self._would_fail(place, result) and not self.knows(place, result)

    def knows(self, place: ItemId, result: Result) -> bool:
        """Whether a failure or warning is in the run's baseline."""
        if self.baseline is None or result.verdict not in BAD:
            return False
        return self.baseline.knows(place.case_nodeid, place.rule, result.fingerprint)

    def excuses(self, place: ItemId, result: Result) -> bool:
        """Whether a verdict would fail the run, were it not in the baseline."""
        return self.knows(place, result) and self._would_fail(place, result)

    def _would_fail(self, place: ItemId, result: Result) -> bool:
        fail_on = self.options.of_plugin(place.key).fail_on
        is_told = self._root_is_judged(place, result) or place in self._blocked_as_ever
        return fails(result, fail_on, root_is_judged=is_told)

    def _read_baseline(self) -> Baseline | None:
        options = self.options
        if not options.baseline:
            return None
        like = {"level": options.level.number, "spec": options.spec.value, "device": self.device}
        try:
            return Baseline.read(Path(options.baseline), like)
        except BaselineError as error:
            raise pytest.UsageError(f"--plugin-baseline={options.baseline} {error}") from error

    def _root_is_judged(self, place: ItemId, result: Result) -> bool:
        if not result.blocked_by:
            return True
        shard = WHOLE if self.catalogue[result.blocked_by].strategy is None else place.shard
        return ItemId(place.label, place.case, result.blocked_by, shard) in self._running

    def _measuring(self, module: ModulePlan, spec: str) -> Measuring:
        return Measuring(_Asked(self.children, module.given, spec), self.device)

    def _gate(self, module: ModulePlan, spec: str) -> RegressionCheck:
        candidate, baseline = (self._child(name, spec) for name in (module.given, self.options.benchmark_against))
        self._duellists += [candidate, baseline]
        return RegressionCheck(candidate, baseline, self.device, self.options.benchmark_fail or MARGIN)

    def _review(self) -> Review | None:
        file = self.options.benchmark_compare
        if not file:
            return None
        try:
            stored = StoredRun.read(Path(file), self.identity)
        except StoredRunError as error:
            raise pytest.UsageError(f"--plugin-benchmark-compare={file}: {error}") from error
        return Review(stored, self.options.benchmark_fail)

    def _runner(self, module: ModulePlan, plugin: PluginPlan, spec: str) -> Runner:
        """Who judges a module's cases of one API level; a plugin with options of its own has a runner of its own."""
        own = overrides.of(self.options.overrides, plugin.key)
        key = (module.given, spec, plugin.key if own else "")
        if key not in self._runners:
            options = self.options.of_plugin(plugin.key)
            self._runners[key] = Runner(
                self.catalogue,
                self._asked(module, spec),
                options.seeds,
                {plugin.key: plugin for plugin in module.plugins},
                options.level,
                self._fuzzing(module, spec, options),
                deadline=self._deadline(plugin.key),
            )
        return self._runners[key]

    def _deadline(self, plugin: str) -> float | None:
        """The seconds that a request about a plugin may take; None where they are those of the run."""
        own = overrides.of(self.options.overrides, plugin)
        return own.changes.get("timeout") if own else None

    def _fuzzing(self, module: ModulePlan, spec: str, options: Options) -> Fuzzing:
        budget = Budget.of(options.level, options.fuzz_examples, options.fuzz_time, options.timeout)
        memory = Memories(tuple(self._memories(self._settings(module.given, spec))))
        return Fuzzing(budget, memory, watch=self._around.watch)

    @property
    def databases(self) -> tuple[str, ...]:
        """Where failing examples are looked for and kept, as it may be printed."""
        return tuple(filter(None, (self._around.cache_name, shown(self.options.fuzz_database))))

    def _memories(self, child: ChildSettings) -> Iterator[Memory]:
        if self._around.cache is not None:
            yield CacheMemory(self._around.cache, child)
        if self._database is not None:
            yield DatabaseMemory(self._database, child)

    def _replay(self, module: ModulePlan, plugin: PluginPlan, place: ItemId, result: Result) -> str:
        """The command that judges the failing examples again; empty where no command line can name the cases."""
        if self.options.packed_cases:
            return ""
        case = plugin.case(place.case)
        request = Request(
            place.rule,
            plugin.key,
            case.name,
            self.options.seeds[0],
            self.options.level.number,
            deadline=self._deadline(plugin.key),
        )
        record = SavedExample(
            self._settings(module.given, case.spec), dataclasses.replace(request, examples=list(result.examples))
        )
        is_saved = self._around.cache is not None and place.shard.is_whole  # shards have one place in the cache
        return replay.command(place.unsplit.nodeid, record, is_saved=is_saved)

    def _asked(self, module: ModulePlan, spec: str) -> Asking:
        """Who answers for a module: its child, with helpers where there is enough to ask and a processor to spare."""
        key = (module.given, spec)
        if key not in self._answerers:
            self._answerers[key] = self._new_answerer(module, spec)
        return self._answerers[key]

    def _new_answerer(self, module: ModulePlan, spec: str) -> Asking:
        own = _Asked(self.children, module.given, spec)
        expected = list(self._requests(module, spec))
        helpers = min(len(os.sched_getaffinity(0)) - 1, _MOST_HELPERS, len(expected) // _WORTH_A_HELPER)
        if helpers < 1 or self.is_worker or self.options.isolation is not IsolationChoice.PROCESS:
            return own
        ahead = Prefetcher(
            own, functools.partial(self._child, module.given, spec), expected, helpers=helpers, together=self._together
        )
        self._aheads[module.given, spec] = ahead
        return ahead

    @property
    def _together(self) -> int:
        """How many questions are asked together: it takes CUDA a fifth of a second to begin in a process."""
        return _TOGETHER_ON_CUDA if self.device == device_routing.CUDA else 1

    def _requests(self, module: ModulePlan, spec: str) -> Iterator[Request]:
        plugins = {plugin.label: plugin for plugin in module.plugins}
        for place in self._running:
            plugin = plugins.get(place.label)
            if plugin is not None and plugin.interface is not Interface.APPLICATION and place.rule != IMPORT:
                case = plugin.case(place.case)
                if case.spec == spec:
                    yield from self._requests_at(plugin.key, case, self.catalogue[place.rule])

    def _requests_at(self, plugin: str, case: CasePlan, rule: Rule) -> Iterator[Request]:
        level = self.options.level.number
        if rule.strategy is not None:  # what it asks is drawn when it is judged
            return
        if rule.tool is not None:  # it takes long, and has a process of its own to wait for
            return
        for seed in seeds_of(rule, self.options.seeds):
            yield Request(rule.id, plugin, case.name, seed, level, deadline=self._deadline(plugin), inferred=case.plain)

    def _child(self, module: str, spec: str) -> Isolation:
        settings = self._settings(module, spec)
        if self.options.isolation is not IsolationChoice.PROCESS:
            return InProcess(settings)
        if settings.device != device_routing.CUDA:
            return ProcessIsolation(settings)
        on_gpu = ProcessIsolation(settings, self._gpu)
        on_host = dataclasses.replace(settings, device=device_routing.HOST)
        return device_routing.GpuWithHostFallback(on_gpu, ProcessIsolation(on_host))

    def _settings(self, module: str, spec: str) -> ChildSettings:
        options = self.options
        file, applications = _split_application(module) if module in options.apps else (module, ())
        return ChildSettings(
            module=file,
            applications=applications,
            path=self.folders,
            cases=options.cases,
            packed_cases=options.packed_cases,
            setup=options.setup,
            timeout=options.timeout,
            addresses=options.addresses.value,
            device=device_routing.HOST if applications else self.device,
            seed=options.seeds[0],
            spec=spec,
            coverage=coverage.coverage_settings(),
            onnx=options.onnx,
            onnx_dims=options.onnx_dims,
        )


def _split_application(given: str) -> tuple[str, tuple[str, ...]]:
    """Return the module and the function that ``module:function`` names."""
    module, _, function = given.rpartition(":")
    return module, (function,)


def _database(where: str) -> Database | None:
    try:
        return opened(where) if where else None
    except DatabaseError as error:
        raise pytest.UsageError(f"--plugin-fuzz-database={shown(where)}: {error}") from error


@dataclasses.dataclass(frozen=True)
class _Asked:
    """Asks the child of one module at one level, which may have been closed and is opened again then."""

    children: Children
    module: str
    spec: str

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request."""
        return self.children.of(self.module, self.spec).ask(request)
