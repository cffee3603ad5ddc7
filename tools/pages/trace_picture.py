"""Draw docs/what_happens_when_*.svg from a trace: objects as columns, calls as rows."""

import itertools

import call_trace
from pages import lifecycle_picture

ROW, LANE, LEFT, TOP, TEXT = 16, 84, 60, 52, 190
TITLES = {"v2": "IPluginV2DynamicExt, one profile", "v3": "IPluginV3 with two tactics, one profile"}


def picture(kind):
    """Return the picture as SVG text; ``kind`` is ``"v2"`` or ``"v3"``."""
    steps = call_trace.run(kind)
    used = {role for step in steps for made in step.calls for role in (made.role, made.newborn)}
    lanes = {
        role: LEFT + LANE * number for number, role in enumerate(role for role in call_trace.ROLES if role in used)
    }
    width, y, parts = LEFT + LANE * len(lanes) + TEXT, TOP + 2 * ROW, []
    for step in steps:
        parts += [
            f'<rect class="box" stroke="none" x="0" y="{y - 12}" width="{width}" height="{ROW}"/>',
            f'<text x="8" y="{y}">{step.title}</text>',
        ]
        y += ROW + 4
        for made, group in itertools.groupby(step.calls):
            parts += _row(lanes, made, len(list(group)), y)
            y += ROW
        y += 6
    heads = [_head(role, x, y) for role, x in lanes.items()]
    return "\n".join([*_opening(kind, width, y + 8), *heads, *parts, "</svg>"]) + "\n"


def _row(lanes, made, count, y):
    x, words = lanes[made.role], made.method if count == 1 else f"{made.method}, {count} times"
    yield f'<circle class="tip" cx="{x}" cy="{y - 4}" r="3"/>'
    if made.newborn:
        tip = lanes[made.newborn]
        yield f'<path class="way" d="M{x} {y - 4} H{tip - 4}"/>'
        yield f'<polygon class="tip" points="{tip - 8},{y - 8} {tip - 8},{y} {tip},{y - 4}"/>'
        x = tip
    yield f'<text class="over" x="{x + 8}" y="{y}">{words}</text>'


def _head(role, x, bottom):
    return (
        f'<text class="soft" x="{x}" y="{TOP}" text-anchor="middle">{role}</text>'
        f'<path d="M{x} {TOP + 6} V{bottom}" stroke="var(--line)" stroke-dasharray="2 4"/>'
    )


def _opening(kind, width, height):
    return lifecycle_picture.opening(f"when_{kind}", TITLES[kind], "What is called when", width, height)
