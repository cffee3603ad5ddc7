"""The beginning of a run, in a session of pytest or without one: rules chosen, modules described, mistakes reported."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness.config import overrides
from harness.config.errors import UsageError
from harness.config.options import IsolationChoice, RuntimeChoice
from harness.contract import catalogue as catalogues
from harness.contract import described_rules
from harness.contract.extra_tools import ALL, Builder
from harness.contract.sanitizer_tool import Tool
from harness.contract.suggestions import suggestion
from harness.controller.children import builder_routing, device_routing
from harness.controller.children.factory import ChildFactory
from harness.controller.children.pool import Children
from harness.controller.describe import UsageProblemsError, describe
from harness.controller.empty_selection import why_a_plugin_is_left_out, why_nothing_is_selected
from harness.controller.run import Run, RunRules
from harness.process.nvidia_packages import of_choice
from harness.process.temporary import remove_abandoned
from harness.protocol.asked import IsolationError
from harness.results.run_plan import RunPlan
from harness.results.selection import Selection, UnknownIdError

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.contract.catalogue import Catalogue
    from harness.contract.rule import Rule
    from harness.controller.host_session import HostSession
    from harness.results.run_plan import Described


def begun(session: HostSession, options: Options, typed: Iterable[str] = ()) -> Run:
    """Return a run with its rules; ``typed`` are node ids that say what of it is wanted.

    Raises:
        UsageError: A word names no rule, or the installed rules do not fit together.
    """
    remove_abandoned()
    device = device_routing.settled(options.device)
    device_routing.insist_on_tools(options.sanitizer, device)
    runtime = builder_routing.settled(options.runtime)
    lacks_builder = options.runtime is RuntimeChoice.AUTO and runtime is RuntimeChoice.REFERENCE
    options = dataclasses.replace(options, runtime=runtime, lacks_builder=lacks_builder)
    beside = [str(Path(options.config).parent)] * bool(options.config)
    folders = tuple(dict.fromkeys((*session.folders, *beside, *filter(None, sys.path))))
    factory = ChildFactory(options, device, folders, session.worker)
    children = Children(factory.make)
    with contextlib.ExitStack() as undo:
        undo.callback(children.close)
        rules = _rules(session, options, children)
        catalogue, selection = _selected(options, rules, typed)
        run = Run(session, options, RunRules(rules, catalogue, selection), factory, children)
        undo.pop_all()
    return run


def _rules(session: HostSession, options: Options, children: Children) -> Mapping[str, Rule]:
    """Return all installed rules as the first module's child describes them; a worker gets its controller's."""
    if session.rules is not None:
        return described_rules.rules_of(session.rules)
    try:
        return children.of(options.subjects[0], options.spec.value).rules()
    except (IsolationError, catalogues.CatalogueError) as error:
        raise UsageError(str(error)) from error


def _selected(options: Options, rules: Mapping[str, Rule], typed: Iterable[str]) -> tuple[Catalogue, Selection]:
    try:
        catalogue = catalogues.of_tools(rules, _tools(options))
        return catalogue, Selection.of(options, catalogue, typed)
    except catalogues.UnknownRuleError as error:
        hint = _option_for(error.word, rules) or suggestion(error.word, error.known)
        raise UsageError(f"{error}{hint}; 'trt-conformance rules' lists them") from error
    except catalogues.CatalogueError as error:
        raise UsageError(str(error)) from error


def _tools(options: Options) -> tuple[Tool | Builder, ...]:
    """Return what the rules of a run may judge by beside the reference runtime."""
    return (*options.sanitizer, *(Builder if of_choice(options.runtime.value) else ()))


def described(run: Run) -> list[Described]:
    """Have every module of a run imported and described, once, and fix what the run is about.

    Raises:
        UsageError: The user named or selected something wrong; the messages say what to do.
    """
    options = run.options
    try:
        found = _found(run)
        plan = RunPlan.from_plain([module.to_plain() for module in found])
        run.selection.check([*plan.places(run.catalogue), *run.latencies.places(plan)])
        _refuse_strange_overrides(run, plan)
        _refuse_nothing(run, plan)
        _refuse_other_levels(options, plan)
    except UsageProblemsError as problems:
        raise UsageError(*problems.args) from problems
    except (IsolationError, UnknownIdError) as error:
        raise UsageError(str(error)) from error
    run.settle(plan)
    return found


def _found(run: Run) -> list[Described]:
    options = run.options
    with run.waiting_for(f"importing {', '.join(options.subjects)}", "importing"):
        return describe(
            options.subjects,
            run.children,
            catalogues.Catalogue(run.rules),  # what a run expects to fail need not be part of it
            run.folders,
            options.spec.value,
            expected_failures=options.expected_failures,
            include=options.include,
            at_once=run.imports_at_once,
        )


def _option_for(word: str, known: Mapping[str, Rule]) -> str:
    """Return which option makes the rules that a word names part of the run; empty where none does."""
    rules = catalogues.of_tools(known, ALL)
    try:
        tools = {tool for name in rules.matching([word]) if (tool := rules[name].tool)}
    except catalogues.UnknownRuleError:
        return ""
    sanitizers = sorted(tool.value for tool in tools if isinstance(tool, Tool))
    if sanitizers:
        return f" without --plugin-sanitizer={','.join(sanitizers)}"
    return "".join(f" without {tool.option}" for tool in tools)


def _refuse_strange_overrides(run: Run, plan: RunPlan) -> None:
    """Refuse options of missing plugins, unless these may be in a module that failed or is not certified now."""
    wrong = list(overrides.problems(run.options.overrides, plan.keys))
    if wrong and run.options.all_overrides and all(module.failure is None for module in plan.modules):
        raise UsageError(*wrong)


def _refuse_nothing(run: Run, plan: RunPlan) -> None:
    """Refuse options that leave nothing to judge, nor anything to measure."""
    asked = (run.options, run.catalogue, run.selection, plan)
    is_measured = any(map(run.selection.admits_by_id, run.latencies.places(plan)))
    why = ("" if is_measured else why_nothing_is_selected(*asked)) or why_a_plugin_is_left_out(*asked)
    if why:
        raise UsageError(why)


def _refuse_other_levels(options: Options, plan: RunPlan) -> None:
    """Refuse cases of another API level where there is one process alone."""
    others = [(plugin, case) for _, plugin in plan.plugins for case in plugin.cases if case.spec != options.spec.value]
    if others and options.isolation is IsolationChoice.NONE:
        plugin, case = others[0]
        raise UsageError(
            f"case {case.name!r} of {plugin.key} is for TensorRT {case.spec}. The process of --plugin-isolation=none "
            f"is at {options.spec.value}: add --plugin-spec={case.spec}, or leave the case out"
        )
