"""Implement pytest's hooks for collection, run and end: each hook is one step, and calls other modules.

``register`` is called when a run names modules to certify. It has two parts: ``Controlling`` describes the modules and
sums up, ``Collecting`` collects and judges. Without pytest-xdist one process does both. With pytest-xdist the
controller does the first, and its workers the second.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

import _pytest.runner
import pytest

from harness.contract import described_rules
from harness.contract.extra_tools import Builder
from harness.controller.begin import begin
from harness.controller.latency.latencies import identity
from harness.frontends.pytest_plugin import junit, outcomes, progress, report_memory, scheduling, terminal
from harness.frontends.pytest_plugin import options as option_values
from harness.frontends.pytest_plugin.appendix import appendix_of
from harness.frontends.pytest_plugin.configure import RULES
from harness.frontends.pytest_plugin.deselection import DeselectionLog
from harness.frontends.pytest_plugin.nodes import Anchor, RuleItem
from harness.frontends.pytest_plugin.progress import ProgressLine
from harness.process import coverage, gpus, linux, owners
from harness.process.nvidia_packages import RTX
from harness.process.signals import AsInterrupts
from harness.reports import checkout, writing
from harness.reports.document import document_of
from harness.results.ledger import Ledger, is_ours
from harness.results.selection import Taken, split_arguments

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter
    from pluggy import Result

    from harness.config.options import Options
    from harness.controller.prepare import Prepared
    from harness.controller.run import Run
    from harness.results.ledger import Summary
    from harness.results.report import Document

#: The exit codes of a session that was cut short.
_CUT_SHORT = {pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR}
#: The key of this plugin's data in what pytest-xdist passes to and from workers.
_OURS = "trt_conformance"
_CONTROLLER = "trt_conformance_controller"


def register(config: pytest.Config, prepared: Prepared) -> None:
    """Register the first part of a run with pytest; this part registers the others when the session starts."""
    typed = _take_arguments(config, prepared.options)
    config.addinivalue_line("markers", "conformance: a rule of the TensorRT plugin contract, judged on a plugin")
    if not option_values.has_benchmarks(config):  # pytest-benchmark registers this marker itself
        config.addinivalue_line("markers", "benchmark: a latency of a plugin, or a comparison of latencies")
    option_values.disable_benchmarks_beside_workers(config)
    if prepared.session.worker:
        _end_with_controller(config)
    config.pluginmanager.register(Beginning(config, prepared, typed), f"{_OURS}-beginning")


def _end_with_controller(config: Any) -> None:
    """Have this worker end when its controller ends, or now if it has ended; execnet would wait 15 seconds."""
    linux.die_with_parent(os.getppid())
    if owners.is_gone(config.workerinput[_CONTROLLER]):
        os._exit(1)


def _take_arguments(config: pytest.Config, options: Options) -> list[str]:
    """Remove conformance node ids from pytest's arguments, and return them.

    If pytest then has no arguments, it collects the conformance items alone.
    """
    ours, others = split_arguments(str(argument) for argument in config.args)
    has_paths = config.args_source is config.ArgsSource.ARGS
    config.args[:] = others if has_paths or options.beside_tests else []
    if not config.args:
        config.args_source = config.ArgsSource.ARGS
    return ours


class Beginning:
    """The part of each process that begins and ends the run, and registers the other parts."""

    def __init__(self, config: pytest.Config, prepared: Prepared, typed: Sequence[str]) -> None:
        self._config: Any = config
        self._prepared = prepared
        self._typed = typed
        self._controlling: Controlling | None = None
        self._ends = contextlib.ExitStack()
        self._ends.callback(prepared.children.close)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Have every module imported and described once; a worker gets the descriptions from its controller."""
        manager, handed = self._config.pluginmanager, getattr(self._config, "workerinput", {}).get(_OURS)
        signals = AsInterrupts()
        self._ends.callback(signals.release)
        if handed is None:
            signals.hold()
        with option_values.usage_errors():
            run = begin(self._prepared, self._typed, json.loads(handed) if handed else None)
        if handed is None:
            self._controlling = Controlling(self._config, run, signals)
            manager.register(self._controlling, f"{_OURS}-controlling")
        self._ends.callback(run.close)
        manager.register(Collecting(self._config, run), f"{_OURS}-collecting")

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Print the run's section, after the sections of plugins that were configured later."""
        if self._controlling is not None:
            self._controlling.show(terminalreporter)

    def pytest_unconfigure(self) -> None:
        """End the children, and restore the signal handlers."""
        self._ends.close()


class Collecting:
    """The part of the process that has the items: the only process, or a worker."""

    def __init__(self, config: pytest.Config, run: Run) -> None:
        self._config: Any = config
        self._run = run
        self._watch = DeselectionLog()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, Result[pytest.CollectReport], None]:
        """Add the anchor of all conformance items to the session; ``--lf`` would skip the anchor as an unknown file."""
        outcome = yield
        report = outcome.get_result()
        if isinstance(collector, pytest.Session) and report.passed:
            report.result.append(Anchor.below(collector, self._run))
        elif isinstance(collector, Anchor) and not report.result:
            outcome.force_result(_pytest.runner.pytest_make_collect_report(collector))

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note a conformance item, before another plugin can take it away."""
        if isinstance(item, RuleItem):
            self._watch.collected(item, item.place.nodeid)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Note which code deselects items."""
        self._watch.deselected(items)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the items of a module together."""
        scheduling.group(items)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Set the items that will run; a worker sends its controller the items that will not."""
        taken = self._watch.outcome(self._config, session.items)
        self._run.will_run((item.place for item in session.items if isinstance(item, RuleItem)), taken)
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_OURS] = json.dumps(taken.to_plain())

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Result[object], None]:
        """Drop an item's data after its run, except those that another run of the item needs."""
        yield
        if isinstance(item, RuleItem):
            item.let_go()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Result[pytest.TestReport], None]:
        """Put the verdict into the report of a conformance item."""
        made = yield
        if isinstance(item, RuleItem):
            item.tell(made.get_result(), call.excinfo)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, Result[None], None]:
        """Free report data that pytest would keep until the session ends."""
        yield
        if is_ours(report):
            report_memory.let_go(self._config, report)


class Controlling:
    """The part of the process that describes the modules and sums up: the only process, or the controller."""

    def __init__(self, config: pytest.Config, run: Run, signals: AsInterrupts) -> None:
        self._config = config
        self._run = run
        self._ledger = Ledger()
        self._has_run = False
        self._summary: Summary | None = None
        self._document: Document = {}
        self._written = writing.Written()
        self._signals = signals
        self._reporter: Any = config.pluginmanager.getplugin("terminalreporter")
        self._progress = ProgressLine.of(config)
        progress.count_tests(self._reporter)
        progress.show_whole_reasons(self._reporter)
        coverage.expect_nothing_here()
        if config.pluginmanager.hasplugin("dsession"):  # the workers start other children
            run.children.close()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_report_header(self) -> Generator[None, Result[list[Any]], None]:
        """Add a line about the run; drop pytest-benchmark's line if the run measures nothing and has no other tests."""
        made = yield
        options = self._run.options
        measures = options.benchmark or options.benchmark_against
        others = [each for each in made.get_result() if measures or self._config.args or not _is_benchmarks(each)]
        made.force_result([*others, self._header()])

    def _header(self) -> str:
        options = self._run.options
        rules = f"{len(self._run.catalogue.rules)} rules of TensorRT {options.spec.value}"
        numbers = ", ".join(map(str, options.seeds))
        seeds = f"seed {numbers}" if len(options.seeds) == 1 else f"seeds {numbers}"
        examples = f", failing examples in {' and '.join(self._run.fuzzing.databases)}" if options.fuzz_database else ""
        file = options.config.removeprefix(f"{self._config.rootpath}/")  # as pytest's header shows files
        config = f", options of {file}" if options.config else ""
        return (
            f"trt-conformance: {', '.join(options.subjects)}; {rules}, level {options.level.value}, "
            f"{seeds}{examples}{config}{self._builder()}"
        )

    def _builder(self) -> str:
        """Return the header's words on NVIDIA's builder: its name if selected rules use it, or that it is missing."""
        package, selection = self._run.package, self._run.selection
        if package is not None:
            selected = frozenset().union(selection.rules, *(own.rules for _, own in selection.own))
            is_used = any(self._run.catalogue[name].tool is Builder.NVIDIA for name in selected)
            return f", built by NVIDIA's {package.label()} too" if is_used else ""
        lacks = self._run.options.lacks_builder
        return f"; --plugin-runtime=auto: no builder of NVIDIA's is installed ({RTX.install})" if lacks else ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send the descriptions of the modules, and the rules, to a worker of pytest-xdist."""
        node.workerinput[_OURS] = json.dumps(self._run.described)
        node.workerinput[_CONTROLLER] = owners.this_process()
        node.workerinput[RULES] = json.dumps(described_rules.described(self._run.rules.values()))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Keep the items of a plugin on one worker."""
        return scheduling.scheduler(config, log)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Read from a worker's output which items were deselected; this is the same in all workers."""
        taken = getattr(node, "workeroutput", {}).get(_OURS)
        if taken:
            self._run.will_run((), Taken.from_plain(json.loads(taken)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self) -> None:
        """Note that items were to run; a run that only lists or sets up items certifies no plugin."""
        only = ("collectonly", "setuponly")
        self._has_run = not any(self._config.getoption(name, default=False) for name in only)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
        """Show the verdict in place of pytest's word; pytest's list at the end keeps the words that tools look for."""
        if self._summary is not None:
            return None
        status = outcomes.status_of(report)
        rule = self._run.catalogue.rules.get(report.nodeid.rpartition("::")[2].partition("@")[0])
        if status is None or rule is None or status[0] == "skipped" or self._config.option.verbose <= 0:
            return status  # for a skipped test, pytest shows the reason in place of the rule's title
        category, letter, (word, markup) = status
        return category, letter, (progress.titled(word, rule.title, report.nodeid, self._reporter), markup)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, Result[None], None]:
        """Note a verdict; pytest's list of failures leaves it out, because the run's section shows its violations."""
        if self._ledger.see(report):
            vars(report)["_pdbshown"] = True
        self._progress.hide()
        yield
        if report.when == "teardown":
            self._progress.one_more(progress.collected(self._reporter))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, Result[None], None]:
        """Sum up and write the reports, then set the exit status, before other plugins and again after them.

        If a signal comes meanwhile, the reports are still written, and the run counts as interrupted.
        """
        before = self._signals.came
        self._signals.let_end()
        if self._has_run:
            run = self._run
            self._summary = self._ledger.summary(run.plan, run.catalogue, run.selection, run.taken, run.baseline)
            self._report(self._summary, interrupted=session.exitstatus in _CUT_SHORT or bool(self._signals.came))
            self._settle_status(session)
        yield
        self._settle_status(session)
        if self._signals.came != before:
            session.exitstatus = pytest.ExitCode.INTERRUPTED
            if self._reporter is not None:
                self._reporter.write_sep("!", self._signals.came, red=True)

    def _report(self, summary: Summary, *, interrupted: bool) -> None:
        """Make the document of the run if a report or the terminal needs it, and write the reports."""
        run = self._run
        if not (run.options.reports or run.package or summary.has_findings or junit.is_written(self._config)):
            return
        root = str(checkout.root_of(self._config.invocation_params.dir))
        document = writing.attempt(
            "the document of the run",
            lambda: document_of(
                run.options, run.catalogue, summary, run.fuzzing.databases, interrupted=interrupted, root=root
            ),
        )
        if isinstance(document, writing.Trouble):
            self._written = writing.Written((document,))
        else:
            self._document = document
            junit.tell_suite(self._config, document)
            more = functools.partial(appendix_of, run, summary, interrupted=interrupted)
            self._written = writing.write(run.options.reports, document, more)

    def show(self, terminalreporter: TerminalReporter) -> None:
        """Print the section of the run, the latencies, and reports to standard output."""
        if self._summary is not None:
            run, ledger = self._run, self._ledger
            troubles = [trouble.text for trouble in self._written.troubles]
            terminal.show(terminalreporter, run.options, self._summary, self._document, ledger.sections, troubles)
        terminal.show_latencies(terminalreporter, self._run.latencies)
        for shown in self._written.shown:
            terminalreporter.ensure_newline()
            terminalreporter.write(shown)

    @pytest.hookimpl(optionalhook=True)
    def pytest_benchmark_update_machine_info(self, machine_info: dict[str, Any]) -> None:
        """Add the GPUs, and the facts that must be equal for two runs to be comparable."""
        machine_info["gpus"] = gpus.models()
        machine_info["trt_conformance"] = identity(self._run.options, self._run.device)

    def _settle_status(self, session: pytest.Session) -> None:
        if self._summary is None or session.exitstatus not in {0, 1, 5}:
            return
        if self._summary.internal or any(trouble.internal for trouble in self._written.troubles):
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        elif not self._summary.is_good or self._written.troubles:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _is_benchmarks(header: str | list[str]) -> bool:
    """Return whether a header is that of pytest-benchmark."""
    return isinstance(header, str) and header.startswith("benchmark: ")
