"""Finish the shrinking of an example: leave out its steps and lower its numbers while it still fails.

A step is an edit: a dictionary in a list. Or it is a line of a program: a list that begins with a word, in a list. A
number is never left out of a list: it may be a dimension of a shape.

Hypothesis halves a number, or subtracts one. If the example fails at 43, 37, 31 and 25 alone, that stops at 43. So this
module tries many numbers, and one process judges them all. The rule's strategy may be unable to generate the result.
Then the rule yields no finding, and the example does not count as a failure.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Path = tuple[Any, ...]

#: The numbers that are tried in place of a number: all below 64, and some that are closer to it.
_MOST = 64


def lowered(example: Any, first_failing: Callable[[list[Any]], Any]) -> Any:
    """Return the example with as few steps as possible, and each number as low as it goes.

    ``first_failing`` returns the first of some examples that fails, or None.
    """
    before: Any = None
    while before != example:
        before = example
        example = _shortened(example, first_failing)
        for paths in [[path] for path, _ in _numbers(example)] + _equal(example):
            tries = [_with(example, paths, lower) for lower in _below(_at(example, paths[0]))]
            failing = first_failing(tries) if tries else None
            example = example if failing is None else failing
    return example


def _equal(example: Any) -> list[list[Path]]:
    """Return the places of equal numbers: a dimension that several inputs share is lowered in all of them."""
    places: dict[int, list[Path]] = {}
    for path, number in _numbers(example):
        places.setdefault(number, []).append(path)
    return [paths for paths in places.values() if len(paths) > 1]


def _at(example: Any, path: Path) -> int:
    for key in path:
        example = example[key]
    return int(example)


def _shortened(example: Any, first_failing: Callable[[list[Any]], Any]) -> Any:
    """Return the example without each step that it does not need to fail."""
    while True:
        tries = [_without(example, path) for path in _steps(example)]
        failing = first_failing(tries) if tries else None
        if failing is None:
            return example
        example = failing


def _steps(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of each step, and of each list with steps; outer paths first."""
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(value, list) and _has_steps(inner):
                yield (*path, key)
            yield from _steps(inner, (*path, key))


def _has_steps(value: Any) -> bool:
    if isinstance(value, list) and value:
        return isinstance(value[0], str) or any(map(_has_steps, value))
    return isinstance(value, dict)


def _without(example: Any, path: Path) -> Any:
    changed = copy.deepcopy(example)
    *above, last = path
    holder = changed
    for key in above:
        holder = holder[key]
    del holder[last]
    return changed


def _below(number: int) -> list[int]:
    """Return numbers below ``number``, in order: the least numbers, and some that are closer and closer to it."""
    steps = [number - (number >> bits) for bits in range(1, number.bit_length() + 1)]
    return sorted({*range(min(number, _MOST)), *(step for step in steps if 0 <= step < number)})


def _numbers(value: Any, path: Path = ()) -> Iterator[tuple[Path, int]]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield path, value
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(inner, (*path, key))


def _with(example: Any, paths: list[Path], number: int) -> Any:
    """Return the example with a number at some places."""
    if paths == [()]:
        return number
    changed = copy.deepcopy(example)
    for path in paths:
        holder = changed
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = number
    return changed
