"""Expected failures need a reason and a fingerprint, and a file of them names what there is."""

import pytest

from harness.contract.expected_failures import ExpectationError, ExpectedFailure, merge

KNOWN = ExpectedFailure("see #7", "3f1c0a9be2d4")
ENTRY = KNOWN.to_plain()


def plugins(**expected):
    return [{"key": "/Bar/1", "cases": [{"name": "a", "expected_failures": expected}]}]


@pytest.mark.parametrize("entry", ["why", {"reason": "why"}, {"reason": "why", "fingerprint": ""}, {"resaon": "why"}])
def test_an_entry_that_lacks_something_is_told_what_to_paste(entry):
    with pytest.raises(ExpectationError, match=r'^here needs a reason and a fingerprint: {"reason": .*"fingerprint": '):
        ExpectedFailure.from_entry(entry, where="here")


@pytest.mark.parametrize("entry", [KNOWN, ENTRY])
def test_an_entry_is_a_record_or_a_mapping(entry):
    assert ExpectedFailure.from_entry(entry, where="here") == KNOWN


def test_cases_take_over_what_the_file_lists():
    found = plugins()
    assert list(merge({"/Bar/1": {"a": {"FMT-001": KNOWN}}}, found, "f")) == []
    assert found[0]["cases"][0]["expected_failures"] == {"FMT-001": ENTRY}


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        ({"/Baz/1": {}}, "f: there is no plugin '/Baz/1'"),
        ({"/Bar/1": {"b": {}}}, "f: /Bar/1 has no case 'b'"),
        ({"/Bar/1": {"a": {"FMT-001": KNOWN}}}, "f: /Bar/1 a: the case itself expects a failure of FMT-001 too"),
    ],
)
def test_what_is_listed_in_vain_is_told(listed, told):
    assert [problem[0] for problem in merge(listed, plugins(**{"FMT-001": ENTRY}), "f")] == [told]
