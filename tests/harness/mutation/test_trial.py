"""A trial asks those first that are to tell the defect, and ends when enough is seen."""

import pytest

from harness.config.options import Options
from harness.mutation.trial import Trial, Until


@pytest.mark.parametrize(
    ("until", "following", "broken", "enough"),
    [
        (Until.BROKEN, "FMT-001", set(), False),
        (Until.BROKEN, "FMT-001", {"SHP-001"}, True),
        (Until.NAMED, "FMT-001", {"SHP-001"}, False),
        (Until.NAMED, "FMT-001", {"CLN-001"}, True),
        (Until.NAMED, "CLN-002", {"CLN-001"}, False),
        (Until.END, "FMT-001", {"CLN-001"}, False),
    ],
)
def test_when_enough_is_seen(until, following, broken, enough):
    trial = Trial(Options(), first=("CLN-001", "CLN-002"), until=until)
    assert trial._has_seen_enough(following, broken) is enough
