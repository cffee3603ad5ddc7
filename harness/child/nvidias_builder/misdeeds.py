"""Report mistakes of a C++ library in calls by NVIDIA's builder, as violations of the rules that own the callbacks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from harness.child.nvidias_builder.outcomes import Outcomes
from harness.child.nvidias_builder.running import kept_or
from harness.child.nvidias_builder.seen import builder_of, outcomes
from harness.contract.finding import NotRun, Violation
from harness.contract.language import Language

if TYPE_CHECKING:
    from harness.contract.rule import Rule
    from harness.protocol.messages import ChildTask
    from harness.subject.subject import Subject

_FIX: Final = "Answer in full at every call. Use only the memory that the call received, and only while the call runs."


def misdeeds_of(subject: Subject, rule: Rule) -> Iterator[Violation]:
    """Yield a violation for each mistake in a callback that a rule owns; none in a run without NVIDIA's builder."""
    if not rule.owns or subject.language is not Language.CPP or not (subject.task and subject.task.settings.builder):
        return
    seen = _seen(subject, subject.task)
    for build in seen.builds:
        for misdeed in build.misdeeds:
            if misdeed.callback in rule.owns:
                yield Violation(
                    what=f"{misdeed.callback.partition(' ')[0]} {misdeed.what}",
                    where=f"a call by {builder_of(seen)}, with inputs of types {', '.join(build.types)}",
                    expected=rule.title.rstrip("."),
                    observed=misdeed.what,
                    fix=_FIX,
                )


def _seen(subject: Subject, task: ChildTask) -> Outcomes:
    """Return the outcomes of the builds, which all forks of this child share, since many rules need them."""

    def build() -> dict[str, Any]:
        try:
            return outcomes(subject).to_plain()
        except NotRun:
            return Outcomes("").to_plain()  # GEN-001 reports the reason

    circumstances = task.request.circumstances.to_plain()
    return Outcomes.from_plain(kept_or(json.dumps(circumstances, sort_keys=True), build))
