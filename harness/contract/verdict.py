"""From a child's answer to a verdict: pure functions, no I/O, nothing remembered."""

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

#: What fails of a module, and is no callback of a plugin; ``harness.protocol.requests`` names them.
_OF_MODULES = {"import", "setup"}
#: Why a rule that compares outputs with a case's reference cannot be judged.
NO_REFERENCE = "the case has no reference to compare outputs with"


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


#: What decides on a rule that was judged on several cases: the first of these verdicts that any case has.
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
#: What is said of a broken rule, by its severity.
OF_BROKEN = {Severity.ERROR: Verdict.FAIL, Severity.WARNING: Verdict.WARN, Severity.INFO: Verdict.NOTE}
#: What is said where something is wrong.
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
        kind: How it ended.
        evidence: Number of findings, that is of questions judged.
        violations: The first of the broken ones.
        broken: Number of all findings with a violation.
        reason: Why the rule did not judge, or the internal error's text.
        needs_device: Whether the rule did not judge because this machine lacks a device that the plugin needs.
        needs_host: Whether the rule did not judge because only the host device records what it needs.
        stand_ins: The kernels in whose place a function of the case's ran.
        doubts: What is doubtful about the reference or tolerance that it compared with; None if it compared with none.
        mishap: The callback that failed, if ``kind`` is MET.
        stack: The traceback of the callback that a violation is about, if it raised and the rule went on.
        captured: What the child wrote meanwhile.
        done: Number of examples judged before the failing example; of all if none failed.
        idle: Number of examples that left nothing to judge.
        reached: What each example reached in the plugin and none before it in this request, where that was watched.
        keeps: Whether the plugin keeps something from call to call, or may; where that was watched.
        overdue: Whether the deadline passed.
        interpreter: What ran kernels in place of a GPU when it passed: its time is not the plugin's.
        lack: What the callback had asked for that this machine lacks when the process ended: nothing follows from that.
        device: Where it was judged: ``host`` or ``cuda``.
        seconds: How long it took where it was judged; nothing follows from it.
        payload: What was asked for that is no rule, as plain data.
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
        """Return whether a used process may give this answer: no failure, no gap that a fresh process may fill."""
        return not self.fails and (self.kind in {Kind.JUDGED, Kind.NOT_APPLICABLE} or self.needs_host)


@dataclasses.dataclass(frozen=True)
class Drawn:
    """The source of the examples of a fuzz rule.

    Attributes:
        seed: The seed of the run, from which the scheduler and the data of the inputs come too.
        stream: What Hypothesis drew from first, in hexadecimal; it follows from plugin, case, rule and ``seed``.
        judged: How many were judged; up to the failing example if one fails.
    """

    seed: int
    stream: str
    judged: int


@dataclasses.dataclass(frozen=True)
class Result(Record):
    """The verdict of one rule on one case, with what it rests on.

    ``examples`` are those that a fuzz rule fails on, one after the other in one process. ``replay`` is the command that
    runs them again. ``drawn`` says where they come from, for rules that draw any. ``stack`` is the traceback of a
    callback that raised, as a violation says, where the rule went on after it. ``seconds`` is how long judging took,
    without waiting and without the rules that it rests on. No report has it. ``seen`` is what the rule asked and
    executed, for pictures.
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
        """Twelve hex digits that stay the same while the same defect is seen; empty without a violation.

        Numbers and addresses in what was seen do not count: they come from shapes and memory, not from the defect.
        Nor do the folders of files: they come from where the code is and where the run was started.
        """
        if not self.violations:
            return ""
        told = (f"{violation.where}\n{violation.what}" for violation in self.violations)
        seen = sorted({without_numbers(without_folders(each)) for each in told})
        return hashlib.sha256("\n\n".join([self.rule, *seen]).encode(errors="backslashreplace")).hexdigest()[:12]

    @property
    def word(self) -> str:
        """The verdict with its evidence, for example ``PASS [412 evaluations]``."""
        return worded(self.verdict.value, self.broken, self.evidence)

    @property
    def summary(self) -> str:
        """Return in one line the first violation, or why the rule did not judge."""
        told = self.violations[0].what if self.violations else self.reason
        return told.partition("\n")[0]


def worded(verdict: str, broken: int, evidence: int) -> str:
    """Describe a verdict, the number of questions that it rests on, and the number of bad answers."""
    if not evidence:
        return verdict
    return f"{verdict} [{f'{broken:,} of ' if broken else ''}{counted(evidence, 'evaluation')}]"


def decide(rule: Rule, answer: Answer, *, owner: Result | None = None, spec: str = DEFAULT) -> Result:
    """Return the verdict of ``rule`` from the child's answer.

    Args:
        rule: The rule that was asked.
        answer: What came back.
        owner: For a callback that failed, the verdict of the rule that owns it. None if ``rule`` owns it, or no rule
            does.
        spec: The API level, on which the severity can depend.
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
        return _of_a_mishap(base, answer, owner)
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


def as_if_mended(result: Result, found: Sequence[Result], *, unknown: str = "") -> Result:
    """Return what becomes of a BLOCKED verdict, from those found behind the defect, one a seed.

    A rule that needs what the case leaves ``unknown`` is NOT-RUN: a fix would not let it run.
    """
    bad = next((each for each in found if each.verdict not in {Verdict.PASS, Verdict.NOT_APPLICABLE}), None)
    if bad is None:
        reasons = [found[0].reason, f"judged as if {result.blocked_by} passed"]
        return dataclasses.replace(found[0], reason="; ".join(filter(None, reasons)))
    if bad.verdict is Verdict.NOT_RUN and unknown and bad.reason == unknown:
        return bad
    if bad.verdict not in BAD:
        return result
    return dataclasses.replace(result, reason=f"{result.reason}; this fails too, perhaps because of it: {bad.summary}")


def stops_dependents(result: Result) -> bool:
    """Return whether rules that require this rule are BLOCKED."""
    return result.verdict in {Verdict.FAIL, Verdict.XFAIL, Verdict.BLOCKED}


def expect(result: Result, expected: ExpectedFailure | None, *, elsewhere: bool = False) -> Result:
    """Return the result in the light of an expected failure; the expectation is strict.

    An expected failure of a rule that does not apply is XPASS: no run would show that it is wrong. It is
    kept where the rule applies ``elsewhere``, at other API levels, or could not be judged here.
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


def _of_a_mishap(base: Result, answer: Answer, owner: Result | None) -> Result:
    mishap = answer.mishap or CallbackFailure(callback="the child", how="ended without an answer")
    if answer.interpreter and not answer.broken:
        slow = f"{mishap.callback} {mishap.how} under {answer.interpreter}, whose time is not the plugin's"
        return dataclasses.replace(base, reason=f"{slow}: give more with --plugin-timeout, or run on a GPU")
    if answer.lack and not answer.broken:
        return dataclasses.replace(base, reason=answer.lack, needs_device=True)
    if mishap.skipped and owner is not None and owner.verdict is Verdict.NOT_RUN and not answer.broken:
        return dataclasses.replace(base, reason=owner.reason)
    if owner is not None and stops_dependents(owner) and not answer.broken:
        root = owner.blocked_by or owner.rule
        reason = f"{mishap.callback} {mishap.how}: reported by {root}"
        return dataclasses.replace(base, verdict=Verdict.BLOCKED, blocked_by=root, reason=reason, mishap=mishap)
    violation = Violation(
        what=f"{mishap.callback} {mishap.how}",
        where=mishap.where or mishap.callback,
        expected=f"{mishap.callback} returns",
        observed=mishap.how + (f"; {mishap.becomes}" if mishap.becomes else ""),
        fix=_fix_of(mishap.callback),
    )
    return dataclasses.replace(
        base,
        verdict=Verdict.FAIL,
        evidence=answer.evidence + 1,
        violations=(*answer.violations, violation),  # what came first may be its cause
        broken=answer.broken + 1,
        mishap=mishap,
    )
