"""Faults planted in C++: each variant of a source, compiled, breaks the rule that the source names."""

from pathlib import Path

import pytest

from tests.support import native_build, witnesses
from tests.support.verdicts import broken_rules, results_of

#: By day one fault in twelve is compiled and judged; all are by night.
BY_DAY = 12
FAULTS = [(Path(each.file), each.name, each.breaks) for each in witnesses.native_faults()]


def broken(source, fault, rules):
    flags = (f"-DFAULT_{fault}",) if fault else ()
    library = native_build.library(source, *flags, name=source.stem)
    return broken_rules(results_of(str(library), rules=rules, addresses="host"))


def test_there_are_faults_enough():
    assert len(FAULTS) >= 40


@pytest.mark.nightly
@pytest.mark.parametrize("source", sorted({source for source, *_ in FAULTS}), ids=lambda source: source.stem)
def test_without_a_fault_the_source_breaks_none_of_these_rules(source):
    rules = sorted({rule for of, _, rule in FAULTS if of == source})
    assert not broken(source, "", rules)


@pytest.mark.parametrize(
    ("source", "fault", "rule"),
    [
        pytest.param(*each, id=f"{each[0].stem}-{each[1]}", marks=[pytest.mark.nightly] if number % BY_DAY else [])
        for number, each in enumerate(FAULTS)
    ],
)
def test_a_fault_in_cpp_breaks_its_rule(source, fault, rule):
    assert broken(source, fault, [rule]) == {rule}
