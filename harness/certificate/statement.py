"""Declare the records of a certificate: an in-toto Statement v1, its predicate test-result v0.1, and an extension.

The formats are https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md and
https://github.com/in-toto/attestation/blob/main/spec/predicates/test-result.md. Producers may add fields whose names
other producers are unlikely to use. They must not change the meaning of other fields. This distribution adds the field
``trtConformance``.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
from typing import Any

from harness.contract.codec import said, schema_of, to_plain
from harness.contract.interface import Interface  # noqa: TC001 - records are read by the types of their fields
from harness.contract.rule import Severity  # noqa: TC001 - as above
from harness.contract.verdict import Verdict  # noqa: TC001 - as above
from harness.results.tally import Standing  # noqa: TC001 - as above

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"
SCHEMA = "1"
_SHA256 = "[0-9a-f]{64}"


class CertificateResult(enum.Enum):
    """The result of a run, as in-toto names it."""

    PASSED = "PASSED"
    WARNED = "WARNED"
    FAILED = "FAILED"


@dataclasses.dataclass(frozen=True)
class Digest:
    """The digest of a file or other data; it does not depend on their name."""

    sha256: str = said("sha256 in lower-case hex", pattern=_SHA256)


@dataclasses.dataclass(frozen=True)
class Resource:
    """A ResourceDescriptor of in-toto: a file or other data."""

    name: str = said("its name; of a file, the path from the folder in which certify was started", pattern=r"[\s\S]+")
    digest: Digest = said("its digest")


@dataclasses.dataclass(frozen=True)
class JudgedRule:
    """The verdict of one rule on one case."""

    id: str = said("the rule")
    severity: Severity = said("the severity of the rule at this API level")
    verdict: Verdict = said("the verdict")
    evidence: int = said("the number of questions judged")
    broken: int = said("the number of them that were answered wrongly")
    device: str = said("where it was judged: host or cuda")
    reason: str = said("why it was not judged or was expected to fail; empty otherwise")
    blocked_by: str = said("for BLOCKED: the rule that failed", key="blockedBy")
    fingerprint: str = said("for FAIL, WARN, NOTE and XFAIL: the hash that identifies the defect")


@dataclasses.dataclass(frozen=True)
class JudgedCase:
    """The verdicts on one case of a plugin."""

    id: str = said("the beginning of the names of its tests")
    key: str = said("namespace/name/version of the plugin")
    case: str = said("the case")
    inferred: bool = said("whether the harness inferred the case because the user gave none")
    spec: str = said("the TensorRT API level of the case")
    module: str = said("the module of the plugin")
    interface: Interface = said("the plugin interface")
    creator: str = said("the class of its creator")
    file: str = said("the file of that class; empty if unknown")
    verdict: Standing = said("the verdict on the case")
    evidence: int = said("the number of questions judged")
    kernels_executed: bool | None = said("whether the kernels themselves ran; null if unknown", key="kernelsExecuted")
    stand_ins: tuple[str, ...] = said("the kernels that functions of the case replaced", key="standIns")
    device: str = said("where kernels ran: host or cuda")
    rules: tuple[JudgedRule, ...] = said("each rule that concerns the interface, once")
    doubts: tuple[str, ...] | None = said(
        "doubts about its reference and tolerances; each is in leftOut, too", optional=True
    )


@dataclasses.dataclass(frozen=True)
class FailedModule:
    """A module that could not be certified, in whole or in part."""

    id: str = said("the name of the test that failed")
    module: str = said("the module")
    what: tuple[str, ...] = said("what is wrong with it")


@dataclasses.dataclass(frozen=True)
class NotRun:
    """Something that was not judged."""

    id: str = said("the name of the test")
    reason: str = said("why")


@dataclasses.dataclass(frozen=True)
class RuleSet:
    """The rules that judged, and the code that they use."""

    digest: Digest = said("digest of the canonical form of the other two fields")
    rules: dict[str, str] = said("sha256 of the facts and the source text of each installed rule")
    code: dict[str, str] = said("sha256 of the source files of each package that judges")


@dataclasses.dataclass(frozen=True)
class Module:
    """One module or application as it was named."""

    given: str = said("as it was named")
    name: str = said("its name in Python")
    place: str = said("its file; of a package, its folder")
    build_id: str | None = said(
        "the build id that the linker wrote into a library, in hex", key="buildId", pattern=r"[0-9a-f]+", optional=True
    )


@dataclasses.dataclass(frozen=True)
class Tool:
    """The distribution that issued the certificate, and its version."""

    name: str = said("the distribution")
    version: str = said("its version")


@dataclasses.dataclass(frozen=True)
class Extension:
    """The facts that the predicate test-result has no field for."""

    schema: str = said("the version of this object", only=SCHEMA)
    issued: str = said(
        "when the run had ended, in UTC", pattern=r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
    )
    tool: Tool = said("what issued it")
    versions: dict[str, str] = said("versions of Python and of the libraries that took part")
    system: str = said("operating system and architecture")
    gpus: tuple[str, ...] = said("models of the GPUs, where one was used")
    level: int = said("how much was judged: 5 (every rule) or 10 (exhaustive)")
    spec: str = said("the TensorRT API level")
    seeds: tuple[int, ...] = said("the seeds of the run")
    options: dict[str, Any] = said("all options of the run, with their defaults")
    modules: tuple[Module, ...] = said("what was certified")
    packages: tuple[str, ...] = said("folders; each file in them is a subject")
    rule_set: RuleSet = said("the rules that judged", key="ruleSet")
    must_run: dict[str, tuple[str, ...]] = said(
        "for each interface, the rules that need a verdict on each case", key="mustRun"
    )
    counts: dict[str, int] = said("how often each verdict was given")
    plugins: tuple[JudgedCase, ...] = said("each case of each plugin")
    failed_modules: tuple[FailedModule, ...] = said("modules that failed as a whole", key="failedModules")
    not_run: tuple[NotRun, ...] = said(
        "what was not judged, and why; what does not apply has its reason in its verdict", key="notRun"
    )
    digest: Digest = said("digest of the canonical form of the statement without this field")
    left_out: tuple[str, ...] | None = said(
        "remarks: what the verdicts do not cover, or cover doubtfully", key="leftOut", optional=True
    )
    built_too: str | None = said(
        "how many builds by NVIDIA's builder agree with the reference runtime; no verdict depends on it",
        key="builtToo",
        optional=True,
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class TestResult:
    """The predicate test-result of in-toto, version 0.1."""

    result: CertificateResult = said("FAILED if the run fails; WARNED if it conforms with a remark; PASSED otherwise")
    configuration: tuple[Resource, ...] = said("the rule set and the options")
    url: str | None = said("where the run can be looked up", optional=True)
    passed_tests: tuple[str, ...] = said("PASS and NOTE", key="passedTests")
    warned_tests: tuple[str, ...] = said("WARN and XFAIL", key="warnedTests")
    failed_tests: tuple[str, ...] = said("FAIL, XPASS, and the other verdicts that fail the run", key="failedTests")
    trt_conformance: Extension = said("our extension", key="trtConformance")

    __test__ = False  # pytest takes a class with this name for a class of tests


@dataclasses.dataclass(frozen=True)
class Statement:
    """An in-toto Statement, version 1."""

    type: str = said("the version of the statement", key="_type", only=STATEMENT)
    subject: tuple[Resource, ...] = said("every file of the plugins that was certified")
    predicate_type: str = said("the version of the predicate", key="predicateType", only=PREDICATE)
    predicate: TestResult = said("what was found")

    @property
    def facts(self) -> Extension:
        """Return the field ``trtConformance`` of the predicate."""
        return self.predicate.trt_conformance


def digest_of(value: Any) -> str:
    """Return the sha256, in 64 hex digits, of plain data as JSON in UTF-8 with sorted keys, without spaces."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def seal_of(plain: dict[str, Any]) -> str:
    """Return the digest that a certificate as plain data should have."""
    predicate = plain["predicate"]
    facts = {key: value for key, value in predicate["trtConformance"].items() if key != "digest"}
    return digest_of({**plain, "predicate": {**predicate, "trtConformance": facts}})


def sealed(statement: Statement) -> Statement:
    """Return a certificate with the digest that belongs to its content."""
    facts = dataclasses.replace(statement.facts, digest=Digest(seal_of(to_plain(statement))))
    return dataclasses.replace(statement, predicate=dataclasses.replace(statement.predicate, trt_conformance=facts))


def schema_text() -> str:
    """Return the JSON Schema of certificates, in the dialect 2020-12."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://github.com/pytest-trt-conformance/certificate/v{SCHEMA}.json",
        "title": "TensorRT plugin certificate",
    }
    return json.dumps({**head, **schema_of(Statement)}, indent=1) + "\n"
