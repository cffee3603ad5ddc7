"""Draw the horizontal axis of plots of numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from harness.reports.html.markup import Html, element

#: The width of a plot, and the margins for text to the left and the right of its axis, in pixels.
WIDTH: Final = 720
LEFT: Final = 150
RIGHT: Final = 90


class Axis:
    """A linear axis for some series. It begins at 0, unless the values would then share a small part of the axis.

    Outliers do not stretch the axis: they are drawn at its end.
    """

    def __init__(self, series: Iterable[Sequence[float]]) -> None:
        series = list(series)
        low, high = min(map(min, series)), max(map(_reach, series))
        self.low = 0.0 if low >= 0 and low < high / 2 else low
        self.high = high if high > self.low else self.low + 1.0

    def x(self, value: float) -> float:
        """Return the x coordinate of a value; a value beyond the axis is drawn at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def grid(self, y: float) -> Iterator[Html]:
        """Yield vertical lines at round values, from 0 down to ``y``, and the values below them."""
        for tick in _ticks(self.low, self.high):
            x = f"{self.x(tick):.1f}"
            yield element("line", x1=x, x2=x, y1=0, y2=y, class_="grid")
            yield element("text", f"{tick:g}", x=x, y=y + 18, text_anchor="middle", class_="dim")


def _reach(samples: Sequence[float]) -> float:
    """Return the largest sample that is no outlier: at most three interquartile ranges above the third quartile."""
    ordered = sorted(samples)
    low, high = (quantile(ordered, share) for share in (0.25, 0.75))
    return max(each for each in ordered if each <= high + 3 * (high - low))


def _ticks(low: float, high: float) -> Iterator[float]:
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    tick = math.ceil(low / step)
    while tick * step <= high:
        yield round(tick * step, 12)
        tick += 1


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the quantile of ordered samples, for example the median for a share of 0.5."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
