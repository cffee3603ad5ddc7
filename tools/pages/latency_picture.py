"""Draw docs/contributing/measuring_enqueue.svg: examples as rows, quantities as marks, time to the right.

    python tools/pages/latency_picture.py [MEASURED.json]

MEASURED.json is a file of ``pytest --plugin-benchmark --benchmark-json=MEASURED.json``. Its medians are saved in
docs/contributing/measuring_enqueue.json. Without an argument the picture is drawn from the saved medians.
"""

import json
import math
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs" / "contributing"
KEPT, PICTURE = DOCS / "measuring_enqueue.json", DOCS / "measuring_enqueue.svg"
ROW, LEFT, TOP, WIDTH, BOTTOM = 20, 190, 54, 560, 40
COLOURS = {"device_hot": "#2166ac", "device_cold": "#67a9cf", "host_enqueue_net": "#ef8a62", "host_enqueue": "#b2182b"}
DECADES = (-6.5, -3.0)


def medians(measured):
    """Return the data to save from pytest-benchmark's file: medians in seconds, by case and quantity; the machine."""
    cases = {}
    for each in measured["benchmarks"]:
        _, plugin, case, quantity = each["fullname"].split("::")
        cases.setdefault(f"{plugin.strip('/')} {case}", {})[quantity] = each["extra_info"]["median"]
    machines = {each["extra_info"]["facts"]["machine"] for each in measured["benchmarks"]}
    return {"machine": ", ".join(sorted(machines)), "cases": cases}


def picture(kept):
    """Return the picture as SVG text."""
    width, height = LEFT + WIDTH + 30, TOP + ROW * len(kept["cases"]) + BOTTOM
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="11">',
        "<title>Latency of enqueue: examples from top to bottom, time from left to right</title>",
        f'<rect width="100%" height="{height}" fill="#ffffff"/>',
        _text(LEFT, 18, f"Latency of enqueue, medians, on one {kept['machine']} (logarithmic)"),
        *_legend(),
        *_grid(height - BOTTOM),
    ]
    for row, (name, quantities) in enumerate(kept["cases"].items()):
        parts += _row(TOP + ROW * row + ROW // 2, name, quantities)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _row(y, name, quantities):
    yield _text(LEFT - 10, y + 4, name, anchor="end")
    for quantity, colour in COLOURS.items():
        if quantity in quantities:
            title = f"{name}: {quantity} {quantities[quantity] * 1e6:.2f} us"
            x = _place(quantities[quantity])
            yield f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{colour}"><title>{title}</title></circle>'


def _legend():
    x = LEFT
    for quantity, colour in COLOURS.items():
        yield f'<circle cx="{x}" cy="34" r="5" fill="{colour}"/>'
        yield _text(x + 9, 38, quantity)
        x += 30 + 7 * len(quantity)


def _grid(bottom):
    for decade in range(math.ceil(DECADES[0]), math.floor(DECADES[1]) + 1):
        for times in (1, 2, 5):
            seconds = times * 10.0**decade
            if math.log10(seconds) <= DECADES[1]:
                x = _place(seconds)
                yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#dddddd"/>'
                yield _text(round(x, 1), bottom + 16, f"{seconds * 1e6:g} us", anchor="middle")


def _place(seconds):
    low, high = DECADES
    return LEFT + WIDTH * (math.log10(seconds) - low) / (high - low)


def _text(x, y, words, anchor="start"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>'


def main(arguments):
    """Save the medians of a file, if the command line names one, and draw the picture."""
    if arguments:
        measured = json.loads(Path(arguments[0]).read_text())
        KEPT.write_text(json.dumps(medians(measured), indent=1) + "\n")
    PICTURE.write_text(picture(json.loads(KEPT.read_text())))


if __name__ == "__main__":
    main(sys.argv[1:])
