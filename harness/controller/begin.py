"""Begin a run: select the rules, have the modules described, and report usage errors."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.config import overrides
from harness.config.errors import UsageError
from harness.config.options import IsolationChoice
from harness.contract import catalogue as catalogues
from harness.contract import described_rules
from harness.contract.extra_tools import ALL, Builder
from harness.contract.sanitizer_tool import Tool
from harness.contract.suggestions import suggestion
from harness.controller.children.factory import MOST
from harness.controller.describe import describe
from harness.controller.empty_selection import why_a_plugin_is_left_out, why_nothing_is_selected
from harness.controller.fuzz.set_up import FuzzSetUp
from harness.controller.run import Run, RunRules
from harness.process.nvidia_packages import of_choice
from harness.protocol.asked import IsolationError
from harness.results.baseline import Baseline, BaselineError
from harness.results.selection import Selection, UnknownIdError

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.contract.rule import Rule
    from harness.controller.children.factory import Children
    from harness.controller.host_session import HostSession
    from harness.controller.prepare import Prepared


def begin(prepared: Prepared, typed: Iterable[str] = (), described: Sequence[dict[str, Any]] | None = None) -> Run:
    """Have every module imported and described once, and return the run. If this raises, the children are closed.

    Args:
        prepared: The session, the options and the children.
        typed: The node ids on pytest's command line; they limit the run.
        described: In a worker of pytest-xdist, the modules as its controller described them.

    Raises:
        UsageError: The user named or selected something wrong, or the installed rules do not fit together. Or the
            database of examples or the baseline cannot be used. The messages say what to do.
    """
    session, options = prepared.session, prepared.options
    with contextlib.ExitStack() as undo:
        undo.callback(prepared.children.close)
        rules = _selected(options, _rules(session, options, prepared.children), typed)
        fuzzing = FuzzSetUp(session, options.fuzz_database)
        baseline = _baseline(options, prepared.factory.device)
        if described is not None:
            run = Run(prepared, rules, fuzzing, baseline, described)
        else:
            run = Run(prepared, rules, fuzzing, baseline, _described(prepared, rules.installed))
            _refuse_mistakes(run)
        undo.pop_all()
    return run


def _rules(session: HostSession, options: Options, children: Children) -> Mapping[str, Rule]:
    """Return all installed rules, as the first module's child describes them; in a worker, those of its controller."""
    if session.rules is not None:
        return described_rules.rules_of(session.rules)
    try:
        return children.of(options.subjects[0], options.spec.value).rules()
    except (IsolationError, catalogues.CatalogueError) as error:
        raise UsageError(str(error)) from error


def _selected(options: Options, rules: Mapping[str, Rule], typed: Iterable[str]) -> RunRules:
    try:
        catalogue = catalogues.of_tools(rules, _tools(options))
        return RunRules(rules, catalogue, Selection.of(options, catalogue, typed))
    except catalogues.UnknownRuleError as error:
        hint = _option_for(error.word, rules) or suggestion(error.word, error.known)
        raise UsageError(f"{error}{hint}; 'trt-conformance rules' lists them") from error
    except catalogues.CatalogueError as error:
        raise UsageError(str(error)) from error


def _tools(options: Options) -> tuple[Tool | Builder, ...]:
    """Return the tools of a run, which some rules need: sanitizers, and NVIDIA's builder."""
    return (*options.sanitizer, *(Builder if of_choice(options.runtime.value) else ()))


def _baseline(options: Options, device: str) -> Baseline | None:
    if not options.baseline:
        return None
    like = {"level": options.level.number, "spec": options.spec.value, "device": device}
    try:
        return Baseline.read(Path(options.baseline), like)
    except BaselineError as error:
        raise UsageError(f"--plugin-baseline={options.baseline} {error}") from error


def _described(prepared: Prepared, rules: Mapping[str, Rule]) -> list[dict[str, Any]]:
    options = prepared.options
    # If there are more modules than children that may stay open, several are imported at the same time.
    several = len(set(options.subjects)) > MOST and options.isolation is IsolationChoice.PROCESS
    try:
        with prepared.waiting.on(f"importing {', '.join(options.subjects)}", "importing"):
            modules = describe(
                options.subjects,
                prepared.children,
                catalogues.Catalogue(rules),  # all: a rule that is expected to fail need not be selected
                prepared.factory.folders,
                options.spec.value,
                expected_failures=options.expected_failures,
                include=options.include,
                at_once=len(os.sched_getaffinity(0)) if several else 1,
            )
    except IsolationError as error:
        raise UsageError(str(error)) from error
    return [module.to_plain() for module in modules]


def _refuse_mistakes(run: Run) -> None:
    try:
        run.selection.check(itertools.chain(run.plan.places(run.catalogue), run.latencies.places(run.plan)))
    except UnknownIdError as error:
        raise UsageError(str(error)) from error
    _refuse_strange_overrides(run)
    _refuse_nothing(run)
    _refuse_other_levels(run)


def _option_for(word: str, known: Mapping[str, Rule]) -> str:
    """Return `` without --plugin-...``: the missing option of rules that a word names; empty if none is missing."""
    rules = catalogues.of_tools(known, ALL)
    try:
        tools = {tool for name in rules.matching([word]) if (tool := rules[name].tool)}
    except catalogues.UnknownRuleError:
        return ""
    sanitizers = sorted(tool.value for tool in tools if isinstance(tool, Tool))
    if sanitizers:
        return f" without --plugin-sanitizer={','.join(sanitizers)}"
    return "".join(f" without {tool.option}" for tool in tools)


def _refuse_strange_overrides(run: Run) -> None:
    """Refuse options of missing plugins, unless these may be in a module that failed or is not certified now."""
    wrong = list(overrides.problems(run.options.overrides, run.plan.keys))
    if wrong and run.options.all_overrides and all(module.failure is None for module in run.plan.modules):
        raise UsageError(*wrong)


def _refuse_nothing(run: Run) -> None:
    """Refuse options with which the run would judge and measure nothing, or would leave a plugin out by mistake."""
    parts = (run.options, run.catalogue, run.selection, run.plan)
    is_measured = any(map(run.selection.admits_by_id, run.latencies.places(run.plan)))
    why = ("" if is_measured else why_nothing_is_selected(*parts)) or why_a_plugin_is_left_out(*parts)
    if why:
        raise UsageError(why)


def _refuse_other_levels(run: Run) -> None:
    """Refuse cases of another API level with --plugin-isolation=none: a process has one level."""
    options = run.options
    others = [
        (plugin, case) for _, plugin in run.plan.plugins for case in plugin.cases if case.spec != options.spec.value
    ]
    if others and options.isolation is IsolationChoice.NONE:
        plugin, case = others[0]
        raise UsageError(
            f"case {case.name!r} of {plugin.key} is for TensorRT {case.spec}. The process of --plugin-isolation=none "
            f"is at {options.spec.value}: add --plugin-spec={case.spec}, or leave the case out"
        )
