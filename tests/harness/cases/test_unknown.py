"""What a case does not say ends the rule that asks for it."""

import pytest

from harness.cases.case import Case
from harness.cases.facts import Facts
from harness.cases.unknown import Unknown, unknown
from harness.contract.finding import NotRun
from harness.subject.serialized_cases import case_from_plain, to_plain

NOTHING_KNOWN = Case("P", fields=unknown("no fields"), inputs=unknown("no inputs"))


@pytest.mark.parametrize(
    "read",
    [
        lambda: list(NOTHING_KNOWN.inputs),
        lambda: len(NOTHING_KNOWN.inputs),
        lambda: NOTHING_KNOWN.inputs[0],
        lambda: bool(NOTHING_KNOWN.inputs),
        lambda: NOTHING_KNOWN.data_inputs,
        lambda: list(NOTHING_KNOWN.type_choices),
    ],
)
def test_who_reads_unknown_inputs_is_not_run(read):
    with pytest.raises(NotRun, match="no inputs"):
        read()


@pytest.mark.parametrize(
    "read",
    [
        lambda: dict(NOTHING_KNOWN.fields),
        NOTHING_KNOWN.fields.items,
        lambda: NOTHING_KNOWN.fields.get("factor"),
        lambda: "factor" in NOTHING_KNOWN.fields,
    ],
)
def test_who_reads_unknown_fields_is_not_run(read):
    with pytest.raises(NotRun, match="no fields"):
        read()


def test_a_case_says_why_it_is_incomplete():
    assert NOTHING_KNOWN.unknown == "no fields"
    assert Case("P", inputs=unknown("no inputs")).unknown == "no inputs"
    assert not Case("P").unknown


def test_an_incomplete_case_travels():
    again = case_from_plain(to_plain(Case("P", inputs=unknown("no inputs"), inferred=True)))
    assert isinstance(again.inputs, Unknown)
    assert (again.unknown, again.fields, again.at("10").spec) == ("no inputs", {}, "10")
    assert Facts.of(again) == Facts()
