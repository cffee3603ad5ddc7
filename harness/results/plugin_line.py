"""Write the verdict on a plugin in one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.contract.verdict import Verdict
from harness.contract.wording import counted, named
from harness.results.tally import Standing, device_of

if TYPE_CHECKING:
    from harness.contract.thoroughness import Thoroughness
    from harness.results.tally import Tally

_OTHERS = {
    Verdict.WARN: "WARN",
    Verdict.NOTE: "NOTE",
    Verdict.XFAIL: "expected to fail",
    Verdict.BLOCKED: "BLOCKED",
    Verdict.NOT_RUN: "NOT-RUN",
    Verdict.NOT_APPLICABLE: "N/A",
}
#: Verdicts that say that the plugin conforms; readers would assume that its results were checked, too.
_CONFORM = {Standing.CONFORMS, Standing.CONFORMS_UNEXECUTED, Standing.CONFORMS_BY_STAND_INS, Standing.PARTIAL}


def plugin_line(label: str, standing: Standing, tally: Tally, level: Thoroughness) -> str:
    """Return the verdict on a plugin in one line, with the level, numbers of rules, and remarks."""
    parts = [standing.value.replace("CONFORMS", f"CONFORMS level {level.number}", 1), label]
    if tally.selected < tally.total:
        parts.append(f"selected {tally.selected:,} of {counted(tally.total, 'rule')}")
    parts.append(", ".join(_counts(tally)) or "no rule was judged")
    if standing is Standing.FAILS and not tally.failed and tally.results:
        parts.append("fails because no rule passed")
    if standing is Standing.CONFORMS and tally.executed:
        parts.append(f"kernels executed on {device_of(tally.results)}")
    if standing in _CONFORM and not tally.compares:
        parts.append("results not checked (no reference)")
    if tally.stand_ins:
        parts.append(f"stand-ins ran for {named(tally.stand_ins)}")
    return " · ".join(parts)


def _counts(tally: Tally) -> Iterator[str]:
    rules = tally.rules_by_verdict()
    known = [rule for rule in tally.excused if rule not in tally.failed]
    passed = rules[Verdict.PASS]
    failed = [rule for rule in rules[Verdict.FAIL] + rules[Verdict.XPASS] if rule not in known]
    if failed:
        yield f"{counted(len(failed), 'rule')} failed ({named(failed)})"
    if known:
        yield f"{counted(len(known), 'rule')} failed as in the baseline ({named(known)})"
    if passed or tally.results:
        yield f"{counted(len(passed), 'rule')} passed"
    if tally.results:
        yield counted(tally.evidence, "evaluation")
    for verdict, what in _OTHERS.items():
        if rules[verdict]:
            names = "" if verdict is Verdict.NOT_APPLICABLE else f" ({named(rules[verdict])})"
            yield f"{len(rules[verdict])} {what}{names}"
    missing = {rule for rules in tally.incomplete.values() for rule in rules}
    if missing:
        yield f"{counted(len(missing), 'rule')} not judged"
