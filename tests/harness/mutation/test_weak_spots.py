"""What no case has is seen from what is known of the cases."""

import pytest

from harness.cases.facts import Facts
from harness.cases.input import Input
from harness.mutation.kind import Spot
from harness.mutation.trial import CaseSeen, Seen
from harness.mutation.weak_spots import ADVICE, lacking


def seen(*cases, evaluated=("ENQ-010",)):
    return Seen(
        evaluated=frozenset(evaluated),
        cases=tuple(
            CaseSeen("/P/1", f"case-{place}", "IPluginV3", inferred=False, facts=Facts(tuple(inputs), tuple(fields)))
            for place, (inputs, fields) in enumerate(cases)
        ),
    )


FIXED = Input(dims=(4, 4))
DYNAMIC = Input(dims=("N", 3, 5), min=(0, 3, 5), opt=(2, 3, 5), max=(8, 3, 5), types=("float32", "float16"))


def test_poor_cases_lack_all_of_it():
    assert lacking(seen(([FIXED, FIXED], []), evaluated=())) == {*Spot}


def test_rich_cases_lack_nothing():
    assert lacking(seen(([DYNAMIC, FIXED], ["factor"]), ([DYNAMIC], ["factor"]))) == frozenset()


@pytest.mark.parametrize(
    ("cases", "spot"),
    [
        ([([DYNAMIC, DYNAMIC], ["factor"]), ([DYNAMIC], ["factor"])], Spot.DIFFERENT_INPUTS),
        ([([DYNAMIC, FIXED], ["factor"]), ([DYNAMIC], ["shift"])], Spot.SEVERAL_FIELDS),
    ],
)
def test_one_thing_may_be_lacking(cases, spot):
    assert lacking(seen(*cases)) == {spot}


def test_a_plugin_of_one_input_needs_no_two():
    assert Spot.DIFFERENT_INPUTS not in lacking(seen(([FIXED], [])))


def test_there_is_advice_for_all():
    assert {*ADVICE} == {*Spot}
