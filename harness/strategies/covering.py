"""Compute a few rows of numbers that contain each pair of edges of two columns, and each value."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    #: A column and its number, together with another column and its number.
    Pair = tuple[int, int, int, int]


class Column(msgspec.Struct, frozen=True):
    """The possible numbers at one place of a row.

    Attributes:
        edges: Numbers that occur together with each edge of every other column.
        values: Further numbers, which occur in at least one row.
    """

    edges: tuple[int, ...]
    values: tuple[int, ...] = ()


def covering(columns: Sequence[Column], chance: random.Random) -> list[tuple[int, ...]]:
    """Return rows that cover the columns, in random order; one empty row if there are no columns."""
    rows = _paired(columns, chance)
    left = []
    for place, column in enumerate(columns):
        values = sorted({*column.edges, *column.values} - {row[place] for row in rows})
        chance.shuffle(values)
        left.append(values)
    while any(left):
        rows.append(
            tuple(
                values.pop() if values else chance.choice(column.values or column.edges)
                for values, column in zip(left, columns, strict=True)
            )
        )
    chance.shuffle(rows)
    return rows or [()]


def _paired(columns: Sequence[Column], chance: random.Random) -> list[tuple[int, ...]]:
    """Return rows in which each pair of edges occurs. Each row is built around a pair that earlier rows do not have."""
    missing = {
        (one, edge, other, another)
        for one, other in itertools.combinations(range(len(columns)), 2)
        for edge, another in itertools.product(columns[one].edges, columns[other].edges)
    }
    rows = []
    for one, edge, other, another in chance.sample(sorted(missing), len(missing)):
        if (one, edge, other, another) in missing:
            row = {one: edge, other: another}
            for place in chance.sample(range(len(columns)), len(columns)):
                if place not in row:
                    row[place] = _best(place, columns[place], row, missing, chance)
            rows.append(tuple(row[place] for place in range(len(columns))))
            missing.difference_update(_pairs(row))
    return rows


def _best(place: int, column: Column, row: dict[int, int], missing: set[Pair], chance: random.Random) -> int:
    """Return the edge of a column that makes the most missing pairs with the numbers in a row."""
    edges = chance.sample(column.edges, len(column.edges))
    return max(edges, key=lambda edge: sum(_pair(place, edge, *other) in missing for other in row.items()))


def _pairs(row: dict[int, int]) -> list[Pair]:
    return [_pair(*one, *other) for one, other in itertools.combinations(row.items(), 2)]


def _pair(one: int, edge: int, other: int, another: int) -> Pair:
    return (one, edge, other, another) if one < other else (other, another, one, edge)
