"""A certificate is an in-toto statement by in-toto's own bindings, and holds what the run found."""

import hashlib
import json
import re

import jsonschema
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement as OfficialStatement

from harness.certificate.statement import CertificateResult, Statement, digest_of, schema_text, seal_of, sealed
from harness.contract.codec import FormError, read, to_plain
from harness.frontends.cli import main
from tests.integration.runs.test_tampering import edits


def test_the_official_bindings_take_it(issued):
    message = json_format.ParseDict(issued.plain, statement_pb2.Statement())
    OfficialStatement.copy_from_pb(message).validate()
    assert json_format.MessageToDict(message)["predicate"] == issued.plain["predicate"]


def test_the_official_predicate_takes_it_and_reads_the_same(issued):
    predicate = issued.plain["predicate"]
    message = json_format.ParseDict(predicate, test_result_pb2.TestResult(), ignore_unknown_fields=True)
    assert message.result == "WARNED"
    assert message.url == "https://ci.example/7"
    assert list(message.passed_tests) == predicate["passedTests"]
    assert list(message.warned_tests) == predicate["warnedTests"]
    assert [each.name for each in message.configuration] == ["rule set", "options"]


def test_our_extension_is_the_one_field_that_in_toto_does_not_know(issued):
    known = {field.json_name for field in test_result_pb2.TestResult.DESCRIPTOR.fields}
    assert set(issued.plain["predicate"]) - known == {"trtConformance"}


def test_every_file_is_a_subject_with_its_digest(issued):
    subject = {each["name"]: each["digest"]["sha256"] for each in issued.plain["subject"]}
    assert sorted(subject) == [f"src/my_plugins/{name}" for name in ("__init__.py", "cuda/scale.cu", "kernels.py")]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in subject.values())


def test_verdicts_lists_and_what_was_not_run_are_told(issued):
    predicate, facts = issued.plain["predicate"], issued.plain["predicate"]["trtConformance"]
    bar, foo = "conformance::/Bar/1::a", "conformance::/Foo/1::b"
    assert predicate["passedTests"] == [f"{case}::{rule}" for case in (bar, foo) for rule in ("ENQ-001", "ENQ-002")]
    assert predicate["warnedTests"] == [f"{case}::CFG-001" for case in (bar, foo)]
    assert predicate["failedTests"] == []
    assert facts["notRun"] == [{"id": f"{case}::FMT-002", "reason": "needs a GPU"} for case in (bar, foo)]
    assert facts["mustRun"] == {"IPluginV2DynamicExt": ["CFG-001", "ENQ-001", "ENQ-002", "FMT-001", "FMT-002"]}
    assert {name: count for name, count in facts["counts"].items() if count} == {
        "PASS": 4,
        "WARN": 2,
        "N/A": 2,
        "NOT-RUN": 2,
    }
    assert [rule["evidence"] for rule in facts["plugins"][0]["rules"]] == [2, 3, 3, 0, 0]
    assert facts["issued"] == "2023-11-14T22:13:20Z"
    assert (facts["level"], facts["spec"], facts["seeds"]) == (5, "10", [0, 1, 2])


def test_the_digest_is_over_everything_but_itself(issued):
    statement = read(Statement, issued.plain)
    assert seal_of(issued.plain) == statement.facts.digest.sha256
    assert to_plain(sealed(statement)) == issued.plain
    assert statement.predicate.result is CertificateResult.WARNED


def test_a_digest_is_of_json_with_sorted_keys_and_no_spaces():
    text = '{"B":{},"a":"€\\n\\"","b":[1,2.5,null]}'
    assert digest_of({"b": [1, 2.5, None], "a": '€\n"', "B": {}}) == hashlib.sha256(text.encode()).hexdigest()


def test_the_command_prints_it(capsys):
    assert main.main(["schema", "certificate"]) == 0
    assert capsys.readouterr().out == schema_text()
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_text()))


def test_it_takes_a_certificate_and_refuses_what_is_read_as_none(issued):
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    validator.validate(issued.plain)
    refused = 0
    for index, (path, how, plain) in enumerate(edits(issued.plain)):
        if index % 7 == 0:  # the two are held beside each other at every seventh edit: all of them take long
            assert validator.is_valid(plain) is is_read(plain), (path, how)
            refused += not is_read(plain)
    assert refused > 50


def is_read(plain):
    try:
        read(Statement, plain)
    except FormError:
        return False
    return True
