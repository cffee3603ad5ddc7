"""Declare the records of a run's JSON report; its published schema is generated from them.

A field that is added keeps the number of the schema. A field that is removed, renamed or changed in meaning changes the
number. Fields that older reports lack have defaults, so that these reports can be read.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Mapping
from typing import Any

from harness.contract.api_level import ApiLevel
from harness.contract.codec import Record, said, schema_of
from harness.contract.finding import CallbackFailure, Violation
from harness.contract.rule import Severity
from harness.contract.seen import FormatAnswers, TriedShapes
from harness.contract.thoroughness import NUMBERS
from harness.contract.verdict import Drawn, Verdict
from harness.results.baseline import Compared
from harness.results.module_rules import IMPORT
from harness.results.tally import Standing

#: A report as plain data, which other tools read, and from which all other formats are made.
Document = dict[str, Any]
SCHEMA = 1
#: The reason of an item that the user left out.
NOT_SELECTED = "not selected"
_DEVICES = ("host", "cuda")


class Status(enum.Enum):
    """The completeness of a run."""

    COMPLETE = "complete"
    INTERRUPTED = "interrupted"


@dataclasses.dataclass(frozen=True)
class CitedViolation(Violation):
    """One broken rule, seen once.

    Attributes:
        source: The place in TensorRT's documents that states the requirement.
    """

    source: str


@dataclasses.dataclass(frozen=True)
class FailedCallback(CallbackFailure):
    """A callback that failed; reports have all its fields."""

    where: str = said()
    becomes: str = said()
    stack: str = said()
    calls: tuple[str, ...] = said()


@dataclasses.dataclass(frozen=True)
class Place(Record):
    """A line of a file.

    Attributes:
        file: The absolute path of the file.
        line: The number of the line, from 1; 0 if it is not known.
    """

    file: str
    line: int = said(least=0)


@dataclasses.dataclass(frozen=True)
class SourceSpot(Place):
    """A line of the user's code, with the lines around it.

    Attributes:
        first: The number of the first line in code.
        code: The line with the lines before and after it; empty if the file cannot be read.
        function: The function or class that contains the line; empty if it is not known.
    """

    first: int = said(least=0)
    code: tuple[str, ...] = ()
    function: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shown(Record):
    """The result of a rule, as reports show it.

    Attributes:
        examples: The examples that a fuzz rule failed on, one after the other in one process: any JSON. A number that
            JSON does not have is its name, such as "NaN".
        replay: The command that judges the examples again.
        drawn: The seeds and the number of the examples of a fuzz rule.
        broken: The number of findings with a violation.
        reason: Why the rule was not judged, does not apply, is blocked, or is expected to fail. It can also be a note
            on the verdict. Empty otherwise.
        blocked_by: The failed rule that this rule requires; empty if there is none.
        fingerprint: Twelve hexadecimal digits that stay the same while the same defect is seen; empty without a
            violation.
        order_sensitive: Whether the verdict differs from seed to seed.
        mishap: The callback that raised, crashed, hung or exited, and ended the rule; null if none did.
        stack: The traceback of a callback that raised, if the rule went on after it.
        spot: The line to look at in the certified code.
        violations: The first violations, each different from the others.
    """

    examples: tuple[Any, ...] | None = said(optional=True)
    replay: str | None = said(optional=True)
    drawn: Drawn | None = said(optional=True)
    broken: int = said(least=0)
    reason: str
    blocked_by: str
    fingerprint: str = said(pattern="([0-9a-f]{12})?")
    order_sensitive: bool
    mishap: FailedCallback | None
    stack: str | None = said(optional=True)
    spot: SourceSpot | None = said(optional=True)
    violations: tuple[CitedViolation, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class NamedModule(Record):
    """A module.

    Attributes:
        module: The module's name in Python.
        given: The module as the user named it.
        file: The absolute path of its file; empty if its name leads to no file.
        rule: The rule that it failed: on its import, its registrations, or a case for each plugin.
        verdict: The verdict, which is always FAIL.
    """

    module: str
    given: str
    file: str
    rule: str = IMPORT
    verdict: str = said(only=Verdict.FAIL.value)


@dataclasses.dataclass(frozen=True, kw_only=True)
class FailedModule(Shown, NamedModule):
    """A module that failed as a whole: it cannot be imported, or something in it cannot be certified at all."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class JudgedRule(Record):
    """A rule that was judged on a case.

    Attributes:
        id: The id of the rule.
        severity: How bad it is to break the rule.
        verdict: The verdict of the rule on the case.
        evidence: The number of findings that the verdict rests on.
        known: Whether the baseline has the failure, so that it does not fail the run.
        device: The device on which the rule was judged.
    """

    id: str
    severity: Severity
    verdict: Verdict
    evidence: int = said(least=0)
    known: bool = False
    device: str = said(only=_DEVICES)


@dataclasses.dataclass(frozen=True, kw_only=True)
class RuleOnCase(Shown, JudgedRule):
    """The result of one rule on the case.

    Attributes:
        fails: Whether the verdict fails the run.
    """

    fails: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class PluginOnCase(Record):
    """The result of a plugin, or of an application, on one case.

    Attributes:
        key: namespace/name/version, percent-encoded; for an application module:function.
        id: The node id of the case. With :: and a rule it is the node id of an item.
        case: The name of the case.
        inferred: Whether the harness inferred the case.
        spec: The TensorRT API level of the case.
        module: The module's name in Python.
        interface: The plugin interface, or application.
        creator: The name of the creator's class, or of the application's function.
        file: The absolute path of the file that defines the creator; empty if unknown.
        line: The line of that definition, from 1; 0 if unknown.
        methods: Where the plugin's callbacks are defined, by name; only callbacks with one definition.
        verdict: The verdict on the plugin for this case.
        plugin_verdict: The verdict on the plugin over all its cases. It includes cases that the user left out, which
            have no entry.
        evidence: The number of findings of all rules on the case.
        selected: The number of rules that were not left out.
        total: The number of rules that concern the plugin.
        kernels_executed: Whether the plugin's kernels ran; null if unknown.
        stand_ins: The kernels that functions of the case replaced.
        doubts: Doubts about the case's reference and tolerances; they are no failures.
        device: The device on which kernels ran.
        formats: The plugin's answers about formats, at most 24 entries. An entry is about one tensor, and one choice
            for the tensors before it. Absent if no rule asked for formats.
        shapes: The input shapes with which the plugin was executed, at most 400. Absent if no rule executed it.
        rules: The rules that were judged, in that order.
    """

    key: str
    id: str = said(pattern=r"conformance::[^:][\s\S]*::[\s\S]*")
    case: str
    inferred: bool
    spec: ApiLevel
    module: str
    interface: str
    creator: str
    file: str
    line: int = said(least=0)
    methods: dict[str, Place]
    verdict: Standing
    plugin_verdict: Standing | None = said(optional=True)
    evidence: int = said(least=0)
    selected: int = said(least=0)
    total: int = said(least=0)
    kernels_executed: bool | None
    stand_ins: tuple[str, ...]
    doubts: tuple[str, ...] | None = said(optional=True)
    device: str = said(only=_DEVICES)
    formats: tuple[FormatAnswers, ...] | None = said(optional=True)
    shapes: TriedShapes | None = said(optional=True)
    rules: tuple[RuleOnCase, ...]


@dataclasses.dataclass(frozen=True)
class SourceFacts(Record):
    """The place in TensorRT's documents that states the requirement.

    Attributes:
        document: The document.
        section: The section.
        versions: The TensorRT versions.
        basis: How sure the requirement is, for example documented or measured.
        note: A note on the source; empty if there is none.
    """

    document: str
    section: str
    versions: tuple[str, ...]
    basis: str
    note: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class RuleFacts(Record):
    """The facts of a rule.

    Attributes:
        id: The id of the rule, for example FMT-001.
        family: The first part of the id.
        requirement: What the rule requires, in one sentence.
        reason: Why TensorRT requires it; empty if there is no reason.
        severity: How bad a violation is, by API level.
        level: The lowest level that judges the rule.
        drives: Whether the rule runs an engine, so that it is judged with every seed.
        interfaces: The plugin interfaces that the rule is about.
        requires: The rules that must not fail for this rule to be judged.
        owns: The callbacks whose unexpected failures the rule reports.
        explained_by: The rules, or families of rules, whose failure probably explains this rule's failure.
        source: The place in TensorRT's documents that states the requirement.
    """

    id: str
    family: str
    requirement: str
    reason: str
    severity: dict[ApiLevel, Severity]
    level: int = said(only=NUMBERS)
    drives: bool
    interfaces: tuple[str, ...]
    requires: tuple[str, ...]
    owns: tuple[str, ...]
    explained_by: tuple[str, ...] = ()
    source: SourceFacts


@dataclasses.dataclass(frozen=True)
class ModuleFiles(Record):
    """The files of one module.

    Attributes:
        module: The module's name in Python.
        given: The module as the user named it.
        file: The absolute path of its file; empty if it has none.
        folders: The absolute paths of the folders with the submodules of a package.
        files: The absolute paths of all the user's files that are loaded with it: its cases, its imports, and native
            libraries.
        build_id: The build id of a library, in hex, by which symbol servers find debug information. Empty for other
            modules, and for a library that was linked without a build id.
    """

    module: str
    given: str
    file: str
    folders: tuple[str, ...]
    files: tuple[str, ...]
    build_id: str = ""


@dataclasses.dataclass(frozen=True)
class NotJudged(Record):
    """One item that was not judged.

    Attributes:
        id: The node id of the item.
        reason: Why it was not judged; "not selected" if the user left it out.
    """

    id: str
    reason: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class AskedOptions(Record):
    """The options of the run; an option that this schema does not know appears with its value."""

    modules: tuple[str, ...] = said("--plugin-module")
    libraries: tuple[str, ...] = said("--plugin-library", default=())
    apps: tuple[str, ...] = said("--plugin-app")
    cases: tuple[str, ...] = said("--plugin-cases")
    setup: str = said("--plugin-setup")
    stubs: tuple[str, ...] = said("--plugin-stub", default=())
    include: tuple[str, ...] = said("--plugin-include", default=())
    exclude: tuple[str, ...] = said("--plugin-exclude", default=())
    onnx: tuple[str, ...] = said("--plugin-onnx")
    onnx_dims: tuple[str, ...] = said("--plugin-onnx-dims")
    select: tuple[str, ...] = said("--plugin-select")
    ignore: tuple[str, ...] = said("--plugin-ignore")
    expected_failures: str = said("--plugin-expected-failures")
    baseline: str = said("--plugin-baseline", default="")
    level: int = said("--plugin-level", least=0)
    spec: ApiLevel = said("--plugin-spec")
    fail_on: str = said("--plugin-fail-on")
    device: str = said("--plugin-device")
    addresses: str = said("--plugin-addresses")
    isolation: str = said("--plugin-isolation")
    timeout: float = said("--plugin-timeout, in seconds", least=0)
    seed: int = said("--plugin-seed, or the first seed of the level", least=0)
    seeds: tuple[int, ...] = said("The seeds that rules which drive an engine were judged with.", least=0)
    fuzz_examples: int | None = said("--plugin-fuzz-examples")
    fuzz_time: float | None = said("--plugin-fuzz-time, in seconds")
    fuzz_database: str = said("--plugin-fuzz-database")
    sanitizer: tuple[str, ...] = said("--plugin-sanitizer")
    runtime: str = said("--plugin-runtime; of auto, what it found", default="reference")
    benchmark: bool = said("--plugin-benchmark")
    benchmark_against: str = said("--plugin-benchmark-against")
    benchmark_fail: float | None = said("--plugin-benchmark-fail, as a share of 1")
    others: dict[str, Any] = said(rest=True, default_factory=dict)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Report(Record):
    """The report of a run of pytest --plugin-module.

    Attributes:
        schema: The number of this schema.
        status: Whether the run was complete. If it was interrupted, missing results were not judged.
        versions: The installed versions of Python and of each distribution that can influence a verdict.
        root: The absolute path of the git repository, or of the folder where the run was started; empty if unknown.
        level: The level of thoroughness: 1, 5 or 10.
        seed: The first of the seeds.
        seeds: The seeds for rules that run an engine; other rules are judged with the first seed.
        spec: The TensorRT API level of the run.
        options: The options of the run. An option that this schema does not know appears with its value.
        databases: The names of the stores for failing examples of fuzz rules.
        counts: The number of items with each verdict; an item is a rule on a case.
        modules: Modules that failed as a whole: they cannot be imported, or have something that cannot be certified at
            all.
        sources: The files of each module that were loaded before the first rule was judged.
        rules: The facts of each rule that concerns a certified plugin or application, by id, even if it did not run.
        plugins: The results of each plugin on each of its cases.
        not_run: The items that were not judged: left out by the user, impossible here, or interrupted.
        left_out: Remarks on what the verdicts do not cover or cover doubtfully; they are no failures.
        built_too: How many builds by NVIDIA's builder agree with the reference runtime. Absent if it built nothing.
        internal_errors: Faults of the harness or of a rule itself; a run with any exits with 3.
        baseline: The differences from the run of --plugin-baseline; null without this option.
    """

    schema: int = said(only=SCHEMA)
    status: Status
    versions: dict[str, str]
    root: str
    level: int = said(only=NUMBERS)
    seed: int = said(least=0)
    seeds: tuple[int, ...] = said(least=0)
    spec: ApiLevel
    options: AskedOptions
    databases: tuple[str, ...]
    counts: dict[str, int] = said(least=0)
    modules: tuple[FailedModule, ...]
    sources: tuple[ModuleFiles, ...] = ()
    rules: dict[str, RuleFacts]
    plugins: tuple[PluginOnCase, ...]
    not_run: tuple[NotJudged, ...]
    left_out: tuple[str, ...] | None = said(optional=True)
    built_too: str | None = said(optional=True)
    internal_errors: tuple[str, ...]
    baseline: Compared | None = None


def plugin_verdict(entry: Mapping[str, Any]) -> str:
    """Return the verdict on the plugin from a case's entry; in older reports that is the verdict on the case."""
    return str(entry.get("plugin_verdict", entry["verdict"]))


def schema_text() -> str:
    """Return the JSON Schema of reports, in the dialect 2020-12."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:pytest-trt-conformance:report:{SCHEMA}",
        "title": f"Report of pytest-trt-conformance, schema {SCHEMA}",
    }
    return json.dumps({**head, **schema_of(Report)}, indent=1) + "\n"
