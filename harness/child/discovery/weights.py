"""Guess fields with one element for each channel, or for each place along the last axis: weights, bias, scales."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.checks.sampling.sampling import have_equal_shapes
from harness.child.discovery.extents import fixed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.cases.case import Case
    from harness.child.discovery.attempts import Attempt, Attempts


def with_weights(attempts: Attempts, best: Attempt) -> Attempt:
    """Return an attempt that runs with as many weights as an input has channels or last dimensions.

    Fields that need no more than one element have one. If none runs, the attempt is returned that goes farthest.
    """
    for case in _candidates(best.case):
        attempt = attempts.with_case(case)
        if attempt.reached > best.reached:
            if attempt.ran:
                return _with_fewest_elements(attempts, attempt)
            best = attempt
    return best


def _candidates(case: Case) -> Iterator[Case]:
    arrays = {name: value for name, value in case.fields.items() if not isinstance(value, str)}
    weights = [name for name, value in arrays.items() if value.dtype.kind == "f"]
    if not weights or not have_equal_shapes(case):
        return
    extents = case.inputs[0].profile[1]
    numbers = {name: np.ones(1, value.dtype) for name, value in arrays.items() if value.dtype.kind == "i"}
    axes = dict.fromkeys((min(1, len(extents) - 1), len(extents) - 1))
    for axis, others in itertools.product(axes, ({}, numbers)):
        fields = {name: np.arange(1, extents[axis] + 1, dtype=case.fields[name].dtype) for name in weights}
        yield dataclasses.replace(
            fixed(case, (case.inputs[0].dims or ())[axis]), fields={**case.fields, **others, **fields}
        )


def _with_fewest_elements(attempts: Attempts, best: Attempt) -> Attempt:
    longer = {name: value for name, value in best.case.fields.items() if np.size(value) > 1}
    for name, value in longer.items():
        fields: dict[str, Any] = {**best.case.fields, name: value[:1]}
        attempt = attempts.with_case(dataclasses.replace(best.case, fields=fields))
        if attempt.reached >= best.reached:
            best = attempt
    return best
