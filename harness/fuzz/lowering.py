"""The last step of shrinking: leave out what can be left out, and lower one number at a time, while it still fails.

Hypothesis halves a number and takes one away from it. Where it fails at 43, 37, 31 and 25 alone, that ends early; the
numbers are small, and a whole row of them is judged in one process. So are examples without one of the objects in a
list, such as the steps of a program. What comes out need not be among what a strategy draws: a rule has nothing to
judge there, and then it does not fail.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Path = tuple[Any, ...]

#: Numbers that are tried in place of one.
_MOST = 64


def lowered(example: Any, first_failing: Callable[[list[Any]], Any]) -> Any:
    """Return the example without the objects that it need not list, and with each number as low as it goes.

    ``first_failing`` returns the first of some examples that fails, or None.
    """
    before: Any = None
    while before != example:
        before = example = _shortened(example, first_failing)
        for path, number in list(_numbers(example)):
            tries = [_with(example, path, lower) for lower in _below(number)]
            found = first_failing(tries) if tries else None
            example = example if found is None else found
    return example


def _shortened(example: Any, first_failing: Callable[[list[Any]], Any]) -> Any:
    """Return the example without those objects in its lists that it fails without; the last ones go first."""
    while True:
        tries = [_with(example, path, items) for path, items in _shorter(example)]
        found = first_failing(tries) if tries else None
        if found is None:
            return example
        example = found


def _shorter(value: Any, path: Path = ()) -> Iterator[tuple[Path, list[Any]]]:
    """Yield where a list holds objects, and that list without one of them."""
    if isinstance(value, list) and len(value) > 1 and all(isinstance(item, dict) for item in value):
        for place in reversed(range(len(value))):
            yield path, [*value[:place], *value[place + 1 :]]
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _shorter(inner, (*path, key))


def _below(number: int) -> list[int]:
    """Return numbers below this one: the least ones, and others nearer and nearer to it."""
    steps = [number - (number >> bits) for bits in range(1, number.bit_length() + 1)]
    return sorted({*range(min(number, _MOST)), *(step for step in steps if 0 <= step < number)})


def _numbers(value: Any, path: Path = ()) -> Iterator[tuple[Path, int]]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield path, value
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(inner, (*path, key))


def _with(example: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(example)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed
