"""Find different shapes that a coarse key does not distinguish."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import TYPE_CHECKING

from harness.checks.sampling.sampling import free_extents, is_small, with_free_extents

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from harness.cases.case import Case
    from harness.checks.sampling.sampling import Shapes

#: How many values of one dimension are looked at, and how many mixtures of those.
_VALUES, _MIXTURES = 6, 300
#: What the shapes of all inputs are mistaken for; the most telling comes first.
_KEYS: tuple[Callable[[Shapes], Hashable], ...] = (
    lambda shapes: tuple(tuple(sorted(shape)) for shape in shapes),
    lambda shapes: tuple(math.prod(shape) for shape in shapes),
    lambda shapes: tuple(shape[:-1] for shape in shapes),
    lambda shapes: tuple(shape[1:] for shape in shapes),
    lambda shapes: tuple(shape[:1] for shape in shapes),
    lambda shapes: tuple(shape[-1:] for shape in shapes),
    lambda shapes: tuple(sum(shape) for shape in shapes),
    lambda shapes: shapes[:1],
    lambda shapes: shapes[1:],
    lambda shapes: tuple(len(shape) for shape in shapes),
)


def confusable_shapes(case: Case) -> list[Shapes]:
    """Return legal shapes that each agree with the first shape in a coarse key, and differ from it otherwise.

    Coarse keys are the product, the sum and the sorted dimensions, and the first or last dimension alone. The shape of
    one input of several is also a coarse key. One shape serves several keys where it can. Empty where shapes cannot
    vary.
    """
    pool = sorted(set(_mixtures(case)), key=_plainness, reverse=True)
    if not pool:
        return []
    groups = [_grouped(pool, key) for key in _KEYS]
    first = max(pool, key=lambda shapes: [len(group[shapes]) > 1 for group in groups])
    chosen: list[Shapes] = []
    for group in groups:
        others = [shapes for shapes in group[first] if shapes != first]
        if others and not any(shapes in chosen for shapes in others):
            chosen.append(max(others, key=lambda shapes: _unlikeness(shapes, first)))
    return [first, *chosen] if chosen else []


def _grouped(pool: list[Shapes], key: Callable[[Shapes], Hashable]) -> dict[Shapes, list[Shapes]]:
    """Return for every shape those that are the same by a key, which it is itself."""
    found: dict[Hashable, list[Shapes]] = defaultdict(list)
    for shapes in pool:
        found[key(shapes)].append(shapes)
    return {shapes: found[key(shapes)] for shapes in pool}


def _mixtures(case: Case) -> Iterator[Shapes]:
    """Yield legal shapes that hold elements: each free dimension at a few values."""
    extents = free_extents(case)
    values = [_values(low, high) for low, high in extents.values()]
    for choice in itertools.islice(itertools.product(*values), _MIXTURES):
        shapes = with_free_extents(case, dict(zip(extents, choice, strict=True)))
        if case.allows(shapes) and is_small(case, shapes) and all(map(math.prod, shapes[: len(case.data_inputs)])):
            yield shapes


def _values(low: int, high: int) -> list[int]:
    """Return a few values of a dimension: powers of two, since products of those are often the same."""
    powers = [1 << bit for bit in range(1, high.bit_length()) if low <= 1 << bit <= high]
    return sorted({*powers[:_VALUES], *range(low, min(low + 2, high) + 1), high})[: _VALUES + 2]


def _plainness(shapes: Shapes) -> tuple[int, int, Shapes]:
    """Return how much a shape shows at how little cost: dimensions of one hide what is done along them."""
    extents = list(itertools.chain(*shapes))
    return -extents.count(1), -sum(math.prod(shape) for shape in shapes), shapes


def _unlikeness(shapes: Shapes, other: Shapes) -> tuple[int, int]:
    """Return in how many last dimensions two shapes differ, where rows are cut, and in how many of all."""
    rows = sum(here[-1:] != there[-1:] for here, there in zip(shapes, other, strict=True))
    pairs = zip(itertools.chain(*shapes), itertools.chain(*other), strict=True)
    return rows, sum(here != there for here, there in pairs)
