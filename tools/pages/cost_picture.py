"""Draw docs/contributing/performance.svg: the processor time of a certificate, beside scikit-learn's check."""

import itertools

LEFT, TOP, BARS, ROW, BAR = 190, 40, 560, 34, 18
GREY = "#999999"
#: The words and the colour for the time that each run takes more than the run before.
PARTS = {
    "pytest, no tests": ("pytest itself", "#cccccc"),
    "bar, collected": ("harness and runtime are imported, the module is looked at", "#92c5de"),
    "bar, level 1": ("the rules of level 1", "#4393c3"),
    "bar, level 5": ("the further rules of level 5", "#2166ac"),
}
YARDSTICK = "check_estimator(LogisticRegression())"


def picture(times):
    """Return the picture as SVG text; ``times`` are seconds by the names of benchmarks/bench_certify.py."""
    spent = {name: min(times[name]) for name in (*PARTS, YARDSTICK)}
    most = max(spent.values())
    right, legend = LEFT + BARS + 60, TOP + 2 * ROW + 14
    height = legend + 18 * len(PARTS)
    size = f'viewBox="0 0 {right} {height}" width="{right}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        "<title>Seconds of processor time of a certificate, by their purpose</title>",
        f'<rect width="{right}" height="{height}" fill="#ffffff"/>',
        _text(LEFT, TOP - 16, "seconds of processor time"),
        _text(LEFT - 8, TOP + 14, "bar, level 5", anchor="end"),
        *_stack(spent, BARS / most),
        _text(LEFT - 8, TOP + ROW + 14, "check_estimator", anchor="end"),
        _bar(LEFT, TOP + ROW, BARS * spent[YARDSTICK] / most, GREY, YARDSTICK),
        _text(LEFT + BARS * spent[YARDSTICK] / most + 6, TOP + ROW + 14, f"{spent[YARDSTICK]:.2f}"),
        *itertools.chain.from_iterable(
            (_bar(LEFT, legend + 18 * n, 12, colour, ""), _text(LEFT + 20, legend + 18 * n + 13, words))
            for n, (words, colour) in enumerate(PARTS.values())
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _stack(spent, scale):
    """Yield a piece of the bar for each run: the time that it takes more than the run before."""
    before = 0.0
    for name, (words, colour) in PARTS.items():
        more = max(spent[name] - before, 0.0)
        yield _bar(LEFT + before * scale, TOP, more * scale, colour, f"{words}: {more:.2f} s")
        before += more
    yield _text(LEFT + before * scale + 6, TOP + 14, f"{before:.2f}")


def _bar(x, y, width, fill, title):
    inside = f"<title>{title}</title>" if title else ""
    return f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{BAR}" fill="{fill}">{inside}</rect>'


def _text(x, y, words, anchor="start"):
    return f'<text x="{x:.0f}" y="{y}" text-anchor="{anchor}">{words}</text>'
