"""Search with the help of refusals: a guess whose refusal is new came past an earlier refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    T = TypeVar("T")


def learned(first: T, try_it: Callable[[T], str], nearby: Callable[[T, str], Iterator[T]], most: int) -> T | None:
    """Return a guess that is taken, or None after so many guesses.

    Args:
        first: The guess to begin with.
        try_it: Returns how a guess is refused; empty if it is taken.
        nearby: Yields guesses that differ from a guess by one change, the likeliest first, by how it was refused.
        most: How many guesses are tried.
    """
    refusal = try_it(first)
    if not refusal:
        return first
    met, path = {refusal}, [nearby(first, refusal)]
    for _ in range(most):
        while path and (guess := next(path[-1], None)) is None:
            path.pop()
        if not path or guess is None:
            return None
        refusal = try_it(guess)
        if not refusal:
            return guess
        if refusal not in met:
            met.add(refusal)
            path.append(nearby(guess, refusal))
    return None
