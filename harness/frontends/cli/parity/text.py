"""Write a parity report as text for the console."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

if TYPE_CHECKING:
    from harness.frontends.cli.parity.compare import Part, Report

_SHOWN = 6


def report(compared: Report, *, verbose: bool = False) -> str:
    """Return the text: a line for each class with differences, and its missing and different members below it."""
    needed = {part.name for part in compared.needed}
    rest = [part for part in compared.parts if part.name not in needed]
    whole = {part.name: part for part in compared.parts}
    for part in compared.needed:  # the methods that plugins do not need, which ``needed`` leaves out of its classes
        left = whole[part.name].only([name for name in whole[part.name].of if name not in part.of])
        if left.of:
            rest.append(structs.replace(left, name=f"{part.name} (other layers)", different={}, more=()))
    lines = [f"TensorRT {compared.surface.version}, API level {compared.level}"]
    lines += _group("around plugins, and all enumerations", compared.needed, verbose=verbose)
    lines += _group("the rest", rest, verbose=verbose)
    more = [*compared.more, *(f"{part.name}.{name}" for part in compared.parts for name in part.more)]
    if compared.surface.whole:
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
    """Return as text how many members of some parts exist, are missing, and differ."""
    listed = list(parts)
    present = sum(len(part.present) for part in listed)
    total = sum(len(part.of) for part in listed)
    different = sum(len(part.different) for part in listed)
    return f"{present} of {total} present, {total - present} missing, {different} different"
