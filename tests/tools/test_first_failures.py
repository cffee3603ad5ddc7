"""What a run shows first of each witness: the file of the measurement, and by night the measurement itself."""

import pytest

from tests.support import first_failures, matrix, witnesses

#: Shares that the measurement has at least, in percent.
NAMED, SHORT = 95, 100
#: By night, the last witness of each rule; tools/first_failures.py measures all.
BY_NIGHT = sorted({witnesses.witnesses()[module].breaks: module for module in first_failures.modules()}.values())


def share(holds):
    return 100 * sum(holds) / len(holds)


def test_the_rule_of_a_witness_is_shown_first_in_few_lines():
    entries = first_failures.load()
    assert share([first_failures.is_named(entry) for entry in entries.values()]) >= NAMED
    assert share([first_failures.is_short(entry) for entry in entries.values()]) >= SHORT
    assert all(int(entry["at"].rpartition(":")[2]) > 0 for entry in entries.values())


@pytest.mark.nightly
@pytest.mark.parametrize("module", BY_NIGHT, ids=matrix.short)
def test_what_is_shown_first_is_as_it_was_measured(module):
    kept = first_failures.load().get(matrix.short(module))
    measured = first_failures.measured(module)
    assert first_failures.is_short(measured)
    assert kept is None or measured["first"] == kept["first"]
