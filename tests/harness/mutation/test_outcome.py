"""What became of a mutant follows from what was seen; nothing unnoticed is called equivalent."""

from pathlib import Path

import pytest

from harness.cases.facts import Facts
from harness.mutation.mutant import plant
from harness.mutation.operators.catalogue import OPERATORS
from harness.mutation.outcome import Fate, Likeness, likeness, outcome_of
from harness.mutation.trial import IMPORT, CaseSeen, Seen
from tests.support.mutation.sources import V2

(MUTANT, *_) = plant(Path("my_plugin.py"), V2, [OPERATORS["clone_is_its_source"]]).mutants
CALL = ("Scale#1", "clone", "build", "[]", "returned", "Scale#2")
OTHER = ("Scale#1", "clone", "build", "[]", "returned", "Scale#1")


def case(*calls, name="rows"):
    return CaseSeen("/Scale/1", name, "IPluginV2DynamicExt", inferred=False, facts=Facts(), calls=calls)


ORIGINAL = Seen(cases=(case(CALL),))


@pytest.mark.parametrize(
    ("broken", "attributed"),
    [((("CLN-001", "rows"), ("CLN-002", "rows")), True), ((("FUZ-009", "rows"),), False), (((IMPORT, "why"),), False)],
)
def test_a_broken_rule_notices_and_a_named_one_tells(broken, attributed):
    outcome = outcome_of(MUTANT, Seen(broken=broken), ORIGINAL, is_reached=True)
    assert outcome.fate is Fate.NOTICED
    assert outcome.rules == tuple(rule for rule, _ in broken)
    assert outcome.is_attributed is attributed


@pytest.mark.parametrize("seen", [Seen(overdue=True, seconds=7), Seen(internal=("FMT-001 failed by itself",))])
def test_what_was_not_judged_to_the_end_is_undecided(seen):
    outcome = outcome_of(MUTANT, seen, ORIGINAL, is_reached=True)
    assert outcome.fate is Fate.UNDECIDED
    assert outcome.note


@pytest.mark.parametrize(
    ("calls", "is_reached", "expected"),
    [
        ((CALL,), True, Likeness.ALIKE),
        ((OTHER,), True, Likeness.DIFFERENT),
        ((CALL, CALL), True, Likeness.DIFFERENT),
        ((CALL,), False, Likeness.NOT_REACHED),
    ],
)
def test_what_nobody_notices_is_told_by_what_was_established(calls, is_reached, expected):
    outcome = outcome_of(MUTANT, Seen(cases=(case(*calls),)), ORIGINAL, is_reached=is_reached)
    assert (outcome.fate, outcome.likeness) == (Fate.UNNOTICED, expected)


def test_the_first_difference_is_told():
    _, told = likeness((case(OTHER),), (case(CALL),))
    assert "clone of Scale#1" in told
    assert "Scale#2" in told
    assert likeness((case(name="others"),), (case(),)) == (Likeness.DIFFERENT, "it has other plugins or cases")


def test_an_outcome_is_plain_data():
    plain = outcome_of(MUTANT, Seen(broken=(("CLN-001", "rows"),)), ORIGINAL, is_reached=True).to_plain()
    assert plain["operator"] == "clone_is_its_source"
    assert (plain["fate"], plain["rules"], plain["named"]) == ("noticed", ["CLN-001"], ["CLN-001"])
    assert plain["diff"][1].strip("+ ") == "return self"
