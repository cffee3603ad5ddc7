"""Run a rule on a subject, and write its findings, or the reason for their absence, into an answer."""

from __future__ import annotations

import dataclasses
import traceback
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from harness.child.nvidias_builder.misdeeds import misdeeds_of
from harness.child.reach import reaching
from harness.contract.finding import (
    CallbackFailedError,
    CallbackFailure,
    Finding,
    NeedsDeviceError,
    NotApplicable,
    NotRun,
    SkippedCallbackError,
    worth_showing,
)
from harness.contract.verdict import Answer, Kind
from harness.process import flight_recorder, stack
from harness.protocol.requests import Watched
from reference_runtime.devices.records import KernelFailedError
from reference_runtime.instruments import HostShowsMore, NeedsGpu, NeedsHost, is_quit

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.subject.subject import Subject
    from reference_runtime.calling.gate.records import Failure


def answer_of(rule: Rule, subject: Subject, *example: Any) -> Answer:
    """Return the answer of a rule on a subject; a fuzz rule also takes an example."""
    if reason := _why_not_applicable(rule, subject):
        return Answer(Kind.NOT_APPLICABLE, reason=reason)
    before = len(subject.gate.failures)
    answer = _with_misdeeds(_judged(rule, subject, *example), rule, subject)
    failures = subject.gate.failures[before:]
    text = "".join(violation.what + violation.observed for violation in answer.violations[:1])
    answer = dataclasses.replace(answer, stack=stack_of(text, failures))
    if answer.mishap is None:
        return answer
    failure = dataclasses.replace(answer.mishap, stack=stack_of(answer.mishap.how, failures) or answer.mishap.stack)
    return dataclasses.replace(answer, mishap=failure)


def _judged(rule: Rule, subject: Subject, *example: Any) -> Answer:
    findings: list[Finding] = []
    try:
        for finding in rule.judge(subject, *example):  # one by one, so that findings before an exception count
            findings.append(finding)  # noqa: PERF402
    except NotApplicable as reason:
        return _unjudged(Kind.NOT_APPLICABLE, findings, str(reason))
    except (NotRun, NeedsHost, NeedsGpu) as reason:  # the builder and engines launch kernels of decorated plugins
        return _not_run(findings, reason)
    except (CallbackFailedError, SkippedCallbackError, KernelFailedError) as error:
        failure = _of_a_kernel(error) if isinstance(error, KernelFailedError) else error.failure
        return dataclasses.replace(_answer(Kind.MET, findings), mishap=failure)
    except MemoryError as error:  # raised by the harness; if a callback raises it, the gate records a failure
        return _not_run(findings, NeedsDeviceError(f"this machine does not have enough memory: {error}"))
    except Exception as error:  # the rule failed by itself, which is no failure of the plugin
        if is_quit(error):
            raise
        return dataclasses.replace(_answer(Kind.BROKEN, findings), reason=traceback.format_exc())
    return _answer(Kind.JUDGED, findings)


def _of_a_kernel(error: KernelFailedError) -> CallbackFailure:
    """Return the failure of ``enqueue``, which launched the kernel."""
    how = f"launched a kernel that failed: {error}"
    return CallbackFailure("enqueue", how, "found by a later call of CUDA", becomes="CUDA cannot be used again")


def _with_misdeeds(answer: Answer, rule: Rule, subject: Subject) -> Answer:
    """Return an answer with the mistakes that NVIDIA's builder saw in callbacks that the rule owns.

    An answer that fails, and one that is neither JUDGED nor NOT_RUN, stays as it is.
    """
    if answer.fails or answer.kind not in {Kind.JUDGED, Kind.NOT_RUN}:
        return answer
    seen = [Finding(violation) for violation in misdeeds_of(subject, rule)]
    return dataclasses.replace(_answer(Kind.JUDGED, seen), evidence=answer.evidence + len(seen)) if seen else answer


def _why_not_applicable(rule: Rule, subject: Subject) -> str:
    """Return why a rule does not apply to a plugin's interface, language or API level; empty if it applies."""
    if subject.interface not in rule.interfaces:
        return f"it concerns {', '.join(sorted(each.value for each in rule.interfaces))}"
    if subject.language not in rule.languages:
        return f"it is about plugins in {', '.join(sorted(each.value for each in rule.languages))}"
    if not rule.source.holds_at(subject.spec):
        return f"TensorRT {subject.spec} does not ask for it (but {', '.join(rule.source.versions)})"
    return ""


def _not_run(findings: list[Finding], reason: NotRun | NeedsHost | NeedsGpu) -> Answer:
    """Return the answer of a rule that could not be judged here, or only in part (`HostShowsMore`)."""
    is_judged = isinstance(reason, HostShowsMore)
    answer = _answer(Kind.JUDGED, findings) if is_judged else _unjudged(Kind.NOT_RUN, findings, str(reason))
    needs_device, needs_host = isinstance(reason, (NeedsDeviceError, NeedsGpu)), isinstance(reason, NeedsHost)
    return dataclasses.replace(answer, needs_device=needs_device, needs_host=needs_host)


def _unjudged(kind: Kind, findings: list[Finding], reason: str) -> Answer:
    """Return the answer of a rule that stopped half-way: judged if it found a violation, else not judged.

    That no violation was found before the rule stopped proves little.
    """
    if any(finding.violation is not None for finding in findings):
        return _answer(Kind.JUDGED, findings)
    return Answer(kind, reason=reason)


def _answer(kind: Kind, findings: list[Finding]) -> Answer:
    broken = [finding.violation for finding in findings if finding.violation is not None]
    return Answer(
        kind,
        evidence=len(findings),
        violations=worth_showing(broken),
        broken=len(broken),
    )


def answer_on_each(rule: Rule, subject: Subject, *examples: Any, watched: Watched = Watched.NOTHING) -> Answer:
    """Judge one example after the other, up to the first that fails; note what each reaches, if that is watched."""
    evidence, idle, reached = 0, list[Answer](), list[tuple[str, ...]]()
    with reaching(subject, watched) as reach:
        for done, example in enumerate(examples):
            flight_recorder.begin(done)
            answer = answer_of(rule, subject, example)
            evidence += answer.evidence
            if answer.fails or answer.kind is Kind.BROKEN:
                return dataclasses.replace(answer, evidence=evidence, done=done, idle=len(idle))
            if answer.kind is Kind.NOT_APPLICABLE and not done:  # then the rule applies to no example
                return dataclasses.replace(answer, done=len(examples), idle=len(examples))
            if answer.kind is not Kind.JUDGED:
                idle.append(answer)
            reached += [reach.taken()] if reach else []
    whole = idle[0] if len(idle) == len(examples) else Answer(Kind.JUDGED)
    keeps = reach is None or reach.keeps
    seen = dataclasses.replace(whole, reached=tuple(reached), keeps=keeps)
    return dataclasses.replace(seen, evidence=evidence, done=len(examples), idle=len(idle))


def stack_of(text: str, failures: Iterable[Failure]) -> str:
    """Return the traceback of the first failure that a text quotes, with the user's frames; empty without one."""
    errors = (failure.error for failure in failures if failure.what in text)
    return next((stack.of_error(error) for error in errors if error is not None), "")
