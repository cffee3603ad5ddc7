"""Make a certificate from the report of a run and the files that it judged, by pure functions."""

from __future__ import annotations

import collections
import dataclasses
import platform
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from harness.certificate.files import named
from harness.certificate.ruleset import must_run, rule_set
from harness.certificate.statement import (
    PREDICATE,
    SCHEMA,
    STATEMENT,
    CertificateResult,
    Digest,
    Extension,
    FailedModule,
    JudgedCase,
    JudgedRule,
    NotRun,
    Resource,
    Statement,
    TestResult,
    Tool,
    digest_of,
    sealed,
)
from harness.config.options import FailOn
from harness.contract.codec import read
from harness.contract.extra_tools import Builder
from harness.contract.sanitizer_tool import Tool as Sanitizer
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Result as RuleResult
from harness.contract.verdict import Verdict
from harness.contract.wording import encoded
from harness.process import gpus
from harness.process.machine import version_of
from harness.process.nvidia_packages import of_choice
from harness.results.module_rules import IMPORT
from harness.results.run_plan import ROOT
from harness.results.tally import Standing, fails

if TYPE_CHECKING:
    import datetime as dt

    from harness.certificate.files import Files
    from harness.contract.catalogue import Catalogue
    from harness.results.report import Document

#: Verdicts on plugins with which a run succeeds, and that make the certificate's result WARNED.
_WITH_REMARKS = {Standing.CONFORMS_UNEXECUTED, Standing.CONFORMS_BY_STAND_INS, Standing.PARTIAL}
_GOOD = {Standing.CONFORMS, *_WITH_REMARKS}
_PROVING_NOTHING = {Verdict.NOT_RUN, Verdict.BLOCKED}
#: The names of tests, as ``passed``, ``warned`` and ``failed``.
Lists = dict[str, list[str]]

DISTRIBUTION = "pytest-trt-conformance"
#: Options whose values are absolute paths on this machine.
_PATHS = ("onnx", "expected_failures")


def certificate_of(
    document: Document, files: Files, installed: Catalogue, *, issued: dt.datetime, url: str | None = None
) -> Statement:
    """Return the certificate for a report of a complete run.

    Args:
        document: The report.
        files: The certified files.
        installed: All installed rules, including rules that need a tool.
        issued: The time of issue, in UTC.
        url: An address with the run, for example of the job in CI.
    """
    plugins = tuple(_judged_case(entry, files.home) for entry in document["plugins"])
    modules = tuple(map(_failed_module, document["modules"]))
    options = _options(document["options"], files.home)
    lists = lists_of(plugins, modules, FailOn(options["fail_on"]))
    rules = rule_set(installed)
    facts = Extension(
        schema=SCHEMA,
        issued=issued.strftime("%Y-%m-%dT%H:%M:%SZ"),
        tool=Tool(DISTRIBUTION, version_of(DISTRIBUTION) or "(not installed)"),
        versions=document["versions"],
        system=f"{platform.system()} {platform.machine()}",
        gpus=tuple(gpus.models()) if any(case.device == "cuda" for case in plugins) else (),
        level=document["level"],
        spec=document["spec"],
        seeds=tuple(document["seeds"]),
        options=options,
        modules=files.modules,
        packages=tuple(named(folder, files.home) for folder in files.packages),
        rule_set=rules,
        must_run=_must_run_of(installed, plugins, options),
        counts=counts_of(plugins),
        plugins=plugins,
        failed_modules=modules,
        not_run=(*_not_run(document, plugins), *needing_tools(installed, plugins, options["sanitizer"])),
        left_out=tuple(document.get("left_out") or ()) or None,
        built_too=document.get("built_too"),
        digest=Digest("0" * 64),
    )
    predicate = TestResult(
        result=result_of(plugins, lists),
        configuration=configuration_of(facts),
        url=url,
        passed_tests=tuple(lists["passed"]),
        warned_tests=tuple(lists["warned"]),
        failed_tests=tuple(lists["failed"]),
        trt_conformance=facts,
    )
    return sealed(Statement(STATEMENT, files.subject, PREDICATE, predicate))


def configuration_of(facts: Extension) -> tuple[Resource, ...]:
    """Return in-toto's ``configuration``: the digests of the rule set and of the options."""
    options = Digest(digest_of(facts.options))
    return (Resource("rule set", facts.rule_set.digest), Resource("options", options))


def _must_run_of(
    installed: Catalogue, plugins: Sequence[JudgedCase], options: dict[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return for each interface of the plugins the rules that must have a verdict, by the level and the tools."""
    usable = structs.replace(
        installed,
        rules={
            name: rule
            for name, rule in installed.rules.items()
            if rule.tool is None or rule.tool.value in tools_of(options)
        },
    )
    return must_run(usable, (case.interface for case in plugins), Thoroughness(str(options["level"])))


def tools_of(options: dict[str, Any]) -> tuple[str, ...]:
    """Return the tools of a run, which some rules need: sanitizers, and NVIDIA's builder."""
    has_builder = of_choice(str(options.get("runtime"))) is not None
    return (*options["sanitizer"], *(each.value for each in Builder if has_builder))


def needing_tools(installed: Catalogue, plugins: Sequence[JudgedCase], tools: Sequence[str]) -> Iterator[NotRun]:
    """Yield the tests of rules that need a sanitizer which is not among the run's ``tools``."""
    for case in plugins:
        for rule in installed.concerning(case.interface):
            if isinstance(rule.tool, Sanitizer) and rule.tool.value not in tools:
                reason = f"it needs --sanitizer={rule.tool.value}, which was not asked for"
                yield NotRun(f"{case.id}::{rule.id}", reason)


def _written(kind: type[JudgedCase | JudgedRule], entry: dict[str, Any]) -> dict[str, Any]:
    """Return the values in a report's entry for the fields of a record, under the record's JSON keys."""
    return {
        field.metadata["key"] or field.name: entry[field.name]
        for field in dataclasses.fields(kind)
        if field.name in entry or not field.metadata["optional"]
    }


def _judged_case(entry: dict[str, Any], home: Path) -> JudgedCase:
    file = named(Path(entry["file"]), home) if entry["file"] else ""
    rules = [_written(JudgedRule, rule) for rule in entry["rules"]]
    case: JudgedCase = read(JudgedCase, _written(JudgedCase, {**entry, "file": file, "rules": rules}))
    return case


def _failed_module(entry: dict[str, Any]) -> FailedModule:
    what = tuple(violation["what"] for violation in entry.get("violations", ()))
    return FailedModule(f"{ROOT}::{encoded(entry['module'])}::{entry.get('rule', IMPORT)}", entry["module"], what)


def _not_run(document: Document, plugins: Sequence[JudgedCase]) -> Iterator[NotRun]:
    """Yield the tests that the report lists as not run, and those that a failed rule blocks."""
    yield from (NotRun(entry["id"], entry["reason"]) for entry in document["not_run"])
    for case in plugins:
        for rule in case.rules:
            if rule.verdict is Verdict.BLOCKED:
                yield NotRun(f"{case.id}::{rule.id}", rule.reason)


def _options(options: dict[str, Any], home: Path) -> dict[str, Any]:
    """Return the options, with files named as in the certificate's subject."""
    relative = {
        name: [named(Path(each), home) for each in value] if isinstance(value, list) else named(Path(value), home)
        for name in _PATHS
        if (value := options[name])
    }
    return {**options, **relative}


def lists_of(plugins: Iterable[JudgedCase], modules: Iterable[FailedModule], fail_on: FailOn) -> Lists:
    """Return the tests that passed, passed with a warning, or failed; tests in no list were not judged."""
    lists: Lists = {"passed": [], "warned": [], "failed": [module.id for module in modules]}
    for name, rule in _tests(plugins):
        if fails(_result(rule), fail_on):
            lists["failed"].append(name)
        elif rule.verdict in {Verdict.PASS, Verdict.NOTE}:  # a note is no fault
            lists["passed"].append(name)
        elif rule.verdict in {Verdict.WARN, Verdict.XFAIL}:
            lists["warned"].append(name)
    return lists


def result_of(plugins: Iterable[JudgedCase], lists: Lists) -> CertificateResult:
    """Return in-toto's result: FAILED if a plugin does not conform, WARNED if there is a remark, else PASSED."""
    cases = tuple(plugins)
    if lists["failed"] or not cases or any(case.verdict not in _GOOD for case in cases):
        return CertificateResult.FAILED
    verdicts = {rule.verdict for _, rule in _tests(cases)}
    if lists["warned"] or verdicts & _PROVING_NOTHING or any(case.verdict in _WITH_REMARKS for case in cases):
        return CertificateResult.WARNED
    return CertificateResult.PASSED


def counts_of(plugins: Iterable[JudgedCase]) -> dict[str, int]:
    """Return the number of tests with each verdict."""
    counts = collections.Counter(rule.verdict for _, rule in _tests(plugins))
    return {verdict.value: counts[verdict] for verdict in Verdict}


def _tests(plugins: Iterable[JudgedCase]) -> Iterator[tuple[str, JudgedRule]]:
    return ((f"{case.id}::{rule.id}", rule) for case in plugins for rule in case.rules)


def _result(rule: JudgedRule) -> RuleResult:
    return RuleResult(rule.id, rule.severity, rule.verdict, rule.evidence)
