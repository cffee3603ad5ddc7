"""Plot the input shapes that the plugin was executed with, over their dimensions; violations are crosses."""

from __future__ import annotations

import collections
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.contract.wording import counted
from harness.reports.html.drawing import drawing, figure, folded_table, glyph
from harness.reports.html.markup import Html, element, joined

Shape = Sequence[Sequence[int]]
#: A dimension: the number of the input, and the number of the axis in the input's shape.
Place = tuple[int, int]
_SIDE, _LEFT, _BOTTOM, _TOP, _APART = 230, 52, 44, 14, 34
_MOST_PANELS: Final = 3
_LEGEND: Final = (("tried", "every question about it held"), ("cross", "a question about it showed a violation"))


def shapes_tried(tried: Mapping[str, Any]) -> Html:
    """Return the scatter of one case, with its table."""
    held, violating = tried["held"], tried["violating"]
    shapes = [*held, *violating]
    title = f"{counted(len(shapes) + tried['left_out'], 'input shape')}, {len(violating):,} with a violation"
    axes = _axes(shapes)
    table = _table(title, tried)
    if not axes:
        return joined((element("p", f"{title}. No dimension varies, so the picture is left out."), table))
    pairs = [axes[number : number + 2] for number in range(0, len(axes), 2)][:_MOST_PANELS]
    parts = [part for number, pair in enumerate(pairs) for part in _Panel(number, pair, held, violating).parts()]
    described = "; ".join(
        f"{_name(group)} from {min(_values(shapes, group[0]))} to {max(_values(shapes, group[0]))}" for group in axes
    )
    width = len(pairs) * (_SIDE + _LEFT + _APART) - _APART + 12
    picture = drawing(title, described, width, _TOP + _SIDE + _BOTTOM, *parts)
    left = f" Not drawn: {counted(tried['left_out'], 'shape')} or more." if tried["left_out"] else ""
    fold = counted(len(axes) - 2 * _MOST_PANELS, "more dimension") if len(axes) > 2 * _MOST_PANELS else ""
    more = f" The table has {fold}." if fold else ""
    caption = f"A point is a combination of two dimensions; a larger point means several shapes.{left}{more}"
    return figure(caption, _LEGEND if violating else _LEGEND[:1], picture, table)


def _axes(shapes: Sequence[Shape]) -> list[list[Place]]:
    """Return the dimensions that vary, grouped if they have equal values in every shape, the most varied first."""
    alike: dict[tuple[int, ...], list[Place]] = {}
    ranks = [min(len(shape[place]) for shape in shapes) for place in range(min(map(len, shapes), default=0))]
    for place in ((number, axis) for number, rank in enumerate(ranks) for axis in range(rank)):
        values = tuple(_values(shapes, place))
        if len(set(values)) > 1:
            alike.setdefault(values, []).append(place)
    return [places for _, places in sorted(alike.items(), key=lambda each: -len(set(each[0])))]


def _values(shapes: Sequence[Shape], place: Place) -> list[int]:
    return [shape[place[0]][place[1]] for shape in shapes]


def _name(places: Sequence[Place]) -> str:
    """Return the title of an axis, for example ``input 0, dimension 2 (and 1 equal)``."""
    number, axis = places[0]
    more = f" (and {len(places) - 1} equal)" if len(places) > 1 else ""
    return f"input {number}, dimension {axis}{more}"


class _Panel:
    """A scatter over two dimensions, or over one."""

    def __init__(
        self, number: int, axes: Sequence[Sequence[Place]], held: Sequence[Shape], violating: Sequence[Shape]
    ) -> None:
        self._left = number * (_SIDE + _LEFT + _APART) + _LEFT
        self._axes = axes
        self._held, self._violating = held, violating
        shapes = [*held, *violating]
        self._most = [max(_values(shapes, places[0])) for places in axes]

    def parts(self) -> Iterator[Html]:
        """Yield the axes, then the points of shapes that held, then those of violations."""
        yield from self._grid()
        bad = collections.Counter(map(self._point, self._violating))
        good = collections.Counter(map(self._point, self._held))
        for point, number in good.items():
            x, y = self._at(point)
            size = min(3.5 + math.sqrt(number), 9)
            title = f"{self._described(point)}: {counted(number, 'shape')}"
            yield element("circle", element("title", title), cx=x, cy=y, r=f"{size:.1f}", class_="mark tried")
        for point, number in bad.items():
            x, y = self._at(point)
            title = f"{self._described(point)}: {counted(number, 'shape')} with a violation"
            yield glyph("cross", float(x), float(y), title)

    def _grid(self) -> Iterator[Html]:
        left, bottom = self._left, _TOP + _SIDE
        yield element("rect", x=left, y=_TOP, width=_SIDE, height=_SIDE, class_="frame")
        for tick in _ticks(self._most[0]):
            x = left + self._share(tick, 0) * _SIDE
            yield element("path", d=f"M{x:.1f} {_TOP}V{bottom}", class_="grid")
            yield element("text", tick, x=f"{x:.1f}", y=bottom + 16, text_anchor="middle", class_="dim")
        middle = left + _SIDE / 2
        yield element("text", _name(self._axes[0]), x=f"{middle:g}", y=bottom + 36, text_anchor="middle")
        if len(self._axes) == 1:
            return
        for tick in _ticks(self._most[1]):
            y = bottom - self._share(tick, 1) * _SIDE
            yield element("path", d=f"M{left} {y:.1f}H{left + _SIDE}", class_="grid")
            yield element("text", tick, x=left - 6, y=f"{y + 4:.1f}", text_anchor="end", class_="dim")
        turned = f"translate({left - 38} {_TOP + _SIDE / 2:g}) rotate(-90)"
        yield element("text", _name(self._axes[1]), transform=turned, text_anchor="middle")

    def _point(self, shape: Shape) -> tuple[int, ...]:
        return tuple(shape[places[0][0]][places[0][1]] for places in self._axes)

    def _at(self, point: tuple[int, ...]) -> tuple[str, str]:
        up = self._share(point[1], 1) if len(point) > 1 else 0.5
        return f"{self._left + self._share(point[0], 0) * _SIDE:.1f}", f"{_TOP + _SIDE - up * _SIDE:.1f}"

    def _share(self, value: int, axis: int) -> float:
        """Return the place of a value on an axis, from 0 to 1; the axis shows log(value + 1)."""
        return 0.04 + 0.92 * math.log2(value + 1) / math.log2(self._most[axis] + 1)

    def _described(self, point: tuple[int, ...]) -> str:
        return ", ".join(f"{_name(places)} = {value}" for places, value in zip(self._axes, point, strict=True))


def _ticks(most: int) -> list[int]:
    """Return 0 and powers of two up to ``most``, at most eight numbers."""
    powers = [0, *(2**number for number in range(most.bit_length()))]
    return powers[:: max(1, math.ceil(len(powers) / 8))]


def _table(title: str, tried: Mapping[str, Any]) -> Html:
    rows = (
        (" ".join("\N{MULTIPLICATION SIGN}".join(map(str, extents)) or "scalar" for extents in shape), meaning)
        for kind, meaning in (("violating", "violation"), ("held", "held"))
        for shape in tried[kind]
    )
    return folded_table(f"As a table: {title}", ("Input shapes", "Questions"), rows)
