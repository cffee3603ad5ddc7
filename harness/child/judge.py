"""What a child does for a request: find the plugin, run the rule on it, and say what came of it."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import itertools
import json
import sys
import traceback
from typing import TYPE_CHECKING, Any, cast

from harness.applications import discovering as applications
from harness.applications.judging import APPLICATION
from harness.applications.judging import judge as judge_application
from harness.cases.case import Case, CaseError
from harness.cases.facts import Facts
from harness.cases.pickled import unpacked
from harness.cases.serialized import case_from_plain, to_plain, with_oracle
from harness.checks.engines.canonical_drive import drive
from harness.child import description
from harness.child.callback_locations import callback_places
from harness.child.discovery.plugins import (
    Discovery,
    FoundPlugin,
    UsageProblem,
    check_shapes,
    collect_cases,
    further_cases,
    has_creators,
)
from harness.child.discovery.plugins import discover as search
from harness.child.discovery.probing import NoCaseError, paste, probe
from harness.child.latency.paired_child import AGAINST, take_turns
from harness.child.latency.sampler import BENCHMARK, COUNTS, sampled
from harness.child.onnx_models.reading import model_cases
from harness.child.onnx_models.uses import ModelError, PluginRefusedError
from harness.child.sanitizer.executing import SANITIZED, executed
from harness.child.script.script import SCRIPT, script_of
from harness.child.tracing.traced import traced
from harness.contract import catalogue
from harness.contract.finding import (
    CallbackFailedError,
    CallbackFailure,
    Finding,
    NeedsDeviceError,
    NotApplicable,
    NotRun,
    SkippedCallbackError,
)
from harness.contract.sanitizer_tool import Tool
from harness.contract.verdict import Answer, Kind
from harness.controller.tracing.request import TRACE
from harness.process import flight_recorder, loaded_files
from harness.protocol.latency_quantity import Quantity
from harness.protocol.messages import ChildSettings, ChildTask, Request
from harness.subject.creators import written_as
from harness.subject.subject import Subject
from reference_runtime import levels
from reference_runtime.bridges.stand_ins import standing_in
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.cuda import CudaDevice
from reference_runtime.devices.cuda_bare import BareCudaDevice
from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice
from reference_runtime.instruments import HostShowsMore, NeedsHost

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from harness.contract.rule import Rule
    from reference_runtime.calling.gate.gate import CallOutcome, Event

#: The rule id that asks for a canonical drive instead of a rule: does any callback kill the process?
PREFLIGHT = "PREFLIGHT"
#: Violations that an answer carries; the others are counted.
MOST_VIOLATIONS = 5


@dataclasses.dataclass(frozen=True)
class LoadedModule:
    """What the child knows once the module is imported."""

    settings: ChildSettings
    module: ModuleType
    cases: tuple[Case, ...]
    further: tuple[Case, ...]
    rules: dict[str, Rule]
    problem: str = ""


class _Prepared:
    """The world of this process: one module is imported here, once."""

    world: LoadedModule | None = None


def prepare(settings: ChildSettings) -> None:
    """Read the cases and run the user's setup; called once, after the import and before the first fork."""
    module = sys.modules[settings.module]
    rules = catalogue.load_rules()
    try:
        if settings.setup:
            _run_setup(settings.setup)
        cases = tuple(collect_cases(module))
        further = (*further_cases(settings.cases), *unpacked(settings.packed_cases))
    except (CaseError, UsageProblem) as error:
        _Prepared.world = LoadedModule(settings, module, (), (), rules, str(error))
    else:
        _Prepared.world = LoadedModule(settings, module, cases, further, rules)


def discover(settings: ChildSettings, shunned: dict[str, str]) -> dict[str, Any]:
    """Return the module's plugins and cases as plain data, probed where there are no cases.

    ``shunned`` names callbacks that must not be called: an earlier attempt did not survive them.
    """
    world = _world()
    found = _discovered(world, settings, shunned)
    others = (*(name for name in world.settings.cases if not name.endswith(".py")), world.settings.setup)
    judging = {rule.judge.__module__.partition(".")[0] for rule in world.rules.values()}
    return {**found, "written": loaded_files.written(world.module, map(_module_in, others), judging)}


def _module_in(name: str) -> str:
    """The module in what ``--plugin-cases`` or ``--plugin-setup`` names."""
    return name.partition(":")[0]


def _discovered(world: LoadedModule, settings: ChildSettings, shunned: dict[str, str]) -> dict[str, Any]:
    if world.problem:
        return description.only(world.problem)
    try:
        found = applications.discover(world.module, settings.applications)
    except applications.NoApplicationError as error:
        return description.only(str(error))
    described = [applications.described(world.module, each, settings.spec) for each in found]
    if settings.applications or (found and not settings.onnx and not has_creators(world.module)):
        return {"plugins": described, "problems": []}
    return _with_plugins(world, shunned, described)


def _with_plugins(world: LoadedModule, shunned: dict[str, str], described: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the plugins of a module beside its applications."""
    try:
        discovery = search(world.module, world.cases, world.further)
        for case in itertools.chain.from_iterable(found.cases for found in discovery.plugins):
            check_shapes(case)
    except UsageProblem as problem:
        return description.only(str(problem))
    if world.settings.onnx:
        return _modelled(world, discovery, shunned)
    plugins, problems = described, []
    for found in discovery.plugins:
        try:
            plugins.append(_plain_plugin(world, discovery, found, shunned))
        except NoCaseError as error:  # noqa: PERF203 - one plugin without a case must not hide the others
            problems.append(description.uncertified(world.module, found, error))
        except CaseError as error:
            problems.append(description.usage(f"{world.module.__name__}: {error}"))
    problems += [description.refusal(each) for each in discovery.refused]
    problems += [{"kind": "stranger", "text": f"case {c.name!r} is for {c.key}"} for c in discovery.strangers]
    return {"plugins": plugins, "problems": problems}


def _modelled(world: LoadedModule, discovery: Discovery, shunned: dict[str, str]) -> dict[str, Any]:
    """Return the plugins that the run's models use, with a case for each use; nothing is probed."""
    device, gate = _device(world.settings), Gate(observers=[_Recorder(), _CallbackSkipper(shunned)], quiet=True)
    try:
        with contextlib.closing(device), watching(gate), use(device):
            cases = model_cases(world.settings, discovery, gate)
    except (ModelError, CaseError) as error:
        return description.only(str(error))
    except PluginRefusedError as error:
        return {"plugins": [], "problems": [description.refused_by_plugin(error)]}
    plain = [
        {**_described(world, found), "cases": [_of_model(case.at(world.settings.spec)) for case in cases[found.key]]}
        for found in discovery.plugins
        if found.key in cases
    ]
    return {"plugins": plain, "problems": [description.refusal(each) for each in discovery.refused]}


def _of_model(case: Case) -> dict[str, Any]:
    return {**description.case_of(case), "plain": to_plain(case)}


def judge(data: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a request; both as plain data."""
    return {**_judged(data), "device": _world().settings.device}


def _judged(data: dict[str, Any]) -> dict[str, Any]:
    request = Request.from_plain(data)
    world = _world()
    if request.rule == APPLICATION:
        return _application(world, request).to_plain()
    device = _device_for(request, world.settings)
    gate = Gate(observers=[_Recorder(), _CallbackSkipper(request.shunned)])
    with contextlib.closing(device), watching(gate), use(device):
        subject = _subject(search(world.module, *_cases_of(world, request.plugin)), request, gate, device)
        subject = dataclasses.replace(subject, errand=ChildTask(world.settings, request))
        with standing_in(subject.case.stand_ins) as called:
            answer = _answer_to(request, subject, world.rules)
        return dataclasses.replace(answer, stand_ins=tuple(sorted(called))).to_plain()


def _cases_of(world: LoadedModule, plugin: str) -> tuple[list[Case], list[Case]]:
    """Return the cases of one plugin: at this API level others may not be there, whose cases are of another level."""
    return [case for case in world.cases if case.key == plugin], [case for case in world.further if case.key == plugin]


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
            found, world.rules, seed=request.seed, addresses=world.settings.addresses, observers=[_Recorder()]
        )


def _answer_to(request: Request, subject: Subject, rules: dict[str, Rule]) -> Answer:
    if request.rule in _OTHERS:
        return _OTHERS[request.rule](subject, *request.examples)
    judge_it = _judge_each if request.examples else _judge
    return judge_it(rules[request.rule], subject, *request.examples)


def _judge_each(rule: Rule, subject: Subject, *examples: Any) -> Answer:
    """Judge one example after the other, up to the first that fails."""
    evidence, idle = 0, list[Answer]()
    for done, example in enumerate(examples):
        flight_recorder.begin(done)
        answer = _judge(rule, subject, example)
        evidence += answer.evidence
        if answer.fails or answer.kind is Kind.BROKEN:
            return dataclasses.replace(answer, evidence=evidence, done=done, idle=len(idle))
        if answer.kind is not Kind.JUDGED:
            idle.append(answer)
    whole = idle[0] if len(idle) == len(examples) else Answer(Kind.JUDGED)
    return dataclasses.replace(whole, evidence=evidence, done=len(examples), idle=len(idle))


def _device_for(request: Request, settings: ChildSettings) -> HostDevice:
    """Return the device on which a request is answered."""
    if request.rule == SANITIZED and settings.device == "cuda":
        return cast("HostDevice", BareCudaDevice())
    return _device(settings, listening=request.rule != BENCHMARK or COUNTS in request.examples)


def _device(settings: ChildSettings, *, listening: bool = True) -> HostDevice:
    """Return a new device; rules are written for the host's, and a CUDA device offers what hardware tells of it."""
    if settings.device == "cuda":
        return cast("HostDevice", CudaDevice(listening=listening))
    return HostDevice(addresses="host" if settings.addresses == "host" else "opaque")


class _Recorder:
    """Writes each callback down before it is made, for whoever finds the process dead."""

    def before(self, event: Event) -> None:
        flight_recorder.record(event.target, event.method, event.phase.value)

    def after(self, event: Event, outcome: CallOutcome) -> None:  # noqa: ARG002 - an observer's signature
        flight_recorder.returned()


class _CallbackSkipper:
    """Keeps callbacks from being called again that have killed the process or never came back."""

    def __init__(self, shunned: dict[str, str]) -> None:
        self._shunned = shunned

    def before(self, event: Event) -> None:
        if event.method in self._shunned:
            how = f"is not called again: {self._shunned[event.method]} reports how it ended"
            raise SkippedCallbackError(CallbackFailure(event.method, how, f"{event.target}, phase {event.phase.value}"))

    def after(self, event: Event, outcome: CallOutcome) -> None:
        pass


def _world() -> LoadedModule:
    if _Prepared.world is None:
        raise RuntimeError("the child was asked before it was prepared")
    return _Prepared.world


def _run_setup(name: str) -> None:
    module_name, _, function = name.partition(":")
    try:
        setup = getattr(importlib.import_module(module_name), function)
    except (ModuleNotFoundError, AttributeError) as error:
        raise UsageProblem(f"--plugin-setup={name}: {error}; give it as module:function") from error
    setup()


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


def _script(subject: Subject, wanted: dict[str, Any], *examples: Any) -> Answer:
    """Return the text of a script, as the reason of the answer; or why there is none."""
    try:
        return Answer(Kind.JUDGED, evidence=1, reason=script_of(subject, examples[-1], **wanted))
    except (NotRun, CallbackFailedError) as error:
        return Answer(Kind.NOT_RUN, reason=str(error))


def _benchmark(subject: Subject, what: str, *more: Any) -> Answer:
    """Return what was sampled, as JSON in the reason of the answer; or why nothing was."""
    try:
        if what == AGAINST:
            take_turns(subject, Quantity(more[0]), *more[1:])
            return Answer(Kind.JUDGED, evidence=1)
        found = sampled(subject, what, *more)
    except (NotApplicable, NotRun, NeedsHost) as error:
        return Answer(Kind.NOT_RUN, reason=str(error))
    except CallbackFailedError as error:
        return Answer(Kind.MET, mishap=error.mishap)
    return Answer(Kind.JUDGED, evidence=1, reason=json.dumps(found.to_plain()))


def _sanitized(subject: Subject, tool: str) -> Answer:
    """Return what was executed, as JSON in the reason of the answer."""
    return Answer(Kind.JUDGED, evidence=1, reason=json.dumps(executed(subject, Tool(tool))))


def _preflight(subject: Subject) -> Answer:
    """Drive the plugin once through everything; whatever it raises is for the rules to judge."""
    try:
        drive(subject)
    except Exception as error:  # noqa: BLE001 - only a death or a hang counts here
        return Answer(Kind.JUDGED, evidence=1, reason=f"{type(error).__name__}: {error}")
    return Answer(Kind.JUDGED, evidence=1)


#: What is asked for by an id that is none of a rule.
_OTHERS: dict[str, Callable[..., Answer]] = {
    PREFLIGHT: _preflight,
    SCRIPT: _script,
    BENCHMARK: _benchmark,
    SANITIZED: _sanitized,
    TRACE: traced,
}


def _judge(rule: Rule, subject: Subject, *example: Any) -> Answer:
    findings: list[Finding] = []
    beside = _beside_the_point(rule, subject)
    if beside:
        return Answer(Kind.NOT_APPLICABLE, reason=beside)
    try:
        for finding in rule.judge(subject, *example):  # one by one: what was found before an exception counts
            findings.append(finding)  # noqa: PERF402
    except NotApplicable as reason:
        return _unjudged(Kind.NOT_APPLICABLE, findings, str(reason))
    except (NotRun, NeedsHost) as reason:
        return _not_run(findings, reason)
    except (CallbackFailedError, SkippedCallbackError) as error:
        return dataclasses.replace(_answer(Kind.MET, findings), mishap=error.mishap)
    except Exception:  # noqa: BLE001 - a rule that fails by itself must not pass for the plugin's failure
        return dataclasses.replace(_answer(Kind.BROKEN, findings), reason=traceback.format_exc())
    return _answer(Kind.JUDGED, findings)


def _beside_the_point(rule: Rule, subject: Subject) -> str:
    """Why a rule says nothing of a plugin, by its interface or by the API level; empty if it does say something."""
    if subject.interface not in rule.interfaces:
        return f"it concerns {', '.join(sorted(each.value for each in rule.interfaces))}"
    if not rule.source.holds_at(subject.spec):
        return f"TensorRT {subject.spec} does not ask for it (but {', '.join(rule.source.versions)})"
    return ""


def _not_run(findings: list[Finding], reason: NotRun | NeedsHost) -> Answer:
    """Return the answer of a rule that could not be judged here, or not to its end."""
    is_judged = isinstance(reason, HostShowsMore)
    answer = _answer(Kind.JUDGED, findings) if is_judged else _unjudged(Kind.NOT_RUN, findings, str(reason))
    needs_device, needs_host = isinstance(reason, NeedsDeviceError), isinstance(reason, NeedsHost)
    return dataclasses.replace(answer, needs_device=needs_device, needs_host=needs_host)


def _unjudged(kind: Kind, findings: list[Finding], reason: str) -> Answer:
    """A rule that stops half-way has judged only what is broken; that nothing was found so far proves nothing."""
    if any(finding.violation is not None for finding in findings):
        return _answer(Kind.JUDGED, findings)
    return Answer(kind, reason=reason)


def _answer(kind: Kind, findings: list[Finding]) -> Answer:
    broken = [finding.violation for finding in findings if finding.violation is not None]
    return Answer(
        kind,
        evidence=len(findings),
        violations=tuple(dict.fromkeys(broken))[:MOST_VIOLATIONS],
        broken=len(broken),
    )


def _plain_plugin(
    world: LoadedModule, discovery: Discovery, found: FoundPlugin, shunned: dict[str, str]
) -> dict[str, Any]:
    own = [description.case_of(found.at(case, world.settings.spec)) for case in found.cases]
    return {**_described(world, found), "cases": own or [_inferred(world, discovery, found, shunned)]}


def _described(world: LoadedModule, found: FoundPlugin) -> dict[str, Any]:
    creator = found.creator
    return {
        "key": found.key,
        "name": creator.name,
        "version": creator.plugin_version,
        "namespace": creator.plugin_namespace,
        "module": world.module.__name__,
        "interface": found.interface.value,
        "class": written_as(creator).__name__,
        **description.place_of(written_as(creator)),
        "methods": callback_places(creator),
        "registered": found.registered,
    }


def _inferred(world: LoadedModule, discovery: Discovery, found: FoundPlugin, shunned: dict[str, str]) -> dict[str, Any]:
    device, gate = _device(world.settings), Gate(observers=[_Recorder(), _CallbackSkipper(shunned)], quiet=True)
    with contextlib.closing(device), watching(gate), use(device):
        base = Case(
            plugin=found.creator.name or "",
            version=found.creator.plugin_version or "",
            namespace=found.creator.plugin_namespace or "",
            name="inferred",
            inferred=True,
        )
        subject = Subject(
            sys.modules["tensorrt"],
            found.creator,
            base,
            discovery.origin(found),
            gate,
            device,
            interface=found.interface,
        )
        case = probe(subject)
    return {
        "name": case.name,
        "inferred": True,
        "paste": paste(case),
        "expected_failures": {},
        "plain": to_plain(case),
        "spec": world.settings.spec,
        "facts": Facts.of(case).to_plain(),
    }
