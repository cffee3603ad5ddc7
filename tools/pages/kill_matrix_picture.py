"""Draw docs/contributing/kill_matrix.svg: rules as rows, plugins as columns, and a mark for a violation."""

import itertools

CELL = 5
LEFT, TOP, GAP, LEGEND = 64, 46, 24, 26
COLOURS = {"FAIL": "#b2182b", "WARN": "#ef8a62", "NOTE": "#fddbc7", "also": "#2166ac"}
MEANINGS = {
    "FAIL": "planted: an error",
    "WARN": "planted: a warning",
    "NOTE": "planted: a note",
    "also": "another rule that sees the same defect",
}


def picture(matrix, rules):
    """Return the picture as SVG text.

    Args:
        matrix: The content of tests/data/kill_matrix.json.
        rules: The ids of all rules, in order.
    """
    rows = {rule: TOP + CELL * number for number, rule in enumerate(rules)}
    faulty = sorted(matrix["witnesses"].items(), key=lambda pair: (pair[1]["breaks"], pair[0]))
    sound = [*matrix["near_misses"].items(), *matrix["examples"].items(), *matrix.get("applications", {}).items()]
    right = LEFT + CELL * len(faulty)
    width, bottom = right + GAP + CELL * len(sound) + GAP, TOP + CELL * len(rules)
    parts = [
        _opening(width, bottom + LEGEND),
        "<title>Kill matrix: rules from top to bottom, plugins from left to right</title>",
        f'<rect width="{width}" height="{bottom + LEGEND}" fill="#ffffff"/>',
        *_bands(rules, rows, (LEFT, right, right + GAP, right + GAP + CELL * len(sound))),
        _text(LEFT, TOP - 8, f"{len(faulty)} witnesses, by the rule that they break"),
        _text(width - GAP, TOP - 22, f"{len(sound)} sound plugins", anchor="end"),
        *_marks(faulty, LEFT, rows),
        *_marks(sound, right + GAP, rows),
        *_legend(bottom + 16),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _opening(width, height):
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="10">'


def _bands(rules, rows, edges):
    """Yield a band for each family, in two shades of grey in turn, in both parts of the picture."""
    first, last, other, end = edges
    for number, (family, group) in enumerate(itertools.groupby(rules, key=lambda rule: rule.partition("-")[0])):
        members = list(group)
        top, height = rows[members[0]], CELL * len(members)
        fill = ("#eeeeee", "#f8f8f8")[number % 2]
        yield f'<rect x="{first}" y="{top}" width="{last - first}" height="{height}" fill="{fill}"/>'
        yield f'<rect x="{other}" y="{top}" width="{end - other}" height="{height}" fill="{fill}"/>'
        yield _text(first - 6, top + height // 2 + 4, family, anchor="end")


def _marks(plugins, left, rows):
    for column, (name, entry) in enumerate(plugins):
        for rule, verdict in entry["shows"].items():
            if rule in rows:
                colour = COLOURS[verdict if entry.get("breaks") == rule else "also"]
                yield (
                    f'<rect x="{left + CELL * column}" y="{rows[rule]}" width="{CELL}" height="{CELL}" fill="{colour}">'
                    f"<title>{rule} {verdict}: {name}</title></rect>"
                )


def _legend(y):
    x = LEFT
    for kind, meaning in MEANINGS.items():
        yield f'<rect x="{x}" y="{y - 8}" width="8" height="8" fill="{COLOURS[kind]}"/>'
        yield _text(x + 12, y, meaning)
        x += 24 + 6 * len(meaning)


def _text(x, y, words, anchor="start"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>'
