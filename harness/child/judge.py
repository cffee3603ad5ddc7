"""What a child does for a request: find the plugin, do what is asked for, and say what came of it."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from typing import TYPE_CHECKING, Any

from harness.applications import discovering as applications
from harness.applications.judging import judge as judge_application
from harness.checks.engines.canonical_drive import drive
from harness.child.devices import device_for
from harness.child.discover import discover
from harness.child.discovery.plugins import UsageProblem
from harness.child.discovery.plugins import discover as discover_plugins
from harness.child.latency.paired_child import take_turns
from harness.child.latency.sampler import sampled
from harness.child.loaded_module import loaded, prepare
from harness.child.observers import CallbackRecorder, CallbackSkipper
from harness.child.rule_answers import answer_of, answer_on_each
from harness.child.sanitizer.executing import executed
from harness.child.script.script import script_of
from harness.child.tracing.traced import traced
from harness.contract.catalogue import load_rules as rules
from harness.contract.finding import CallbackFailedError, NotApplicable, NotRun
from harness.contract.sanitizer_tool import Tool
from harness.contract.verdict import Answer, Kind
from harness.protocol.latency_quantity import Quantity
from harness.protocol.messages import ChildTask, Request
from harness.protocol.requests import RequestKind
from harness.subject.serialized_cases import case_from_plain, with_oracle
from harness.subject.subject import Subject
from reference_runtime import levels
from reference_runtime.bridges.stand_ins import standing_in
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.current import use
from reference_runtime.instruments import NeedsHost

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.cases.case import Case
    from harness.child.discovery.plugins import Discovery, FoundPlugin
    from harness.child.loaded_module import LoadedModule
    from harness.contract.rule import Rule
    from reference_runtime.devices.host import HostDevice

__all__ = ["discover", "judge", "prepare", "rules"]


def judge(data: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request; both as plain data."""
    return {**_judged(data), "device": loaded().settings.device}


def _judged(data: dict[str, Any]) -> dict[str, Any]:
    request = Request.from_plain(data)
    world = loaded()
    if request.kind is RequestKind.APPLICATION:
        return _application(world, request).to_plain()
    device = device_for(request, world.settings)
    gate = Gate(observers=[CallbackRecorder(), CallbackSkipper(request.shunned)])
    with contextlib.closing(device), watching(gate), use(device):
        # those of one plugin: at this API level others may not be there, whose cases are of another level
        own = ([case for case in cases if case.key == request.plugin] for cases in (world.cases, world.further))
        subject = _subject(discover_plugins(world.module, *own), request, gate, device)
        facts = world.facts.lent_to(request)
        subject = dataclasses.replace(subject, task=ChildTask(world.settings, request), facts=facts)
        with standing_in(subject.case.stand_ins) as called:
            answer = _answer_to(request, subject, world.rules)
        world.facts.keep(request, facts, answer)
        return dataclasses.replace(answer, stand_ins=tuple(sorted(called))).to_plain()


def _application(world: LoadedModule, request: Request) -> Answer:
    """Run an application on the host device, which knows what a GPU does not tell: who waits for whom."""
    if world.settings.device == "cuda":
        return Answer(Kind.NOT_RUN, reason="applications are watched on the host device", needs_host=True)
    known = applications.discover(world.module, world.settings.applications)
    found = next(each for each in known if each.key == request.plugin)
    cases = (*world.cases, *world.further)
    stand_ins = {name: function for case in cases for name, function in case.stand_ins.items()}
    with standing_in(stand_ins):
        return judge_application(
            found, world.rules, seed=request.seed, addresses=world.settings.addresses, observers=[CallbackRecorder()]
        )


def _answer_to(request: Request, subject: Subject, known: dict[str, Rule]) -> Answer:
    if request.kind is not RequestKind.RULE:
        return _NO_RULES[request.kind](subject, request)
    rule = known[request.rule]
    if not request.examples:
        return answer_of(rule, subject)
    return answer_on_each(rule, subject, *request.examples, watched=request.watched)


def _subject(discovery: Discovery, request: Request, gate: Gate, device: HostDevice) -> Subject:
    found = discovery.plugin(request.plugin)
    trt = sys.modules["tensorrt"]
    return Subject(
        trt=trt,
        creator=found.creator,
        case=_case(found, request, levels.applied()),
        origin=discovery.origin(found),
        gate=gate,
        device=device,
        seed=request.seed,
        level=request.level,
        interface=found.interface,
    )


def _case(found: FoundPlugin, request: Request, spec: str) -> Case:
    if request.inferred is not None:
        case = found.at(case_from_plain(request.inferred), spec)
        return case if case.inferred else with_oracle(case, found.cases)
    for case in found.cases:
        if case.name == request.case:
            return found.at(case, spec)
    raise UsageProblem(f"{found.key} has no case {request.case!r}")


def _script(subject: Subject, request: Request) -> Answer:
    """Return the text of a script; or why there is none."""
    try:
        text = script_of(subject, request.examples[-1], **request.arguments[0])
    except (NotRun, CallbackFailedError) as error:
        return Answer(Kind.NOT_RUN, reason=str(error))
    return Answer(Kind.JUDGED, evidence=1, payload=text)


def _latency(subject: Subject, request: Request) -> Answer:
    """Return what was sampled; or why nothing was."""
    return _measured(lambda: sampled(subject, *request.arguments).to_plain())


def _paired_latency(subject: Subject, request: Request) -> Answer:
    """Take samples in turns with another child, which a socket carries."""
    quantity, *more = request.arguments
    return _measured(lambda: take_turns(subject, Quantity(quantity), *more))


def _measured(measure: Callable[[], Any]) -> Answer:
    try:
        return Answer(Kind.JUDGED, evidence=1, payload=measure())
    except (NotApplicable, NotRun, NeedsHost) as error:
        return Answer(Kind.NOT_RUN, reason=str(error))
    except CallbackFailedError as error:
        return Answer(Kind.MET, mishap=error.mishap)


def _sanitized(subject: Subject, request: Request) -> Answer:
    """Return what was executed."""
    return Answer(Kind.JUDGED, evidence=1, payload=executed(subject, Tool(*request.arguments)))


def _preflight(subject: Subject, request: Request) -> Answer:  # noqa: ARG001 - as all of them
    """Drive the plugin once through everything; whatever it raises is for the rules to judge."""
    with contextlib.suppress(Exception):  # only a death or a hang counts here
        drive(subject)
    return Answer(Kind.JUDGED, evidence=1)


_NO_RULES: dict[RequestKind, Callable[[Subject, Request], Answer]] = {
    RequestKind.PREFLIGHT: _preflight,
    RequestKind.SCRIPT: _script,
    RequestKind.LATENCY: _latency,
    RequestKind.PAIRED_LATENCY: _paired_latency,
    RequestKind.SANITIZED: _sanitized,
    RequestKind.TRACE: lambda subject, request: traced(subject, *request.arguments),
}
