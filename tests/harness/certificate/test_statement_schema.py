"""The schema is one, and takes the certificate that certify wrote and none of another form."""

import json

import jsonschema

from harness.certificate.statement import Statement, schema_text
from harness.contract.codec import FormError, read
from harness.frontends.cli import main
from tests.integration.runs.test_tampering import edits


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
