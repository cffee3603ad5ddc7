"""Choose the seeds of a rule, and combine their verdicts into one.

A seed decides the order of TensorRT's calls where no document does. It also decides the values of the inputs. Rules
that drive an engine are judged with each seed of the run, to compare orders. Rules that call a plugin themselves choose
the order. They are judged once, because a further seed would change only the values.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from harness.contract.finding import Violation
from harness.contract.verdict import BAD, Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.contract.rule import Rule


def seeds_of(rule: Rule, seeds: Sequence[int]) -> tuple[int, ...]:
    """Return the run's seeds with which a rule is judged; a fuzz rule generates many examples with one seed."""
    return tuple(seeds) if rule.drives and rule.strategy is None else tuple(seeds[:1])


def over_seeds(results: Mapping[int, Result]) -> Result:
    """Return one verdict from those of several seeds: the common verdict, or FAIL if they differ.

    With some seeds a rule may be BLOCKED, or be NOT-RUN because there is no device. Then that is the verdict, unless
    the rule failed with another seed.
    """
    (_, first), *_ = results.items()
    if len({result.verdict for result in results.values()}) == 1:
        return dataclasses.replace(
            first,
            evidence=sum(result.evidence for result in results.values()),
            broken=sum(result.broken for result in results.values()),
        )
    bad = next((result for result in results.values() if result.verdict in BAD), None)
    held_up = [result for result in results.values() if result.verdict is Verdict.BLOCKED or result.needs_device]
    if bad is None and held_up:
        return held_up[0]
    return _order_sensitive(bad, results)


def _order_sensitive(bad: Result | None, results: Mapping[int, Result]) -> Result:
    (_, first), *_ = results.items()
    other = next(seed for seed, result in results.items() if result.verdict is not first.verdict)
    said = ", ".join(f"{result.verdict.value} with seed {seed}" for seed, result in results.items())
    reason = f"order-sensitive: {said}; --plugin-seed={other} shows that order alone"
    if bad is not None:
        return dataclasses.replace(bad, verdict=Verdict.FAIL, reason=reason, order_sensitive=True)
    violation = Violation(
        what=f"what is seen depends on the order of TensorRT's calls: {said}",
        where="the life of an engine: network, build, contexts, executions",
        expected="the same in every order that TensorRT is free to choose",
        observed="; ".join(dict.fromkeys(result.reason or result.verdict.value for result in results.values())),
        fix="Let no callback depend on how often, or in which order, the others were called.",
    )
    return dataclasses.replace(
        first,
        verdict=Verdict.FAIL,
        reason=reason,
        order_sensitive=True,
        violations=(violation,),
        evidence=first.evidence + 1,
        broken=1,
    )
