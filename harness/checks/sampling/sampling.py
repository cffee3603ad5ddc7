"""Choose concrete shapes of a case: the corners of its profile and shapes inside it.

Shapes are a tuple with an entry for each input: its dimensions or, for a shape input, its values. Shape inputs come
last. Shapes are legal if ``case.allows`` them. A free dimension is one that may vary.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import zlib
from typing import TYPE_CHECKING

import numpy as np

from harness.contract.finding import NotRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.case import Case, Shape
    from harness.subject.subject import Subject

#: Generated shapes have at most this many elements in each input, because rules run them often.
MAX_VOLUME = 1 << 20
_ATTEMPTS = 64
#: Numbers of elements of four bytes whose size in bytes exceeds 31 and 32 bits. TensorRT's limit is 2**31 - 1 elements.
_VAST = (0.7 * 2**30, 1.5 * 2**30)

Shapes = tuple["Shape", ...]
#: Identifies a free dimension: its name, or the indices of its input and axis if it has no name.
ExtentKey = str | tuple[int, int]


def shapes_at(case: Case, corner: int) -> Shapes:
    """Return the shapes at min (0), opt (1) or max (2), legal or not."""
    return tuple(entry.profile[corner] for entry in case.inputs)


def corner_shapes(case: Case) -> list[Shapes]:
    """Return the legal shapes among those at min, opt and max, each once; if there are none, one between them.

    Raises:
        NotRun: No legal shapes were found.
    """
    return _legal_corners(case) or [best_shapes(case)]


def _legal_corners(case: Case) -> list[Shapes]:
    corners = [shapes_at(case, corner) for corner in range(3)]
    return [shapes for shapes in _unique(corners) if case.allows(shapes)]


def inner_shapes(case: Case, count: int, *, seed: int = 0) -> list[Shapes]:
    """Return up to ``count`` legal shapes inside the profile, the same for the same seed, without the corners.

    About half of them are neighbours of corners, where errors of rounding and tiling are likely. The others are uniform
    samples.
    """
    if not is_dynamic(case):
        return []
    rng = np.random.default_rng(zlib.crc32(f"{seed}/{case.key}/{case.name}".encode()))
    seen = set(_legal_corners(case))
    samples: list[Shapes] = []
    for attempt in range(_ATTEMPTS):
        shapes = _draw(case, rng, near_corner=bool(attempt % 2))
        if shapes not in seen and case.allows(shapes) and is_small(case, shapes):
            seen.add(shapes)
            samples.append(shapes)
        if len(samples) == count:
            break
    return samples


def sample_shapes(case: Case, inner: int = 4, *, seed: int = 0) -> list[Shapes]:
    """Return the legal shapes at min, opt and max, and up to ``inner`` legal shapes between them.

    Raises:
        NotRun: No legal shapes were found.
    """
    legal = [*_legal_corners(case), *inner_shapes(case, inner, seed=seed)]
    if not legal:
        raise NotRun("no shape of the case's profile is valid, as far as was tried")
    return legal


def extreme_shapes(case: Case, most: int = 32) -> list[Shapes]:
    """Return the legal shapes among the first ``most`` combinations of free dimensions at minimum or maximum."""
    names = list(free_extents(case))
    choices = itertools.islice(itertools.product((0, 2), repeat=len(names)), most)
    combinations = [_at_corners(case, dict(zip(names, choice, strict=True))) for choice in choices]
    return [shapes for shapes in _unique(combinations) if case.allows(shapes) and is_small(case, shapes)]


def corner_mixtures(case: Case, places: Sequence[tuple[int, int]], most: int) -> list[Shapes] | None:
    """Return the shapes with every combination of some dimensions at minimum or maximum, legal or not.

    ``places`` has the input and axis of these dimensions; fixed dimensions are ignored. The other dimensions are
    minimal. None if more than ``most`` of them are free.
    """
    keys = {_extent_key(case, tensor, axis) for tensor, axis in places}
    free = [key for key in free_extents(case) if key in keys]
    if len(free) > most:
        return None
    choices = itertools.product((0, 2), repeat=len(free))
    return [_at_corners(case, dict(zip(free, choice, strict=True))) for choice in choices]


def vast_shapes(case: Case) -> list[Shapes]:
    """Return shapes beyond the case whose largest input exceeds 2 GiB, and 4 GiB, at four bytes per element.

    All free dimensions of this input grow by one factor, so that none becomes enormous. Empty if it has none.
    """
    greatest = shapes_at(case, 2)
    place = max(range(len(case.data_inputs)), key=lambda index: math.prod(greatest[index]), default=0)
    grown = [key for key in free_extents(case) if key in _keys_of(case, place)]
    if not grown or not math.prod(greatest[place]):
        return []
    vast = []
    for elements in _VAST:
        factor = (elements / math.prod(greatest[place])) ** (1 / len(grown))
        extents = {key: high for key, (_, high) in free_extents(case).items()}
        extents |= {key: max(high, int(high * factor) + 1) for key, high in extents.items() if key in grown}
        vast.append(with_free_extents(case, extents))
    return vast


def _keys_of(case: Case, tensor: int) -> list[ExtentKey]:
    return [_extent_key(case, tensor, axis) for axis in range(len(case.inputs[tensor].profile[0]))]


def with_extent(case: Case, shapes: Shapes, tensor: int, axis: int, extent: int) -> Shapes | None:
    """Return ``shapes`` with another value of a dimension, and of others of its name; None if they are not legal."""
    name = case.inputs[tensor].names[axis]
    changed = []
    for number, (entry, shape) in enumerate(zip(case.inputs, shapes, strict=True)):
        same = [
            (number, place) == (tensor, axis) or (name is not None and other == name)
            for place, other in enumerate(entry.names)
        ]
        changed.append(tuple(extent if equal else n for n, equal in zip(shape, same, strict=True)))
    return tuple(changed) if case.allows(changed) and is_small(case, tuple(changed)) else None


def two_shapes(case: Case, *, seed: int = 0) -> tuple[Shapes, Shapes] | None:
    """Return two different legal shapes, or None if only one was found."""
    shapes = sample_shapes(case, 2, seed=seed)
    different = [candidate for candidate in shapes[1:] if candidate != shapes[0]]
    return (shapes[0], different[-1]) if different else None


def other_shapes(case: Case, shapes: Shapes, *, seed: int = 0) -> Shapes:
    """Return legal shapes that differ from ``shapes``, if possible not empty; ``shapes`` itself if none were found."""
    others = [each for each in sample_shapes(case, 2, seed=seed) if each != shapes]
    return min(others, key=lambda each: any(0 in shape for shape in each), default=shapes)


def best_shapes(case: Case) -> Shapes:
    """Return the shapes at opt if they are legal, else the first legal shapes of :func:`sample_shapes`.

    Raises:
        NotRun: No legal shapes were found.
    """
    best = shapes_at(case, 1)
    return best if case.allows(best) else sample_shapes(case)[0]


def drawn_shapes(case: Case, drawn: Sequence[Sequence[int]]) -> Shapes:
    """Return generated shapes as tuples. The generator does not know the ``valid`` of the case.

    Raises:
        NotRun: The case does not allow the shapes.
    """
    shapes = tuple(tuple(shape) for shape in drawn)
    if not case.allows(shapes):
        raise NotRun(f"the case does not allow the shapes {[list(shape) for shape in shapes]}")
    return shapes


def narrowed(case: Case, shapes: Shapes) -> Case:
    """Return the case with fixed shapes instead of a profile, as in a network without dynamic dimensions."""
    fixed = [
        dataclasses.replace(entry, dims=entry.dims if entry.shape_input else shape, min=shape, opt=shape, max=shape)
        for entry, shape in zip(case.inputs, shapes, strict=True)
    ]
    return dataclasses.replace(case, inputs=tuple(fixed))


def at_one_shape(subject: Subject, shapes: Shapes) -> Subject:
    """Return the subject with its case narrowed to these shapes."""
    return subject.with_case(narrowed(subject.case, shapes), variant=("narrowed", shapes))


def is_dynamic(case: Case) -> bool:
    """Return whether a dimension of an input, or a value of a shape input, may vary."""
    return any(entry.profile[0] != entry.profile[2] for entry in case.inputs)


def have_equal_shapes(case: Case) -> bool:
    """Return whether the case has inputs that all have the same profile."""
    return len({each.profile for each in case.inputs}) == 1


def free_extents(case: Case) -> dict[ExtentKey, tuple[int, int]]:
    """Return the minimum and maximum of each free dimension, by its key."""
    return {
        _extent_key(case, tensor, axis): (low, high)
        for tensor, entry in enumerate(case.inputs)
        for axis, (low, high) in enumerate(zip(entry.profile[0], entry.profile[2], strict=True))
        if low != high
    }


def with_free_extents(case: Case, extents: dict[ExtentKey, int]) -> Shapes:
    """Return the shapes with these values of free dimensions, and the minimum of all others, legal or not."""
    return tuple(
        tuple(extents.get(_extent_key(case, tensor, axis), low) for axis, low in enumerate(entry.profile[0]))
        for tensor, entry in enumerate(case.inputs)
    )


def _extent_key(case: Case, tensor: int, axis: int) -> ExtentKey:
    name = case.inputs[tensor].names[axis]
    return (tensor, axis) if name is None else name


def _at_corners(case: Case, corners: dict[ExtentKey, int]) -> Shapes:
    return tuple(
        tuple(
            entry.profile[corners.get(_extent_key(case, tensor, axis), 0)][axis]
            for axis in range(len(entry.profile[0]))
        )
        for tensor, entry in enumerate(case.inputs)
    )


def _draw(case: Case, rng: np.random.Generator, *, near_corner: bool) -> Shapes:
    named: dict[str, int] = {}
    shapes = []
    for entry in case.inputs:
        low, best, high = entry.profile
        extents = []
        for name, a, b, c in zip(entry.names, low, best, high, strict=True):
            if near_corner:
                anchor = int(rng.choice([a, b, c]))
                extent = min(max(anchor + int(rng.integers(-1, 1, endpoint=True)), a), c)
            else:
                extent = int(rng.integers(a, c, endpoint=True))
            extents.append(extent if name is None else named.setdefault(name, extent))
        shapes.append(tuple(extents))
    return tuple(shapes)


def is_small(case: Case, shapes: Shapes) -> bool:
    """Return whether each data input has at most `MAX_VOLUME` elements."""
    data_shapes = shapes[: len(case.data_inputs)]
    return all(math.prod(shape) <= MAX_VOLUME for shape in data_shapes)


def _unique(items: list[Shapes]) -> list[Shapes]:
    return list(dict.fromkeys(items))
