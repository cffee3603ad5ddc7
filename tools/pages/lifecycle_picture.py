"""Draw docs/lifecycle_*.svg: the tables of the reference runtime's lifecycles, with boxes and arrows.

A box is a stage, and an arrow is a call. A box lists the calls that keep the stage, and the calls that return a new
object. Behind these it names the new object's first stage. It also says whether the object may be destroyed.

Stages that follow each other are in one column, in the order of the table. An arrow to the next stage is straight.
Other arrows run beside the boxes, forward on the right and back on the left. Colours follow the reader's light or dark
scheme. In an image a media query chooses them. On the site the picture is part of the page, and ``docs/site.css`` does.
"""

import dataclasses
import textwrap

from reference_runtime.calling.lifecycle.implicit_batch import ATTACHED_V2, SHARED_V2
from reference_runtime.calling.lifecycle.quick import QUICK
from reference_runtime.calling.lifecycle.table import V2, Call, Stage
from reference_runtime.calling.lifecycle.v3 import V3

TABLES = {
    "v2_dynamic": ("IPluginV2DynamicExt", V2),
    "v3": ("IPluginV3", V3),
    "quick": ("Decorated plugins", QUICK),
    "implicit_shared": ("IPluginV2", SHARED_V2),
    "implicit_attached": ("IPluginV2Ext and IPluginV2IOExt", ATTACHED_V2),
}
#: Calls that execute the plugin; a stage that allows one of them has another colour.
RUNS = frozenset({Call.ENQUEUE, Call.EXECUTE_ASYNC})
BOX, LINE, PAD, GAP, LANE, MARGIN, TITLE = 236, 16, 10, 38, 22, 12, 60
CHARACTERS = 35  # the most characters in a line of a box
ALL_CHARACTERS = 6.1  # the mean width of a character, in pixels
_STYLE = """
.themed { --ink: #1f2328; --soft: #59636e; --paper: #ffffff; --box: #f3f6f8; --run: #d5f0ec; --line: #8c959f; }
@media (prefers-color-scheme: dark) {
  .themed { --ink: #e6edf3; --soft: #a5b0bb; --paper: #15191e; --box: #262c34; --run: #12463f; --line: #7d8792; }
}
.themed .paper { fill: var(--paper); }
.themed text { fill: var(--ink); font: 11px sans-serif; }
.themed .soft { fill: var(--soft); }
.themed .name { font-weight: bold; font-size: 13px; }
.themed .box { fill: var(--box); stroke: var(--line); }
.themed .run { fill: var(--run); }
.themed .over { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
.themed .way { fill: none; stroke: var(--ink); stroke-width: 1.2; }
.themed .tip { fill: var(--ink); }
""".strip()


@dataclasses.dataclass(frozen=True)
class _Box:
    stage: Stage
    lines: tuple[str, ...]
    x: int
    y: int
    runs: bool

    @property
    def height(self):
        return 2 * PAD + LINE * (1 + len(self.lines))

    @property
    def bottom(self):
        return self.y + self.height


def picture(name):
    """Return a picture as SVG text; ``name`` is one of ``TABLES``."""
    title, table = TABLES[name]
    parts, x, bottom = [], MARGIN, 0
    for column in columns(table):
        drawn, right, low = _column(table, column, x)
        parts += drawn
        x, bottom = right + GAP, max(bottom, low)
    width = max(x - GAP + MARGIN, 520)
    notes, height = _notes(table, width, bottom + 2 * LINE)
    return (
        "\n".join([*opening(name, title, "The life of a plugin object", width, height), *parts, *notes, "</svg>"])
        + "\n"
    )


def opening(name, title, what, width, height):
    """Yield the first lines of a picture in the reader's colours."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" class="themed" {size} role="img" aria-labelledby="{name}">'
    yield f'<title id="{name}">{what}: {title}</title>'
    yield f"<style>\n{_STYLE}\n</style>"
    yield f'<rect class="paper" width="{width}" height="{height}"/>'
    yield f'<text class="name" x="{MARGIN}" y="26">{title}</text>'


def columns(table):
    """Return the stages of a table in groups, in the table's order; a call connects stages of one group."""
    groups = []
    for stage in _living(table):
        near = {stage, *_changes(table, stage)}
        touched = [group for group in groups if group & near]
        groups = [group for group in groups if group not in touched] + [near.union(*touched)]
    order = list(_living(table))
    ordered = [sorted(group, key=order.index) for group in groups]
    return sorted(ordered, key=lambda group: order.index(group[0]))


def _living(table):
    return [stage for stage in table.next if stage is not Stage.DESTROYED]


def _changes(table, stage):
    """Return the stages that may follow a stage, each with the calls that lead to it."""
    following = {}
    for call, after in table.next[stage].items():
        if after not in {stage, Stage.DESTROYED}:
            following.setdefault(after, []).append(call)
    return following


def _column(table, column, left):
    """Return the drawing of a column, its right edge and its bottom."""
    ways = [(stage, after, calls) for stage in column for after, calls in _changes(table, stage).items()]
    place = {stage: number for number, stage in enumerate(column)}
    back = [way for way in ways if place[way[1]] < place[way[0]]]
    ahead = [way for way in ways if place[way[1]] > place[way[0]] + 1]
    boxes, x, y = {}, left + LANE * len(back), TITLE + LINE * 2
    for stage in column:
        boxes[stage] = box = _Box(stage, tuple(_texts(table, stage)), x, y, bool(RUNS & set(table.next[stage])))
        y = box.bottom + GAP
    parts = [line for box in boxes.values() for line in _box(box)]
    parts += _births(table, boxes[column[0]])
    for stage, after, calls in ways:
        if place[after] == place[stage] + 1:
            parts += _down(boxes[stage], boxes[after], calls)
    for number, way in enumerate(back):
        parts += _beside(boxes, way, x, x - LANE * (number + 1) + 6, number)
    for number, way in enumerate(ahead):
        parts += _beside(boxes, way, x + BOX, x + BOX + LANE * (number + 1) - 6, number)
    return parts, x + BOX + LANE * len(ahead), y - GAP


def _texts(table, stage):
    """Yield the lines of a box."""
    stays = [call for call, after in table.next[stage].items() if after is stage and call not in table.queries]
    if stays:
        yield from _wrapped(f"again: {_names(stays)}", CHARACTERS)
    for call, born in table.born.items():
        if stage in born:
            yield from _wrapped(f"{call.value} → {born[stage].value}", CHARACTERS)
    yield "destroy ends it" if Call.DESTROY in table.next[stage] else "not to be destroyed here"


def _births(table, box):
    makers = [call for call, born in table.born.items() if born.get(None) is box.stage]
    others = [
        call for call, born in table.born.items() if box.stage in [after for first, after in born.items() if first]
    ]
    words = _names(makers) or f"by {_names(others)}"
    if box.stage is Stage.CREATED and not makers:  # no call in the table creates the application's object
        words = f"by the application, or by {_names(others)}"
    middle = box.x + BOX // 2
    yield f'<text class="soft" x="{middle}" y="{box.y - 24}" text-anchor="middle">{words}</text>'
    yield from _way(f"M{middle} {box.y - 19} V{box.y - 2}", (middle, box.y), "down")


def _box(box):
    kind = "box run" if box.runs else "box"
    yield f'<rect class="{kind}" x="{box.x}" y="{box.y}" width="{BOX}" height="{box.height}" rx="6"/>'
    yield f'<text class="name" x="{box.x + PAD}" y="{box.y + PAD + 11}">{box.stage.value}</text>'
    for number, line in enumerate(box.lines, 1):
        yield f'<text class="soft" x="{box.x + PAD}" y="{box.y + PAD + 11 + LINE * number}">{line}</text>'


def _down(first, second, calls):
    middle = first.x + BOX // 2
    yield from _way(f"M{middle} {first.bottom} V{second.y - 2}", (middle, second.y), "down")
    yield f'<text x="{middle + 8}" y="{(first.bottom + second.y) // 2 + 4}">{_names(calls)}</text>'


def _beside(boxes, way, edge, lane, number):
    """Draw an arrow beside the boxes, between the same sides of two boxes, with its calls along it."""
    first, second, shift = boxes[way[0]], boxes[way[1]], 8 * number
    begin, end = first.y + first.height // 2 + shift, second.y + second.height // 2 - 12 + shift
    side = "right" if edge > lane else "left"
    tip = edge - 2 if side == "right" else edge + 2
    yield from _way(f"M{edge} {begin} H{lane} V{end} H{tip}", (edge, end), side)
    x, y = lane - 4, (begin + end) // 2
    yield f'<text x="{x}" y="{y}" text-anchor="middle" transform="rotate(-90 {x} {y})">{_names(way[2])}</text>'


def _way(path, tip, direction):
    x, y = tip
    points = {
        "down": f"{x - 4},{y - 8} {x + 4},{y - 8} {x},{y}",
        "right": f"{x - 8},{y - 4} {x - 8},{y + 4} {x},{y}",
        "left": f"{x + 8},{y - 4} {x + 8},{y + 4} {x},{y}",
    }[direction]
    yield f'<path class="way" d="{path}"/>'
    yield f'<polygon class="tip" points="{points}"/>'


def _notes(table, width, y):
    """Return the lines below the boxes, about calls that change no stage, and the height of the whole picture."""
    living, where = set(_living(table)), {}
    for call in table.queries:
        where.setdefault(frozenset(stage for stage in living if call in table.next[stage]), []).append(call)
    lines = ["A box of another colour is a stage in which the plugin may be run. A new object is behind →."]
    for stages, calls in where.items():
        when = "At any time" if stages == living else f"When {_stages(table, stages)}"
        lines.append(f"{when}: {_names(calls)}.")
    rows = [row for line in lines for row in _wrapped(line, int((width - 2 * MARGIN) / ALL_CHARACTERS))]
    drawn = [f'<text class="soft" x="{MARGIN}" y="{y + LINE * number}">{row}</text>' for number, row in enumerate(rows)]
    return drawn, y + LINE * len(rows)


def _stages(table, stages):
    names = [stage.value for stage in _living(table) if stage in stages]
    return f"{', '.join(names[:-1])} or {names[-1]}" if names[1:] else names[0]


def _wrapped(text, width):
    return textwrap.wrap(text, width, subsequent_indent="  ")


def _names(calls):
    return ", ".join(call.value for call in calls)
