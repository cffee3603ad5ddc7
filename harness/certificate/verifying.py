"""Verify a certificate: its form, digest, files, rules, age and the user's demands.

The digest detects accidental edits. Anyone can edit a certificate and recompute the digest. So only a signature proves
who issued a certificate, and `verify` does not look for contradictions in it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from harness.certificate.places import changes, few
from harness.certificate.ruleset import rule_set
from harness.certificate.statement import CertificateResult, Statement, seal_of
from harness.contract.codec import FormError, read
from harness.contract.verdict import Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from harness.certificate.statement import RuleSet
    from harness.contract.catalogue import Catalogue

#: The greatest difference between the clocks of two machines.
_SKEW = dt.timedelta(minutes=5)


class Demands(msgspec.Struct, frozen=True):
    """The conditions that a user sets for a certificate, beyond its validity.

    Attributes:
        place: The folder to which file names are relative, or the path of a certified module; None for the current
            folder.
        max_age: The greatest age; None for any age.
        level: The least level at which it must have been judged; None for any level.
        require: Rules by id, beginning of ids or severity; each must have passed on every case.
        other_rules: Whether to accept rules that differ from those installed here.
    """

    place: Path | None = None
    max_age: dt.timedelta | None = None
    level: int | None = None
    require: tuple[str, ...] = ()
    other_rules: bool = False


class Installed(msgspec.Struct, frozen=True):
    """The installed rules, including rules that need a tool, with their digests."""

    catalogue: Catalogue
    rules: RuleSet

    @classmethod
    def of(cls, catalogue: Catalogue) -> Installed:
        """Return the rules of a catalogue with their digests."""
        return cls(catalogue, rule_set(catalogue))


class CheckedCertificate(msgspec.Struct, frozen=True):
    """The result of verifying a certificate.

    Attributes:
        statement: The certificate; None if the data do not have the form of a certificate.
        problems: The reasons why the certificate is invalid, a line for each.
        shortcomings: The failures that the certificate itself states: it may be valid, and prove no conformity.
    """

    statement: Statement | None
    problems: tuple[str, ...]
    shortcomings: tuple[str, ...] = ()


def check(plain: Any, demands: Demands, installed: Installed, now: dt.datetime) -> CheckedCertificate:
    """Verify a certificate, and return the result.

    Args:
        plain: The certificate as plain data.
        demands: The user's conditions.
        installed: The installed rules.
        now: The time, in UTC.

    Raises:
        harness.certificate.places.PlaceError: ``demands.place`` is no place of the certified files.
        harness.contract.catalogue.UnknownRuleError: ``demands.require`` names a rule that is not installed.
    """
    try:
        statement: Statement = read(Statement, plain)
    except FormError as error:
        return CheckedCertificate(None, (f"it has not the form of a certificate: {error}",))
    edited = "it was edited: its digest is not that of its content; ask its issuer for the original, or certify again"
    problems = [
        *([edited] if seal_of(plain) != statement.facts.digest.sha256 else ()),
        *_of_the_rule_set(statement, installed, demands),
        *changes(statement, demands.place),
        *_of_the_age(statement, demands, now),
        *_of_the_demands(statement, installed, demands),
    ]
    return CheckedCertificate(statement, tuple(dict.fromkeys(problems)), tuple(_shortcomings(statement)))


def _of_the_rule_set(statement: Statement, installed: Installed, demands: Demands) -> Iterator[str]:
    there, here = statement.facts.rule_set, installed.rules
    if demands.other_rules or there == here:
        return
    rules = sorted({**there.rules, **here.rules})
    differing = [name for name in rules if there.rules.get(name) != here.rules.get(name)]
    code = sorted({**there.code, **here.code})
    packages = [name for name in code if there.code.get(name) != here.code.get(name)]
    what = f"rules {few(differing)}" if differing else f"the code of {few(packages)}"
    tool = statement.facts.tool
    yield (
        f"the rules that judged it are not those installed here ({what}). "
        f"Install {tool.name} {tool.version} as its issuer had it, certify again, or accept that with --other-rules"
    )


def _of_the_age(statement: Statement, demands: Demands, now: dt.datetime) -> Iterator[str]:
    text = statement.facts.issued
    try:
        issued = dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.timezone.utc)
    except ValueError:
        yield f"{text} is no time"
        return
    if issued > now + _SKEW:
        yield f"it was issued at {text}, which is yet to come: set the clock here or there right"
    if demands.max_age is not None and now - issued > demands.max_age:
        yield f"it was issued at {text}, which is longer ago than --max-age allows: certify again"


def _of_the_demands(statement: Statement, installed: Installed, demands: Demands) -> Iterator[str]:
    facts = statement.facts
    if demands.level is not None and facts.level < demands.level:
        yield f"it was judged at level {facts.level}, and --level={demands.level} is wanted: certify at that level"
    if not demands.require:
        return
    required = installed.catalogue.matching(demands.require, facts.spec)
    for case in facts.plugins:
        for rule in sorted(required):
            verdict = next((each.verdict.value for each in case.rules if each.id == rule), "not judged")
            if verdict != Verdict.PASS.value:
                yield f"--require={','.join(demands.require)}: {rule} is {verdict} on {case.id}, not PASS"


def _shortcomings(statement: Statement) -> Iterator[str]:
    if statement.predicate.result is CertificateResult.FAILED:
        failed = [case for case in statement.facts.plugins if case.verdict.value in {"FAILS", "INCOMPLETE"}]
        for case in failed:
            rules = [rule.id for rule in case.rules if rule.verdict in {Verdict.FAIL, Verdict.XPASS}]
            why = f"{case.verdict.value}: {few(rules)}" if rules else f"is {case.verdict.value}"
            yield f"it says that {case.id} {why}"
        yield from (f"it says that {module.id} failed" for module in statement.facts.failed_modules)
        if not failed and not statement.facts.failed_modules:
            yield "its result is FAILED"
