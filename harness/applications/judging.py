"""Judge an application: run it once, and judge its trace by every rule about applications."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.applications.running import run
from harness.contract.finding import NotApplicable, NotRun, worth_showing
from harness.contract.rule import APPLICATIONS
from harness.contract.verdict import Answer, Kind

if TYPE_CHECKING:
    from harness.applications.application import Application
    from harness.applications.discovering import FoundApplication
    from harness.contract.finding import Finding
    from harness.contract.rule import Rule
    from reference_runtime.calling.gate.gate import Observer


def judge(
    subject: FoundApplication,
    rules: Mapping[str, Rule],
    *,
    seed: int,
    addresses: Any,
    observers: Iterable[Observer] = (),
) -> Answer:
    """Run an application, and return an answer whose payload has the answer of each rule about applications."""
    application = run(
        subject.key,
        subject.function,
        file=subject.file,
        arguments=subject.arguments,
        seed=seed,
        addresses=addresses,
        observers=observers,
    )
    answers = {
        rule.id: _judged(rule, application).to_plain() for rule in rules.values() if rule.interfaces & APPLICATIONS
    }
    return Answer(Kind.JUDGED, evidence=1, payload=answers)


def _judged(rule: Rule, application: Application) -> Answer:
    findings: list[Finding] = []
    if not rule.source.holds_at(application.spec):
        elsewhere = ", ".join(rule.source.versions)
        return Answer(Kind.NOT_APPLICABLE, reason=f"TensorRT {application.spec} does not ask for it (but {elsewhere})")
    try:
        findings += rule.judge(application)
    except NotApplicable as reason:
        return Answer(Kind.NOT_APPLICABLE, reason=str(reason))
    except NotRun as reason:
        return Answer(Kind.NOT_RUN, reason=str(reason))
    except Exception:  # noqa: BLE001 - an internal error of the rule, not a failure of the application
        return Answer(Kind.BROKEN, reason=traceback.format_exc())
    return _answer(findings, application.beyond)


def _answer(findings: Sequence[Finding], beyond: str) -> Answer:
    """Return the answer. If a part of the run needs a GPU, violations may follow from that: then it is NOT-RUN."""
    broken = [finding.violation for finding in findings if finding.violation is not None]
    if broken and beyond:
        return Answer(Kind.NOT_RUN, reason=beyond, needs_device=True)
    return Answer(
        Kind.JUDGED,
        evidence=len(findings),
        violations=worth_showing(broken),
        broken=len(broken),
    )
