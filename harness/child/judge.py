"""Answer a request in a child: find the plugin, judge the rule or do the task, and return the answer."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

from harness.applications import discovering as applications
from harness.applications.judging import judge as judge_application
from harness.checks.engines.canonical_drive import drive
from harness.checks.lifecycle.surroundings import stored_and_computed
from harness.checks.observation.in_a_fork import packed
from harness.checks.running.wide_tolerance import wide_tolerances
from harness.checks.sampling.reference_doubts import watching_references
from harness.child.devices import device_for
from harness.child.discover import discover
from harness.child.discovery.plugins import UsageProblem, put_to
from harness.child.integrity.judged_case import insisting_on
from harness.child.integrity.trace_functions import TraceWatcher
from harness.child.latency.paired_child import take_turns
from harness.child.latency.sampler import sampled
from harness.child.loaded_module import loaded, prepare, record, rules
from harness.child.observers import CallbackRecorder, CallbackSkipper
from harness.child.rule_answers import answer_of, answer_on_each
from harness.child.sanitizer.executing import executed
from harness.child.seen import ExecutedShapes, format_table, seen_by
from harness.child.tolerant_gate import TolerantGate
from harness.child.tracing.traced import traced
from harness.config.program import parse
from harness.contract.finding import CallbackFailedError, NotApplicable, NotRun
from harness.contract.sanitizer_tool import Tool
from harness.contract.verdict import Answer, Kind
from harness.process.handover import InterferenceError
from harness.process.loaded_files import NATIVE_LIBRARY
from harness.protocol.latency_quantity import Quantity
from harness.protocol.messages import ChildTask, Request
from harness.protocol.requests import RequestKind
from harness.subject.serialized_cases import case_from_plain, with_oracle
from harness.subject.subject import Facts, Subject
from reference_runtime import levels
from reference_runtime.bridges.stand_ins import standing_in
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.current import use
from reference_runtime.instruments import NeedsHost, is_quit

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.cases.case import Case
    from harness.child.discovery.plugins import Discovery, FoundPlugin
    from harness.child.loaded_module import LoadedModule
    from harness.contract.rule import Rule
    from reference_runtime.calling.gate.records import Observer
    from reference_runtime.devices.host import HostDevice

__all__ = ["discover", "judge", "prepare", "record", "rules"]

_ANOTHER_RUN = "a second run of the program did not use this case: does it depend on files of the first run?"


def judge(data: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request; both as plain data."""
    depth = sys.getrecursionlimit()
    try:
        answer = _judged(data)
    except RecursionError:  # if few calls are left, the answer itself cannot be written
        _insist_on_depth(depth)
        raise
    if answer.kind is Kind.BROKEN:
        _insist_on_depth(depth)
    return {**answer.to_plain(), "device": loaded().settings.device}


def _judged(data: dict[str, Any]) -> Answer:
    request = Request.from_plain(data)
    world = loaded()
    if request.kind is RequestKind.APPLICATION:
        return _application(world, request)
    device = device_for(request, world.settings)
    if hasattr(world.module, NATIVE_LIBRARY):
        importlib.import_module("harness.child.native_library").note_compilation()
    executed, watcher = ExecutedShapes(), TraceWatcher()
    gate = _gate(request, executed, watcher)
    with contextlib.closing(device), watching(gate), use(device):
        # only the cases of this plugin: the others may be for plugins that do not exist at this API level
        key = request.plugin
        own = [[case for case in cases if put_to(case, [key]).key == key] for cases in (world.cases, world.further)]
        names = {case.name for cases in own for case in cases}
        if world.recorded is not None and request.inferred is None and request.case not in names:
            return Answer(Kind.NOT_RUN, reason=_ANOTHER_RUN)
        discovery = world.discovery(*own)
        subject = _subject(discovery, request, gate, device)
        if isinstance(gate, TolerantGate) and not subject.case.unknown:
            gate.take_types(subject)
        facts = world.facts.lent_to(request)
        subject = dataclasses.replace(subject, task=ChildTask(world.settings, request), facts=facts)
        with standing_in(subject.case.stand_ins) as called, watching_references() as references:
            known = Facts(facts)
            with insisting_on(subject):
                answer = _answer_to(request, subject, world.rules, executed)
        watcher.insist_on_unchanged()
        world.facts.keep(request, facts, answer)
        doubts = _doubts(subject.case, references)
        inputs = 0 if subject.case.unknown else len(subject.case.data_inputs)
        seen = seen_by(executed, format_table(facts, known, inputs)) if inputs else None
        discovery.withdraw()
        return dataclasses.replace(answer, stand_ins=tuple(sorted(called)), doubts=doubts, seen=seen)


def _insist_on_depth(depth: int) -> None:
    """Make sure that the recursion limit is not lower than before, when a rule has failed by itself.

    A callback that lowered the limit may have caused that failure. If no rule fails by itself, only ENQ-019 judges the
    limit.

    Raises:
        InterferenceError: The limit is lower than before.
    """
    limit = sys.getrecursionlimit()
    if limit < depth:
        sys.setrecursionlimit(depth)
        raise InterferenceError(f"it lowered the recursion limit to {limit}")


def _doubts(case: Case, seen: list[frozenset[str]]) -> tuple[str, ...] | None:
    """Return the doubts about a case's tolerance and reference; None if no outputs were compared.

    ``seen`` has the doubts about the reference in each comparison; only doubts that all comparisons share count.
    """
    if not seen:
        return None
    return (*wide_tolerances(case), *sorted(frozenset.intersection(*seen)))


def _gate(request: Request, executed: ExecutedShapes, watcher: TraceWatcher) -> Gate:
    observers: list[Observer] = [CallbackRecorder(), watcher]
    if request.shunned:
        observers.append(CallbackSkipper(request.shunned))
    if request.kind is RequestKind.RULE:
        observers.append(executed)
    return TolerantGate(request.tolerated, observers=observers) if request.tolerated else Gate(observers=observers)


def _application(world: LoadedModule, request: Request) -> Answer:
    """Judge an application on the host device, since a GPU does not record which stream waits for which."""
    if world.settings.device == "cuda":
        return Answer(Kind.NOT_RUN, reason="applications are watched on the host device", needs_host=True)
    arguments = parse(world.settings.program).arguments if world.settings.program else ()
    all_of_them = applications.discover(world.module, world.settings.applications, arguments)
    application = next(each for each in all_of_them if each.key == request.plugin)
    cases = (*world.cases, *world.further)
    stand_ins = {name: function for case in cases for name, function in case.stand_ins.items()}
    with standing_in(stand_ins):
        return judge_application(
            application,
            world.rules,
            seed=request.seed,
            addresses=world.settings.addresses,
            observers=[CallbackRecorder()],
        )


def _answer_to(request: Request, subject: Subject, known: dict[str, Rule], executed: ExecutedShapes) -> Answer:
    if request.kind is not RequestKind.RULE:
        return _NO_RULES[request.kind](subject, request)
    rule = executed.noted_by(known[request.rule])
    if not request.examples:
        return answer_of(rule, subject)
    return answer_on_each(rule, subject, *request.examples, watched=request.watched)


def _subject(discovery: Discovery, request: Request, gate: Gate, device: HostDevice) -> Subject:
    plugin = discovery.plugin(request.plugin)
    trt = sys.modules["tensorrt"]
    return Subject(
        trt=trt,
        creator=plugin.creator,
        case=_case(plugin, request, levels.applied()),
        origin=discovery.origin(plugin),
        gate=gate,
        device=device,
        seed=request.seed,
        level=request.level,
        interface=plugin.interface,
    )


def _case(plugin: FoundPlugin, request: Request, spec: str) -> Case:
    if request.inferred is not None:
        case = plugin.at(case_from_plain(request.inferred), spec)
        return case if case.inferred else with_oracle(case, plugin.cases)
    for case in plugin.cases:
        if case.name == request.case:
            return plugin.at(case, spec)
    raise UsageProblem(f"{plugin.key} has no case {request.case!r}")


def _latency(subject: Subject, request: Request) -> Answer:
    """Return the samples, or the reason for their absence."""
    return _measured(lambda: sampled(subject, *request.arguments).to_plain())


def _paired_latency(subject: Subject, request: Request) -> Answer:
    """Take samples in turns with another child, and send them through a socket."""
    quantity, *more = request.arguments
    return _measured(lambda: take_turns(subject, Quantity(quantity), *more))


def _measured(measure: Callable[[], Any]) -> Answer:
    try:
        return Answer(Kind.JUDGED, evidence=1, payload=measure())
    except (NotApplicable, NotRun, NeedsHost) as error:
        return Answer(Kind.NOT_RUN, reason=str(error))
    except CallbackFailedError as error:
        return Answer(Kind.MET, mishap=error.failure)


def _sanitized(subject: Subject, request: Request) -> Answer:
    """Return the executions, as plain data."""
    return Answer(Kind.JUDGED, evidence=1, payload=executed(subject, Tool(*request.arguments)))


def _elsewhere(subject: Subject, request: Request) -> Answer:  # noqa: ARG001 - one signature for all kinds
    """Return what the plugin stores and computes, as plain data."""
    return _measured(lambda: json.loads(json.dumps(stored_and_computed(subject), default=packed)))


def _preflight(subject: Subject, request: Request) -> Answer:  # noqa: ARG001 - one signature for all kinds
    """Drive the plugin through one complete run; rules judge what it raises."""
    try:
        drive(subject)
    except Exception as error:  # only the end of the process or a deadline counts here
        if is_quit(error):
            raise
    return Answer(Kind.JUDGED, evidence=1)


_NO_RULES: dict[RequestKind, Callable[[Subject, Request], Answer]] = {
    RequestKind.PREFLIGHT: _preflight,
    RequestKind.ELSEWHERE: _elsewhere,
    RequestKind.LATENCY: _latency,
    RequestKind.PAIRED_LATENCY: _paired_latency,
    RequestKind.SANITIZED: _sanitized,
    RequestKind.TRACE: lambda subject, request: traced(subject, *request.arguments),
}
