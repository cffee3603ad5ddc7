"""What pytest calls while it collects, runs and ends: each hook is one step, and the work is done elsewhere.

``configure`` is called by the entry point when a run names modules to certify. Without pytest-xdist one process
plays both parts; with it the controller describes the modules and sums up, and the workers collect and judge.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import _pytest.runner
import pytest

from harness import catalogue as catalogues
from harness import kept_reports, measurement, order, outcome, processes
from harness import options as option_values
from harness.collection import Anchor, RuleItem
from harness.describing import UsageProblemsError, describe
from harness.emptiness import why_nothing_is_selected
from harness.isolation import IsolationError
from harness.latency.machine import gpus
from harness.latency.stored import IDENTITY, StoredRunError
from harness.ledger import Ledger, is_ours
from harness.options import IsolationChoice
from harness.plan import Plan
from harness.reports import terminal, writing
from harness.reports.document import document_of
from harness.selection import Selection, Taken, UnknownIdError, Watch, split_arguments
from harness.signals import AsInterrupts
from harness.tool import Tool
from harness.workplace import Run

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from _pytest.terminal import TerminalReporter
    from pluggy import Result

    from harness.ledger import Summary
    from harness.options import Options
    from pytest_trt_conformance import Option

#: How a session ends that did not come to its end.
_CUT_SHORT = {pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR}
#: What we call ourselves in what pytest-xdist passes to and from workers.
_OURS = "trt_conformance"


def configure(config: pytest.Config, declared: Sequence[Option]) -> None:
    """Prepare a run that certifies plugins.

    Raises:
        pytest.UsageError: An option makes no sense, or the installed rules do not fit together.
    """
    options = option_values.read(config, declared)
    try:
        catalogue = catalogues.load(options.sanitizer)
        selection = Selection.of(options, catalogue, _take_arguments(config, options))
    except catalogues.UnknownRuleError as error:
        hint = _option_for(error.word) or option_values.suggestion(error.word, error.known)
        raise pytest.UsageError(f"{error}{hint}; 'trt-conformance rules' lists them") from error
    except catalogues.CatalogueError as error:
        raise pytest.UsageError(str(error)) from error
    config.addinivalue_line("markers", "conformance: a rule of the TensorRT plugin contract, judged on a plugin")
    if not option_values.has_benchmarks(config):  # it registers its own
        config.addinivalue_line("markers", "benchmark: a latency of a plugin, or a comparison of such")
    run = Run(config, options, catalogue, selection)
    if run.is_worker:
        processes.die_with_parent(os.getppid())  # execnet's own way takes a quarter of a minute
    config.pluginmanager.register(Collecting(config, run), f"{_OURS}-collecting")
    if not run.is_worker:
        config.pluginmanager.register(Controlling(config, run), f"{_OURS}-controlling")


def _option_for(word: str) -> str:
    """Return which option makes the rules that a word names part of the run; empty where none does."""
    rules = catalogues.load(tuple(Tool))
    try:
        tools = {tool.value for name in rules.matching([word]) if (tool := rules[name].tool)}
    except catalogues.UnknownRuleError:
        return ""
    return f" without --plugin-sanitizer={','.join(sorted(tools))}"


def _refuse_other_levels(options: Options, plan: Plan) -> None:
    """Refuse cases of another API level where there is one process alone."""
    others = [(plugin, case) for _, plugin in plan.plugins for case in plugin.cases if case.spec != options.spec.value]
    if others and options.isolation is IsolationChoice.NONE:
        plugin, case = others[0]
        raise pytest.UsageError(
            f"case {case.name!r} of {plugin.key} is for TensorRT {case.spec}, and --plugin-isolation=none has one "
            f"process, which is at {options.spec.value}: add --plugin-spec={case.spec}, or leave the case out"
        )


def _refuse_nothing(run: Run, plan: Plan) -> None:
    """Refuse options that leave nothing to judge, nor anything to measure."""
    if any(map(run.selection.admits_by_id, run.latencies.places(plan))):
        return
    why = why_nothing_is_selected(run.options, run.catalogue, run.selection, plan)
    if why:
        raise pytest.UsageError(why)


def _take_arguments(config: pytest.Config, options: Options) -> list[str]:
    """Take our node ids out of pytest's arguments; where it has no others, our items are all that is collected."""
    ours, others = split_arguments(str(argument) for argument in config.args)
    has_paths = config.args_source is config.ArgsSource.ARGS
    config.args[:] = others if has_paths or options.beside_tests else []
    if not config.args:
        config.args_source = config.ArgsSource.ARGS
    return ours


class Collecting:
    """The part of the process that has the items: the only process, or a worker."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config: Any = config
        self._run = run
        self._watch = Watch()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """In a worker: take over what the controller found in the modules."""
        if self._run.is_worker:
            self._run.settle(
                Plan.from_plain(json.loads(self._config.workerinput[_OURS]), self._run.options.fuzz_shards)
            )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, Result[pytest.CollectReport], None]:
        """Put our anchor beside what pytest collects, and keep ``--lf`` from skipping it as an unknown file."""
        found = yield
        report = found.get_result()
        if isinstance(collector, pytest.Session) and report.passed:
            report.result.append(Anchor.below(collector, self._run))
        elif isinstance(collector, Anchor) and not report.result:
            found.force_result(_pytest.runner.pytest_make_collect_report(collector))

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note an item of ours, before anybody can take it away."""
        if isinstance(item, RuleItem):
            self._watch.collected(item, item.place.nodeid)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Note who deselects items."""
        self._watch.deselected(items)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the items of a module together."""
        order.group(items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Fix which items run."""
        taken = self._watch.outcome(self._config, session.items)
        self._run.will_run((item.place for item in session.items if isinstance(item, RuleItem)), taken)
        if self._run.is_worker:
            self._config.workeroutput[_OURS] = json.dumps(taken.to_plain())

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Result[object], None]:
        """Keep no more of an item than it takes to run it again."""
        yield
        if isinstance(item, RuleItem):
            item.let_go()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Result[pytest.TestReport], None]:
        """Make the report of an item of ours tell its verdict."""
        made = yield
        if isinstance(item, RuleItem):
            item.tell(made.get_result(), call.excinfo)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, Result[None], None]:
        """Keep no more of a report than is still to be told."""
        yield
        if is_ours(report):
            kept_reports.let_go(self._config, report)

    def pytest_unconfigure(self) -> None:
        """End the children."""
        self._run.close()


class Controlling:
    """The part of the process that describes the modules and sums up: the only process, or the controller."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config = config
        self._run = run
        self._ledger = Ledger()
        self._described = ""
        self._has_run = False
        self._summary: Summary | None = None
        self._troubles: list[str] = []
        self._signals = AsInterrupts()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Have every module imported and described, once."""
        self._signals.hold()
        run = self._run
        try:
            described = describe(
                run.options.subjects,
                run.children,
                catalogues.load(tuple(Tool)),  # what a run expects to fail need not be part of it
                run.folders,
                run.options.spec.value,
                expected_failures=run.options.expected_failures,
                at_once=run.imports_at_once,
            )
            plan = Plan.from_plain([module.to_plain() for module in described], run.options.fuzz_shards)
            run.selection.check([*plan.places(run.catalogue), *run.latencies.places(plan)])
            _refuse_nothing(run, plan)
            _refuse_other_levels(run.options, plan)
            run.latencies.check(plan)
        except UsageProblemsError as problems:
            raise pytest.UsageError(*problems.args) from problems
        except StoredRunError as error:
            raise pytest.UsageError(f"--plugin-benchmark-compare={run.options.benchmark_compare}: {error}") from error
        except (IsolationError, UnknownIdError) as error:
            raise pytest.UsageError(str(error)) from error
        run.settle(plan)
        self._described = json.dumps([module.to_plain() for module in described])
        measurement.expect_nothing_here()
        if self._config.pluginmanager.hasplugin("dsession"):  # the workers have children of their own
            run.children.close()

    def pytest_report_header(self) -> str:
        """Say what is certified, and how."""
        options = self._run.options
        rules = f"{len(self._run.catalogue.rules)} rules of TensorRT {options.spec.value}"
        numbers = ", ".join(map(str, options.seeds))
        seeds = f"seed {numbers}" if len(options.seeds) == 1 else f"seeds {numbers}"
        examples = f", failing examples in {' and '.join(self._run.databases)}" if options.fuzz_database else ""
        return (
            f"trt-conformance: {', '.join(options.subjects)}; {rules}, level {options.level.value}, {seeds}{examples}"
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Hand the description to a worker of pytest-xdist."""
        node.workerinput[_OURS] = self._described

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Keep the items of a plugin on one worker."""
        return order.scheduler(config, log)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker saw of its items before they ran; all workers see the same."""
        told = getattr(node, "workeroutput", {}).get(_OURS)
        if told:
            self._run.will_run((), Taken.from_plain(json.loads(told)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Note that items were to run; where they are only listed or set up, nothing is certified."""
        only = ("collectonly", "setuponly")
        self._has_run = not any(self._config.getoption(name, default=False) for name in only)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        """Show the verdict in place of pytest's word; its list at the end keeps the words that tools look for."""
        return outcome.status_of(report) if self._summary is None else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a verdict; our section tells its violations, so pytest's list of failures need not."""
        if self._ledger.see(report):
            vars(report)["_pdbshown"] = True

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, Result[None], None]:
        """Sum up, write the reports, and make the exit status tell the truth, whatever others make of it."""
        if self._has_run:
            run = self._run
            self._summary = self._ledger.summary(run.plan(), run.catalogue, run.selection, run.taken)
            if run.options.reports:
                interrupted = session.exitstatus in _CUT_SHORT
                document = document_of(
                    run.options, run.catalogue, self._summary, run.databases, interrupted=interrupted
                )
                self._troubles = writing.write(run.options.reports, document)
            self._settle_status(session)
        yield
        self._settle_status(session)

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print our section."""
        if self._summary is not None:
            terminal.show(terminalreporter, self._summary, self._run.catalogue, self._ledger.sections, self._troubles)
        self._run.latencies.show(terminalreporter)

    def pytest_unconfigure(self) -> None:
        """Leave signals as they were found."""
        self._signals.release()

    @pytest.hookimpl(optionalhook=True)
    def pytest_benchmark_update_machine_info(self, machine_info: dict[str, Any]) -> None:
        """Name the GPUs and all else that makes runs comparable, so that others are not taken for such."""
        machine_info["gpus"] = gpus()
        machine_info[IDENTITY] = self._run.identity

    def _settle_status(self, session: pytest.Session) -> None:
        if self._summary is None or session.exitstatus not in {0, 1, 5}:
            return
        if self._summary.internal:
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        elif not self._summary.is_good or self._troubles:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
