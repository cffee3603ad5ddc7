"""Results in words: the four-answer form of a violation, the reason of a verdict, the line on a plugin."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.contract.expected_failures import case_entry, file_entry
from harness.contract.verdict import Verdict
from harness.results.tally import Standing, device_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.contract.finding import CallbackFailure, Violation
    from harness.contract.rule import Rule
    from harness.contract.thoroughness import Thoroughness
    from harness.contract.verdict import Result
    from harness.results.tally import Tally

_INDENT = " " * 12


def lines_of(
    rule: Rule, result: Result, *, violations: Sequence[Violation] | None = None, broken: int = 0, again: str = ""
) -> Iterator[str]:
    """Tell a bad result in full: what, where, expected, observed, source and fix; for a mishap its story too.

    Args:
        rule: The rule.
        result: Its verdict.
        violations: The violations that stand for all; those of the result if not given.
        broken: How many there are, here and elsewhere; as many as the result says if not given.
        again: The command that judges it again, where the result has none.
    """
    if result.reason:
        yield from field("because", result.reason)
    told = result.violations if violations is None else violations
    for violation in told:
        yield from _violation(violation)
    more = (broken or result.broken) - len(told)
    if more > 0 and told:
        yield from field("and", f"{more:,} more like {'it' if len(told) == 1 else 'these'}")
    for number, example in enumerate(result.examples):
        yield from field("then" if number else "example", shown(example))
    if result.examples and result.drawn:
        drawn = result.drawn
        yield from field("drawn", f"with seed {drawn.seed}; example {drawn.judged:,} was the first to fail")
    if result.replay or again:
        yield from field("replay", result.replay or again)
    yield from field("source", str(rule.source).replace("TensorRT ; ", ""))
    if result.fingerprint:
        yield from field("fingerprint", result.fingerprint)
    if result.mishap is not None:
        yield from _mishap(result.mishap)


def shown(example: Any) -> str:
    """Return an example as JSON; of a program, the steps in words."""
    if not isinstance(example, dict) or "program" not in example:
        return json.dumps(example)
    steps = "; ".join(" ".join(map(str, step)) for step in example["program"])
    return f"shapes {json.dumps(example['shapes'])}, schedule {example['schedule']}\n{steps}"


def told_above(result: Result, first: Result) -> Iterator[str]:
    """Tell a result that says what another rule's says, which stands above it in full."""
    if result.reason:
        yield from field("because", result.reason)
    yield from field("same as", f"{first.rule} above: {summary(result)}")
    if result.replay:
        yield from field("replay", result.replay)
    if result.fingerprint:
        yield from field("fingerprint", result.fingerprint)


def expectation(result: Result, plugin: str, cases: Sequence[str]) -> Iterator[str]:
    """Tell how to say that a failure is expected, ready to paste; nothing where nothing was seen.

    An application has no cases that the user writes; its key, ``module:function``, has no slash.
    """
    if result.fingerprint and cases:
        in_file = f"in a file: {file_entry(plugin, cases, result.rule, result.fingerprint)}"
        in_case = f"in a case: {case_entry(result.rule, result.fingerprint)}\n" if "/" in plugin else ""
        yield from field("to expect", f"{in_case}{in_file}")


def heading(rule: Rule) -> str:
    """Tell the requirement, without the double backquotes of docstrings."""
    return f"{rule.id}: {rule.requirement.replace('``', '')}"


def field(name: str, text: str) -> Iterator[str]:
    """Tell one thing under its name; further lines of the text are indented alike."""
    first, *others = text.splitlines() or [""]
    yield f"  {name:<9} {first}"
    for line in others:
        yield (_INDENT + line).rstrip()


def summary(result: Result) -> str:
    """Tell a bad result in one line."""
    if result.violations:
        return result.violations[0].what.partition("\n")[0]
    return result.reason.partition("\n")[0]


def word(result: Result) -> str:
    """Tell a verdict with its evidence, for example ``PASS [412 evaluations]``."""
    return worded(result.verdict, result.broken, result.evidence)


def worded(verdict: Verdict, broken: int, evidence: int) -> str:
    """Tell a verdict, how many questions it rests on, and how many of them were answered badly."""
    if not evidence:
        return verdict.value
    return f"{verdict.value} [{f'{broken:,} of ' if broken else ''}{counted(evidence, 'evaluation')}]"


def counted(number: int, noun: str) -> str:
    """Return ``1 rule`` or ``2,310 rules``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def plugin_line(label: str, standing: Standing, tally: Tally, level: Thoroughness) -> str:
    """Tell the verdict on a plugin in one line; what it conforms to depends on how much was judged."""
    parts = [standing.value.replace("CONFORMS", f"CONFORMS level {level.number}", 1), label]
    if tally.selected < tally.total:
        parts.append(f"selected {tally.selected:,} of {counted(tally.total, 'rule')}")
    parts.append(", ".join(_counts(tally)) or "nothing was judged")
    if standing is Standing.CONFORMS and tally.executed:
        parts.append(f"kernels executed on {device_of(tally.results)}")
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


_OTHERS = {
    Verdict.WARN: "WARN",
    Verdict.XFAIL: "expected to fail",
    Verdict.BLOCKED: "BLOCKED",
    Verdict.NOT_RUN: "NOT-RUN",
    Verdict.NOT_APPLICABLE: "N/A",
}


def named(rules: Sequence[str], most: int = 6) -> str:
    """Return the names of some rules, or of the first ones and how many more there are."""
    if len(rules) <= most:
        return ", ".join(rules)
    return f"{', '.join(rules[:most])} and {len(rules) - most} more"


def _violation(violation: Violation) -> Iterator[str]:
    yield from field("what", violation.what)
    yield from field("where", violation.where)
    yield from field("expected", violation.expected)
    yield from field("observed", violation.observed)
    yield from field("fix", violation.fix)


def _mishap(mishap: CallbackFailure) -> Iterator[str]:
    yield from field("callback", f"{mishap.callback} {mishap.how}")
    if mishap.stack:
        yield from field("stack", mishap.stack)
    if mishap.calls:
        yield from field("calls", "the last ones before it, oldest first:")
        for call in mishap.calls:
            yield f"{_INDENT}{call}"
