"""Rows that cover: every two edges meet, every value stands, and few rows do."""

import itertools
import random

from harness.strategies.covering import Column, covering

COLUMNS = (Column((0, 1, 4, 9), tuple(range(10))), Column((2, 3, 8)), Column((0, 7), (0, 1, 7)))


def rows(seed=0):
    return covering(COLUMNS, random.Random(seed))  # noqa: S311 - no secret


def test_each_two_edges_of_two_columns_meet():
    for one, other in itertools.combinations(range(len(COLUMNS)), 2):
        met = {(row[one], row[other]) for row in rows()}
        assert met >= set(itertools.product(COLUMNS[one].edges, COLUMNS[other].edges))


def test_each_value_stands_in_some_row():
    for place, column in enumerate(COLUMNS):
        assert {row[place] for row in rows()} == {*column.edges, *column.values}


def test_few_rows_are_enough():
    assert len(rows()) <= 20 < 10 * 3 * 3


def test_the_seed_decides():
    assert rows(1) == rows(1) != rows(2)
