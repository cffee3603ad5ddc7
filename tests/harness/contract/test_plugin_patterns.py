"""Which plugins the patterns of ``--plugin-include`` and ``--plugin-exclude`` choose."""

import pytest

from harness.contract.plugin_patterns import chosen


@pytest.mark.parametrize(
    ("include", "exclude", "wanted"),
    [
        ((), (), True),
        (["Fused*"], (), True),
        (["acme/FusedGelu/1"], (), True),
        (["*/2"], (), False),
        (["fused*"], (), False),
        (["Other", "*Gelu"], (), True),
        ((), ["FusedGelu"], False),
        (["*"], ["acme/*"], False),
        ((), ["Other"], True),
    ],
)
def test_a_pattern_fits_the_name_or_the_key(include, exclude, wanted):
    assert chosen("acme/FusedGelu/1", include, exclude) is wanted


def test_a_name_is_matched_as_the_user_wrote_it():
    assert chosen("/Fused%20Gelu/1", ["Fused Gelu"], ())
