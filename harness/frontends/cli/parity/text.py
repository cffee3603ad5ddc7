"""A parity report as text for the console."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from harness.frontends.cli.parity.compare import Part, Report

_SHOWN = 6


def report(found: Report, *, verbose: bool = False) -> str:
    """Return what the console shows: a line for each class, the missing and different members below it."""
    needed = {part.name for part in found.needed}
    rest = [part for part in found.parts if part.name not in needed]
    whole = {part.name: part for part in found.parts}
    for part in found.needed:  # what they leave out of their classes: the methods for other layers
        left = whole[part.name].only([name for name in whole[part.name].of if name not in part.of])
        if left.of:
            rest.append(structs.replace(left, name=f"{part.name} (other layers)", different={}, more=()))
    lines = [f"TensorRT {found.surface.version}, API level {found.level}"]
    lines += _group("around plugins, and all enumerations", found.needed, verbose=verbose)
    lines += _group("the rest", rest, verbose=verbose)
    more = [*found.more, *(f"{part.name}.{name}" for part in found.parts for name in part.more)]
    if found.surface.whole:
        lines.append(f"names that this level does not have: {', '.join(more) or 'none'}")
    return "\n".join(lines) + "\n"


def _group(title: str, parts: Sequence[Part], *, verbose: bool) -> list[str]:
    lines = [f"{title}: {count(parts)}"]
    for part in parts:
        if verbose or part.missing or part.different:
            lines.append(f"  {part.name}: {count([part])}")
            if part.missing:
                shown = part.missing if verbose else part.missing[:_SHOWN]
                left = len(part.missing) - len(shown)
                lines.append(f"    missing {', '.join(shown)}" + (f" and {left} more (--verbose)" if left else ""))
            lines += [f"    different {name}: {what}" for name, what in part.different.items()]
            lines += [f"    present {', '.join(part.present)}"] if verbose and part.present else []
    return lines


def count(parts: Iterable[Part]) -> str:
    """Return how many members of some parts exist, are missing, and differ."""
    listed = list(parts)
    present = sum(len(part.present) for part in listed)
    total = sum(len(part.of) for part in listed)
    different = sum(len(part.different) for part in listed)
    return f"{present} of {total} present, {total - present} missing, {different} different"
