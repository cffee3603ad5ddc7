"""Check that the parts of a certificate agree with each other."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from harness.certificate import deriving, issuing
from harness.config.declarations import SUBJECTS
from harness.config.options import FailOn
from harness.config.program import program_of
from harness.contract.verdict import Verdict
from harness.contract.wording import named
from harness.results.run_plan import ROOT

if TYPE_CHECKING:
    from harness.certificate.statement import Statement

#: Returns the first five of some names, and the number of others, as a text.
few = functools.partial(named, most=5)
#: The reason in reports for a rule that only a higher level judges.
UNSELECTED = "not selected"


def contradictions(statement: Statement) -> Iterator[str]:
    """Yield a line for each contradiction in a certificate."""
    yield from _of_the_lists(statement)
    yield from _of_the_cases(statement)
    yield from _of_the_modules(statement)
    yield from _of_what_was_not_run(statement)


def _of_the_lists(statement: Statement) -> Iterator[str]:
    """Yield contradictions between in-toto's predicate, the verdicts and the options."""
    predicate, facts = statement.predicate, statement.facts
    lists = deriving.lists_of(facts.plugins, facts.failed_modules, _fail_on(statement))
    stated = {"passed": predicate.passed_tests, "warned": predicate.warned_tests, "failed": predicate.failed_tests}
    for name, tests in stated.items():
        if list(tests) != lists[name]:
            yield f"predicate.{name}Tests {differs(lists[name], tests)}"
    result = deriving.result_of(facts.plugins, lists)
    if predicate.result is not result:
        yield f"predicate.result is {predicate.result.value}, and the verdicts make it {result.value}"
    counts = deriving.counts_of(facts.plugins)
    if facts.counts != counts:
        yield f"counts are not those of the verdicts, which are {counts}"
    if predicate.configuration != issuing.configuration_of(facts):
        yield "predicate.configuration does not hold the digests of the rule set and of the options"
    stated_twice = {
        "level": (facts.level, facts.options.get("level")),
        "spec": (facts.spec, facts.options.get("spec")),
        "seeds": (list(facts.seeds), facts.options.get("seeds")),
        "what was certified": (
            sorted({program_of(module.given) or module.given for module in facts.modules}),
            sorted(
                str(each)
                for kind in SUBJECTS
                if kind.field in facts.options
                for each in listed(facts.options, kind.field)
            ),
        ),
    }
    for name, (here, there) in stated_twice.items():
        if here != there:
            yield f"{name}: {here} in one place, {there} in the options"


def _of_the_cases(statement: Statement) -> Iterator[str]:
    """Yield contradictions between a case's verdict, name or evidence and its rules."""
    for case in statement.facts.plugins:
        left_out = any(
            each.id.startswith(f"{case.id}::") and each.reason == UNSELECTED for each in statement.facts.not_run
        )
        if not deriving.is_standing_of(case, _fail_on(statement), left_out=left_out):
            yield f"{case.id} is {case.verdict.value}, which does not follow from the verdicts of its rules"
        if not re.fullmatch(rf"{ROOT}::{re.escape(case.key)}(\+[^:]+)?::{re.escape(case.case)}", case.id):
            yield f"{case.id} is not the name of {case.key} with the case {case.case}"
        if case.evidence != sum(rule.evidence for rule in case.rules):
            yield f"{case.id} has an evidence of {case.evidence}, which is not the sum of that of its rules"
        for rule in case.rules:
            if rule.verdict is Verdict.PASS and rule.evidence < 1:
                yield f"{case.id}::{rule.id} is PASS without any evidence"


def _of_the_modules(statement: Statement) -> Iterator[str]:
    facts = statement.facts
    named = [(module.given, module.name) for module in facts.modules]
    if twice := sorted({given for given, name in named if named.count((given, name)) > 1}):
        yield f"the list of certified modules has {few(twice)} more than once"
    for case in facts.plugins:
        if case.module not in [module.name for module in facts.modules]:
            yield f"{case.id} is of the module {case.module}, which is none of those that were certified"
    for module in facts.modules:
        if module.name not in {
            *(case.module for case in facts.plugins),
            *(each.module for each in facts.failed_modules),
        }:
            yield f"{module.given} was certified, and there is no verdict on anything of it"


def _of_what_was_not_run(statement: Statement) -> Iterator[str]:
    predicate, not_run = statement.predicate, [each.id for each in statement.facts.not_run]
    if missing := [name for name in deriving.unjudged(statement.facts.plugins) if name not in not_run]:
        yield f"notRun lacks {few(missing)}"
    if twice := [name for name in not_run if not_run.count(name) > 1]:
        yield f"notRun has {few(twice)} more than once"
    judged = {*predicate.passed_tests, *predicate.warned_tests, *predicate.failed_tests}
    if both := [name for name in not_run if name in judged]:
        yield f"notRun has {few(both)}, which was judged"


def _fail_on(statement: Statement) -> FailOn:
    word = statement.facts.options.get("fail_on")
    return FailOn(word) if word in [each.value for each in FailOn] else FailOn.ERROR


def differs(expected: Iterable[str], actual: Iterable[str]) -> str:
    """Describe how a list differs from the expected list."""
    here, there = list(expected), list(actual)
    missing = [name for name in here if name not in there]
    surplus = [name for name in there if name not in here]
    if missing:
        return f"lacks {few(missing)}"
    if surplus:
        return f"has {few(surplus)} too much"
    return "has a name twice or is in another order"


def listed(options: dict[str, Any], name: str) -> list[Any]:
    """Return the values of an option as a list, also if a faulty certificate has a single value."""
    value = options.get(name)
    return value if isinstance(value, list) else [value]
