"""Turn the answers of a child into verdicts, by pure functions."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
from typing import TYPE_CHECKING, Any

from harness.contract.api_level import DEFAULT
from harness.contract.codec import Record
from harness.contract.finding import CallbackFailure, Violation
from harness.contract.fingerprint import without_folders, without_numbers
from harness.contract.rule import Severity
from harness.contract.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.contract.expected_failures import ExpectedFailure
    from harness.contract.rule import Rule

#: The parts of a module that can fail and are no callbacks; ``harness.protocol.requests`` names them.
_OF_MODULES = {"import", "setup"}
#: Why a rule that compares outputs with a case's reference cannot be judged.
NO_REFERENCE = "the case has no reference to compare outputs with"
#: What counts as an interpreter if a library has no machine code for the GPU: the driver compiles its kernels first.
DRIVERS_COMPILER = "the driver's compiler of kernels"


class Verdict(enum.Enum):
    """The verdict of a rule on a case."""

    PASS = "PASS"  # noqa: S105 - a verdict, no password
    FAIL = "FAIL"
    WARN = "WARN"
    NOTE = "NOTE"
    NOT_APPLICABLE = "N/A"
    BLOCKED = "BLOCKED"
    NOT_RUN = "NOT-RUN"
    XFAIL = "XFAIL"
    XPASS = "XPASS"


#: The verdict on a rule that was judged on several cases is the first of these that any case has.
WORST_FIRST = (
    Verdict.FAIL,
    Verdict.XPASS,
    Verdict.BLOCKED,
    Verdict.WARN,
    Verdict.XFAIL,
    Verdict.NOTE,
    Verdict.NOT_RUN,
    Verdict.PASS,
    Verdict.NOT_APPLICABLE,
)
#: The verdict on a broken rule, by its severity.
OF_BROKEN = {Severity.ERROR: Verdict.FAIL, Severity.WARNING: Verdict.WARN, Severity.INFO: Verdict.NOTE}
#: The verdicts on broken rules.
BAD = tuple(OF_BROKEN.values())


class Kind(enum.Enum):
    """The way in which a request to the child ended."""

    JUDGED = "judged"
    NOT_APPLICABLE = "not-applicable"
    NOT_RUN = "not-run"
    MET = "met"  # a callback failed: raised, died, hung or exited
    BROKEN = "broken"  # the rule or the harness itself failed: an internal error


@dataclasses.dataclass(frozen=True)
class Captured(Record):
    """The output of the child during a request, by section."""

    stdout: str = ""
    stderr: str = ""
    log: str = ""
    warnings: str = ""


@dataclasses.dataclass(frozen=True)
class Answer(Record):
    """The child's answer to one request (rule, case).

    A request may hold several examples. Then the answer is about the first example that fails, with only numbers about
    the others. If none fails, the answer is about all.

    Attributes:
        kind: How the request ended.
        evidence: Number of findings, that is of questions judged.
        violations: Some of the violations, as :func:`~harness.contract.finding.worth_showing` chooses them.
        broken: Number of all findings with a violation.
        reason: Why the rule did not judge, or the internal error's text.
        needs_device: Whether the rule did not judge because this machine lacks a device that the plugin needs.
        needs_host: Whether the rule did not judge because only the host device records what it needs.
        stand_ins: The kernels that functions of the case replaced.
        doubts: Why the reference or tolerance of the comparisons is doubtful; None if there were no comparisons.
        mishap: The callback that failed, if ``kind`` is MET.
        stack: The traceback of the callback that a violation is about, if it raised and the rule went on.
        captured: The output of the child during the request.
        done: Number of examples judged before the failing example; of all if none failed.
        idle: Number of examples that left nothing to judge.
        reached: For each example, what it reached in the plugin and no example before it; empty if not watched.
        keeps: Whether the plugin keeps state from call to call, or may; true if this was not watched.
        overdue: Whether the deadline passed.
        interpreter: The package that ran kernels on the CPU when the deadline passed. Then the rule is NOT-RUN.
        lack: What the running callback needed and this machine lacks, if the process ended. Then the rule is NOT-RUN.
        device: The device on which the request was answered: ``host`` or ``cuda``.
        seconds: How long the answer took; no verdict depends on it.
        payload: The data that a request without a rule asked for.
        seen: What the rule asked and executed, as :mod:`harness.contract.seen` has it; no verdict depends on it.
    """

    kind: Kind
    evidence: int = 0
    violations: tuple[Violation, ...] = ()
    broken: int = 0
    reason: str = ""
    needs_device: bool = False
    needs_host: bool = False
    stand_ins: tuple[str, ...] = ()
    doubts: tuple[str, ...] | None = None
    mishap: CallbackFailure | None = None
    stack: str = dataclasses.field(default="", compare=False)
    captured: Captured = Captured()
    done: int = 0
    idle: int = 0
    reached: tuple[tuple[str, ...], ...] = ()
    keeps: bool = True
    overdue: bool = False
    interpreter: str = ""
    lack: str = ""
    device: str = "host"
    seconds: float = dataclasses.field(default=0.0, compare=False)
    payload: Any = None
    seen: dict[str, Any] | None = dataclasses.field(default=None, compare=False)

    @property
    def fails(self) -> bool:
        """Return whether the answer shows a fault of the plugin."""
        return self.broken > 0 or (self.kind is Kind.MET and not self.interpreter and not self.lack)

    @property
    def is_clean(self) -> bool:
        """Return whether this answer counts if its process had answered other requests before.

        After a failure, or if the rule was not run, a new process must answer. If the rule needs the host device, a new
        process would not help.
        """
        return not self.fails and (self.kind in {Kind.JUDGED, Kind.NOT_APPLICABLE} or self.needs_host)


@dataclasses.dataclass(frozen=True)
class Drawn:
    """The randomness from which a fuzz rule's examples come.

    Attributes:
        seed: The seed of the run, from which the scheduler and the data of the inputs come too.
        stream: The seed of Hypothesis, in hexadecimal; it follows from plugin, case, rule and ``seed``.
        judged: The number of examples judged; up to the failing example if one fails.
    """

    seed: int
    stream: str
    judged: int


@dataclasses.dataclass(frozen=True)
class Result(Record):
    """The verdict of one rule on one case, with the data of the answer that reports show.

    ``examples`` are those on which a fuzz rule fails, one after the other in one process. The command ``replay`` runs
    them again. ``drawn`` has the randomness from which a fuzz rule's examples come. ``stack`` is the traceback of the
    callback that a violation is about, if it raised and the rule went on. ``seconds`` is how long judging took, without
    waiting and without required rules; no report has it. ``seen`` is what the rule asked and executed, for pictures.
    """

    rule: str
    severity: Severity
    verdict: Verdict
    evidence: int = 0
    violations: tuple[Violation, ...] = ()
    broken: int = 0
    reason: str = ""
    blocked_by: str = ""
    needs_device: bool = False
    stand_ins: tuple[str, ...] = ()
    doubts: tuple[str, ...] | None = None
    mishap: CallbackFailure | None = None
    stack: str = dataclasses.field(default="", compare=False)
    captured: Captured = Captured()
    order_sensitive: bool = False
    examples: tuple[Any, ...] = ()
    replay: str = ""
    device: str = "host"
    drawn: Drawn | None = None
    seconds: float = dataclasses.field(default=0.0, compare=False)
    seen: dict[str, Any] | None = dataclasses.field(default=None, compare=False)

    @property
    def fingerprint(self) -> str:
        """Return twelve hex digits that identify the defect; empty without a violation.

        Numbers in the texts of violations are left out: they come from shapes and memory, not from the defect. Folders
        of files are left out, too: they come from where the code is and where the run was started.
        """
        if not self.violations:
            return ""
        texts = (f"{violation.where}\n{violation.what}" for violation in self.violations)
        stable = sorted({without_numbers(without_folders(text)) for text in texts})
        return hashlib.sha256("\n\n".join([self.rule, *stable]).encode(errors="backslashreplace")).hexdigest()[:12]

    @property
    def word(self) -> str:
        """Return the verdict with its evidence, for example ``PASS [412 evaluations]``."""
        return worded(self.verdict.value, self.broken, self.evidence)

    @property
    def summary(self) -> str:
        """Return in one line the first violation, or why the rule did not judge."""
        text = self.violations[0].what if self.violations else self.reason
        return text.partition("\n")[0]


def worded(verdict: str, broken: int, evidence: int) -> str:
    """Return a verdict with the number of questions judged, and of those with a violation."""
    if not evidence:
        return verdict
    return f"{verdict} [{f'{broken:,} of ' if broken else ''}{counted(evidence, 'evaluation')}]"


def decide(rule: Rule, answer: Answer, *, owner: Result | None = None, spec: str = DEFAULT) -> Result:
    """Return the verdict of ``rule`` from the child's answer.

    Args:
        rule: The rule that was judged.
        answer: The child's answer.
        owner: For a callback that failed, the verdict of the rule that owns it. None if ``rule`` owns it, or no rule
            does.
        spec: The API level, on which the severity can depend.

    Raises:
        InternalError: The rule or the harness failed by itself.
    """
    base = Result(
        rule.id,
        rule.severity_at(spec),
        Verdict.NOT_RUN,
        stand_ins=answer.stand_ins,
        doubts=answer.doubts,
        captured=answer.captured,
        stack=answer.stack,
        device=answer.device,
    )
    if answer.kind is Kind.NOT_APPLICABLE:
        return dataclasses.replace(base, verdict=Verdict.NOT_APPLICABLE, reason=answer.reason)
    if answer.kind is Kind.NOT_RUN:
        return dataclasses.replace(base, reason=answer.reason, needs_device=answer.needs_device)
    if answer.kind is Kind.BROKEN:
        raise InternalError(rule.id, answer.reason)
    if answer.kind is Kind.MET:
        return _of_a_failure(base, answer, owner)
    return _of_findings(base, answer)


def blocked(rule: Rule, by: Result, *, spec: str = DEFAULT) -> Result:
    """Return the verdict of a rule that requires another rule, which failed or is blocked itself."""
    root = by.blocked_by or by.rule
    return Result(
        rule=rule.id,
        severity=rule.severity_at(spec),
        verdict=Verdict.BLOCKED,
        blocked_by=root,
        reason=f"requires {root}, which failed",
    )


def as_if_mended(result: Result, tolerant: Sequence[Result], *, unknown: str = "") -> Result:
    """Return the final result of a BLOCKED rule.

    Args:
        result: The BLOCKED result.
        tolerant: The rule's results as if the defect that blocks it were fixed, one for each seed.
        unknown: What the case leaves open. A rule that was not run because of that stays NOT-RUN.
    """
    bad = next((each for each in tolerant if each.verdict not in {Verdict.PASS, Verdict.NOT_APPLICABLE}), None)
    if bad is None:
        reasons = [tolerant[0].reason, f"judged as if {result.blocked_by} passed"]
        return dataclasses.replace(tolerant[0], reason="; ".join(filter(None, reasons)))
    if bad.verdict is Verdict.NOT_RUN and unknown and bad.reason == unknown:
        return bad
    if bad.verdict not in BAD:
        return result
    return dataclasses.replace(result, reason=f"{result.reason}; this fails too, perhaps because of it: {bad.summary}")


def stops_dependents(result: Result) -> bool:
    """Return whether rules that require the rule of this result are BLOCKED."""
    return result.verdict in {Verdict.FAIL, Verdict.XFAIL, Verdict.BLOCKED}


def expect(result: Result, expected: ExpectedFailure | None, *, elsewhere: bool = False) -> Result:
    """Return the result after comparing it with an expected failure: another failure is FAIL, and a pass is XPASS.

    If the rule does not apply, the result is XPASS, too: the expectation can never come true. If the rule applies
    ``elsewhere``, that is at other API levels, or was not run here, the verdict stays.
    """
    if expected is None:
        return result
    if result.verdict in BAD:
        if result.fingerprint == expected.fingerprint:
            return dataclasses.replace(result, verdict=Verdict.XFAIL, reason=expected.reason)
        other = f"expected to fail with fingerprint {expected.fingerprint}, failed with {result.fingerprint}"
        return dataclasses.replace(result, verdict=Verdict.FAIL, reason=other)
    if result.verdict is Verdict.NOT_RUN or (result.verdict is Verdict.NOT_APPLICABLE and elsewhere):
        unseen = f"{result.reason}; it was expected to fail ({expected.reason}), which this run cannot show"
        return dataclasses.replace(result, reason=unseen)
    if result.verdict in {Verdict.PASS, Verdict.NOT_APPLICABLE}:
        instead = "passes" if result.verdict is Verdict.PASS else f"is not applicable ({result.reason})"
        surprise = f"was expected to fail ({expected.reason}) and {instead}: remove the expectation"
        return dataclasses.replace(result, verdict=Verdict.XPASS, reason=surprise)
    return result


class InternalError(Exception):
    """A rule or the harness itself failed: never the plugin's fault, never a verdict."""

    def __init__(self, rule_id: str, text: str) -> None:
        super().__init__(f"rule {rule_id} failed by itself; please report this\n{text}")


def _of_findings(base: Result, answer: Answer) -> Result:
    if not answer.evidence:
        return dataclasses.replace(base, reason="nothing to judge")
    return dataclasses.replace(
        base,
        verdict=OF_BROKEN[base.severity] if answer.broken else Verdict.PASS,
        evidence=answer.evidence,
        violations=answer.violations,
        broken=answer.broken,
    )


def _fix_of(callback: str) -> str:
    if callback in _OF_MODULES:
        return "Correct the module, so that it can be imported."
    return f"Correct {callback} for this call."


def _faster(answer: Answer) -> str:
    if answer.interpreter == DRIVERS_COMPILER:
        return "compile the library for this GPU, with nvcc -arch=native"
    return "run on a GPU"


def _of_a_failure(base: Result, answer: Answer, owner: Result | None) -> Result:
    failure = answer.mishap or CallbackFailure(callback="the child", how="ended without an answer")
    if answer.interpreter and not answer.broken:
        slow = f"{failure.callback} {failure.how} under {answer.interpreter}, whose time is not the plugin's"
        return dataclasses.replace(base, reason=f"{slow}: give more with --plugin-timeout, or {_faster(answer)}")
    if answer.lack and not answer.broken:
        return dataclasses.replace(base, reason=answer.lack, needs_device=True)
    if failure.skipped and owner is not None and owner.verdict is Verdict.NOT_RUN and not answer.broken:
        return dataclasses.replace(base, reason=owner.reason)
    if owner is not None and stops_dependents(owner) and not answer.broken:
        root = owner.blocked_by or owner.rule
        reason = f"{failure.callback} {failure.how}: reported by {root}"
        return dataclasses.replace(base, verdict=Verdict.BLOCKED, blocked_by=root, reason=reason, mishap=failure)
    violation = Violation(
        what=f"{failure.callback} {failure.how}",
        where=failure.where or failure.callback,
        expected=f"{failure.callback} returns",
        observed=failure.how + (f"; {failure.becomes}" if failure.becomes else ""),
        fix=_fix_of(failure.callback),
    )
    return dataclasses.replace(
        base,
        verdict=Verdict.FAIL,
        evidence=answer.evidence + 1,
        violations=(*answer.violations, violation),  # the earlier violations may be its cause
        broken=answer.broken + 1,
        mishap=failure,
    )
