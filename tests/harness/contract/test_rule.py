"""What the decorator makes of a function."""

import pytest

from harness.contract.rule import Severity, Source, rule

SOURCE = Source("doc", "section", ("10",), note="a conflict")


def test_the_docstring_is_requirement_and_reason():
    @rule("FMT-001", source=SOURCE, requires=["ID-007"], owns=["clone"])
    def holds(subject):
        """What holds,
        in two lines.

        Why it matters.
        """

    assert holds.requirement == "What holds, in two lines."
    assert holds.reason == "Why it matters."
    assert (holds.family, holds.severity) == ("FMT", Severity.ERROR)
    assert (holds.requires, holds.owns) == ({"ID-007"}, {"clone"})


@pytest.mark.parametrize("rule_id", ["FMT-1", "fmt-001", "FMT001", "FMT-0001", ""])
def test_ids_have_one_form(rule_id):
    with pytest.raises(ValueError, match="FAM-000"):
        rule(rule_id, source=SOURCE)


def test_a_rule_without_a_docstring_is_refused():
    with pytest.raises(ValueError, match="no docstring"):

        @rule("FMT-001", source=SOURCE)
        def holds(subject):
            pass


def test_a_source_reads_as_one_line():
    assert str(SOURCE) == "doc, section (TensorRT 10; documented); a conflict"
