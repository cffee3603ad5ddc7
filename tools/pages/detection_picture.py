"""Draw docs/contributing/detection.svg: for each witness, the share of seeds that find it, and how soon."""

import itertools

ROW, TOP, LEFT, BARS, GAP, SCALE = 14, 58, 260, 200, 40, 300
BLUE, RED, GREY = "#2166ac", "#b2182b", "#dddddd"
ENOUGH = 95


def picture(rows, budget):
    """Return the picture as SVG text.

    Args:
        rows: Names and entries of tests/data/detection.json, in the order to draw.
        budget: The number of examples that a search judges if none fails.
    """
    bottom, right = TOP + ROW * len(rows), LEFT + BARS + GAP
    width, height = right + SCALE + GAP, bottom + 40
    most = max([budget, *(entry["quantiles"]["95"] for _, entry in rows if entry["found"])])
    line = LEFT + BARS * ENOUGH // 100
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="10">',
        "<title>Detection power: witnesses from top to bottom</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(LEFT, TOP - 28, "found with so many of 100 seeds"),
        _text(right, TOP - 28, "examples up to the first that fails: mean, nine in ten seeds"),
        *_axis(LEFT, BARS, 100, 50, TOP - 10),
        *_axis(right, SCALE, most, max(most // 5, 1), TOP - 10),
        *_bands(rows, width),
        *itertools.chain.from_iterable(_row(n, name, entry, most) for n, (name, entry) in enumerate(rows)),
        f'<line x1="{line}" y1="{TOP}" x2="{line}" y2="{bottom}" stroke="{RED}" stroke-dasharray="2 2"/>',
        _text(line, bottom + 14, f"{ENOUGH}", anchor="middle"),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _axis(left, width, most, step, y):
    for value in range(0, most + 1, step):
        yield _text(left + width * value // most, y, str(value), anchor="middle")


def _bands(rows, width):
    """Yield a band for each rule, in two shades of grey in turn, with the rule's id at its left."""
    numbered = [(number, entry["rule"]) for number, (_, entry) in enumerate(rows)]
    for band, (rule, group) in enumerate(itertools.groupby(numbered, key=lambda each: each[1])):
        members = [number for number, _ in group]
        top, height = TOP + ROW * members[0], ROW * len(members)
        fill = ("#eeeeee", "#f8f8f8")[band % 2]
        yield f'<rect x="0" y="{top}" width="{width}" height="{height}" fill="{fill}"/>'
        yield _text(4, top + 10, rule)


def _row(number, name, entry, most):
    y, right = TOP + ROW * number, LEFT + BARS + GAP
    share = entry["found"] / entry["seeds"]
    yield _text(LEFT - 8, y + 10, name, anchor="end")
    colour = BLUE if 100 * share >= ENOUGH else RED
    title = f"{name}: {entry['found']} of {entry['seeds']} seeds"
    yield _bar(LEFT, y + 3, BARS, GREY, "")
    yield _bar(LEFT, y + 3, round(BARS * share), colour, title)
    if entry["found"]:
        low, high = (right + round(SCALE * entry["quantiles"][each] / most) for each in ("5", "95"))
        mean = right + round(SCALE * entry["mean"] / most)
        yield f'<line x1="{low}" y1="{y + 7}" x2="{high}" y2="{y + 7}" stroke="{BLUE}"/>'
        yield f'<circle cx="{mean}" cy="{y + 7}" r="3" fill="{BLUE}"><title>{name}: {entry["mean"]}</title></circle>'


def _bar(x, y, width, fill, title):
    inside = f"<title>{title}</title>" if title else ""
    return f'<rect x="{x}" y="{y}" width="{width}" height="8" fill="{fill}">{inside}</rect>'


def _text(x, y, words, anchor="start"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>'
