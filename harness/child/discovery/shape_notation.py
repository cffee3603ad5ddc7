"""Read shapes as authors write them in messages and docstrings: ``x [N, C, *], gamma [C], beta [C]``."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from harness.child.discovery.layouts import MOST_INPUTS, Layout

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIMENSION = r"(?:[A-Za-z_]\w*|\d{1,4}|\*|\.\.\.)"
#: A shape in brackets that is no index and no call, such as ``dims[axis]`` or ``len(shape)``.
_SHAPE = re.compile(rf"(?<![\w\])])(?:\[({_DIMENSION}(?:,\s*{_DIMENSION})*)\]|\(({_DIMENSION}(?:,\s*{_DIMENSION})+)\))")
#: Behind it are outputs.
_ARROW = re.compile(r"->|→|=>|\b[Rr]eturns?\b|\boutputs?\b")
#: For how many dimensions ``*`` stands.
_STARS = (2, 1, 0)
_MOST_DIMS = 6


def layouts_in(text: str) -> Iterator[Layout]:
    """Yield layouts of two inputs or more that a text describes, all of its shapes before fewer."""
    shapes = [re.split(r",\s*", match[1] or match[2]) for match in _SHAPE.finditer(_ARROW.split(text)[0])]
    named = [shape for shape in shapes if any(dim[0].isalpha() for dim in shape)]
    for count in range(min(len(named), MOST_INPUTS), 1, -1):
        for stars in _STARS if any({"*", "..."} & {*shape} for shape in named[:count]) else (0,):
            dims = tuple(tuple(itertools.chain(*(_dims(dim, stars) for dim in shape))) for shape in named[:count])
            if max(map(len, dims)) <= _MOST_DIMS:
                yield Layout(dims)


def _dims(written: str, stars: int) -> list[int | str]:
    if written in ("*", "..."):
        return [f"d{axis}" for axis in range(_MOST_DIMS - stars, _MOST_DIMS)]
    return [int(written) if written.isdigit() else written]
