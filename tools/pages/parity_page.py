"""Write contributing/api_parity.md: the supported names of TensorRT at each level."""

import pathlib
import pickle
import subprocess
import sys

from pages import parity

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURE = """
import pickle, sys
sys.path.insert(0, "tools")
import {module} as parity
sys.stdout.buffer.write(pickle.dumps(parity.measure({level!r})))
"""


def page():
    """Return the page."""
    return page_of([measured(level) for level in ("10", "11", "8.6")])


def measured(level):
    """Return the report of a level. A separate process makes it, because a process has one level."""
    command = [sys.executable, "-c", MEASURE.format(module=parity.__name__, level=level)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603 - this project's code
    return pickle.loads(done.stdout)  # noqa: S301 - written by the line before


def page_of(reports):
    """Return the page for the reports of several levels."""
    lines = [
        "# API parity",
        "",
        "This page compares the names of the reference runtime with those of the genuine bindings. A member that only",
        "raises that it is not supported counts as missing. For 8.6, only classes are compared whose members the",
        "documentation of that time lists.",
        "",
        "| TensorRT | API level | names around plugins, and enumerations | all names |",
        "|---|---|---|---|",
        *(f"| {one.surface.version} | {one.level} | {count(one.needed)} | {count(one.parts)} |" for one in reports),
    ]
    for one in reports:
        lines += of_level(one)
    return "\n".join(lines) + "\n"


def of_level(report):
    """Return the lines of the section about a level."""
    lines = ["", f"## Level {report.level}", "", "| name | present | missing | different |", "|---|---|---|---|"]
    for part in report.parts:
        if part.kind in {"class", "function"} and (part.present or part.name in {one.name for one in report.needed}):
            different = "; ".join(f"`{name}`: {what}" for name, what in part.different.items()).replace("|", "\\|")
            missing = ", ".join(f"`{name}`" for name in part.missing)
            lines.append(f"| `{part.name}` | {len(part.present)} of {len(part.of)} | {missing} | {different} |")
    enums = [part for part in report.parts if part.kind == "enum"]
    absent = [f"`{part.name}`" for part in report.parts if not part.present]
    lines += ["", f"Enumerations: {count(enums)}, in {len(enums)} of them."] if enums else []
    lines += ["", f"Not there at all: {', '.join(absent)}."] if absent else []
    if report.surface.whole:
        more = [*report.more, *(f"{part.name}.{name}" for part in report.parts for name in part.more)]
        lines += ["", f"Names that the level does not have: {', '.join(f'`{name}`' for name in more) or 'none'}."]
    return lines


def count(parts):
    """Return as text how many members of some parts exist, are missing, and differ."""
    present, total = sum(len(part.present) for part in parts), sum(len(part.of) for part in parts)
    different = sum(len(part.different) for part in parts)
    return f"{present} of {total} present, {total - present} missing, {different} different"
