"""Choose which generated examples to judge: examples with a new number first.

Random numbers repeat: among fifty between 0 and 15, one or two values are missing as often as not. But a kernel may be
wrong at one remainder of its tile size only. So Hypothesis generates more examples than are judged, and the most
different ones are judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Feature = tuple[Any, ...]

#: Numbers count as different if they differ modulo this: the tile sizes of most kernels are multiples of it.
_TILE = 16


def spread(examples: Sequence[Any]) -> list[Any]:
    """Return the examples, those with a new remainder first, then those with a new number, then the rest."""
    seen: set[Feature] = set()
    ranked: tuple[list[Any], ...] = ([], [], [])
    for example in examples:
        remainders, numbers = set(_features(example, _TILE)), set(_features(example, None))
        rank = 0 if remainders - seen else 1 if numbers - seen else 2
        seen |= remainders | numbers
        ranked[rank].append(example)
    return [example for group in ranked for example in group]


def _features(value: Any, modulus: int | None, path: Feature = ()) -> Iterator[Feature]:
    if isinstance(value, int):
        yield (*path, modulus, value % modulus if modulus else value)
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _features(inner, modulus, (*path, key))
