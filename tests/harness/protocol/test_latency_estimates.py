"""Estimates go by order alone: outliers do not move them, and intervals hold what they should."""

import statistics

import numpy as np
import pytest

from harness.protocol import latency_estimates


def test_the_interval_of_a_median_lies_about_it_and_narrows():
    few, many = (latency_estimates.interval_of_median(list(range(count))) for count in (20, 2000))
    assert few.low < few.middle < few.high
    assert (many.high - many.low) / 2000 < (few.high - few.low) / 20


def test_few_samples_have_all_of_themselves_as_interval():
    assert latency_estimates.interval_of_median([3.0, 1.0, 2.0]) == (1.0, 2.0, 3.0)


def test_the_interval_of_a_median_holds_the_true_one():
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(300):
        low, _, high = latency_estimates.interval_of_median([rng.exponential() for _ in range(60)])
        hits += low <= 0.6931 <= high
    assert hits >= 290


def test_a_shift_is_found_whatever_outliers_there_are():
    rng = np.random.default_rng(2)
    differences = [0.05 + rng.normal(0, 0.01) for _ in range(40)] + [5.0, -7.0]
    low, middle, high = latency_estimates.shift(differences)
    assert low < 0.05 < high
    assert middle == pytest.approx(0.05, abs=0.01)


def test_no_shift_is_seldom_taken_for_one():
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(200):
        low, _, high = latency_estimates.shift([rng.normal(0, 1) for _ in range(20)])
        missed += not low <= 0 <= high
    assert missed <= 6


def test_a_shift_of_one_difference_is_that():
    assert latency_estimates.shift([2.0]) == (2.0, 2.0, 2.0)


def test_quantiles_and_deviation():
    samples = [float(n) for n in range(100)]
    assert (latency_estimates.quantile(samples, 0.1), latency_estimates.quantile(samples, 1.0)) == (10.0, 99.0)
    assert latency_estimates.deviation([1.0, 2.0, 3.0, 100.0]) == statistics.median([1.5, 0.5, 0.5, 97.5])
