"""Doubtful references are noted where somebody watches, and only where the inputs can show anything."""

import numpy as np
import pytest

from harness.checks.sampling.reference_doubts import CONSTANT, ITS_INPUT, NOT_FINITE, note, watching_references

X = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.mark.parametrize(
    ("wanted", "doubts"),
    [
        ([2 * X], set()),
        ([X], {ITS_INPUT}),
        ([X, 2 * X], set()),
        ([np.zeros_like(X)], {CONSTANT}),
        ([np.ones(6, np.int32)], {CONSTANT}),
        ([np.full_like(X, np.nan)], {NOT_FINITE}),
        ([np.full_like(X, np.inf)], {NOT_FINITE}),
    ],
)
def test_what_is_doubtful(wanted, doubts):
    with watching_references() as seen:
        note([X], wanted)
    assert seen == [doubts]


@pytest.mark.parametrize(("given", "wanted"), [([np.zeros(3)], np.zeros(3)), ([X], np.zeros(1)), ([], np.zeros(3))])
def test_what_cannot_show_anything_is_not_noted(given, wanted):
    with watching_references() as seen:
        note(given, [wanted])
    assert seen == []


def test_nothing_is_kept_where_nobody_watches():
    with watching_references() as seen:
        pass
    note([X], [X])
    assert seen == []
