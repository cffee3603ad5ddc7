"""A parity report as text: for the console, and as the tables of the page in the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from harness.frontends.cli.parity.compare import Part, Report

__all__ = ["page", "report"]

_SHOWN = 6


def report(found: Report, *, verbose: bool = False) -> str:
    """Return what the console shows: a line for each class, the missing and different members below it."""
    needed = {part.name for part in found.needed}
    rest = [part for part in found.parts if part.name not in needed]
    lines = [f"TensorRT {found.surface.version}, API level {found.level}"]
    lines += _group("around plugins, and all enumerations", found.needed, verbose=verbose)
    lines += _group("the rest", [*rest, *_layers_left(found)], verbose=verbose)
    more = [*found.more, *(f"{part.name}.{name}" for part in found.parts for name in part.more)]
    if found.surface.whole:
        lines.append(f"names that this level does not have: {', '.join(more) or 'none'}")
    return "\n".join(lines) + "\n"


def _layers_left(found: Report) -> list[Part]:
    """Return what the needed parts leave out of their classes: the methods for other layers."""
    from harness.frontends.cli.parity.compare import Part  # noqa: PLC0415 - a value here, a type above

    whole = {part.name: part for part in found.parts}
    left = []
    for part in found.needed:
        names = tuple(name for name in whole[part.name].of if name not in part.of)
        if names:
            missing = tuple(name for name in whole[part.name].missing if name in names)
            left.append(Part(f"{part.name} (other layers)", part.kind, names, missing))
    return left


def _group(title: str, parts: Sequence[Part], *, verbose: bool) -> list[str]:
    lines = [f"{title}: {_count(parts)}"]
    for part in parts:
        if verbose or part.missing or part.different:
            lines.append(f"  {part.name}: {_count([part])}")
            if part.missing:
                shown = part.missing if verbose else part.missing[:_SHOWN]
                left = len(part.missing) - len(shown)
                lines.append(f"    missing {', '.join(shown)}" + (f" and {left} more (--verbose)" if left else ""))
            lines += [f"    different {name}: {what}" for name, what in part.different.items()]
            lines += [f"    present {', '.join(part.present)}"] if verbose and part.present else []
    return lines


def _count(parts: Iterable[Part]) -> str:
    listed = list(parts)
    present = sum(len(part.present) for part in listed)
    total = sum(len(part.of) for part in listed)
    different = sum(len(part.different) for part in listed)
    return f"{present} of {total} present, {total - present} missing, {different} different"


def page(reports: Sequence[Report], exercised: Mapping[str, str]) -> str:
    """Return the page of the documentation; ``exercised`` is the test of each member of the first report."""
    lines = [
        "# API parity",
        "",
        "<!-- made by tools/generate_pages.py from harness/surfaces and tests/data/api_exercise.json -->",
        "",
        "The names of the reference runtime, compared with those of the genuine bindings; `trt-conformance parity`",
        "prints them too. A member that only raises that it is not supported counts as missing. Of 8.6 only the",
        "classes are known whose members the documentation of that time lists.",
        "",
        "| TensorRT | API level | around plugins, and enumerations | everything |",
        "|---|---|---|---|",
        *(f"| {one.surface.version} | {one.level} | {_count(one.needed)} | {_count(one.parts)} |" for one in reports),
    ]
    for one in reports:
        lines += _of_level(one)
    lines += _of_members(reports[0], exercised)
    return "\n".join(lines) + "\n"


def _of_level(found: Report) -> list[str]:
    lines = ["", f"## Level {found.level}", "", "| name | present | missing | different |", "|---|---|---|---|"]
    for part in found.parts:
        if part.kind in {"class", "function"} and (part.present or part.name in {one.name for one in found.needed}):
            different = "; ".join(f"`{name}`: {what}" for name, what in part.different.items()).replace("|", "\\|")
            missing = ", ".join(f"`{name}`" for name in part.missing)
            lines.append(f"| `{part.name}` | {len(part.present)} of {len(part.of)} | {missing} | {different} |")
    enums = [part for part in found.parts if part.kind == "enum"]
    absent = [f"`{part.name}`" for part in found.parts if not part.present]
    lines += ["", f"Enumerations: {_count(enums)}, in {len(enums)} of them."] if enums else []
    lines += ["", f"Not there at all: {', '.join(absent)}."] if absent else []
    if found.surface.whole:
        more = [*found.more, *(f"{part.name}.{name}" for part in found.parts for name in part.more)]
        lines += ["", f"Names that the level does not have: {', '.join(f'`{name}`' for name in more) or 'none'}."]
    return lines


def _of_members(found: Report, exercised: Mapping[str, str]) -> list[str]:
    lines = ["", "## The tests that exercise the members", ""]
    lines += ["Measured: a run of the tests of the runtime with `--record-api` writes down which test first uses what."]
    for part in found.needed:
        if part.kind == "class" and part.present:
            lines += ["", f"### {part.name}", "", "| member | test |", "|---|---|"]
            members = found.surface.classes[part.name]
            shown = [name for name in part.present if name != "__init__" or members[name].signatures]
            lines += [f"| `{name}` | {_test(exercised.get(f'{part.name}.{name}', ''))} |" for name in shown]
    return lines


def _test(name: str) -> str:
    file, _, test = name.partition("::")
    return f"`{test}` in `{file.removeprefix('tests/')}`".replace("|", "\\|") if name else "none"
