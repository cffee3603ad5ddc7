"""Define the nodes that pytest collects: an anchor, nodes of plugins and cases, and a test function for each rule."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.contract.verdict import InternalError, Result
from harness.contract.wording import encoded
from harness.frontends.pytest_plugin import junit
from harness.frontends.pytest_plugin.latency_items import ComparisonItem, LatencyItem
from harness.frontends.pytest_plugin.outcomes import (
    RuleFailed,
    RuleSkipped,
    failure_of,
    preventer,
    settle,
    skip_reason,
)
from harness.reports.plain import inert, message
from harness.results import run_plan
from harness.results.module_rules import MODULE_RULES
from harness.results.note import Note, attach

if TYPE_CHECKING:
    import os

    from _pytest._code.code import TerminalRepr

    from harness.contract.rule import Rule
    from harness.controller.run import Run
    from harness.results.run_plan import CasePlan, ItemId, ModulePlan, PluginPlan

#: The file of the anchor, below which all conformance items are.
ANCHOR = Path(__file__).with_name("conformance.anchor")


class Anchor(pytest.Module):
    """The root of all conformance items; for pytest it is a module of tests."""

    def __init__(self, *, run: Run, **rest: Any) -> None:
        super().__init__(**rest)
        self.run = run

    @classmethod
    def below(cls, session: pytest.Session, run: Run) -> Anchor:
        """Return the anchor of a session."""
        anchor: Anchor = cls.from_parent(session, path=ANCHOR, name=run_plan.ROOT, nodeid=run_plan.ROOT, run=run)
        return anchor

    def _getobj(self) -> types.ModuleType:
        return types.ModuleType(run_plan.ROOT)

    def collect(self) -> Iterator[pytest.Collector]:
        """Yield a node for each module that failed as a whole, and for each plugin with selected items."""
        for module in self.run.plan.modules:
            if module.failure is not None and self.run.selection.admits(run_plan.module_place(module)):
                yield ModuleNode.from_parent(self, name=encoded(module.name), module=module)
            for plugin in module.plugins:
                if any(_is_wanted(self.run, plugin, case) for case in plugin.cases):
                    yield PluginNode.from_parent(self, name=plugin.label, module=module, plugin=plugin)


class ModuleNode(pytest.Collector):
    """A module that failed as a whole, for example on import: its only item reports the failure."""

    def __init__(self, *, module: ModulePlan, **rest: Any) -> None:
        super().__init__(**rest)
        self.module_plan = module

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the single item."""
        place = run_plan.module_place(self.module_plan)
        item = _item(self, MODULE_RULES[place.rule], place, self.module_plan, None)
        item.add_marker(pytest.mark.benchmark)  # it has no latency either, so -m benchmark must not leave it out
        yield item


class PluginNode(pytest.Collector):
    """One plugin."""

    def __init__(self, *, module: ModulePlan, plugin: PluginPlan, **rest: Any) -> None:
        super().__init__(**rest)
        self.module_plan = module
        self.plugin_plan = plugin

    def collect(self) -> Iterator[CaseNode]:
        """Yield a node for each case with selected items."""
        for case in self.plugin_plan.cases:
            if _is_wanted(_run(self), self.plugin_plan, case):
                node: CaseNode = CaseNode.from_parent(self, name=case.name, case=case)
                yield node


class CaseNode(pytest.Collector):
    """One case of a plugin."""

    parent: PluginNode

    def __init__(self, *, case: CasePlan, **rest: Any) -> None:
        super().__init__(**rest)
        self.case_plan = case

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each selected rule, and for each latency and comparison."""
        plugin, module = self.parent.plugin_plan, self.parent.module_plan
        run = _run(self)
        for rule, place in run.rules_on(plugin, self.case_plan):
            yield _item(self, rule, place, module, plugin)
        for quantity in run.latencies.quantities_on(plugin, self.case_plan):
            place = run_plan.ItemId(plugin.label, self.case_plan.name, quantity.value)
            known = {"latencies": run.latencies, "module": module, "plugin": plugin, "quantity": quantity}
            yield LatencyItem.below(self, place, **known)
        for kind in run.latencies.comparisons_on(plugin, self.case_plan):
            place = run_plan.ItemId(plugin.label, self.case_plan.name, kind.value)
            known = {"latencies": run.latencies, "module": module, "plugin": plugin, "kind": kind}
            yield ComparisonItem.below(self, place, **known)


class RuleItem(pytest.Function):
    """One rule on one case: a test function without arguments, whose failure is shown without a traceback."""

    def __init__(
        self, *, rule: Rule, place: ItemId, module: ModulePlan, plugin: PluginPlan | None, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.rule = rule
        self.place = place
        self.module_plan = module
        self.plugin_plan = plugin
        self.result: Result | None = None
        self.add_marker(pytest.mark.conformance)
        self.user_properties += junit.rule_properties(rule, plugin.key if plugin else place.label, place.case)

    def __repr__(self) -> str:
        """Return the rule's name and title; with ``-v`` only the name: ``--collect-only`` shows the title below it."""
        title = "" if self.config.option.verbose > 0 else f" {self.rule.title}"
        return f"<{type(self).__name__} {self.name}{title}>"

    def judge(self) -> None:
        """Judge the rule.

        Raises:
            RuleFailed: The verdict fails the run.
            RuleSkipped: The rule was not judged, or does not apply.
        """
        run = _run(self)
        result = run.judge(self.module_plan, self.plugin_plan, self.place)
        self.result = result
        self._tell_captured(result)
        self.user_properties += junit.case_properties(self.rule, result)
        if run.fails(self.place, result):
            raise RuleFailed(self.rule, result)
        reason = skip_reason(result.verdict, result.reason)
        if reason:
            raise RuleSkipped(reason)

    def tell(self, report: pytest.TestReport, excinfo: pytest.ExceptionInfo[BaseException] | None) -> None:
        """Attach a note to the report: the verdict, or what kept the item from being judged."""
        error = excinfo.value if excinfo else None
        if isinstance(error, InternalError):
            attach(report, Note(internal=str(error)))
        elif self.result is not None and report.when == "call":
            self._tell(report, self.result, error)
        elif self.result is None and not report.passed:
            attach(report, Note(interference=preventer(report, excinfo)))

    def let_go(self) -> None:
        """Drop the data that the reports have: pytest keeps the item until the session ends."""
        self.result = None
        self.stash = self._store = pytest.Stash()  # pytest has it under both names
        self._report_sections.clear()
        del self.user_properties[1:]  # the first property was set on creation
        vars(self).pop("location", None)  # computed again on demand

    def _tell(self, report: pytest.TestReport, result: Result, error: BaseException | None) -> None:
        failed = _run(self).fails(self.place, result)
        if error is not None and not isinstance(error, (RuleFailed, RuleSkipped)):  # pytest reports it
            attach(report, Note(result, failed, f"{type(error).__name__}: {error}"))
            return
        raw = "passed" if error is None else "failed" if isinstance(error, RuleFailed) else "skipped"
        failure = failure_of(error, *self.origin) if isinstance(error, RuleFailed) else None
        run = _run(self)
        known, excused = run.knows(self.place, result), run.excuses(self.place, result)
        note = Note(result, failed, self._interference(report, raw), known=known, excused=excused)
        settle(report, note, failure, self.origin)

    def _interference(self, report: pytest.TestReport, raw: str) -> str:
        for mark in self.iter_markers("xfail"):
            return f"marked as xfail: {mark.kwargs.get('reason') or 'without a reason'}"
        return "" if report.outcome == raw else f"another plugin made {raw} {report.outcome}"

    @property
    def origin(self) -> tuple[str, int]:
        """Return file and line of the code under test: the creator's class, or the module."""
        if self.plugin_plan is None or not self.plugin_plan.file:
            return self.module_plan.given, 0
        return self.plugin_plan.file, self.plugin_plan.line

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *rest: Any) -> str | TerminalRepr:
        """Return a broken rule's findings, the text of an internal error, or pytest's text of another exception."""
        if isinstance(excinfo.value, RuleFailed):
            return failure_of(excinfo.value, *self.origin)
        if isinstance(excinfo.value, InternalError):
            return message(str(excinfo.value))
        return super().repr_failure(excinfo, *rest)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Return the file and line of the code under test, and the item's name."""
        file, line = self.origin
        about = f"{self.place.rule} of {self.place.label} {self.place.case}".rstrip()
        return Path(file).absolute(), max(line - 1, 0), about

    def _tell_captured(self, result: Result) -> None:
        for name, text in result.captured.to_plain().items():
            if text:
                self.add_report_section("call", name, inert(text))
        if self.config.getoption("capture", "no") == "no":  # -s shows output at once
            sys.stdout.write(result.captured.stdout)
            sys.stderr.write(result.captured.stderr)


def _is_wanted(run: Run, plugin: PluginPlan, case: CasePlan) -> bool:
    kinds = (run.rules_on, run.latencies.quantities_on, run.latencies.comparisons_on)
    return any(listing(plugin, case) for listing in kinds)


def _item(
    parent: pytest.Collector, rule: Rule, place: ItemId, module: ModulePlan, plugin: PluginPlan | None
) -> RuleItem:
    def test() -> None:
        item.judge()

    test.__doc__ = rule.requirement
    item: RuleItem = RuleItem.from_parent(
        parent,
        name=place.rule,
        originalname=place.rule,
        callobj=test,
        rule=rule,
        place=place,
        module=module,
        plugin=plugin,
    )
    return item


def _run(node: pytest.Item | pytest.Collector) -> Run:
    parent: Callable[[type[Anchor]], Anchor | None] = node.getparent
    anchor = parent(Anchor)
    if anchor is None:
        raise RuntimeError(f"{node.nodeid} was collected without its anchor")
    return anchor.run
