"""The file of expected failures is JSON or TOML, and what makes no sense in it is told with its place."""

import json

import pytest

from harness.config.expected_failures import read
from harness.contract.expected_failures import ExpectationError, ExpectedFailure, case_entry, file_entry

KNOWN = ExpectedFailure("see #7", "3f1c0a9be2d4")


def test_what_is_printed_can_be_pasted(tmp_path):
    fingerprint = "3f1c0a9be2d4"
    in_case = json.loads(f"{{{case_entry('FMT-001', fingerprint)}}}")["expected_failures"]["FMT-001"]
    assert ExpectedFailure.from_entry(in_case, where="").fingerprint == fingerprint
    (tmp_path / "known.json").write_text(file_entry("/Bar/1", ["a", "b"], "FMT-001", fingerprint))
    listed = read(tmp_path / "known.json")["/Bar/1"]
    assert listed["a"]["FMT-001"].fingerprint == listed["b"]["FMT-001"].fingerprint == fingerprint


def test_a_file_can_be_toml(tmp_path):
    (tmp_path / "known.toml").write_text('["/Bar/1".a.FMT-001]\nreason = "see #7"\nfingerprint = "3f1c0a9be2d4"\n')
    assert read(tmp_path / "known.toml") == {"/Bar/1": {"a": {"FMT-001": KNOWN}}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "Expecting property name"),
        ("[]", "must be an object whose keys are plugin keys"),
        ('{"/Bar/1": {"a": []}}', "/Bar/1 a must be an object whose keys are rule ids"),
        ('{"/Bar/1": {"a": {"FMT-001": "why"}}}', "/Bar/1 a FMT-001 needs a reason and a fingerprint"),
    ],
)
def test_a_file_that_makes_no_sense_is_told(tmp_path, text, told):
    (tmp_path / "known.json").write_text(text)
    with pytest.raises(ExpectationError, match=f"known.json: .*{told}|known.json {told}"):
        read(tmp_path / "known.json")
