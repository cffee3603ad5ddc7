"""The last step of shrinking: lower one number of an example at a time, as far as it still fails.

Hypothesis halves a number and takes one away from it. Where it fails at 43, 37, 31 and 25 alone, that ends early; the
numbers are small, and a whole row of them is judged in one process. Of a program, steps are left out in the same way.
What comes out need not be among what a strategy draws: a rule has nothing to judge there, and then it does not fail.
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
    """Return the example with each number as low as it goes, and a program with as few steps.

    ``first_failing`` returns the first of some examples that fails, or None.
    """
    before: Any = None
    while before != example:
        before = example
        example = _shortened(example, first_failing)
        for path, number in list(_numbers(example)):
            tries = [_with(example, path, lower) for lower in _below(number)]
            found = first_failing(tries) if tries else None
            example = example if found is None else found
    return example


def _shortened(example: Any, first_failing: Callable[[list[Any]], Any]) -> Any:
    """Return an example with a program without the steps that it can do without."""
    before: Any = None
    while before != example and isinstance(example, dict) and "program" in example:
        before, steps = example, example["program"]
        tries = [{**example, "program": steps[:place] + steps[place + 1 :]} for place in range(len(steps))]
        found = first_failing(tries) if tries else None
        example = example if found is None else found
    return example


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


def _with(example: Any, path: Path, number: int) -> Any:
    if not path:
        return number
    changed = copy.deepcopy(example)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = number
    return changed
