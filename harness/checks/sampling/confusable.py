"""Find different shapes that a plugin confuses if it caches by a coarse key, such as the element count."""

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

#: The most powers of two that one dimension takes, and the most combinations of dimensions.
_VALUES, _MIXTURES = 6, 300
#: Coarse keys of the shapes of all inputs, the most plausible first.
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
    """Return different legal shapes. Each agrees with the first in a coarse key.

    Coarse keys are for example the product of the dimensions, the last dimension, or the shape of one input. If
    possible, one shape serves several keys. Empty if no two shapes agree in a key.
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
    """Return, for each entry of the pool, the entries with the same key, including itself."""
    groups: dict[Hashable, list[Shapes]] = defaultdict(list)
    for shapes in pool:
        groups[key(shapes)].append(shapes)
    return {shapes: groups[key(shapes)] for shapes in pool}


def _mixtures(case: Case) -> Iterator[Shapes]:
    """Yield legal shapes with at least one element, combined from a few values of each free dimension."""
    extents = free_extents(case)
    values = [_values(low, high) for low, high in extents.values()]
    for choice in itertools.islice(itertools.product(*values), _MIXTURES):
        shapes = with_free_extents(case, dict(zip(extents, choice, strict=True)))
        if case.allows(shapes) and is_small(case, shapes) and all(map(math.prod, shapes[: len(case.data_inputs)])):
            yield shapes


def _values(low: int, high: int) -> list[int]:
    """Return a few values of a dimension: powers of two, because their products are often equal, and the bounds."""
    powers = [1 << bit for bit in range(1, high.bit_length()) if low <= 1 << bit <= high]
    return sorted({*powers[:_VALUES], *range(low, min(low + 2, high) + 1), high})[: _VALUES + 2]


def _plainness(shapes: Shapes) -> tuple[int, int, Shapes]:
    """Return a sort key: shapes with few dimensions of 1, which show little, and with few elements are greatest."""
    extents = list(itertools.chain(*shapes))
    return -extents.count(1), -sum(math.prod(shape) for shape in shapes), shapes


def _unlikeness(shapes: Shapes, other: Shapes) -> tuple[int, int]:
    """Return the number of last dimensions in which two shapes differ, and the number of all dimensions."""
    rows = sum(here[-1:] != there[-1:] for here, there in zip(shapes, other, strict=True))
    pairs = zip(itertools.chain(*shapes), itertools.chain(*other), strict=True)
    return rows, sum(here != there for here, there in pairs)
