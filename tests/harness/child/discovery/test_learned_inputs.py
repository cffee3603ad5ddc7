"""The inputs of a plugin in Python are found through what it refuses, with helpful messages and without."""

import dataclasses

import pytest

from harness.cases.case import Case
from harness.child.discovery.attempts import _STAGES, Attempt
from harness.child.discovery.learned_inputs import learned_from
from harness.contract.interface import Interface
from tests.support import workbench

CASE = Case(plugin="P")


class Refuser:
    """Attempts with a plugin that checks shapes: in a network, where dimensions are -1, then where they are known."""

    def __init__(self, check, words):
        self.check, self.words, self.count = check, words, 0

    def with_case(self, case):
        self.count += 1
        known = [[each.network_dims for each in case.data_inputs]]
        known += zip(*(each.profile for each in case.data_inputs), strict=True)
        numbers = [len(each.profile[0]) for each in case.shape_inputs]
        reached = 0
        try:
            for shapes in known:
                reached += 1
                self.check(shapes, numbers)
        except ValueError as error:
            refusal = f"get_output_shapes raised ValueError: {error if self.words else 'no'}"
            line = error.__traceback__.tb_next.tb_lineno
            return Attempt(case, min(reached, 2), refusal, place=f"plugin.py:{line}")
        return Attempt(case, len(_STAGES) - 1)

    def types_taken(self, case, types):
        return types[:1] * len(case.data_inputs)


def learned(check, *, words=True, interface=Interface.V3):
    attempts = Refuser(check, words)
    subject = dataclasses.replace(workbench.subject_of(workbench.Creator(), CASE), interface=interface)
    best = learned_from(subject, attempts, Attempt(CASE, -1), ["float32"])
    return best, [each.dims for each in best.case.inputs], attempts.count


def group_norm(shapes, _):
    x, gamma, beta = shapes
    if len(x) != 4 or len(gamma) != 1 or len(beta) != 1:
        raise ValueError("x [N, C, H, W], gamma [C], beta [C]")
    if not x[1] == gamma[0] == beta[0]:
        raise ValueError("gamma and beta have an element for each channel")


def best_boxes(shapes, _):
    boxes, scores = shapes
    if len(boxes) != 3 or len(scores) != 2 or boxes[2] not in (-1, 4):
        raise ValueError("four numbers for each box, and its score")


def scattered(shapes, _):
    table, places, rows = shapes
    if (len(table), len(places), len(rows)) != (2, 1, 2) or places[0] != rows[0] or table[1] != rows[1]:
        raise ValueError("rows and their places in a table")


def tiled(shapes, numbers):
    if len(shapes) != 1 or len(numbers) != 1:
        raise ValueError("one input and one shape input")
    if len(shapes[0]) != 2 or numbers[0] != 2:
        raise ValueError("a table, and its new rows and columns")


def attention(shapes, _):
    if [len(each) for each in shapes] != [4] * 4:
        raise ValueError("bad input")
    q, k, v, mask = shapes
    if not (q[:2] == k[:2] == v[:2] and q[3] == k[3] and k[2] == v[2] == mask[3] and q[2] == mask[2] and mask[1] == 1):
        raise ValueError("bad input")


def product(shapes, _):
    if [len(each) for each in shapes] != [3, 3, 1]:
        raise ValueError("invalid argument")
    (batch, _, inner), (also_batch, also_inner, columns), (bias,) = shapes
    if batch != also_batch or inner != also_inner or columns != bias:
        raise ValueError("invalid argument")


def test_shapes_that_a_message_gives_are_tried_first():
    best, dims, count = learned(group_norm)
    assert best.is_complete
    assert dims == [("N", "C", "H", "W"), ("C",), ("C",)]
    assert count < 20


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize(
    ("check", "found"),
    [
        (group_norm, None),
        (best_boxes, [("d0", "d1", 4), ("d0", "d1")]),
        (scattered, [("d0", "d1"), ("d0",), ("d0", "d1")]),
        (tiled, [("d0", "d1"), (2,)]),
        (attention, None),
        (product, None),
    ],
)
def test_ranks_and_extents_are_found_with_and_without_words(check, found, words):
    best, dims, _ = learned(check, words=words)
    assert best.is_complete
    assert found in (None, dims)


def test_the_best_guess_is_the_one_that_passed_most_checks():
    def check(shapes, _):
        x, y, z = shapes
        if len(x) != 2 or len(y) != 2 or len(z) != 2:
            raise ValueError("matrices")
        raise ValueError("not on Tuesdays")

    best, dims, _ = learned(check)
    assert not best.ran
    assert "Tuesdays" in best.refusal
    assert [len(each) for each in dims] == [2, 2, 2]


def test_only_an_ipluginv3_is_tried_with_a_shape_input():
    best, _, _ = learned(tiled, interface=Interface.V2_DYNAMIC)
    assert not best.ran
