"""Make a certificate from the report of a run and the files that it judged, by pure functions."""

from __future__ import annotations

import dataclasses
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from harness.certificate import canonical, deriving
from harness.certificate.files import named
from harness.certificate.ruleset import must_run, rule_set
from harness.certificate.statement import (
    PREDICATE,
    SCHEMA,
    STATEMENT,
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
    sealed,
)
from harness.config.options import FailOn
from harness.contract.codec import read
from harness.contract.extra_tools import Builder
from harness.contract.sanitizer_tool import Tool as Sanitizer
from harness.contract.thoroughness import Thoroughness
from harness.contract.verdict import Verdict
from harness.contract.wording import encoded
from harness.process import gpus
from harness.process.machine import version_of
from harness.process.nvidia_packages import of_choice
from harness.results.module_rules import IMPORT
from harness.results.run_plan import ROOT

if TYPE_CHECKING:
    import datetime as dt

    from harness.certificate.files import Files
    from harness.contract.catalogue import Catalogue
    from harness.results.report import Document

DISTRIBUTION = "pytest-trt-conformance"
#: Options that name a file by its place on this machine.
_PATHS = ("onnx", "expected_failures")


def certificate_of(
    document: Document, files: Files, installed: Catalogue, *, issued: dt.datetime, url: str | None = None
) -> Statement:
    """Return the certificate that a report of a complete run adds up to.

    Args:
        document: The report.
        files: The files that it is about.
        installed: All rules that are installed, those included that judge by a tool.
        issued: When; in UTC.
        url: Where the run can be looked up.
    """
    plugins = tuple(_judged_case(entry, files.home) for entry in document["plugins"])
    modules = tuple(map(_failed_module, document["modules"]))
    options = _options(document["options"], files.home)
    lists = deriving.lists_of(plugins, modules, FailOn(options["fail_on"]))
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
        must_run=must_run_of(installed, plugins, options),
        counts=deriving.counts_of(plugins),
        plugins=plugins,
        failed_modules=modules,
        not_run=(*_not_run(document, plugins), *needing_tools(installed, plugins, options["sanitizer"])),
        left_out=tuple(document.get("left_out") or ()) or None,
        built_too=document.get("built_too"),
        digest=Digest("0" * 64),
    )
    found = TestResult(
        result=deriving.result_of(plugins, lists),
        configuration=configuration_of(facts),
        url=url,
        passed_tests=tuple(lists["passed"]),
        warned_tests=tuple(lists["warned"]),
        failed_tests=tuple(lists["failed"]),
        trt_conformance=facts,
    )
    return sealed(Statement(STATEMENT, files.subject, PREDICATE, found))


def configuration_of(facts: Extension) -> tuple[Resource, ...]:
    """Return what the run was configured by, as in-toto has it."""
    options = Digest(canonical.digest_of(facts.options))
    return (Resource("rule set", facts.rule_set.digest), Resource("options", options))


def must_run_of(
    installed: Catalogue, plugins: Sequence[JudgedCase], options: dict[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return for each interface of the plugins the rules that the options ask for."""
    asked = structs.replace(
        installed,
        rules={
            name: rule
            for name, rule in installed.rules.items()
            if rule.tool is None or rule.tool.value in asked_tools(options)
        },
    )
    return must_run(asked, (case.interface for case in plugins), Thoroughness(str(options["level"])))


def asked_tools(options: dict[str, Any]) -> tuple[str, ...]:
    """Return what rules could judge by beside the reference runtime."""
    has_builder = of_choice(str(options.get("runtime"))) is not None
    return (*options["sanitizer"], *(each.value for each in Builder if has_builder))


def needing_tools(installed: Catalogue, plugins: Sequence[JudgedCase], asked: Sequence[str]) -> Iterator[NotRun]:
    """Yield what no rule could judge because its tool was not asked for."""
    for case in plugins:
        for rule in installed.concerning(case.interface):
            if isinstance(rule.tool, Sanitizer) and rule.tool.value not in asked:
                reason = f"it needs --sanitizer={rule.tool.value}, which was not asked for"
                yield NotRun(f"{case.id}::{rule.id}", reason)


def _written(kind: type[JudgedCase | JudgedRule], entry: dict[str, Any]) -> dict[str, Any]:
    """Return what a record takes of a report's entry, under the keys by which the record is written."""
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
    """Yield what the report lists as not run, and what a failing rule kept from being judged."""
    yield from (NotRun(entry["id"], entry["reason"]) for entry in document["not_run"])
    for case in plugins:
        for rule in case.rules:
            if rule.verdict is Verdict.BLOCKED:
                yield NotRun(f"{case.id}::{rule.id}", rule.reason)


def _options(options: dict[str, Any], home: Path) -> dict[str, Any]:
    """The options, with files named as the subject names them."""
    relative = {
        name: [named(Path(each), home) for each in value] if isinstance(value, list) else named(Path(value), home)
        for name in _PATHS
        if (value := options[name])
    }
    return {**options, **relative}
