"""An outcome is given only where the whole interval says so."""

import numpy as np
import pytest

from harness.controller.latency.shift import ShiftVerdict, compared, counted_more


def occasions(change, noise, count=12, seed=0, drift=0.0):
    rng = np.random.default_rng(seed)
    taken = []
    for number in range(count):
        here, there = 10e-6 * (1 + change + drift * number), 10e-6 * (1 + drift * number)
        a, b, c, d = (value * (1 + rng.normal(0, noise)) for value in (here, there, there, here))
        taken.append([[a, b, c, d]])
    return taken


@pytest.mark.parametrize(
    ("change", "outcome"),
    [(0.05, ShiftVerdict.SLOWER), (-0.05, ShiftVerdict.FASTER), (0.01, ShiftVerdict.SAME), (0.0, ShiftVerdict.SAME)],
)
def test_quiet_samples_tell(change, outcome):
    found = compared(occasions(change, 0.002), 0.03)
    assert found.outcome is outcome
    assert found.change.middle == pytest.approx(change, abs=0.003)


def test_noise_makes_it_ambiguous():
    assert compared(occasions(0.02, 0.1), 0.03).outcome is ShiftVerdict.AMBIGUOUS


def test_drift_is_no_change():
    assert compared(occasions(0.0, 0.001, drift=0.02), 0.03).outcome is ShiftVerdict.SAME


def test_the_same_is_seldom_slower_however_much_noise_there_is():
    found = [
        compared(occasions(0.0, noise, seed=seed), 0.03).outcome for seed in range(100) for noise in (0.01, 0.1, 0.5)
    ]
    assert found.count(ShiftVerdict.SLOWER) <= 3


def test_it_is_told_with_its_interval():
    text = str(compared([[[2e-6, 1e-6, 1e-6, 2e-6]]] * 12, 0.03))
    assert text == "SLOWER: +100.0% (+100.0% to +100.0%), 2.00 us where it was 1.00 us, 12 occasions"


def test_rounds_of_one_occasion_are_one_observation():
    lucky = [[[1.1e-6, 1e-6, 1e-6, 1.1e-6]] * 100]
    assert compared([*lucky, *occasions(0.0, 0.001, count=7)], 0.03).outcome is not ShiftVerdict.SLOWER


def test_eight_occasions_have_their_range_as_interval():
    found = compared(
        [[[1 + share, 1, 1, 1 + share]] for share in (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08)], 0.03
    )
    assert found.change == (pytest.approx(0.01), pytest.approx(0.045), pytest.approx(0.08))
    assert found.outcome is ShiftVerdict.AMBIGUOUS


def test_a_count_that_grew_is_told_and_one_that_shrank_is_not():
    assert counted_more({"allocations": 2, "cuda_calls": 3}, {"allocations": 1, "cuda_calls": 4}) == [
        "allocations: 2, where it was 1"
    ]
