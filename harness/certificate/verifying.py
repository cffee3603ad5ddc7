"""Whether a certificate holds, here and now: its form, digest, files, rules, age and what is demanded of it.

A digest detects edits that do not recompute it. Whoever recomputes it can say anything that fits together, so only a
signature tells who issued a certificate.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.certificate import deriving, issuing
from harness.certificate.files import digest_of_file, package_files
from harness.certificate.records import FormError, read
from harness.certificate.ruleset import rule_set, sealed_by
from harness.certificate.statement import Result, Statement, digest_of
from harness.level import Level
from harness.options import FailOn
from harness.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from harness.catalogue import Catalogue
    from harness.certificate.statement import JudgedCase, Resource, RuleSet

__all__ = ["Demands", "Finding", "Installed", "PlaceError", "check"]

#: How far the clocks of two machines may differ.
_SKEW = dt.timedelta(minutes=5)
_MOST_NAMED = 5


class PlaceError(Exception):
    """``--plugin`` names nothing that the certificate is about; the argument says what it may name."""


@dataclasses.dataclass(frozen=True)
class Demands:
    """What is wanted of a certificate beyond its being one.

    Attributes:
        place: Where the files are: the folder that their names are relative to, or the place of a module that was
            certified; None for the current folder.
        max_age: How old it may be.
        level: The level that it must have been judged at, at least.
        require: Rules by id, beginning of ids or severity, each of which must have passed on every case.
        other_rules: Whether rules that differ from those installed are no reason against it.
    """

    place: Path | None = None
    max_age: dt.timedelta | None = None
    level: int | None = None
    require: tuple[str, ...] = ()
    other_rules: bool = False


@dataclasses.dataclass(frozen=True)
class Installed:
    """The rules that are installed here, those included that judge by a tool, and their digests."""

    catalogue: Catalogue
    rules: RuleSet

    @classmethod
    def of(cls, catalogue: Catalogue) -> Installed:
        """Return them with their digests."""
        return cls(catalogue, rule_set(catalogue))


@dataclasses.dataclass(frozen=True)
class Finding:
    """What a check came to.

    Attributes:
        statement: The certificate; None if it has not the form of one.
        problems: Why it does not hold, a line each.
        shortcomings: Why it holds and is no proof of conformity all the same: what it says itself.
    """

    statement: Statement | None
    problems: tuple[str, ...]
    shortcomings: tuple[str, ...] = ()


def check(plain: Any, demands: Demands, installed: Installed, now: dt.datetime) -> Finding:
    """Return what there is to say against a certificate.

    Args:
        plain: The certificate as plain data.
        demands: What is wanted of it.
        installed: The rules that are installed.
        now: The time, in UTC.

    Raises:
        PlaceError: The demands name a place that the certificate knows nothing of.
        harness.catalogue.UnknownRuleError: They name a rule that is not installed either.
    """
    try:
        statement: Statement = read(Statement, plain)
    except FormError as error:
        return Finding(None, (f"it has not the form of a certificate: {error}",))
    problems = [
        *_of_the_digest(plain, statement),
        *_of_the_lists(statement),
        *_of_the_cases(statement),
        *_of_the_must_run_list(statement, installed),
        *_of_the_rule_set(statement, installed, demands),
        *_of_the_files(statement, demands),
        *_of_the_age(statement, demands, now),
        *_of_the_demands(statement, installed, demands),
    ]
    return Finding(statement, tuple(dict.fromkeys(problems)), tuple(_shortcomings(statement)))


def _of_the_digest(plain: dict[str, Any], statement: Statement) -> Iterator[str]:
    if digest_of(plain) != statement.facts.digest.sha256:
        yield "it was edited: its digest is not that of its content; ask its issuer for the original, or certify again"


def _of_the_lists(statement: Statement) -> Iterator[str]:
    """Yield where what in-toto's predicate says does not follow from the verdicts."""
    found, facts = statement.predicate, statement.facts
    lists = deriving.lists_of(facts.plugins, facts.failed_modules, _fail_on(statement))
    told = {"passed": found.passed_tests, "warned": found.warned_tests, "failed": found.failed_tests}
    for name, tests in told.items():
        if list(tests) != lists[name]:
            yield f"predicate.{name}Tests {_differs(lists[name], tests)}"
    result = deriving.result_of(facts.plugins, lists)
    if found.result is not result:
        yield f"predicate.result is {found.result.value}, and the verdicts make it {result.value}"
    counts = deriving.counts_of(facts.plugins)
    if facts.counts != counts:
        yield f"counts are not those of the verdicts, which are {counts}"
    if found.configuration != issuing.configuration_of(facts):
        yield "predicate.configuration does not hold the digests of the rule set and of the options"
    told_twice = {
        "level": (facts.level, facts.options.get("level")),
        "spec": (facts.spec, facts.options.get("spec")),
        "seeds": (list(facts.seeds), facts.options.get("seeds")),
        "what was certified": (
            [module.given for module in facts.modules],
            [*facts.options.get("modules", ()), *facts.options.get("apps", ())],
        ),
    }
    for name, (here, there) in told_twice.items():
        if here != there:
            yield f"{name}: {here} in one place, {there} in the options"


def _of_the_cases(statement: Statement) -> Iterator[str]:
    """Yield which cases say something of themselves that their rules do not."""
    for case in statement.facts.plugins:
        if not deriving.is_standing_of(case, _fail_on(statement)):
            yield f"{case.id} is {case.verdict.value}, which does not follow from the verdicts of its rules"
        if case.evidence != sum(rule.evidence for rule in case.rules):
            yield f"{case.id} has an evidence of {case.evidence}, which is not the sum of that of its rules"
        for rule in case.rules:
            if rule.verdict is Verdict.PASS and rule.evidence < 1:
                yield f"{case.id}::{rule.id} is PASS without any evidence"
    facts = statement.facts
    for module in facts.modules:
        if module.name not in {
            *(case.module for case in facts.plugins),
            *(each.module for each in facts.failed_modules),
        }:
            yield f"{module.given} was certified, and there is no verdict on anything of it"
    told = sorted(each.id for each in facts.not_run)
    for name in deriving.unjudged(statement.facts.plugins):
        if name not in told:
            yield f"{name} was not judged, and is not in the list of what was not run"


def _of_the_must_run_list(statement: Statement, installed: Installed) -> Iterator[str]:
    """Yield which rules have no verdict, two, or one that nobody asked for."""
    facts = statement.facts
    for case in facts.plugins:
        wanted, judged = facts.must_run.get(case.interface.value, ()), [rule.id for rule in case.rules]
        if list(wanted) != judged:
            yield f"the verdicts on {case.id}, held beside mustRun: the list {_differs(wanted, judged)}"
    if facts.rule_set == installed.rules:  # whatever other rules there were, only those who had them know
        if facts.must_run != issuing.must_run_of(installed.catalogue, facts.plugins, _options(statement)):
            yield "mustRun is not the list of the rules that level, API level and tools of this certificate ask for"
        needing = issuing.needing_tools(installed.catalogue, facts.plugins, _options(statement)["sanitizer"])
        if missing := [each.id for each in needing if each not in facts.not_run]:
            yield f"the list of what was not run lacks {_few(missing)}"


def _of_the_rule_set(statement: Statement, installed: Installed, demands: Demands) -> Iterator[str]:
    there, here = statement.facts.rule_set, installed.rules
    if there.digest.sha256 != sealed_by(there.rules, there.code):
        yield "ruleSet was edited: its digest is not that of the rules and the code that it lists"
    if demands.other_rules or there == here:
        return
    rules = sorted({**there.rules, **here.rules})
    differing = [name for name in rules if there.rules.get(name) != here.rules.get(name)]
    code = sorted({**there.code, **here.code})
    packages = [name for name in code if there.code.get(name) != here.code.get(name)]
    what = f"rules {_few(differing)}" if differing else f"the code of {_few(packages)}"
    tool = statement.facts.tool
    yield (
        f"it was judged by other rules than are installed here ({what}): install {tool.name} {tool.version} as its "
        "issuer had it, certify again, or accept that with --other-rules"
    )


def _of_the_files(statement: Statement, demands: Demands) -> Iterator[str]:
    at = _places(statement, demands.place)
    names = [resource.name for resource in statement.subject]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        yield f"subject names {_few(twice)} more than once"
    if not names:
        yield "subject is empty: the certificate is about no file"
    for resource in statement.subject:
        yield from _of_a_file(resource, at(resource.name))
    for package in statement.facts.packages:
        folder = at(package)
        known = {at(name) for name in names}
        if added := [file for file in package_files(folder) if file not in known]:
            told = _few([str(file.relative_to(folder)) for file in added])
            yield f"{package} has files that were not certified: {told}; remove them, or certify again"
    for module in statement.facts.modules:
        if module.place not in {*names, *statement.facts.packages}:
            yield f"the file of {module.given}, {module.place}, is none of the files in subject"


def _of_a_file(resource: Resource, file: Path) -> Iterator[str]:
    if not file.is_file():
        yield f"{resource.name} is not there: looked for it at {file}; say where the plugin is, with --plugin=PATH"
        return
    try:
        found = digest_of_file(file)
    except OSError as error:
        yield f"{resource.name} cannot be read: {error}"
        return
    if found != resource.digest.sha256:
        yield f"{resource.name} is not the file that was certified: it was changed, so certify again"


def _of_the_age(statement: Statement, demands: Demands, now: dt.datetime) -> Iterator[str]:
    told = statement.facts.issued
    try:
        issued = dt.datetime.strptime(told, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.timezone.utc)
    except ValueError:
        yield f"{told} is no time"
        return
    if issued > now + _SKEW:
        yield f"it was issued at {told}, which is yet to come: set the clock here or there right"
    if demands.max_age is not None and now - issued > demands.max_age:
        yield f"it was issued at {told}, which is longer ago than --max-age allows: certify again"


def _of_the_demands(statement: Statement, installed: Installed, demands: Demands) -> Iterator[str]:
    facts = statement.facts
    if demands.level is not None and facts.level < demands.level:
        yield f"it was judged at level {facts.level}, and --level={demands.level} is wanted: certify at that level"
    if not demands.require:
        return
    wanted = installed.catalogue.matching(demands.require, facts.spec)
    for case in facts.plugins:
        for rule in sorted(wanted):
            verdict = next((each.verdict.value for each in case.rules if each.id == rule), "not judged")
            if verdict != Verdict.PASS.value:
                yield f"--require={','.join(demands.require)}: {rule} is {verdict} on {case.id}, not PASS"


def _shortcomings(statement: Statement) -> Iterator[str]:
    if statement.predicate.result is Result.FAILED:
        failed = [case for case in statement.facts.plugins if case.verdict.value in {"FAILS", "INCOMPLETE"}]
        yield from (f"it says that {case.id} {_why(case)}" for case in failed)
        yield from (f"it says that {module.id} failed" for module in statement.facts.failed_modules)
        if not failed and not statement.facts.failed_modules:
            yield "its result is FAILED"


def _why(case: JudgedCase) -> str:
    failed = [rule.id for rule in case.rules if rule.verdict in {Verdict.FAIL, Verdict.XPASS}]
    return f"{case.verdict.value}: {_few(failed)}" if failed else f"is {case.verdict.value}"


def _places(statement: Statement, place: Path | None) -> Callable[[str], Path]:
    """Return what tells where a file of the certificate is now.

    Raises:
        PlaceError: ``place`` is neither a folder nor a module of the certificate.
    """
    if place is None:
        return lambda name: Path(os.path.abspath(name))  # noqa: PTH100 - links stay as they are named
    module = next((each for each in statement.facts.modules if Path(each.place).name == place.name), None)
    if module is not None and place.exists():
        above, there = Path(module.place).parent, place.parent
        return lambda name: Path(os.path.abspath(there / os.path.relpath(name or os.curdir, above)))  # noqa: PTH100 - as above
    if place.is_dir():
        return lambda name: Path(os.path.abspath(place / name))  # noqa: PTH100 - the same
    certified = ", ".join(module.place for module in statement.facts.modules)
    raise PlaceError(
        f"--plugin={place}: this is neither a folder nor one of {certified}: name the folder that these are in, or "
        "where one of them is"
    )


def _fail_on(statement: Statement) -> FailOn:
    word = statement.facts.options.get("fail_on")
    return FailOn(word) if word in [each.value for each in FailOn] else FailOn.ERROR


def _options(statement: Statement) -> dict[str, Any]:
    """The options that rules depend on, whatever somebody made of them."""
    facts = statement.facts
    tools = facts.options.get("sanitizer")
    level = facts.level if facts.level in [each.number for each in Level] else Level.DEFAULT.number
    return {"level": level, "sanitizer": tools if isinstance(tools, list) else []}


def _differs(wanted: Any, found: Any) -> str:
    """Tell how a list differs from the one that it should be."""
    wanted, found = list(wanted), list(found)
    missing = [name for name in wanted if name not in found]
    surplus = [name for name in found if name not in wanted]
    if missing:
        return f"lacks {_few(missing)}"
    if surplus:
        return f"has {_few(surplus)} too much"
    return "has a name twice or is in another order"


def _few(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
